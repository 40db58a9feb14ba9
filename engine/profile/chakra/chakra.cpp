// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra.h"

#include "engine/base/stoppable_sort.h"
#include "engine/base/utf8.h"
#include "engine/parse/proto_stream.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {

using Field = ProtoStream::Field;
using Kind = ProtoStream::Kind;

constexpr std::size_t mostNodes = 50'000'000;

/// Finds nodes by their ids: in a table where ids are dense, as converters number them, else by binary search.
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

    /// Index of the node, -1 = there is none.
    [[nodiscard]] std::int32_t find(std::uint64_t id) const {
        if (!m_dense.empty()) {
            const std::uint64_t at = id - m_sorted.front().first; // smaller ids become the largest
            return at < m_dense.size() ? m_dense[static_cast<std::size_t>(at)] : -1;
        }
        const auto known = std::lower_bound(m_sorted.begin(), m_sorted.end(), std::pair(id, std::int32_t{0}));
        return known != m_sorted.end() && known->first == id ? known->second : -1;
    }

    /// The first node with an id that another one before it has; -1 = none.
    [[nodiscard]] std::int32_t firstTwice() const {
        std::int32_t first = -1;
        for (std::size_t i = 1; i < m_sorted.size(); ++i) {
            if (m_sorted[i].first == m_sorted[i - 1].first && (first < 0 || m_sorted[i].second < first))
                first = m_sorted[i].second;
        }
        return first;
    }

private:
    std::vector<std::pair<std::uint64_t, std::int32_t>> m_sorted; ///< id and index
    std::vector<std::int32_t> m_dense;                            ///< index by id, from the smallest one
};

constexpr std::uint64_t keptBytesOfNode = 400;      ///< with its part of the profile
constexpr std::uint64_t keptBytesOfDependency = 24; ///< its id, its index, and what the search for circles keeps

class ChakraReader {
public:
    ChakraReader(ByteSource &source, std::stop_token stop) : m_in(source, stop), m_stop(std::move(stop)) {
        m_trace.names.intern({}); // number 0, of nodes without a name
    }

    Result<ChakraTrace> read() {
        for (std::uint64_t number = 0; TRY(readMessage(number)); ++number) {
        }
        m_trace.bytes = m_in.offset();
        if (m_trace.nodes.empty())
            return fail("there is no node in it", "convert the trace again");
        TRY(tieDependencies());
        return std::move(m_trace);
    }

private:
    /// The metadata, which are message 0, or a node; false at the end of the file.
    Result<bool> readMessage(std::uint64_t number) {
        if (number % 1024 == 0 && m_stop.stop_requested())
            return cancelled();
        TRY(checkKept());
        if (!TRY(m_in.enterDelimited()))
            return false;
        if (m_trace.nodes.size() == mostNodes)
            return fail("there are too many nodes in it", "trace fewer steps");
        TRY(number == 0 ? readMetadata() : readNode());
        TRY(m_in.leave());
        return true;
    }

    /// Checks the kept bytes against the memory limit whenever they have grown by a megabyte, since one node may hold everything.
    [[nodiscard]] Result<void> checkKept() {
        const std::uint64_t kept =
            m_trace.nodes.size() * keptBytesOfNode + m_dataDeps.size() * keptBytesOfDependency + m_trace.names.memoryBytes();
        if (kept - m_checkedBytes < (std::uint64_t{1} << 20))
            return {};
        m_checkedBytes = kept;
        return m_in.checkKept(kept);
    }

    Result<void> readMetadata() {
        return m_in.forEachField([&](const Field &field) -> Result<void> {
            if (field.number == 1 && field.kind == Kind::Bytes && field.size < 256)
                return m_in.textInto(m_trace.version);
            if (field.number != 2 || field.kind != Kind::Bytes)
                return {};
            std::string text;
            Attribute attribute;
            attribute.text = &text;
            const auto read = readAttribute(attribute);
            if (read && attribute.name == Name::Schema && m_trace.version.empty())
                m_trace.version = text.substr(0, 64);
            return read;
        });
    }

