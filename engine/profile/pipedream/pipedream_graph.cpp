// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/pipedream/pipedream_graph.h"

#include "engine/parse/byte_order_mark.h"
#include "engine/parse/string_table.h"
#include "engine/profile/pipedream/pipedream.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <queue>

namespace syncopate {

std::string_view trimmedField(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

namespace {

constexpr std::string_view separator = " -- ";
constexpr std::size_t maxNodes = 1'000'000;
constexpr std::size_t shortestNode = 128; ///< approximate bytes of its line

/// The first three parts of a line between separators, and their number (3 = three or more).
struct Parts {
    std::array<std::string_view, 3> part;
    std::size_t count = 0;
};

Parts split(std::string_view text) {
    Parts parts;
    std::size_t from = 0;
    // Looks for dashes, which are rarer than spaces.
    for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
        if (dash < from + 1 || text.substr(dash - 1, separator.size()) != separator)
            continue;
        parts.part[parts.count++] = text.substr(from, dash - 1 - from);
        if (parts.count == parts.part.size())
            return parts;
        from = dash - 1 + separator.size();
        dash = from - 1;
    }
    parts.part[parts.count++] = text.substr(from);
    return parts;
}

bool numberOf(std::string_view text, double &number) {
    text = trimmedField(text);
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc() && end == text.data() + text.size() && std::isfinite(number) && number >= 0 && number < 1e15;
}

class GraphReader {
public:
    explicit GraphReader(const std::string &name) : m_name(name) {}

    Result<PipeDreamGraph> read(std::string_view text) {
        std::size_t number = 0;
        m_nodes.reserve(std::min(text.size() / shortestNode, maxNodes));
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            TRY(takeLine(text.substr(from, end - from), ++number));
            from = end + 1;
        }
        if (m_nodes.empty())
            return fail("there is no node in it", "give the graph.txt that PipeDream's profiler wrote", m_name, "1");
        TRY(tieEdges());
        auto order = TRY(topological());
        return PipeDreamGraph{std::move(m_nodes), m_edges.size(), std::move(m_parents), std::move(order)};
    }

private:
    [[nodiscard]] Unexpected wrong(std::string what, std::size_t line) const {
        return fail(std::move(what),
                    "write nodes as 'nodeN -- TYPE -- forward_compute_time=ms, backward_compute_time=ms, activation_size=bytes, "
                    "parameter_size=bytes' and edges as 'nodeA -- nodeB'",
                    m_name, std::to_string(line));
    }

    Result<void> takeLine(std::string_view line, std::size_t number) {
        const bool edge = !line.empty() && line.front() == '\t';
        line = trimmedField(line);
        if (line.empty())
            return {};
        const auto parts = split(line);
        if (edge || parts.count == 2) {
            if (parts.count != 2)
                return wrong("this is neither a node nor an edge", number);
            m_edges.push_back({trimmedField(parts.part[0]), trimmedField(parts.part[1]), number});
            return {};
        }
        if (parts.count < 3)
            return wrong("this is neither a node nor an edge", number);
        if (m_nodes.size() == maxNodes)
            return fail(fmt::format("there are more than {} nodes", maxNodes), "profile a smaller model", m_name,
                        std::to_string(number));
        LayerNode node;
        node.id = trimmedField(parts.part[0]);
        node.description = trimmedField(parts.part[1]);
        node.line = number;
        const std::size_t digits = node.id.find_first_of("0123456789");
        if (digits != std::string_view::npos)
            std::from_chars(node.id.data() + digits, node.id.data() + node.id.size(), node.number);
        bool forward = false, backward = false, parameters = false;
        const std::string_view fields = parts.part[2];
        for (std::size_t from = 0; from < fields.size();) {
            std::size_t end = fields.find(',', from);
            while (end != std::string_view::npos && fields.substr(end + 1, 1) != " ")
                end = fields.find(',', end + 1);
            end = std::min(end, fields.size());
            const std::string_view field = fields.substr(from, end - from);
            const std::size_t equals = field.find('=');
            const std::string_view key = trimmedField(field.substr(0, equals));
            const std::string_view value = equals == std::string_view::npos ? std::string_view() : field.substr(equals + 1);
            bool valid = true;
            if (key == "forward_compute_time")
                valid = forward = numberOf(value, node.forwardMilliseconds);
            else if (key == "backward_compute_time")
                valid = backward = numberOf(value, node.backwardMilliseconds);
            else if (key == "parameter_size")
                valid = parameters = numberOf(value, node.parameterBytes);
            else if (key == "activation_size")
                valid = takeActivations(value, node);
            if (!valid)
                return wrong(fmt::format("{} of {} is '{}'", key, node.id, value), number);
            from = end + 2;
        }
        if (!forward || !backward || !parameters)
            return wrong(fmt::format("{} lacks its times or its parameter size", node.id), number);
        if (m_ids.intern(node.id) < m_nodes.size())
            return wrong(fmt::format("{} is there twice", node.id), number);
        m_nodes.push_back(node);
        return {};
    }

    /// Reads "205520896.000", or a tuple: "[6291456.0; 131072.0]".
    static bool takeActivations(std::string_view value, LayerNode &node) {
        value = trimmedField(value);
        if (value.starts_with('[') && value.ends_with(']'))
            value = value.substr(1, value.size() - 2);
        for (std::size_t from = 0; from <= value.size();) {
            const std::size_t end = std::min(value.find(';', from), value.size());
            double bytes = 0;
            if (!numberOf(value.substr(from, end - from), bytes) || node.activations >= 64)
                return false;
            if (node.activations < node.activationBytes.size())
                node.activationBytes[node.activations] = bytes;
            ++node.activations;
            from = end + 1;
        }
        return true;
    }

    Result<void> tieEdges() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        pairs.reserve(m_edges.size());
        for (const Edge &edge : m_edges) {
            const std::uint32_t from = m_ids.intern(edge.from), to = m_ids.intern(edge.to);
            if (std::max(from, to) >= m_nodes.size())
                return wrong(fmt::format("the edge from {} to {} names an unknown node", edge.from, edge.to), edge.line);
            pairs.emplace_back(from, to);
        }
        m_children = NodeLists(m_nodes.size(), pairs);
        for (auto &[from, to] : pairs)
            std::swap(from, to);
        m_parents = NodeLists(m_nodes.size(), pairs);
        return {};
    }

