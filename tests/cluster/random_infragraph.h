// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rng.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace syncopate::testing {

/// Python's list(range(count))[start:stop:step] in InfraGraph's notation, and its numbers.
struct Slice {
    std::string text;
    std::vector<int> numbers;
};
inline Slice randomSlice(Rng &rng, int count) {
    const int start = static_cast<int>(rng.next() % static_cast<std::uint64_t>(count));
    const int stop = start + 1 + static_cast<int>(rng.next() % static_cast<std::uint64_t>(count - start));
    const int step = 1 + static_cast<int>(rng.next() % 2);
    Slice slice;
    for (int i = start; i < stop; i += step)
        slice.numbers.push_back(i);
    switch (rng.next() % 4) {
    case 0:
        slice.numbers.clear();
        for (int i = 0; i < count; ++i)
            slice.numbers.push_back(i);
        break;
    case 1:
        slice = {fmt::format("[{}]", start), {start}};
        break;
    default:
        slice.text = fmt::format("[{}:{}:{}]", start, stop, step);
    }
    return slice;
}

/// Links as pairs of names, the smaller name first: parallel links count once, and no component links to itself.
class NameGraph {
public:
    void join(const std::vector<std::string> &a, const std::vector<std::string> &b, bool all) {
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < b.size(); ++j)
                if ((all || i == j) && a[i] != b[j])
                    m_links.insert(std::minmax(a[i], b[j]));
    }
    [[nodiscard]] std::size_t size() const { return m_links.size(); }
    [[nodiscard]] long between(const std::string &prefix, const std::string &other) const {
        return std::ranges::count_if(m_links, [&](const auto &link) {
            return (link.first.starts_with(prefix) && link.second.starts_with(other)) ||
                   (link.first.starts_with(other) && link.second.starts_with(prefix));
        });
    }

private:
    std::set<std::pair<std::string, std::string>> m_links;
};

/// Hosts with accelerators and NICs, which are devices with jacks, and leaves with ports; edges are random. Its links are also
/// listed by name.
class RandomDocument {
public:
    explicit RandomDocument(std::uint64_t seed) : m_rng(seed) {
        m_text = fmt::format("devices:\n- name: host\n  components:\n  - {{name: xpu, choice: xpu, count: {}}}\n"
                             "  - {{name: card, choice: device, count: {}}}\n  links: [{{name: in}}]\n  edges:\n",
                             m_xpus, m_cards);
        for (int e = upTo(3); e > 0; --e)
            addInside();
        m_text += fmt::format("- name: card\n  components: [{{name: jack, choice: port, count: {}}}]\n"
                              "- name: leaf\n  components: [{{name: port, choice: port, count: {}}}]\n"
                              "links: [{{name: out, physical: {{bandwidth: {{gigabits_per_second: 10}}}}}}]\n"
                              "instances: [{{name: host, device: host, count: {}}}, {{name: leaf, device: leaf, count: {}}}]\n"
                              "edges:\n",
                              m_jacks, m_ports, m_hosts, m_leaves);
        for (int e = upTo(4); e > 0; --e)
            addBetween();
    }
    [[nodiscard]] const std::string &text() const { return m_text; }
    [[nodiscard]] const NameGraph &graph() const { return m_graph; }
    [[nodiscard]] int components() const { return m_hosts * (m_xpus + m_cards * m_jacks) + m_leaves * m_ports; }

private:
    int upTo(int most) { return 1 + static_cast<int>(m_rng.next() % static_cast<std::uint64_t>(most)); }
    bool either() { return m_rng.next() % 2 == 0; }
    void addEdge(const std::string &a, const std::string &b, const char *link, bool all) {
        m_text += fmt::format("{}- {{ep1: {{{}}}, ep2: {{{}}}, link: {}, scheme: {}}}\n", link == std::string("in") ? "  " : "",
                              a, b, link, all ? "many2many" : "one2one");
    }
    static std::string component(const std::string &name) { return "component: \"" + name + '"'; }

    /// From accelerators to other accelerators, or to jacks of NICs.
    void addInside() {
        const Slice x = randomSlice(m_rng, m_xpus), other = randomSlice(m_rng, m_xpus), c = randomSlice(m_rng, m_cards),
                    j = randomSlice(m_rng, m_jacks);
        const bool toCard = either(), all = either();
        addEdge(component("xpu" + x.text),
                toCard ? "device: \"card" + c.text + "\", " + component("jack" + j.text) : component("xpu" + other.text), "in",
                all);
        for (int h = 0; h < m_hosts; ++h) {
            std::vector<std::string> from, to;
            for (const int i : x.numbers)
                from.push_back(fmt::format("host.{}.xpu.{}", h, i));
            for (const int i : toCard ? c.numbers : other.numbers)
                for (const int k : toCard ? j.numbers : std::vector{-1})
                    to.push_back(toCard ? fmt::format("host.{}.card.{}.jack.{}", h, i, k) : fmt::format("host.{}.xpu.{}", h, i));
            m_graph.join(from, to, all);
        }
    }

    /// From jacks of hosts to ports of leaves.
    void addBetween() {
        const Slice h = randomSlice(m_rng, m_hosts), c = randomSlice(m_rng, m_cards), j = randomSlice(m_rng, m_jacks),
                    l = randomSlice(m_rng, m_leaves), p = randomSlice(m_rng, m_ports);
        const bool all = either();
        addEdge("instance: \"host" + h.text + "\", " + component("card" + c.text + ".jack" + j.text),
                "instance: \"leaf" + l.text + "\", " + component("port" + p.text), "out", all);
        std::vector<std::string> from, to;
        for (const int i : h.numbers)
            for (const int k : c.numbers)
                for (const int m : j.numbers)
                    from.push_back(fmt::format("host.{}.card.{}.jack.{}", i, k, m));
        for (const int i : l.numbers)
            for (const int k : p.numbers)
                to.push_back(fmt::format("leaf.{}.port.{}", i, k));
        m_graph.join(from, to, all);
    }

    Rng m_rng;
    const int m_xpus = upTo(3), m_cards = upTo(3), m_ports = upTo(4), m_jacks = upTo(2), m_hosts = upTo(3), m_leaves = upTo(3);
    std::string m_text;
    NameGraph m_graph;
};

} // namespace syncopate::testing