    enum class Name : std::uint8_t { Other, OnHost, Thread, Sequence, Collective, SizeBytes, Group, Schema };
    static Name nameOf(std::string_view text) {
        switch (text.size()) {
        case 3:
            return text == "tid" ? Name::Thread : Name::Other;
        case 6:
            return text == "seq_id" ? Name::Sequence : text == "schema" ? Name::Schema : Name::Other;
        case 7:
            return text == "pg_name" ? Name::Group : Name::Other;
        case 9:
            return text == "is_cpu_op"   ? Name::OnHost
                   : text == "comm_type" ? Name::Collective
                   : text == "comm_size" ? Name::SizeBytes
                                         : Name::Other;
        default:
            return Name::Other;
        }
    }
    struct Attribute {
        Name name = Name::Other;
        std::int64_t number = 0;
        std::string *text = nullptr; ///< where its text goes, where it is wanted
    };
    /// Producers differ in the member of the oneof that they use: any integer will do.
    Result<void> readAttribute(Attribute &attribute) {
        return m_in.forEachFieldInside([&](const Field &field) -> Result<void> {
            if (field.number == 1 && field.kind == Kind::Bytes) {
                const auto text = TRY(m_in.view());
                attribute.name = nameOf(text);
                return {};
            }
            if (field.number == 29 && field.kind == Kind::Bytes && field.size <= 256 && attribute.text &&
                (attribute.name == Name::Schema || attribute.name == Name::Group))
                return m_in.textInto(*attribute.text);
            if (field.kind == Kind::Bytes || field.number < 7 || field.number > 27)
                return {};
            const bool zigzag = field.number == 15 || field.number == 17; // sint32, sint64
            attribute.number = zigzag ? static_cast<std::int64_t>(field.value >> 1 ^ (0 - (field.value & 1)))
                                      : static_cast<std::int64_t>(field.value);
            return {};
        });
    }

    Result<void> dependencies(const Field &field, std::vector<std::uint64_t> &into) {
        if (field.kind == Kind::Bytes)
            TRY(m_in.varintsInto(into));
        else
            into.push_back(field.value);
        return checkKept();
    }

    Result<void> readNode() {
        ChakraNode node;
        node.firstInput = m_dataDeps.size();
        const auto walked = m_in.forEachField([&](const Field &field) -> Result<void> {
            const bool bytes = field.kind == Kind::Bytes;
            switch (field.number) {
            case 1:
                node.id = field.value;
                break;
            case 2: {
                if (!bytes)
                    break;
                const auto name = TRY(m_in.view());
                node.name = m_trace.names.intern(validUtf8(name));
                break;
            }
            case 3:
                node.kind = field.value <= 7 ? static_cast<ChakraNode::Kind>(field.value) : ChakraNode::Kind::Invalid;
                break;
            case 4:
                m_controlDeps.clear();
                return dependencies(field, m_controlDeps);
            case 5:
                return dependencies(field, m_dataDeps);
            case 6:
                node.startMicros = field.value;
                break;
            case 7:
                node.durationMicros = field.value;
                break;
            case 10: {
                if (!bytes)
                    break;
                Attribute attribute;
                m_group.clear();
                attribute.text = &m_group;
                const auto read = readAttribute(attribute);
                take(attribute, node);
                return read;
            }
            default:
                break;
            }
            return {};
        });
        node.inputCount = static_cast<std::uint32_t>(m_dataDeps.size() - node.firstInput);
        if (walked)
            m_trace.nodes.push_back(node);
        return walked;
    }

    void take(const Attribute &attribute, ChakraNode &node) {
        switch (attribute.name) {
        case Name::Group:
            node.group = m_trace.names.intern(validUtf8(m_group));
            break;
        case Name::OnHost:
            node.onHost = attribute.number != 0;
            break;
        case Name::Thread:
            node.thread = attribute.number;
            break;
        case Name::Sequence:
            node.sequence = attribute.number;
            break;
        case Name::Collective:
            node.collective = attribute.number;
            break;
        case Name::SizeBytes:
            node.sizeBytes = attribute.number;
            break;
        default:
            break;
        }
    }

