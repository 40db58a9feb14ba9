// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/timeline_svg.h"

#include "engine/base/units.h"
#include "engine/base/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace syncopate {

namespace {

constexpr double column = 0.5; ///< in user units
constexpr int gutter = 176, titleHeight = 28, rulerHeight = 18, pitch = 18, laneHeight = 15;
constexpr double letterWidth = 6.3; ///< mean width in the labels' font
constexpr double narrowestLabel = 28;

/// The explorer's colours, in the order of Category: light, dark (ui/theme; tests/ui/tst_export_sheet.cpp compares them).
struct Colors {
    const char *light, *dark;
};
constexpr std::array<Colors, categoryCount> categoryColors{{{"#173bba", "#2f69e3"},
                                                            {"#3493ed", "#80ebfe"},
                                                            {"#1b7c59", "#84b083"},
                                                            {"#b12a08", "#a95b2c"},
                                                            {"#cb7e11", "#fbde54"},
                                                            {"#8f6e90", "#ac88a2"},
                                                            {"#71859c", "#7689a0"},
                                                            {"#857a6b", "#8a7f70"},
                                                            {"#5a6068", "#a3a8b0"},
                                                            {"#2f3d22", "#d2f0c3"}}};
/// Whether white text reads better than black on a category's colour: light, dark.
constexpr std::array<std::array<bool, 2>, categoryCount> whiteInk{{{true, true},
                                                                   {false, false},
                                                                   {true, false},
                                                                   {true, true},
                                                                   {false, false},
                                                                   {false, false},
                                                                   {false, false},
                                                                   {false, false},
                                                                   {true, false},
                                                                   {true, false}}};

std::string style() {
    std::string light, dark;
    for (std::size_t c = 0; c < categoryCount; ++c) {
        const auto rule = [c](const char *color, bool white) {
            return fmt::format(".tl .c{0}{{fill:{1}}}.tl .t{0}{{fill:{2}}}", c, color, white ? "#fff" : "#101215");
        };
        light += rule(categoryColors[c].light, whiteInk[c][0]);
        dark += rule(categoryColors[c].dark, whiteInk[c][1]);
    }
    light += ".tl .bg{fill:#fff}.tl text{fill:#1a1d21}.tl .dim{fill:#5b6470}.tl line{stroke:#cdd3da}";
    dark += ".tl .bg{fill:#1b1e23}.tl text{fill:#e6e9ed}.tl .dim{fill:#9aa3ae}.tl line{stroke:#3a414a}";
    return "<style>.tl text{font-family:system-ui,'DejaVu Sans',sans-serif;font-size:11px}.tl .label{font-size:10px}" + light +
           "@media screen and (prefers-color-scheme:dark){" + dark + "}</style>\n";
}

struct Plot {
    double from = 0, to = 0; ///< in nanoseconds of the timeline's clock
    double left = gutter, width = 0;
    [[nodiscard]] double x(double time) const { return left + (time - from) / (to - from) * width; }
};

/// The smallest step of 1, 2 or 5 times a power of ten that gives at most `maxMarks` in `range`.
double roundStep(double range, int maxMarks) {
    const double minStep = range / maxMarks;
    const double power = std::pow(10, std::floor(std::log10(minStep)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= minStep)
            return power * factor;
    return power * 10;
}

std::string labelOf(const std::string &label, double width) {
    // Counts UTF-8 characters, and cuts between them.
    const auto room = static_cast<std::size_t>(std::max(0.0, (width - 6) / letterWidth));
    std::size_t letters = 0, end = 0, previous = 0;
    while (end < label.size()) {
        std::size_t next = end + 1;
        while (next < label.size() && (static_cast<unsigned char>(label[next]) & 0xc0) == 0x80)
            ++next;
        if (letters + 1 > room)
            return letters > 2 ? label.substr(0, previous) + "…" : std::string();
        ++letters;
        previous = end;
        end = next;
    }
    return label;
}

void drawLabel(std::string &svg, Category category, const std::string &label, double x, double y) {
    if (!label.empty())
        fmt::format_to(std::back_inserter(svg), "<text class=\"label t{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                       static_cast<int>(category), x, y, escapeXml(label));
}

/// Draws a lane: a path per category, then labels. Adds the categories of the spans in the plot to `present`.
void drawLane(std::string &svg, const Lane &lane, const Timeline &timeline, const Plot &plot, double top,
              std::array<bool, categoryCount> &present) {
    std::array<std::string, categoryCount> paths;
    std::string labels;
    const auto columns = static_cast<std::size_t>(std::ceil(plot.width / column));
    std::vector<std::array<double, categoryCount>> covered(columns); // per column: width covered, in user units
    const auto rectangle = [&paths](Category category, double x, double y, double width, double height) {
        fmt::format_to(std::back_inserter(paths[static_cast<std::size_t>(category)]), "M{:.2f} {:.2f}h{:.2f}v{:.2f}h{:.2f}z", x,
                       y, width, height, -width);
    };
    for (std::size_t i = 0; i < lane.size(); ++i) {
        const double start = std::max(static_cast<double>(lane.start[i]), plot.from);
        const double end = std::min(static_cast<double>(lane.end[i]), plot.to);
        if (!(end > start))
            continue;
        present[static_cast<std::size_t>(lane.category[i])] = true;
        const double x = plot.x(start), width = plot.x(end) - x;
        if (width >= column) {
            rectangle(lane.category[i], x, top, width, laneHeight);
            if (width >= narrowestLabel && lane.label[i] >= 0)
                drawLabel(labels, lane.category[i], labelOf(timeline.labels[static_cast<std::size_t>(lane.label[i])], width),
                          x + 3, top + 11);
            continue;
        }
        // The span is narrower than a column, so it touches at most two.
        const auto first = std::min(columns - 1, static_cast<std::size_t>((x - plot.left) / column));
        const double border = plot.left + static_cast<double>(first + 1) * column;
        const double before = std::min(width, std::max(0.0, border - x));
        covered[first][static_cast<std::size_t>(lane.category[i])] += before;
        if (width > before && first + 1 < columns)
            covered[first + 1][static_cast<std::size_t>(lane.category[i])] += width - before;
    }
    for (std::size_t c = 0; c < columns; ++c) {
        double bottom = top + laneHeight;
        for (std::size_t k = 0; k < categoryCount; ++k) {
            const double height = std::min(1.0, covered[c][k] / column) * laneHeight;
            if (height < 0.05) // invisible, as are most categories in most columns
                continue;
            bottom -= height;
            rectangle(static_cast<Category>(k), plot.left + static_cast<double>(c) * column, bottom, column, height);
        }
    }
    for (std::size_t k = 0; k < categoryCount; ++k)
        if (!paths[k].empty())
            svg += fmt::format("<path class=\"c{}\" d=\"{}\"/>\n", k, paths[k]);
    if (!labels.empty())
        svg += labels + '\n';
}

void drawRuler(std::string &svg, const Plot &plot, double origin, double height) {
    const double step = roundStep(plot.to - plot.from, std::max(2, static_cast<int>(plot.width / 90)));
    for (double k = std::ceil((plot.from - origin) / step); origin + k * step <= plot.to; ++k) {
        const double x = plot.x(origin + k * step);
        svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/><text class=\"dim\" x=\"{3:.1f}\" "
                           "y=\"{4}\">{5}</text>\n",
                           x, titleHeight, height, x + 3, titleHeight + 12, k == 0 ? "0" : formatSeconds(k * step * 1e-9));
    }
}

/// A row of the picture, for one lane.
struct Row {
    std::size_t lane;
    std::string name;
    double indent; ///< in user units
};

/// The lane's name without the number that tells it from others of its kind.
std::string_view kindOf(std::string_view name) {
    const std::size_t end = name.find_last_not_of("0123456789");
    return end != std::string_view::npos && end + 1 < name.size() && name[end] == ' ' ? name.substr(0, end) : name;
}

/// The lanes to draw; a worker's further lanes follow its first one, without its name. Of lanes of one kind (simultaneous sends
/// take several) only the first few are drawn, and the last of these states how many there are.
std::vector<Row> rowsOf(const std::vector<Lane> &lanes, std::size_t maxRows) {
    constexpr std::size_t maxOfKind = 6;
    constexpr std::string_view leading = " compute";
    std::vector<Row> rows;
    std::string_view worker; // its name and a space
    for (std::size_t l = 0; l < lanes.size() && rows.size() < maxRows;) {
        const std::string_view kind = kindOf(lanes[l].name);
        std::size_t end = l + 1;
        while (end < lanes.size() && lanes[end].worker == lanes[l].worker && kindOf(lanes[end].name) == kind)
            ++end;
        for (std::size_t next = l; next < std::min(end, l + maxOfKind) && rows.size() < maxRows; ++next) {
            std::string_view name = lanes[next].name;
            const bool follows =
                !worker.empty() && lanes[next].worker == lanes[rows.back().lane].worker && name.starts_with(worker);
            if (follows)
                name.remove_prefix(worker.size());
            rows.push_back({next, std::string(name), follows ? 12.0 : 0.0});
            if (lanes[next].isCompute && name.ends_with(leading))
                worker = name.substr(0, name.size() - leading.size() + 1);
        }
        if (rows.back().lane + 1 < end && rows.back().lane + 1 == l + maxOfKind)
            rows.back().name += fmt::format(" of {}", end - l);
        l = end;
    }
    return rows;
}

} // namespace

std::string escapeXml(std::string_view text) {
    std::string escaped;
    const std::string valid = validUtf8(text, unknownCharacter);
    for (std::size_t i = 0; i < valid.size(); ++i) {
        const char c = valid[i];
        if (const std::string_view three = std::string_view(valid).substr(i, 3);
            three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf") {
            escaped += unknownCharacter; // U+FFFE and U+FFFF
            i += 2;
            continue;
        }
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        case '\t':
        case '\n':
            escaped += c;
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20)
                escaped += unknownCharacter;
            else
                escaped += c;
        }
    }
    return escaped;
}

