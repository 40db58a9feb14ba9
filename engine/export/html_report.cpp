// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/html_report.h"

#include "engine/analyze/comparable.h"
#include "engine/analyze/metrics.h"
#include "engine/base/glossary.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/export/export.h"
#include "engine/export/timeline_svg.h"
#include "engine/job/batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>

namespace syncopate {

namespace {

constexpr const char *styleSheet =
    ":root{color-scheme:light dark;--bg:#f4f5f7;--raised:#fff;--text:#1a1d21;--dim:#5b6470;--border:#cdd3da;--better:#1f5fa8;"
    "--worse:#a85400}"
    "@media screen and (prefers-color-scheme:dark){:root{--bg:#1b1e23;--raised:#22262c;--text:#e6e9ed;--dim:#9aa3ae;--border:"
    "#3a414a;--better:#5fa8f0;--worse:#f0a04b}}"
    "body{background:var(--bg);color:var(--text);font:14px/1.5 system-ui,'DejaVu Sans',sans-serif;margin:24px "
    "auto;max-width:1240px;"
    "padding:0 16px}"
    "h1{font-size:22px;margin:0}h2{font-size:16px;margin:28px 0 8px;border-bottom:1px solid var(--border)}"
    ".dim{color:var(--dim)}.better{color:var(--better)}.worse{color:var(--worse)}"
    "table{border-collapse:collapse;background:var(--raised);font-variant-numeric:tabular-nums}"
    "th,td{padding:3px 10px;border:1px solid var(--border);text-align:left;vertical-align:top}"
    "td.n,th.n{text-align:right;white-space:nowrap}td.k{text-align:right;overflow-wrap:anywhere;max-width:20em}.wide{overflow-x:"
    "auto}.strategy{font-size:12px;white-space:nowrap}"
    "svg,img{max-width:100%;height:auto;border:1px solid var(--border);margin:4px 0 12px;display:block}"
    "figure{margin:0}figcaption{color:var(--dim)}"
    "@media "
    "print{body{background:#fff;margin:0;max-width:none;font-size:11px}h2,figure{break-after:avoid}tr,figure,svg,img{break-"
    "inside:avoid}thead{display:table-header-group}.wide{overflow:visible}}";

const char *nameOf(CollectiveAlgorithm algorithm) {
    switch (algorithm) {
    case CollectiveAlgorithm::Ring:
        return "ring";
    case CollectiveAlgorithm::Tree:
        return "binomial tree";
    case CollectiveAlgorithm::HalvingDoubling:
        return "halving-doubling";
    case CollectiveAlgorithm::Hierarchical:
        return "hierarchical";
    case CollectiveAlgorithm::ReduceScatterAllGather:
        return "reduce-scatter and all-gather";
    case CollectiveAlgorithm::BroadcastReduce:
        return "reduce and broadcast";
    }
    return "";
}

/// A line of the tables with one column per side.
struct Line {
    std::string name, definition;
    std::function<std::string(const Run &)> text;
};

std::string rangeOf(const std::vector<double> &values, const std::function<std::string(double)> &format) {
    if (values.empty())
        return "none";
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least == *most ? format(*least) : format(*least) + " to " + format(*most);
}

const std::vector<Line> &knobLines() {
    static const std::vector<Line> lines{
        {"Strategy's replicas", "copies of the model that take part",
         [](const Run &run) { return fmt::format("{}", run.workers); }},
        {"Machines", "with workers, and serving only",
         [](const Run &run) {
             const Cluster &cluster = *run.scenario.cluster;
             return cluster.serverOnly.empty() ? fmt::format("{}", cluster.nodes.size())
                                               : fmt::format("{} and {}", cluster.nodes.size() - cluster.serverOnly.size(),
                                                             counted(cluster.serverOnly.size(), "server"));
         }},
        {"Bandwidth", "of a machine's link, each way",
         [](const Run &run) {
             std::vector<double> values;
             for (const Node &node : run.scenario.cluster->nodes)
                 values.push_back(node.bandwidthBytesPerSecond);
             return rangeOf(values, formatBandwidth);
         }},
        {"Latency", "of a message between machines, one way",
         [](const Run &run) { return formatSeconds(run.scenario.cluster->latencySeconds); }},
        {"Bandwidth inside a machine", "of a device, each way",
         [](const Run &run) { return formatBandwidth(run.scenario.cluster->intraNodeBandwidthBytesPerSecond); }},
        {"Link efficiency", "goodput of a stream / stated bandwidth; and of a collective / of a stream",
         [](const Run &run) {
             return fmt::format("{:.4g}; {:.4g}", run.scenario.cluster->linkEfficiency,
                                run.scenario.cluster->collectiveEfficiency);
         }},
        {"Speed of devices", "against the job's times",
         [](const Run &run) {
             std::vector<double> values;
             const Cluster &cluster = *run.scenario.cluster;
             for (const std::int32_t node : cluster.trainingNodes()) // the others compute nothing
                 values.push_back(cluster.nodes[static_cast<std::size_t>(node)].computeScale);
             return rangeOf(values, [](double v) { return fmt::format("{:.4g}", v); });
         }},
        {"Policy", "the pieces and the order in which traffic is sent",
         [](const Run &run) { return formatPolicy(run.scenario.policy); }},
        {"All-reduce", "algorithm; analytic = closed form on its channel, flows = every step on the links",
         [](const Run &run) {
             return fmt::format("{}, {}", nameOf(run.scenario.policy.algorithm),
                                run.scenario.policy.form == CollectiveForm::Flows ? "flows" : "analytic");
         }},
        {"Barrier", "the next forward waits for all communication, or for each layer's own",
         [](const Run &run) { return std::string(run.scenario.policy.barrier ? "on" : "off"); }},
        {"Batch size", "samples per replica and iteration",
         [](const Run &run) {
             return statesBatch(*run.scenario.job) ? fmt::format("{:.6g}", run.scenario.job->batchSize)
                                                   : std::string("not known");
         }},
        {"Simulated iterations", "the last full one is shown",
         [](const Run &run) { return fmt::format("{}", run.scenario.iterations); }},
        {"Seed", "of the policy's random order",
         [](const Run &run) {
             const CommPolicy &policy = run.scenario.policy;
             return policy.has("seed") ? fmt::format("{:.0f}", policy.value("seed")) : std::string("nothing is random");
         }},
    };
    return lines;
}

struct Figure {
    const char *name;
    std::string_view definition;
    double (*value)(const Run &, const AreaStatistics &);
    std::string (*format)(double);
    int better; ///< -1: smaller is better, 1: larger, 0: neither
};

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }
std::string samples(double rate) { return fmt::format("{:.5g} samples/s", rate); }
std::string steps(double rate) { return fmt::format("{:.5g} steps/s", rate); }
double stepsPerSecond(const Run &run, const AreaStatistics & /*area*/) {
    return run.samplesPerSecond / countOfStep(*run.scenario.job);
}

const std::array<Figure, 10> figures{{
    {"Iteration", glossaryText("Iteration time"), [](const Run &run, const AreaStatistics &) { return run.iterationSeconds; },
     formatSeconds, -1},
    {"Throughput", glossaryText("Throughput"), [](const Run &run, const AreaStatistics &) { return run.samplesPerSecond; },
     samples, 1},
    {"Compute", glossaryText("Compute"), [](const Run &, const AreaStatistics &area) { return area.computeSeconds; },
     formatSeconds, 0},
    {"Communication", glossaryText("Communication"),
     [](const Run &, const AreaStatistics &area) { return area.communicationSeconds; }, formatSeconds, 0},
    {"Overlapped", glossaryText("Overlapped communication"),
     [](const Run &, const AreaStatistics &area) { return area.overlappedSeconds; }, formatSeconds, 0},
    {"Exposed", glossaryText("Exposed communication"),
     [](const Run &, const AreaStatistics &area) { return area.exposedSeconds; }, formatSeconds, -1},
    {"Overlap", glossaryText("Overlap"), [](const Run &, const AreaStatistics &area) { return area.overlapRatio(); }, percent, 1},
    {"Host", glossaryText("Host wait"), [](const Run &run, const AreaStatistics &area) { return hostWaitSeconds(run, area); },
     formatSeconds, -1},
    {"Wait", glossaryText("Wait"), [](const Run &, const AreaStatistics &area) { return area.waitSeconds; }, formatSeconds, -1},
    {"Parameters", "Bytes of all variables, the same on both sides of one job.",
     [](const Run &run, const AreaStatistics &) { return static_cast<double>(run.scenario.job->parameterBytes()); }, formatBytes,
     0},
}};

std::string sideName(const ReportInput &input, std::size_t side) { return {static_cast<char>('A' + input.firstSide + side)}; }

std::string headerRow(const ReportInput &input, const char *first, bool withDelta) {
    std::string row = fmt::format("<thead><tr><th>{}</th>", first);
    for (std::size_t s = 0; s < input.sides.size(); ++s)
        row += fmt::format("<th class=\"n\">{}</th>", sideName(input, s));
    if (withDelta && input.sides.size() == 2)
        row += "<th class=\"n\">B − A</th>";
    return row + "<th>Definition</th></tr></thead>\n";
}

/// The cell with B - A.
std::string deltaCell(const Figure &figure, double a, double b) {
    const double delta = b - a;
    constexpr double shownShare = 0.0005; // rounds to 0.1 %
    const bool isRounding = std::abs(delta) < shownShare * std::abs(a) || figure.format(std::abs(delta)) == figure.format(0);
    if (delta == 0 || (isRounding && figure.format(a) == figure.format(b)))
        return "<td class=\"n\">0</td>";
    const bool more = delta > 0;
    const int sense = more ? figure.better : -figure.better;
    const char *const sign = more ? "+" : "−";
    const std::string share =
        a != 0 && figure.format != percent ? fmt::format(" ({}{})", sign, percent(std::abs(delta / a))) : std::string();
    // A sign and an arrow, so that colour is not the only cue.
    return fmt::format("<td class=\"n{}\">{}{} {}{}</td>",
                       sense > 0   ? " better"
                       : sense < 0 ? " worse"
                                   : "",
                       sign, figure.format(std::abs(delta)), more ? "▲" : "▼", share);
}

std::string figuresTable(const ReportInput &input) {
    std::vector<AreaStatistics> areas;
    for (const ReportSide &side : input.sides)
        areas.push_back(iterationStatistics(*side.run));
    std::string html = "<table>" + headerRow(input, "Quantity", true) + "<tbody>";
    const bool countSamples =
        std::ranges::all_of(input.sides, [](const auto &side) { return statesBatch(*side.run->scenario.job); });
    for (Figure figure : figures) {
        if (figure.format == samples && !countSamples) {
            figure.format = steps;
            figure.value = stepsPerSecond;
        }
        std::vector<double> values;
        html += fmt::format("<tr><td>{}</td>", figure.name);
        for (std::size_t s = 0; s < input.sides.size(); ++s) {
            values.push_back(figure.value(*input.sides[s].run, areas[s]));
            html += fmt::format("<td class=\"n\">{}</td>", escapeXml(figure.format(values.back())));
        }
        if (values.size() == 2)
            html += deltaCell(figure, values[0], values[1]);
        html += fmt::format("<td class=\"dim\">{}</td></tr>\n", escapeXml(figure.definition));
    }
    return html + "</tbody></table>\n";
}

std::string knobsTable(const ReportInput &input) {
    std::string html = "<table>" + headerRow(input, "Knob", false) + "<tbody>\n<tr><td>Strategy</td>";
    for (const ReportSide &side : input.sides)
        html += fmt::format("<td class=\"k\">{}</td>", escapeXml(side.strategy));
    html += "<td class=\"dim\">how each variable is kept the same on all replicas</td></tr>\n";
    for (const Line &line : knobLines()) {
        html += fmt::format("<tr><td>{}</td>", escapeXml(line.name));
        for (const ReportSide &side : input.sides)
            html += fmt::format("<td class=\"k\">{}</td>", escapeXml(line.text(*side.run)));
        html += fmt::format("<td class=\"dim\">{}</td></tr>\n", escapeXml(line.definition));
    }
    return html + "</tbody></table>\n";
}

std::string pictures(const ReportInput &input) {
    std::string html;
    // One scale for all, so that lengths can be compared visually.
    double longest = 0;
    for (const ReportSide &side : input.sides)
        longest = std::max(longest, side.run->iterationSeconds);
    for (std::size_t s = 0; s < input.sides.size(); ++s) {
        const Run &run = *input.sides[s].run;
        TimelineSvgOptions options;
        options.title =
            fmt::format("{}: {}, {}", sideName(input, s), input.sides[s].strategy, formatSeconds(run.iterationSeconds));
        options.toSeconds = longest;
        html += "<figure>" + writeTimelineSvg(run, options) + "</figure>\n";
    }
    for (const ReportPicture &picture : input.pictures) {
        html += "<figure>" + picture.svg;
        if (!picture.pngBytes.empty())
            html += fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">", escapeXml(picture.caption),
                                base64(picture.pngBytes));
        html += fmt::format("<figcaption>{}</figcaption></figure>\n", escapeXml(picture.caption));
    }
    return html;
}

