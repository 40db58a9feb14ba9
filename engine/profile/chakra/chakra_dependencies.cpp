// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra_dependencies.h"

#include "engine/base/stoppable_sort.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {

/// Finds nodes by id: by table if ids are dense, as converters number them, else by binary search.
class ChakraIds {
public:
    explicit ChakraIds(const std::vector<ChakraNode> &nodes) {
        m_sorted.reserve(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i)
            m_sorted.emplace_back(nodes[i].id, static_cast<std::int32_t>(i));
        if (!std::is_sorted(m_sorted.begin(), m_sorted.end()))
            std::sort(m_sorted.begin(), m_sorted.end());
        const std::uint64_t range = m_sorted.back().first - m_sorted.front().first;
        if (range / 4 > m_sorted.size())
            return;
        m_dense.assign(static_cast<std::size_t>(range) + 1, -1);
        for (const auto &[id, index] : m_sorted)
            m_dense[static_cast<std::size_t>(id - m_sorted.front().first)] = index;
    }

    /// Index of the node; -1 = none.
    [[nodiscard]] std::int32_t find(std::uint64_t id) const {
        if (!m_dense.empty()) {
            const std::uint64_t at = id - m_sorted.front().first; // smaller ids wrap around to large indices
            return at < m_dense.size() ? m_dense[static_cast<std::size_t>(at)] : -1;
        }
        const auto known = std::lower_bound(m_sorted.begin(), m_sorted.end(), std::pair(id, std::int32_t{0}));
        return known != m_sorted.end() && known->first == id ? known->second : -1;
    }

    /// The first node whose id an earlier node has too; -1 = none.
    [[nodiscard]] std::int32_t firstTwice() const {
        std::int32_t first = -1;
        for (std::size_t i = 1; i < m_sorted.size(); ++i) {
            if (m_sorted[i].first == m_sorted[i - 1].first && (first < 0 || m_sorted[i].second < first))
                first = m_sorted[i].second;
        }
        return first;
    }

private:
    std::vector<std::pair<std::uint64_t, std::int32_t>> m_sorted; ///< id and index, by id
    std::vector<std::int32_t> m_dense;                            ///< index by id, counted from the smallest id
};

class DependencyTies {
public:
    DependencyTies(ChakraTrace &trace, std::vector<std::uint64_t> ids, const std::stop_token &stop)
        : m_trace(trace), m_ids(std::move(ids)), m_stop(stop) {}

