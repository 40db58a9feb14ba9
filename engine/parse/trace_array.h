// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/json_stream.h"

#include <string_view>

namespace syncopate {

/// Approximate bytes per event that readers of such arrays keep until the profile is made.
inline constexpr std::uint64_t keptBytesOfEvent = 200;

/// Walks over the objects of an array, up to and including its closing bracket. `read(scanner)` reads one object and may be
/// called again from its beginning with more text; then `take()` is called. Errors carry the byte offset; of kind Cancelled when
/// the stream is stopped.
template <class Read, class Take> [[nodiscard]] Result<void> forEachElement(JsonStream &stream, Read &&read, Take &&take) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('['); }); !open)
        return open;
    for (std::uint64_t number = 0;; ++number) {
        if (number % 1024 == 0 && stream.stopRequested())
            return cancelled();
        if (number % 1024 == 0)
            TRY(stream.checkKept(number * keptBytesOfEvent));
        bool end = false, more = true;
        const auto looked = stream.scan([&](JsonScanner &s) {
            char c = 0;
            const Scan peeked = s.peek(c);
            end = peeked == Scan::Ok && c == ']';
            s.at += end ? 1 : 0;
            return peeked;
        });
        if (!looked || end)
            return looked;
        TRY(stream.scan(read));
        take();
        if (const auto next = stream.scan([&](JsonScanner &s) { return s.another(']', more); }); !next || !more)
            return next;
    }
}

/// The same for the "traceEvents" array of a Chrome trace in its object form, whatever stands before and after.
template <class Read, class Take> [[nodiscard]] Result<void> forEachTraceEvent(JsonStream &stream, Read &&read, Take &&take) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('{'); }); !open)
        return open;
    bool found = false, end = false;
    const auto looked = stream.scan([&](JsonScanner &s) {
        char c = 0;
        const Scan peeked = s.peek(c);
        end = peeked == Scan::Ok && c == '}';
        return peeked;
    });
    if (!looked)
        return looked;
    for (bool more = !end; more;) {
        bool events = false;
        const auto named = stream.scan([&](JsonScanner &s) {
            std::string_view key;
            if (const Scan scanned = s.key(key); scanned != Scan::Ok)
                return scanned;
            const bool isEvents = key == "traceEvents";
            char c = 0;
            const Scan peeked = s.peek(c);
            events = isEvents && c == '[';
            return peeked;
        });
        if (!named)
            return named;
        found |= events;
        const auto passed = events ? forEachElement(stream, read, take) : stream.scan([](JsonScanner &s) {
            JsonScanner::Value value;
            return s.value(value);
        });
        if (!passed)
            return passed;
        if (const auto next = stream.scan([&](JsonScanner &s) { return s.another('}', more); }); !next)
            return next;
    }
    if (!found)
        return fail("there is no \"traceEvents\" array: this is JSON, but not a profiler trace", "export the trace again");
    return {};
}

} // namespace syncopate
