// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/cluster/cluster_file.h"
#include "engine/cluster/described_node.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr double nvLinkBytesPerSecond = 25e9;
constexpr std::int32_t maxNvLinks = 18; ///< per GPU (H100)
constexpr std::size_t maxMatrixBytes = 4U << 20;

struct Line {
    std::vector<std::string_view> words;
    std::size_t number;
};

/// nvidia-smi underlines the header on terminals, by escape sequences.
std::string withoutEscapes(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
            while (i < text.size() && text[i] != 'm')
                ++i;
            continue;
        }
        plain.push_back(text[i]);
    }
    return plain;
}

std::vector<Line> linesOf(std::string_view text) {
    std::vector<Line> lines;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view rest = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        Line line{{}, ++number};
        for (std::size_t at = rest.find_first_not_of(" \t\r"); at != std::string_view::npos;
             at = rest.find_first_not_of(" \t\r")) {
            rest.remove_prefix(at);
            const std::size_t length = std::min(rest.find_first_of(" \t\r"), rest.size());
            line.words.push_back(rest.substr(0, length));
            rest.remove_prefix(length);
        }
        if (!line.words.empty())
            lines.push_back(std::move(line));
    }
    return lines;
}

std::optional<std::int32_t> numberAfter(std::string_view word, std::string_view prefix) {
    if (!word.starts_with(prefix))
        return std::nullopt;
    word.remove_prefix(prefix.size());
    std::int32_t number = 0;
    const auto [rest, status] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (status != std::errc() || rest != word.data() + word.size() || number < 0)
        return std::nullopt;
    return number;
}

Unexpected failAt(const Line &line, std::string what, std::string remedy) {
    return fail(std::move(what), std::move(remedy), {}, fmt::format("{}", line.number));
}

class Matrix {
public:
    Result<void> read(const std::vector<Line> &lines) {
        const auto header =
            std::find_if(lines.begin(), lines.end(), [](const Line &line) { return line.words.front() == "GPU0"; });
        if (header == lines.end())
            return fail("there is no header that starts with GPU0", "give the output of `nvidia-smi topo -m`", {},
                        lines.empty() ? "1" : fmt::format("{}", lines.front().number));
        TRY(readHeader(*header));
        m_links.assign(m_gpus.size(), std::vector<std::int32_t>(m_gpus.size(), 0));
        std::vector<bool> seen(m_columns.size(), false);
        for (auto line = header + 1; line != lines.end(); ++line) {
            const auto column = m_indexOf.find(line->words.front());
            if (column == m_indexOf.end())
                continue; // the legend, for example
            if (line->words.size() > 1 && line->words[1] == "=")
                continue;
            if (seen[column->second])
                return failAt(*line, fmt::format("{} has two rows", line->words.front()), "give one matrix only");
            seen[column->second] = true;
            TRY(readRow(*line, column->second));
        }
        for (const std::size_t gpu : m_gpus)
            if (!seen[gpu])
                return failAt(*header, fmt::format("{} has no row", m_columns[gpu]), "give the whole matrix");
        return checkSymmetry(*header);
    }

    [[nodiscard]] std::vector<std::int32_t> gpus() const {
        std::vector<std::int32_t> indices;
        for (const std::size_t gpu : m_gpus)
            indices.push_back(*numberAfter(m_columns[gpu], "GPU"));
        std::sort(indices.begin(), indices.end());
        return indices;
    }
    [[nodiscard]] std::size_t networkDevices() const { return m_columns.size() - m_gpus.size(); }

    /// The smallest number of links that a GPU has to others, if links connect all GPUs; otherwise 0.
    [[nodiscard]] std::int32_t fewestLinks() const {
        if (m_gpus.size() < 2 || !connected())
            return 0;
        std::int32_t fewest = std::numeric_limits<std::int32_t>::max();
        for (const std::vector<std::int32_t> &row : m_links) {
            std::int64_t sum = 0;
            for (const std::int32_t links : row)
                sum += links;
            const std::int32_t most = *std::max_element(row.begin(), row.end());
            fewest = std::min(fewest, sum > maxNvLinks ? most : static_cast<std::int32_t>(sum));
        }
        return fewest;
    }

private:
    Result<void> readHeader(const Line &header) {
        for (const std::string_view word : header.words) {
            if (word == "CPU" || word == "NUMA" || word == "GPU") // "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"
                break;
            if (!m_indexOf.emplace(word, m_columns.size()).second)
                return failAt(header, fmt::format("two columns are named {}", word.substr(0, 40)), "give one matrix only");
            if (numberAfter(word, "GPU")) {
                m_gpuOf.emplace(m_columns.size(), m_gpus.size());
                m_gpus.push_back(m_columns.size());
            }
            m_columns.push_back(word);
        }
        if (m_gpus.size() > static_cast<std::size_t>(maxDevicesOfNode))
            return failAt(header, fmt::format("{} GPUs are listed", m_gpus.size()),
                          fmt::format("a node has up to {}", maxDevicesOfNode));
        return {};
    }