std::string writeTimelineSvg(const Recording &run, const TimelineSvgOptions &options) {
    const double origin = run.windowStartSeconds * 1e9;
    Plot plot;
    plot.width = std::max(options.width, 300) - gutter - 8;
    plot.from = origin + options.fromSeconds * 1e9;
    plot.to = options.toSeconds > options.fromSeconds ? origin + options.toSeconds * 1e9 : origin + run.iterationSeconds * 1e9;
    if (!(plot.to > plot.from))
        plot.to = plot.from + 1; // an iteration of no duration
    const std::vector<Lane> &lanes = run.timeline.lanes;
    const std::vector<Row> rows = rowsOf(lanes, static_cast<std::size_t>(std::max(options.maxLanes, 1)));
    const double lanesTop = titleHeight + rulerHeight;
    const double lanesBottom = lanesTop + static_cast<double>(rows.size()) * pitch;
    const double height = lanesBottom + 24;
    const double width = plot.left + plot.width + 8;
    std::string svg =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tl\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                    "role=\"img\" aria-label=\"{2}\">\n",
                    width, height, escapeXml(options.title));
    svg += style() + fmt::format("<rect class=\"bg\" width=\"{}\" height=\"{}\"/>\n", width, height);
    svg += fmt::format("<text x=\"8\" y=\"18\" font-weight=\"bold\">{}</text>\n", escapeXml(options.title));
    drawRuler(svg, plot, origin, lanesBottom);
    std::array<bool, categoryCount> present{};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const Lane &lane = lanes[rows[r].lane];
        const double top = lanesTop + static_cast<double>(r) * pitch + 1;
        svg += fmt::format("<text class=\"dim\" x=\"{}\" y=\"{}\">{}</text>\n", 8 + rows[r].indent, top + 11,
                           escapeXml(labelOf(rows[r].name, gutter - 10 - rows[r].indent)));
        drawLane(svg, lane, run.timeline, plot, top, present);
    }
    double x = plot.left;
    for (std::size_t c = 0; c < categoryCount; ++c) {
        if (!present[c])
            continue;
        const std::string name = nameOf(static_cast<Category>(c));
        svg += fmt::format(
            "<rect class=\"c{0}\" x=\"{1}\" y=\"{2}\" width=\"10\" height=\"10\"/><text class=\"dim\" x=\"{3}\" y=\"{4}\">{5}"
            "</text>\n",
            c, x, lanesBottom + 7, x + 14, lanesBottom + 16, name);
        x += 14 + static_cast<double>(name.size()) * letterWidth + 16;
    }
    if (rows.size() < lanes.size())
        svg += fmt::format("<text class=\"dim\" x=\"{}\" y=\"{}\">{} more lanes are not drawn</text>\n", x + 8, lanesBottom + 16,
                           lanes.size() - rows.size());
    return svg + "</svg>\n";
}

} // namespace syncopate