    /// Ids become indices; then no circle of data dependencies is left, and the nodes are in the order of their ids.
    Result<void> tieDependencies() {
        auto &nodes = m_trace.nodes;
        auto &inputs = m_trace.inputs;
        const ChakraIds ids(nodes);
        if (const std::int64_t twice = ids.firstTwice(); twice >= 0)
            return fail(fmt::format("two nodes have the id {}", nodes[static_cast<std::size_t>(twice)].id),
                        "convert the trace again");
        inputs.reserve(m_dataDeps.size());
        bool forward = true; // each node comes behind what it waits for: there can be no circle
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (i % stopInterval == 0 && m_stop.stop_requested())
                return cancelled();
            for (std::uint32_t k = 0; k < nodes[i].inputCount; ++k) {
                inputs.push_back(ids.find(m_dataDeps[nodes[i].firstInput + k]));
                m_trace.dangling += inputs.back() < 0 ? 1 : 0;
                forward &= inputs.back() < static_cast<std::int32_t>(i);
            }
        }
        std::vector<std::uint64_t>().swap(m_dataDeps);
        if (!forward) {
            if (const std::size_t stuck = waitsForItself(); stuck < nodes.size())
                return fail(fmt::format("node {} depends on itself: its data dependencies make a circle", nodes[stuck].id),
                            "convert the trace again");
        }
        if (!std::is_sorted(nodes.begin(), nodes.end(), byId))
            sortNodes();
        return {};
    }

    static bool byId(const ChakraNode &a, const ChakraNode &b) { return a.id < b.id; }

    /// The first node of a circle, or behind one; none: how many there are.
    [[nodiscard]] std::size_t waitsForItself() const {
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
        return static_cast<std::size_t>(stuck - waiting.begin());
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

    ProtoStream m_in;
    std::stop_token m_stop;
    ChakraTrace m_trace;
    std::vector<std::uint64_t> m_dataDeps;    ///< ids, of one node behind the other's; they need not be in the file
    std::vector<std::uint64_t> m_controlDeps; ///< of the present node; of no use
    std::string m_group;                      ///< of the present node
    std::uint64_t m_checkedBytes = 0;         ///< kept when that was checked last
};

enum class Metadata : std::uint8_t { None, CutOff, Whole };
/// Whether the message that was entered has the fields of metadata only; `any`: it has one.
Metadata metadataIn(ProtoStream &in, bool &any) {
    Field field;
    for (;;) {
        const auto more = in.next(field);
        if (!more)
            return Metadata::CutOff;
        if (!*more)
            return Metadata::Whole;
        if ((field.number != 1 && field.number != 2) || field.kind != Kind::Bytes)
            return Metadata::None;
        if (field.number == 1 && field.size < 256) {
            const auto version = in.text();
            if (!version || std::any_of(version->begin(), version->end(), [](char c) { return c < ' ' || c > '~'; }))
                return Metadata::None;
        }
        any = true;
    }
}

} // namespace

bool looksLikeChakra(std::string_view head) {
    if (head.size() < 4 || head[0] == '{' || head[0] == '[')
        return false;
    const auto source = ByteSource::fromMemory(head);
    ProtoStream in(*source, {});
    const auto entered = in.enterDelimited();
    if (!entered || !*entered)
        return false;
    bool any = false;
    const Metadata metadata = metadataIn(in, any);
    if (metadata == Metadata::CutOff) // long metadata reaches beyond the head: what was seen of it must do
        return any && in.offset() >= head.size();
    if (metadata == Metadata::None || !in.leave())
        return false;
    const auto node = in.enterDelimited();
    if (!node || !*node)
        return any;
    Field field;
    const auto first = in.next(field);
    return first && *first && field.number <= 11;
}

Result<ChakraTrace> readChakra(ByteSource &source, std::stop_token stop) { return ChakraReader(source, std::move(stop)).read(); }

} // namespace syncopate