    Result<void> readRow(const Line &line, std::size_t row) {
        if (line.words.size() < m_columns.size() + 1)
            return failAt(line,
                          fmt::format("{} has {} cells, the header {} columns", line.words.front(), line.words.size() - 1,
                                      m_columns.size()),
                          "give the whole matrix");
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const std::string_view cell = line.words[c + 1];
            if ((cell == "X") != (c == row))
                return failAt(line, fmt::format("the cell of {} and {} is {}", m_columns[row], m_columns[c], cell.substr(0, 40)),
                              "X stands on the diagonal and nowhere else");
            const std::optional<std::int32_t> links = numberAfter(cell, "NV");
            static constexpr std::array<std::string_view, 8> others{"X", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC", "PXN"};
            if (!links && std::find(others.begin(), others.end(), cell) == others.end())
                return failAt(line,
                              fmt::format("the cell of {} and {} is '{}'", m_columns[row], m_columns[c], cell.substr(0, 40)),
                              "a cell is X, NV<number>, PIX, PXB, PHB, NODE, SYS or SOC");
            if (links && (*links < 1 || *links > maxNvLinks))
                return failAt(line, fmt::format("{} and {} have {} NVLinks", m_columns[row], m_columns[c], *links),
                              fmt::format("a GPU has 1 to {}", maxNvLinks));
            const auto from = m_gpuOf.find(row);
            const auto to = m_gpuOf.find(c);
            if (links && from != m_gpuOf.end() && to != m_gpuOf.end())
                m_links[from->second][to->second] = *links;
        }
        return {};
    }

    [[nodiscard]] Result<void> checkSymmetry(const Line &header) const {
        for (std::size_t a = 0; a < m_links.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                if (m_links[a][b] != m_links[b][a])
                    return failAt(header,
                                  fmt::format("{} has {} NVLinks to {}, which has {} back", m_columns[m_gpus[a]], m_links[a][b],
                                              m_columns[m_gpus[b]], m_links[b][a]),
                                  "give the matrix as it was printed");
        return {};
    }

    [[nodiscard]] bool connected() const {
        std::vector<bool> reached(m_links.size(), false);
        std::vector<std::size_t> open{0};
        reached[0] = true;
        std::size_t count = 1;
        while (!open.empty()) {
            const std::size_t gpu = open.back();
            open.pop_back();
            for (std::size_t other = 0; other < m_links.size(); ++other)
                if (m_links[gpu][other] > 0 && !reached[other]) {
                    reached[other] = true;
                    ++count;
                    open.push_back(other);
                }
        }
        return count == m_links.size();
    }

    std::vector<std::string_view> m_columns;
    std::unordered_map<std::string_view, std::size_t> m_indexOf;
    std::vector<std::size_t> m_gpus;                      ///< their columns
    std::unordered_map<std::size_t, std::size_t> m_gpuOf; ///< column -> index into m_gpus
    std::vector<std::vector<std::int32_t>> m_links;       ///< NVLinks between GPUs, by index into m_gpus
};

} // namespace

Result<Cluster> readTopologyMatrix(std::string_view text, const std::string &file) {
    if (text.size() > maxMatrixBytes)
        return fail("a topology matrix of this size is not read", "check that this is the file you meant", file);
    const std::string plain = withoutEscapes(text);
    Matrix matrix;
    TRY(inFile(matrix.read(linesOf(plain)), file));
    const std::vector<std::int32_t> gpus = matrix.gpus();
    Cluster cluster = clusterOf({{gpus, 0}});
    cluster.notes.push_back(fmt::format("Read: {} GPUs and {} network devices of one node (nvidia-smi topo -m).", gpus.size(),
                                        matrix.networkDevices()));
    if (const std::int32_t links = matrix.fewestLinks(); links > 0) {
        cluster.intraNodeBandwidthBytesPerSecond = links * nvLinkBytesPerSecond;
        cluster.notes.push_back(fmt::format("Assumed: {} NVLinks a GPU of 25 GB/s each way; the matrix does not tell their "
                                            "generation.",
                                            links));
    } else if (gpus.size() > 1) {
        cluster.notes.emplace_back("Assumed: GPUs that NVLinks do not connect talk over PCIe 3 x16, 12 GB/s each way.");
    }
    cluster.notes.emplace_back("Assumed: 1 Gbit/s of network, AutoDist's default; the matrix has no speeds.");
    return cluster;
}

} // namespace syncopate