std::string strategyTable(const ReportInput &input) {
    std::vector<std::vector<VariableRow>> rows;
    for (const ReportSide &side : input.sides)
        rows.push_back(variableRows(*side.run));
    std::string html =
        "<div class=\"wide\"><table class=\"strategy\"><thead><tr><th rowspan=\"2\">Variable</th><th rowspan=\"2\">Shape</th>"
        "<th rowspan=\"2\" class=\"n\">Size</th>";
    for (std::size_t s = 0; s < input.sides.size(); ++s)
        html += fmt::format("<th colspan=\"4\">{}</th>", sideName(input, s));
    html += "</tr><tr>";
    for (std::size_t s = 0; s < input.sides.size(); ++s)
        html += "<th>Synchroniser</th><th>Where</th><th class=\"n\">Parts</th><th class=\"n\">Communication, worker 0</th>";
    html += "</tr></thead><tbody>\n";
    const Job &job = *input.sides.front().run->scenario.job;
    for (std::size_t v = 0; v < job.variables.size(); ++v) {
        const Variable &variable = job.variables[v];
        html += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td>", escapeXml(variable.name),
                            variable.shape.empty() ? "scalar" : fmt::format("{}", fmt::join(variable.shape, " × ")),
                            formatBytes(static_cast<double>(variable.sizeBytes())));
        for (const auto &side : rows) {
            if (v >= side.size()) {
                html += "<td colspan=\"4\" class=\"dim\">not in this job</td>";
                continue;
            }
            const VariableRow &row = side[v];
            html +=
                fmt::format("<td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>", escapeXml(row.synchroniser),
                            row.destination.empty() && !row.groups.empty() ? "group " + row.groups : escapeXml(row.destination),
                            row.parts, formatSeconds(row.communicationSeconds));
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

/// Each assumption once; names its sides unless it holds for all.
std::string assumptions(const ReportInput &input) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> sentences;
    std::map<std::string, std::size_t> known;
    const auto add = [&](const std::string &sentence, std::size_t side) {
        const auto [found, isNew] = known.try_emplace(sentence, sentences.size());
        if (isNew)
            sentences.push_back({sentence, {}});
        auto &sides = sentences[found->second].second;
        if (sides.empty() || sides.back() != side)
            sides.push_back(side);
    };
    for (std::size_t s = 0; s < input.sides.size(); ++s) {
        const Run &run = *input.sides[s].run;
        const std::vector<std::string> ofCluster = run.scenario.cluster->allNotes();
        for (const auto *list : {&run.assumptions, &run.scenario.job->notes, &ofCluster})
            for (const std::string &sentence : *list)
                add(sentence, s);
    }
    std::string html = "<ul>\n";
    for (const auto &[sentence, sides] : sentences)
        html += fmt::format("<li>{}{}</li>\n",
                            sides.size() < input.sides.size() ? fmt::format("<b>{}:</b> ", sideName(input, sides.front()))
                                                              : std::string(),
                            escapeXml(sentence));
    return html + "</ul>\n";
}

/// The notes of the reported sides, by side and time; a heading only if there are any.
std::string notesTable(const ReportInput &input) {
    std::vector<Note> notes = input.notes;
    std::erase_if(notes, [&](const Note &note) {
        return note.side < input.firstSide || note.side >= input.firstSide + input.sides.size();
    });
    if (notes.empty())
        return {};
    std::stable_sort(notes.begin(), notes.end(), [](const Note &a, const Note &b) {
        return std::pair(a.side, a.fromNanoseconds) < std::pair(b.side, b.fromNanoseconds);
    });
    std::string html =
        "<h2>Notes</h2>\n<table><thead><tr><th>Side</th><th>Time</th><th>Length</th><th>Lane</th><th>Note</th></tr>"
        "</thead><tbody>\n";
    for (const Note &note : notes) {
        const double length = note.toNanoseconds - note.fromNanoseconds;
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", note.side == 0 ? "A" : "B",
                            formatSeconds(note.fromNanoseconds * 1e-9), length > 0 ? formatSeconds(length * 1e-9) : "",
                            escapeXml(note.lane), escapeXml(note.text));
    }
    return html + "</tbody></table>\n";
}

} // namespace

