// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra.h"

#include "engine/base/utf8.h"
#include "engine/parse/proto_stream.h"
#include "engine/profile/chakra/chakra_dependencies.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

using Field = ProtoStream::Field;
using Kind = ProtoStream::Kind;

constexpr std::size_t maxNodes = 50'000'000;

constexpr std::uint64_t keptBytesOfNode = 480;      ///< including its share of the profile
constexpr std::uint64_t keptBytesOfDependency = 24; ///< its id, its index, and its part in the search for cycles

class ChakraReader {
public:
    ChakraReader(ByteSource &source, std::stop_token stop) : m_in(source, stop), m_stop(std::move(stop)) {
        m_trace.names.intern({}); // number 0: no name
    }

    Result<ChakraTrace> read() {
        for (std::uint64_t number = 0; TRY(readMessage(number)); ++number) {
        }
        m_trace.bytes = m_in.offset();
        if (m_trace.nodes.empty())
            return fail("there is no node in it", "convert the trace again");
        TRY(tieChakraDependencies(m_trace, std::move(m_dependencies), m_stop));
        return std::move(m_trace);
    }

private:
    /// Reads the metadata (message 0) or a node; returns false at the end of the file.
    Result<bool> readMessage(std::uint64_t number) {
        if (number % 1024 == 0 && m_stop.stop_requested())
            return cancelled();
        TRY(checkKept());
        if (!TRY(m_in.enterDelimited()))
            return false;
        if (m_trace.nodes.size() == maxNodes)
            return fail("there are too many nodes in it", "trace fewer steps");
        TRY(number == 0 ? readMetadata() : readNode());
        TRY(m_in.leave());
        return true;
    }

    /// Checks the kept bytes against the memory limit for every megabyte that they grow, since one node may hold everything.
    [[nodiscard]] Result<void> checkKept() {
        const std::uint64_t kept = m_trace.nodes.size() * keptBytesOfNode +
                                   (m_dependencies.size() + m_controls.size()) * keptBytesOfDependency +
                                   m_trace.names.memoryBytes();
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

    enum class Name : std::uint8_t { Other, OnHost, Thread, Sequence, Collective, SizeBytes, Group, Schema, From, To };
    static Name nameOf(std::string_view text) {
        switch (text.size()) {
        case 3:
            return text == "tid" ? Name::Thread : Name::Other;
        case 6:
            return text == "seq_id" ? Name::Sequence : text == "schema" ? Name::Schema : Name::Other;
        case 7:
            return text == "pg_name" ? Name::Group : Name::Other;
        case 8:
            return text == "comm_src" ? Name::From : text == "comm_dst" ? Name::To : Name::Other;
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
        std::string *text = nullptr; ///< where to put its text, if that is wanted
    };
    /// Producers use different members of the oneof, so any integer is accepted.
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
        node.firstInput = m_dependencies.size();
        m_controls.clear();
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
                return dependencies(field, m_controls);
            case 5:
                return dependencies(field, m_dependencies);
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
        if (!node.onHost) { // a host node's control inputs name its caller, on which it does not depend
            node.controlCount = static_cast<std::uint32_t>(m_controls.size());
            m_dependencies.insert(m_dependencies.end(), m_controls.begin(), m_controls.end());
        }
        node.inputCount = static_cast<std::uint32_t>(m_dependencies.size() - node.firstInput);
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
        case Name::From:
            node.from = attribute.number;
            break;
        case Name::To:
            node.to = attribute.number;
            break;
        default:
            break;
        }
    }

    ProtoStream m_in;
    std::stop_token m_stop;
    ChakraTrace m_trace;
    std::vector<std::uint64_t> m_dependencies; ///< ids, grouped by node; the nodes that they name may be missing from the file
    std::vector<std::uint64_t> m_controls;     ///< of the node being read
    std::string m_group;                       ///< of the node being read
    std::uint64_t m_checkedBytes = 0;          ///< kept bytes at the last check
};

enum class Metadata : std::uint8_t { None, CutOff, Whole };
/// Whether all fields of the entered message are those of metadata; `any`: there was at least one.
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
    if (metadata == Metadata::CutOff) // long metadata reaches beyond the head: judge by the fields seen
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
