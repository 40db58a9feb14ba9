// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/json_stream.h"

#include "engine/base/utf8.h"
#include "engine/parse/byte_order_mark.h"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr std::size_t padding = 64;
constexpr std::size_t firstCapacity = std::size_t{1} << 19;   // stays in the cache
constexpr std::size_t largestCapacity = std::size_t{1} << 28; // of one value: an event has some hundred bytes
constexpr std::size_t deepest = 1024;

constexpr auto nests = detail::jsonTable(std::string_view("{}[]\"\0", 6));

void appendUtf8(std::string &text, std::uint32_t code) {
    if (code < 0x80)
        text += static_cast<char>(code);
    else if (code < 0x800) {
        text += static_cast<char>(0xc0 | (code >> 6));
        text += static_cast<char>(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        text += static_cast<char>(0xe0 | (code >> 12));
        text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        text += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        text += static_cast<char>(0xf0 | (code >> 18));
        text += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
        text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        text += static_cast<char>(0x80 | (code & 0x3f));
    }
}

/// Four hexadecimal digits at `at`, or -1.
std::int32_t hexCode(std::string_view text, std::size_t at) {
    if (at + 4 > text.size())
        return -1;
    std::int32_t code = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
        const char c = text[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

/// Appends the plain ASCII at the beginning of `rest` or, if it begins otherwise, its first character, with '?' for invalid
/// UTF-8. Returns the number of bytes read.
std::size_t appendPlain(std::string &text, std::string_view rest) {
    std::size_t end = 0;
    while (end < rest.size() && rest[end] != '\\' && static_cast<unsigned char>(rest[end]) < 0x80)
        ++end;
    text.append(rest, 0, end);
    if (end > 0)
        return end;
    const std::size_t length = utf8Length(rest, 0);
    if (length == 0)
        text += '?';
    else
        text.append(rest, 0, length);
    return std::max<std::size_t>(length, 1);
}

/// Appends the character whose hex digits follow "\\u" in `rest`, including the second half of a surrogate pair; '?' for an
/// invalid one. Returns the number of bytes read.
std::size_t appendCode(std::string &text, std::string_view rest) {
    std::int32_t code = hexCode(rest, 0);
    if (code < 0) {
        text += '?';
        return 0;
    }
    std::size_t read = 4;
    if (code >= 0xd800 && code < 0xdc00 && rest.substr(read, 2) == "\\u") {
        const std::int32_t low = hexCode(rest, read + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            read += 6;
        }
    }
    if (code >= 0xd800 && code < 0xe000)
        text += '?';
    else
        appendUtf8(text, static_cast<std::uint32_t>(code));
    return read;
}

} // namespace

Scan JsonScanner::bad(const char *why) {
    if (*at == '\0' && at == end)
        return Scan::NeedMore;
    complaint = *at == '\0' ? "a NUL byte in the text" : why;
    return Scan::Bad;
}

Scan JsonScanner::skipNested() {
    std::bitset<deepest> isObject;
    std::size_t depth = 0;
    for (;;) {
        while (!detail::in(nests, *at))
            ++at;
        const char c = *at;
        if (c == '"') {
            std::string_view inside;
            bool escaped = false;
            if (const Scan s = string(inside, escaped); s != Scan::Ok)
                return s;
            continue;
        }
        if (c == '\0')
            return bad("");
        if (c == '{' || c == '[') {
            if (depth == deepest)
                return bad("nested more than 1024 deep");
            isObject[depth++] = c == '{';
        } else {
            if (isObject[depth - 1] != (c == '}'))
                return bad("brackets that do not match");
            --depth;
        }
        ++at;
        if (depth == 0)
            return Scan::Ok;
    }
}

std::string unescapeJson(std::string_view inside) {
    std::string text;
    text.reserve(inside.size());
    for (std::size_t i = 0; i < inside.size();) {
        if (inside[i] != '\\') {
            i += appendPlain(text, inside.substr(i));
            continue;
        }
        const char c = i + 1 < inside.size() ? inside[i + 1] : '\\';
        i += 2;
        switch (c) {
        case 'b':
            text += '\b';
            break;
        case 'f':
            text += '\f';
            break;
        case 'n':
            text += '\n';
            break;
        case 'r':
            text += '\r';
            break;
        case 't':
            text += '\t';
            break;
        case 'u':
            i += appendCode(text, inside.substr(i));
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x80)
                text += c;
            else
                --i; // a character of several bytes
            break;
        }
    }
    return text;
}

JsonStream::JsonStream(ByteSource &source, std::stop_token stop)
    : m_source(source), m_stop(std::move(stop)), m_buffer(new char[firstCapacity + padding]), m_capacity(firstCapacity) {
    std::memset(m_buffer.get(), 0, padding);
    m_scanner.at = m_scanner.end = m_buffer.get();
}

Result<bool> JsonStream::refill() {
    if (m_stop.stop_requested())
        return cancelled();
    const auto passed = static_cast<std::size_t>(m_scanner.at - m_buffer.get());
    const auto kept = static_cast<std::size_t>(m_scanner.end - m_scanner.at);
    if (kept >= m_capacity / 2) {
        if (m_capacity >= largestCapacity)
            return fail(fmt::format("one value has more than {} MiB", kept >> 20), "this is not a profiler trace", {}, place());
        std::unique_ptr<char[]> larger(new char[m_capacity * 2 + padding]); // NOLINT(modernize-avoid-c-arrays)
        std::memcpy(larger.get(), m_scanner.at, kept);
        m_buffer = std::move(larger);
        m_capacity *= 2;
    } else {
        std::memmove(m_buffer.get(), m_scanner.at, kept);
    }
    m_textBefore += passed;
    TRY(m_source.checkLimits(0, m_textBefore));
    const auto got = m_source.read(m_buffer.get() + kept, m_capacity - kept);
    m_scanner.at = m_buffer.get();
    m_scanner.end = m_buffer.get() + kept + (got ? *got : 0);
    std::memset(m_buffer.get() + (m_scanner.end - m_buffer.get()), 0, padding);
    if (!got)
        return Unexpected(got.error());
    return *got > 0;
}

Result<void> JsonStream::skipByteOrderMark() {
    TRY(refill());
    skip(ahead().size() - withoutByteOrderMark(ahead()).size());
    return {};
}

Result<bool> JsonStream::atEnd() {
    for (;;) {
        m_scanner.skipSpace();
        if (m_scanner.at != m_scanner.end)
            return false;
        if (!TRY(refill()))
            return true;
    }
}

std::string JsonStream::place() const {
    return m_source.isCompressed() ? fmt::format("byte {} of the uncompressed text", offset()) : fmt::format("byte {}", offset());
}

Unexpected JsonStream::syntaxError() const { return fail(m_scanner.complaint, m_scanner.remedy, {}, place()); }

Unexpected JsonStream::cutOff() const {
    return fail("the text is cut off", "export or copy the trace again, whole", {},
                m_source.isCompressed() ? fmt::format("byte {} of the uncompressed text", textBytes())
                                        : fmt::format("byte {}", textBytes()));
}

} // namespace syncopate