    Result<void> tie() {
        auto &nodes = m_trace.nodes;
        const ChakraIds numbers(nodes);
        if (const std::int64_t twice = numbers.firstTwice(); twice >= 0)
            return fail(fmt::format("two nodes have the id {}", nodes[static_cast<std::size_t>(twice)].id),
                        "convert the trace again");
        TRY(findAll(numbers));
        std::vector<std::uint64_t>().swap(m_ids);
        if (!m_forward && nodeInCycle() < nodes.size()) {
            dropControls();
            if (const std::size_t circled = nodeInCycle(); circled < nodes.size())
                return fail(fmt::format("node {} depends on itself: its data dependencies form a cycle", nodes[circled].id),
                            "convert the trace again");
        }
        if (!std::is_sorted(nodes.begin(), nodes.end(), byId))
            sortNodes();
        return {};
    }

private:
    Result<void> findAll(const ChakraIds &numbers) {
        auto &nodes = m_trace.nodes;
        auto &inputs = m_trace.inputs;
        inputs.reserve(m_ids.size());
        const bool isConverted = std::any_of(nodes.begin(), nodes.end(), [](const ChakraNode &node) { return node.onHost; });
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (i % stopInterval == 0 && m_stop.stop_requested())
                return cancelled();
            ChakraNode &node = nodes[i];
            const std::size_t first = node.firstInput, controls = first + node.inputCount - node.controlCount,
                              end = first + node.inputCount;
            node.firstInput = inputs.size();
            node.inputCount -= node.controlCount;
            node.controlCount = 0;
            for (std::size_t k = first; k < controls; ++k) {
                inputs.push_back(numbers.find(m_ids[k]));
                m_trace.dangling += inputs.back() < 0 ? 1 : 0;
                m_forward &= inputs.back() < static_cast<std::int32_t>(i);
            }
            for (std::size_t k = controls; k < end; ++k) {
                const std::int32_t input = numbers.find(m_ids[k]);
                if (isConverted || input < 0 || input == static_cast<std::int32_t>(i))
                    continue;
                inputs.push_back(input);
                ++node.inputCount;
                ++node.controlCount;
                m_forward &= input < static_cast<std::int32_t>(i);
            }
        }
        return {};
    }

    void dropControls() {
        for (ChakraNode &node : m_trace.nodes) {
            m_trace.leftOutControls += node.controlCount;
            node.inputCount -= std::exchange(node.controlCount, 0);
        }
    }

    static bool byId(const ChakraNode &a, const ChakraNode &b) { return a.id < b.id; }

    /// A node of a cycle; the number of nodes if there is none.
    [[nodiscard]] std::size_t nodeInCycle() const {
        const auto &nodes = m_trace.nodes;
        std::vector<std::uint32_t> waiting(nodes.size(), 0);
        std::vector<std::size_t> from(nodes.size() + 1, 0);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (const std::int32_t input : m_trace.inputsOf(nodes[i])) {
                if (input < 0)
                    continue;
                ++waiting[i];
                ++from[static_cast<std::size_t>(input) + 1];
            }
        }
        for (std::size_t i = 1; i < from.size(); ++i)
            from[i] += from[i - 1];
        std::vector<std::uint32_t> readers(from.back());
        std::vector<std::size_t> next(from.begin(), from.end() - 1);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (const std::int32_t input : m_trace.inputsOf(nodes[i])) {
                if (input >= 0)
                    readers[next[static_cast<std::size_t>(input)]++] = static_cast<std::uint32_t>(i);
            }
        }
        std::vector<std::uint32_t> ready;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (waiting[i] == 0)
                ready.push_back(static_cast<std::uint32_t>(i));
        }
        for (std::size_t done = 0; done < ready.size(); ++done) {
            for (std::size_t r = from[ready[done]]; r < from[ready[done] + 1]; ++r) {
                if (--waiting[readers[r]] == 0)
                    ready.push_back(readers[r]);
            }
        }
        const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](std::uint32_t w) { return w > 0; });
        return stuck == waiting.end() ? nodes.size() : cycleBefore(static_cast<std::size_t>(stuck - waiting.begin()), waiting);
    }

    /// A node of the cycle that `node` is in or waits for; `waiting`: the number of inputs that each node still waits for.
    [[nodiscard]] std::size_t cycleBefore(std::size_t node, const std::vector<std::uint32_t> &waiting) const {
        std::vector<bool> seen(waiting.size(), false);
        while (!seen[node]) {
            seen[node] = true;
            const auto inputs = m_trace.inputsOf(m_trace.nodes[node]);
            node = static_cast<std::size_t>(*std::find_if(inputs.begin(), inputs.end(), [&](std::int32_t input) {
                return input >= 0 && waiting[static_cast<std::size_t>(input)] > 0;
            }));
        }
        return node;
    }

    void sortNodes() {
        auto &nodes = m_trace.nodes;
        std::vector<std::int32_t> order(nodes.size()), place(nodes.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return byId(nodes[static_cast<std::size_t>(a)], nodes[static_cast<std::size_t>(b)]);
        });
        std::vector<ChakraNode> sorted;
        sorted.reserve(nodes.size());
        for (const std::int32_t i : order) {
            place[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(sorted.size());
            sorted.push_back(nodes[static_cast<std::size_t>(i)]);
        }
        nodes.swap(sorted);
        for (std::int32_t &input : m_trace.inputs)
            input = input < 0 ? -1 : place[static_cast<std::size_t>(input)];
    }

    ChakraTrace &m_trace;
    std::vector<std::uint64_t> m_ids;
    const std::stop_token &m_stop;
    bool m_forward = true; ///< every node comes after all that it waits for, so there is no cycle
};

} // namespace

Result<void> tieChakraDependencies(ChakraTrace &trace, std::vector<std::uint64_t> ids, const std::stop_token &stop) {
    return DependencyTies(trace, std::move(ids), stop).tie();
}

} // namespace syncopate
