// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/parse/string_table.h"

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace syncopate {

/// The result of scanning JSON text. NeedMore: the available text ends inside the value.
enum class Scan : std::uint8_t { Ok, NeedMore, Bad };

/// Walks over JSON text that ends with a NUL (and 64 readable bytes after it). It checks the values it returns, but only balances
/// brackets and strings in those it skips, because traces are large and most of their text is not needed.
struct JsonScanner {
    const char *at = nullptr;
    const char *end = nullptr;          ///< where the NUL is
    const char *complaint = "not JSON"; ///< set with Scan::Bad
    const char *remedy = "export the trace again; PyTorch before 2.7 could write unescaped quotes inside names";

    /// One value: the text of a number or literal, the inside of a string as written, or a whole object or array.
    struct Value {
        std::string_view text;
        char kind = '0'; ///< '"', '{', '[' or '0' for numbers and literals
        bool escaped = false;
    };

    void skipSpace() {
        while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
            ++at;
    }
    /// The next character that is not whitespace, left unread.
    [[nodiscard]] Scan peek(char &c);
    /// Reads exactly `c`.
    [[nodiscard]] Scan expect(char c);
    /// A string, `at` on its opening quote.
    [[nodiscard]] Scan string(std::string_view &inside, bool &escaped);
    [[nodiscard]] Scan value(Value &value);
    /// A key and its colon.
    [[nodiscard]] Scan key(std::string_view &name);
    /// After a value: true when another one follows (a comma was read), false when `close` was.
    [[nodiscard]] Scan another(char close, bool &more);

private:
    [[nodiscard]] Scan bad(const char *why);
    [[nodiscard]] Scan skipNested();
};

namespace detail {

/// The first quote, backslash or NUL at or after `p`.
inline const char *stringStop(const char *p) {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), nul = _mm_setzero_si128();
    for (;; p += 16) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
        const __m128i hit =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, slash)), _mm_cmpeq_epi8(text, nul));
        if (const int mask = _mm_movemask_epi8(hit); mask != 0)
            return p + std::countr_zero(static_cast<unsigned>(mask));
    }
#else
    while (*p != '"' && *p != '\\' && *p != '\0')
        ++p;
    return p;
#endif
}

constexpr auto jsonTable(std::string_view members) {
    std::array<bool, 256> table{};
    for (const char c : members)
        table[static_cast<unsigned char>(c)] = true;
    return table;
}
inline constexpr auto endsScalar = jsonTable(std::string_view(" \t\r\n,]}:{[\"\0", 12));

inline bool in(const std::array<bool, 256> &table, char c) { return table[static_cast<unsigned char>(c)]; }

} // namespace detail

// These are inline: a trace's events have a dozen short values each, and a call would take longer than the work.

inline Scan JsonScanner::peek(char &c) {
    skipSpace();
    c = *at;
    return c == '\0' ? bad("") : Scan::Ok;
}

inline Scan JsonScanner::expect(char c) {
    skipSpace();
    if (*at != c)
        return bad(c == ':'   ? "expected ':' after a key"
                   : c == '"' ? "expected a key in quotes"
                   : c == '{' ? "expected an object"
                              : "unexpected character");
    ++at;
    return Scan::Ok;
}

inline Scan JsonScanner::string(std::string_view &inside, bool &escaped) {
    const char *p = at + 1;
    escaped = false;
    for (;;) {
        p = detail::stringStop(p);
        if (*p == '"') {
            inside = {at + 1, static_cast<std::size_t>(p - at - 1)};
            at = p + 1;
            return Scan::Ok;
        }
        if (*p == '\\') {
            escaped = true;
            if (p[1] != '\0') {
                p += 2;
                continue;
            }
            ++p;
        }
        at = p;
        return bad("");
    }
}

inline Scan JsonScanner::value(Value &value) {
    skipSpace();
    const char *const start = at;
    value.escaped = false;
    value.kind = *at;
    switch (*at) {
    case '"':
        return string(value.text, value.escaped);
    case '{':
    case '[': {
        const Scan s = skipNested();
        value.text = {start, static_cast<std::size_t>(at - start)};
        return s;
    }
    default:
        break;
    }
    value.kind = '0';
    while (!detail::in(detail::endsScalar, *at))
        ++at;
    if (*at == '\0')
        return bad("");
    value.text = {start, static_cast<std::size_t>(at - start)};
    return value.text.empty() ? bad("expected a value") : Scan::Ok;
}

