// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/proto_stream.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace syncopate {

bool takeVarint(std::string_view bytes, std::size_t &at, std::uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

ProtoStream::ProtoStream(ByteSource &source, std::stop_token stop)
    : m_source(source), m_stop(std::move(stop)), m_buffer(std::size_t{1} << 16) {}
ProtoStream::~ProtoStream() = default;

Unexpected ProtoStream::broken(const char *what) const {
    return fail(what, "copy or export the file again, whole", {}, fmt::format("byte {}", offset()));
}

Result<bool> ProtoStream::fill() {
    if (m_at < m_filled)
        return true;
    if (m_stop.stop_requested())
        return cancelled();
    TRY(m_source.checkLimits(0, m_before + m_filled));
    const auto got = TRY(m_source.read(m_buffer.data(), m_buffer.size()));
    m_before += m_filled;
    m_at = 0;
    m_filled = got;
    return m_filled > 0;
}

Result<int> ProtoStream::byte() {
    const auto more = TRY(fill());
    if (!more)
        return -1;
    return static_cast<unsigned char>(m_buffer[m_at++]);
}

inline bool ProtoStream::varintAtHand(std::uint64_t &value) {
    constexpr std::size_t longest = 10;
    if (m_filled - m_at < longest)
        return false;
    const char *const bytes = m_buffer.data() + m_at;
    value = 0;
    for (std::size_t i = 0; i < longest; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        value |= (static_cast<std::uint64_t>(byte) & 0x7f) << (7 * i);
        if (byte < 0x80) {
            m_at += i + 1;
            return true;
        }
    }
    return false;
}

/// Reads a varint that may be broken or cross the buffer's end.
Result<void> ProtoStream::varint(std::uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        const auto b = TRY(byte());
        if (b < 0)
            return broken("the message is cut off");
        if (shift < 64)
            value |= (static_cast<std::uint64_t>(b) & 0x7f) << shift;
        if ((b & 0x80) == 0)
            return {};
    }
    return broken("a number has more than ten bytes");
}

Result<void> ProtoStream::take(char *into, std::uint64_t size) {
    while (size > 0) {
        const auto more = TRY(fill());
        if (!more)
            return broken("the message is cut off");
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, m_filled - m_at));
        if (into) {
            std::memcpy(into, m_buffer.data() + m_at, part);
            into += part;
        }
        m_at += part;
        size -= part;
    }
    return {};
}

Result<void> ProtoStream::skip(std::uint64_t size) { return take(nullptr, size); }

namespace {

bool isFieldNumber(std::uint64_t number) { return number > 0 && number <= 0x1fffffff; }

ProtoStream::Field fieldOf(std::uint64_t tag) {
    return {static_cast<std::uint32_t>(tag >> 3), static_cast<ProtoStream::Kind>(tag & 7)};
}

/// A little-endian number of `size` <= 8 bytes.
std::uint64_t fixedValue(const char *bytes, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
}

} // namespace

inline bool ProtoStream::headAtHand(Field &field) {
    const std::size_t begin = m_at;
    std::uint64_t tag = 0;
    bool whole = varintAtHand(tag) && isFieldNumber(tag >> 3);
    field = fieldOf(tag);
    if (field.kind == Kind::Varint)
        whole = whole && varintAtHand(field.value);
    else
        whole = whole && field.kind == Kind::Bytes && varintAtHand(field.size);
    if (!whole)
        m_at = begin;
    return whole;
}

Result<void> ProtoStream::readHead(Field &field) {
    std::uint64_t tag = 0;
    TRY(varint(tag));
    field = fieldOf(tag);
    if (!isFieldNumber(tag >> 3))
        return broken("a field has no valid number: this is not such a message");
    if (field.kind == Kind::Varint)
        return varint(field.value);
    if (field.kind == Kind::Bytes)
        return varint(field.size);
    if (field.kind != Kind::Fixed64 && field.kind != Kind::Fixed32)
        return broken("a field has an unknown wire type: this is not such a message");
    char bytes[8] = {};
    const std::size_t size = field.kind == Kind::Fixed64 ? 8 : 4;
    TRY(take(bytes, size));
    field.value = fixedValue(bytes, size);
    return {};
}

Result<bool> ProtoStream::next(Field &field) {
    if (m_pending > 0) {
        if (m_pending <= m_filled - m_at)
            m_at += static_cast<std::size_t>(m_pending);
        else if (const auto skipped = skip(m_pending); !skipped)
            return Unexpected(skipped.error());
        m_pending = 0;
    }
    const std::uint64_t end = m_ends.empty() ? std::numeric_limits<std::uint64_t>::max() : m_ends.back();
    if (offset() >= end)
        return offset() == end ? Result<bool>(false) : broken("a field reaches beyond its message");
    if (m_ends.empty()) {
        const auto more = fill();
        if (!more || !*more)
            return more;
    }
    if (!headAtHand(field)) {
        TRY(readHead(field));
    }
    if (offset() > end || field.size > end - offset())
        return broken("a field reaches beyond its message");
    m_pending = field.size;
    return true;
}

Result<std::string_view> ProtoStream::view(std::size_t maxBytes) {
    if (m_pending > maxBytes)
        return broken("a text is too long");
    const auto size = static_cast<std::size_t>(m_pending);
    m_pending = 0;
    if (size <= m_filled - m_at) {
        m_at += size;
        return std::string_view(m_buffer.data() + m_at - size, size);
    }
    m_text.resize(size);
    TRY(take(m_text.data(), size));
    return std::string_view(m_text);
}

Result<std::string> ProtoStream::text(std::size_t maxBytes) {
    const auto seen = TRY(view(maxBytes));
    return std::string(seen);
}

Result<void> ProtoStream::varintsInto(std::vector<std::uint64_t> &into) {
    const std::uint64_t end = offset() + m_pending;
    if (m_pending > longestText)
        return broken("a list is too long");
    m_pending = 0;
    while (offset() < end) {
        std::uint64_t value = 0;
        if (!varintAtHand(value)) {
            TRY(varint(value));
        }
        into.push_back(value);
    }
    if (offset() > end)
        return broken("a field reaches beyond its message");
    return {};
}

Result<std::vector<std::uint64_t>> ProtoStream::varints() {
    std::vector<std::uint64_t> values;
    TRY(varintsInto(values));
    return values;
}

Result<void> ProtoStream::enter() {
    if (m_ends.size() == deepest)
        return broken("messages are nested too deep");
    m_ends.push_back(offset() + m_pending);
    m_pending = 0;
    return {};
}

Result<void> ProtoStream::leave() {
    const std::uint64_t end = m_ends.back();
    m_ends.pop_back();
    m_pending = 0;
    if (offset() > end)
        return broken("a field reaches beyond its message");
    return offset() == end ? Result<void>() : skip(end - offset());
}

Result<bool> ProtoStream::enterDelimited() {
    const auto more = fill();
    if (!more || !*more)
        return more;
    std::uint64_t size = 0;
    TRY(varint(size));
    if (size > std::numeric_limits<std::int64_t>::max())
        return broken("a message is too long");
    m_pending = size;
    TRY(enter());
    return true;
}

} // namespace syncopate
