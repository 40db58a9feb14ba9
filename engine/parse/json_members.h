// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Walks over objects and arrays that the scanner's text has whole; forEachElement() (trace_array.h) walks over those of a stream.

#include "engine/parse/json_stream.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace syncopate {

/// The members of an object, each given to `take(key, scanner)`, which reads the value.
template <class Take> Scan forEachMember(JsonScanner &scanner, Take &&take) {
    if (const Scan s = scanner.expect('{'); s != Scan::Ok)
        return s;
    char c = 0;
    if (const Scan s = scanner.peek(c); s != Scan::Ok)
        return s;
    if (c == '}') {
        ++scanner.at;
        return Scan::Ok;
    }
    for (bool more = true; more;) {
        std::string_view key;
        if (const Scan s = scanner.key(key); s != Scan::Ok)
            return s;
        if (const Scan s = take(key, scanner); s != Scan::Ok)
            return s;
        if (const Scan s = scanner.another('}', more); s != Scan::Ok)
            return s;
    }
    return Scan::Ok;
}

/// The items of an array, each given to `take(scanner)`, which reads it.
template <class Take> Scan forEachItem(JsonScanner &scanner, Take &&take) {
    if (const Scan s = scanner.expect('['); s != Scan::Ok)
        return s;
    char c = 0;
    if (const Scan s = scanner.peek(c); s != Scan::Ok)
        return s;
    if (c == ']') {
        ++scanner.at;
        return Scan::Ok;
    }
    for (bool more = true; more;) {
        if (const Scan s = take(scanner); s != Scan::Ok)
            return s;
        if (const Scan s = scanner.another(']', more); s != Scan::Ok)
            return s;
    }
    return Scan::Ok;
}

/// A scanner on a value found in the text of another scanner, which must outlive it.
[[nodiscard]] inline JsonScanner inside(std::string_view text) {
    static constexpr std::array<char, 128> nothing{}; // a value that is not there has no text at all
    JsonScanner scanner;
    scanner.at = text.empty() ? nothing.data() : text.data();
    scanner.end = text.empty() ? nothing.data() : text.data() + text.size();
    return scanner;
}

/// Parses a count or id; -1 for anything else. Ids beyond int64 keep their 64 bits.
[[nodiscard]] inline std::int64_t integer(std::string_view text) {
    std::int64_t number = -1;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range) {
        std::uint64_t large = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), large).ec == std::errc())
            return static_cast<std::int64_t>(large);
        return -1;
    }
    return error == std::errc() && (stop == text.data() + text.size() || *stop == '.') ? number : -1;
}

} // namespace syncopate