inline Scan JsonScanner::key(std::string_view &name) {
    skipSpace();
    if (*at != '"')
        return bad("expected a key in quotes");
    bool escaped = false;
    if (const Scan s = string(name, escaped); s != Scan::Ok)
        return s;
    return expect(':');
}

inline Scan JsonScanner::another(char close, bool &more) {
    skipSpace();
    if (*at != ',' && *at != close)
        return bad(close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
    more = *at++ == ',';
    return Scan::Ok;
}

/// `inside` of a JSON string with its escapes resolved and bytes that are not UTF-8 replaced by '?'.
[[nodiscard]] std::string unescapeJson(std::string_view inside);

/// True where the inside of a JSON string needs no decoding: ASCII without escapes.
[[nodiscard]] inline bool isPlainJson(std::string_view inside) {
    unsigned char all = 0;
    bool escaped = false;
    for (const char c : inside) {
        all |= static_cast<unsigned char>(c);
        escaped |= c == '\\';
    }
    return all < 0x80 && !escaped;
}

/// Interns the text that the inside of a JSON string stands for, and returns its number.
[[nodiscard]] inline std::uint32_t internJson(StringTable &texts, std::string_view inside) {
    return isPlainJson(inside) ? texts.intern(inside) : texts.intern(unescapeJson(inside));
}

/// Scans a JSON text of any length through a window that holds one value at a time.
class JsonStream {
public:
    JsonStream(ByteSource &source, std::stop_token stop);

    /// Runs `step(scanner)`; as long as it returns NeedMore, again from the same place with more text. Views that the step took
    /// are valid until the next call.
    template <class Step> [[nodiscard]] Result<void> scan(Step &&step) {
        for (;;) {
            const char *const mark = m_scanner.at;
            const Scan outcome = step(m_scanner);
            if (outcome == Scan::Ok)
                return {};
            if (outcome == Scan::Bad)
                return syntaxError();
            m_scanner.at = mark;
            if (!TRY(refill()))
                return cutOff();
        }
    }
    /// Reads the first text, without a byte order mark before it; to be called before anything else, if at all.
    [[nodiscard]] Result<void> skipByteOrderMark();
    /// Whether only space is left. Errors: those of the source.
    [[nodiscard]] Result<bool> atEnd();
    /// Offset of the scanner in the uncompressed text.
    [[nodiscard]] std::uint64_t offset() const {
        return m_textBefore + static_cast<std::uint64_t>(m_scanner.at - m_buffer.get());
    }
    /// Text read so far.
    [[nodiscard]] std::uint64_t textBytes() const {
        return m_textBefore + static_cast<std::uint64_t>(m_scanner.end - m_buffer.get());
    }
    /// The same as the `place` of an Error.
    [[nodiscard]] std::string place() const;
    [[nodiscard]] bool stopRequested() const { return m_stop.stop_requested(); }
    /// Reads more text, keeping all that the scanner has not passed yet; false at the end of the text.
    [[nodiscard]] Result<bool> refill();
    [[nodiscard]] std::string_view ahead() const {
        return {m_scanner.at, static_cast<std::size_t>(m_scanner.end - m_scanner.at)};
    }
    /// An error where about `bytes` of kept data exceed the source's limits.
    [[nodiscard]] Result<void> checkKept(std::uint64_t bytes) { return m_source.checkLimits(bytes, textBytes()); }
    void skip(std::size_t count) { m_scanner.at += count; } ///< at most the text ahead

private:
    [[nodiscard]] Unexpected syntaxError() const;
    [[nodiscard]] Unexpected cutOff() const;

    ByteSource &m_source;
    std::stop_token m_stop;
    std::unique_ptr<char[]> m_buffer; // NOLINT(modernize-avoid-c-arrays): never zeroed, as a vector is
    std::size_t m_capacity;
    std::uint64_t m_textBefore = 0; ///< text before the buffer
    JsonScanner m_scanner;
};

} // namespace syncopate