    /// As PipeDreamGraph::order.
    [[nodiscard]] Result<std::vector<std::size_t>> topological() const {
        using Entry = std::pair<std::int64_t, std::size_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
        std::vector<std::size_t> waiting;
        waiting.reserve(m_nodes.size());
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            waiting.push_back(m_parents.of(i).size());
            if (waiting.back() == 0)
                ready.emplace(m_nodes[i].number, i);
        }
        std::vector<std::size_t> order;
        order.reserve(m_nodes.size());
        while (!ready.empty()) {
            const std::size_t node = ready.top().second;
            ready.pop();
            order.push_back(node);
            for (const std::uint32_t child : m_children.of(node)) {
                if (--waiting[child] == 0)
                    ready.emplace(m_nodes[child].number, child);
            }
        }
        if (order.size() < m_nodes.size()) {
            const LayerNode &node = m_nodes[nodeInCycle(waiting)];
            return wrong(fmt::format("{} waits for itself: the edges form a cycle", node.id), node.line);
        }
        return order;
    }

    /// A node of a cycle; `waiting`: the number of parents that each still waits for. What waits only for a cycle is not in it,
    /// but from parent to waiting parent leads into one.
    [[nodiscard]] std::size_t nodeInCycle(const std::vector<std::size_t> &waiting) const {
        const auto waits = [&](std::size_t node) { return waiting[node] > 0; };
        std::vector<bool> seen(m_nodes.size(), false);
        std::size_t at = 0;
        while (!waits(at))
            ++at;
        while (!seen[at]) {
            seen[at] = true;
            const auto parents = m_parents.of(at);
            at = *std::find_if(parents.begin(), parents.end(), waits);
        }
        return at;
    }

    struct Edge {
        std::string_view from, to;
        std::size_t line;
    };
    const std::string &m_name;
    std::vector<LayerNode> m_nodes;
    std::vector<Edge> m_edges;
    NodeLists m_parents, m_children;
    StringTable m_ids; ///< ids of nodes, numbered like the nodes
};

} // namespace

Result<PipeDreamGraph> readPipeDreamGraph(std::string_view text, const std::string &file) {
    return GraphReader(file).read(withoutByteOrderMark(text));
}

bool looksLikePipeDream(std::string_view head) {
    head = withoutByteOrderMark(head);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return false;
    const std::string_view line = head.substr(first, head.find('\n', first) - first);
    return line.starts_with("node") && line.find(separator) != std::string_view::npos;
}

} // namespace syncopate
