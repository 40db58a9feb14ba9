// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra.h"

#include "engine/profile/proto_stream.h"
#include "engine/profile/stoppable_sort.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace syncopate {

namespace {

using Field = ProtoStream::Field;
using Kind = ProtoStream::Kind;

constexpr std::size_t mostNodes = 50'000'000;

class ChakraReader {
public:
    ChakraReader(ByteSource &source, std::stop_token stop) : m_in(source, stop), m_stop(std::move(stop)) {}

    Result<ChakraTrace> read() {
        for (std::uint64_t number = 0;; ++number) {
            if (number % 1024 == 0 && m_stop.stop_requested())
                return fail("cancelled");
            const auto more = m_in.enterDelimited();
            if (!more)
                return tl::unexpected(more.error());
            if (!*more)
                break;
            if (m_trace.nodes.size() == mostNodes)
                return fail("there are too many nodes in it", "trace fewer steps");
            const auto message = number == 0 ? readMetadata() : readNode();
            if (!message)
                return tl::unexpected(message.error());
            if (const auto left = m_in.leave(); !left)
                return tl::unexpected(left.error());
        }
        m_trace.bytes = m_in.offset();
        if (m_trace.nodes.empty())
            return fail("there is no node in it", "convert the trace again");
        if (const auto checked = checkDependencies(); !checked)
            return tl::unexpected(checked.error());
        return std::move(m_trace);
    }

private:
    Result<void> readMetadata() {
        return m_in.forEachField([&](const Field &field) -> Result<void> {
            if (field.number == 1 && field.kind == Kind::Bytes && field.size < 256)
                return m_in.textInto(m_trace.version);
            if (field.number != 2 || field.kind != Kind::Bytes)
                return {};
            Attribute attribute;
            const auto read = readAttribute(attribute);
            if (read && attribute.name == "schema" && m_trace.version.empty())
                m_trace.version = attribute.text.substr(0, 64);
            return read;
        });
    }

    struct Attribute {
        std::string name, text;
        std::int64_t number = 0;
    };
    /// Producers differ in the member of the oneof that they use: any integer will do.
    Result<void> readAttribute(Attribute &attribute) {
        return m_in.forEachFieldInside([&](const Field &field) -> Result<void> {
            if (field.number == 1 && field.kind == Kind::Bytes)
                return m_in.textInto(attribute.name);
            if (field.number == 29 && field.kind == Kind::Bytes && field.size <= 256)
                return m_in.textInto(attribute.text);
            if (field.kind == Kind::Bytes || field.number < 7 || field.number > 27)
                return {};
            const bool zigzag = field.number == 15 || field.number == 17; // sint32, sint64
            attribute.number = zigzag ? static_cast<std::int64_t>(field.value >> 1 ^ (0 - (field.value & 1)))
                                      : static_cast<std::int64_t>(field.value);
            return {};
        });
    }

    Result<void> dependencies(const Field &field, std::vector<std::uint64_t> &into) {
        if (field.kind != Kind::Bytes) {
            into.push_back(field.value);
            return {};
        }
        const auto packed = m_in.varints();
        if (!packed)
            return tl::unexpected(packed.error());
        into.insert(into.end(), packed->begin(), packed->end());
        return {};
    }

    Result<void> readNode() {
        ChakraNode node;
        const auto walked = m_in.forEachField([&](const Field &field) -> Result<void> {
            const bool bytes = field.kind == Kind::Bytes;
            switch (field.number) {
            case 1:
                node.id = field.value;
                break;
            case 2:
                return bytes ? m_in.textInto(node.name) : Result<void>();
            case 3:
                node.kind = field.value <= 7 ? static_cast<ChakraNode::Kind>(field.value) : ChakraNode::Kind::Invalid;
                break;
            case 4:
                return dependencies(field, node.controlDeps);
            case 5:
                return dependencies(field, node.dataDeps);
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
                const auto read = readAttribute(attribute);
                take(attribute, node);
                return read;
            }
            default:
                break;
            }
            return {};
        });
        if (walked)
            m_trace.nodes.push_back(std::move(node));
        return walked;
    }

    static void take(const Attribute &attribute, ChakraNode &node) {
        if (attribute.name == "is_cpu_op")
            node.onHost = attribute.number != 0;
        else if (attribute.name == "tid")
            node.thread = attribute.number;
        else if (attribute.name == "seq_id")
            node.sequence = attribute.number;
        else if (attribute.name == "comm_type")
            node.collective = attribute.number;
        else if (attribute.name == "comm_size")
            node.sizeBytes = attribute.number;
    }

    /// Ids once each, and no circle of data dependencies.
    Result<void> checkDependencies() {
        auto &nodes = m_trace.nodes;
        std::unordered_map<std::uint64_t, std::size_t> index;
        index.reserve(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (!index.emplace(nodes[i].id, i).second)
                return fail(fmt::format("two nodes have the id {}", nodes[i].id), "convert the trace again");
        }
        std::vector<std::uint32_t> waiting(nodes.size(), 0);
        std::vector<std::vector<std::uint32_t>> readers(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (i % stopInterval == 0 && m_stop.stop_requested())
                return fail("cancelled");
            for (const std::uint64_t id : nodes[i].dataDeps) {
                const auto known = index.find(id);
                if (known == index.end()) {
                    ++m_trace.dangling;
                    continue;
                }
                readers[known->second].push_back(static_cast<std::uint32_t>(i));
                ++waiting[i];
            }
        }
        std::vector<std::uint32_t> ready;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (waiting[i] == 0)
                ready.push_back(static_cast<std::uint32_t>(i));
        }
        std::size_t done = 0;
        for (; done < ready.size(); ++done) {
            for (const std::uint32_t reader : readers[ready[done]]) {
                if (--waiting[reader] == 0)
                    ready.push_back(reader);
            }
        }
        if (done < nodes.size()) {
            const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](std::uint32_t w) { return w > 0; });
            return fail(fmt::format("node {} depends on itself: its data dependencies make a circle",
                                    nodes[static_cast<std::size_t>(stuck - waiting.begin())].id),
                        "convert the trace again");
        }
        return {};
    }

    ProtoStream m_in;
    std::stop_token m_stop;
    ChakraTrace m_trace;
};

} // namespace

bool looksLikeChakra(std::string_view head) {
    if (head.size() < 4 || head[0] == '{' || head[0] == '[')
        return false;
    const auto source = ByteSource::fromMemory(head);
    ProtoStream in(*source, {});
    const auto entered = in.enterDelimited();
    if (!entered || !*entered)
        return false;
    Field field;
    bool any = false;
    for (;;) {
        const auto more = in.next(field);
        if (!more) // long metadata reaches beyond the head: what was seen of it must do
            return any && in.offset() >= head.size();
        if (!*more)
            break;
        if ((field.number != 1 && field.number != 2) || field.kind != Kind::Bytes)
            return false;
        if (field.number == 1 && field.size < 256) {
            const auto version = in.text();
            if (!version || std::any_of(version->begin(), version->end(), [](char c) { return c < ' ' || c > '~'; }))
                return false;
        }
        any = true;
    }
    if (const auto left = in.leave(); !left)
        return false;
    const auto node = in.enterDelimited();
    if (!node)
        return any;
    if (!*node)
        return any;
    const auto first = in.next(field);
    return first && *first && field.number <= 11;
}

Result<ChakraTrace> readChakra(ByteSource &source, std::stop_token stop) { return ChakraReader(source, std::move(stop)).read(); }

} // namespace syncopate