std::string base64(std::string_view bytes) {
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? digits[group >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

std::string writeHtmlReport(const ReportInput &input) {
    const Job &job = *input.sides.front().run->scenario.job;
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n";
    html += fmt::format("<title>{}</title>\n<style>{}</style>\n</head><body>\n<h1>{}</h1>\n", escapeXml(input.title), styleSheet,
                        escapeXml(input.title));
    html += fmt::format("<p class=\"dim\">Job {} ({} layers, {} variables, {}), from {}. Cluster {}, from {}.{}</p>\n",
                        escapeXml(job.name), job.layers.size(), job.variables.size(),
                        formatBytes(static_cast<double>(job.parameterBytes())), escapeXml(input.jobSource),
                        escapeXml(input.sides.front().run->scenario.cluster->name), escapeXml(input.clusterSource),
                        input.date.empty() ? "" : " Made " + escapeXml(input.date) + ".");
    html += "<h2>Result</h2>\n" + figuresTable(input);
    html += "<h2>Knobs</h2>\n" + knobsTable(input);
    html +=
        "<h2>Timelines</h2>\n<p class=\"dim\">The last full iteration. Short spans appear as the share of their time that each "
        "kind takes.</p>\n" +
        pictures(input);
    html +=
        "<h2>Strategy</h2>\n<p class=\"dim\">Communication: time that the variable's traffic of one iteration is under way on "
        "worker 0.</p>\n" +
        strategyTable(input);
    html += notesTable(input);
    html += "<h2>Assumptions</h2>\n" + assumptions(input);
    html += fmt::format("<h2>Versions</h2>\n<p>Syncopate {}. The same scenario gives the same figures, bit for bit.</p>\n",
                        escapeXml(input.programVersion));
    return html + "</body></html>\n";
}

} // namespace syncopate
