// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_events.h"

#include "engine/parse/json_stream.h"
#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <limits>

namespace syncopate {

namespace {

using namespace kineto;

constexpr std::size_t analysisBytes = 64; ///< per event: memory for its context, work and span

void takeGroups(std::string_view text, TraceEvents &trace) {
    JsonScanner scanner = inside(text);
    [[maybe_unused]] const Scan outcome = forEachItem(scanner, [&](JsonScanner &element) {
        RecordedGroup group;
        const Scan read = forEachMember(element, [&](std::string_view member, JsonScanner &s) {
            JsonScanner::Value value;
            if (const Scan scanned = s.value(value); scanned != Scan::Ok)
                return scanned;
            if (member == "pg_name")
                group.name = unescapeJson(value.text);
            else if (member == "pg_size")
                group.size = integer(value.text);
            else if (member == "ranks" && value.text.find("...") == std::string_view::npos) // an array, or one in quotes
                group.ranks = integersOf(value.text);
            return Scan::Ok;
        });
        std::sort(group.ranks.begin(), group.ranks.end());
        if (read == Scan::Ok)
            trace.groups.push_back(std::move(group));
        return read;
    });
}

/// Counts the objects of an array, by brackets outside strings.
std::int64_t objectsIn(std::string_view array) {
    std::int64_t count = 0;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < array.size(); ++i) {
        if (quoted && array[i] == '\\')
            ++i;
        else if (array[i] == '"')
            quoted = !quoted;
        else if (!quoted && array[i] == '{')
            count += depth++ == 0 ? 1 : 0;
        else if (!quoted && array[i] == '}')
            --depth;
    }
    return count;
}

/// Reads distributed info and devices: small objects.
void takeHeader(std::string_view key, std::string_view text, TraceEvents &trace) {
    const std::string copy(text); // the scanner needs a NUL and padding
    std::string padded = copy + std::string(64, '\0');
    JsonScanner scanner{padded.data(), padded.data() + copy.size()};
    if (key == "deviceProperties") {
        trace.deviceCount = objectsIn(text);
        scanner.at = std::find(padded.data(), padded.data() + copy.size(), '{');
    }
    if (*scanner.at != '{')
        return;
    // A damaged header loses only the facts in it: its brackets have been checked already.
    [[maybe_unused]] const Scan outcome = forEachMember(scanner, [&](std::string_view member, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan read = s.value(value);
        if (read != Scan::Ok)
            return read;
        if (key == "deviceProperties" && member == "name" && value.kind == '"')
            trace.deviceName = unescapeJson(value.text);
        else if (key == "distributedInfo" && member == "rank")
            trace.rank = integer(value.text);
        else if (key == "distributedInfo" && member == "world_size")
            trace.worldSize = integer(value.text);
        else if (key == "distributedInfo" && member == "backend" && value.kind == '"')
            trace.backend = unescapeJson(value.text);
        else if (key == "distributedInfo" && member == "pg_config" && value.kind == '[')
            takeGroups(value.text, trace);
        return read;
    });
}

/// Reads one element of the array, or the closing bracket of an empty array or after a trailing comma.
Scan readElement(JsonScanner &s, RawEvent &event, bool &isEnd) {
    event = RawEvent();
    isEnd = false;
    char c = 0;
    if (const Scan peeked = s.peek(c); peeked != Scan::Ok)
        return peeked;
    if (c == ']') {
        ++s.at;
        isEnd = true;
        return Scan::Ok;
    }
    if (c != '{') {
        s.complaint = c == '[' ? "the elements of this array are not trace events but lists, as in a memory timeline"
                               : "the elements of this array are not trace events";
        s.remedy = "give the file that torch.profiler's export_chrome_trace wrote";
        return Scan::Bad;
    }
    return readEvent(s, event);
}

/// Reads the array of events including its closing bracket.
Result<void> readArray(JsonStream &stream, TraceEvents &trace) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('['); }); !open)
        return open;
    EventCollector collector(trace);
    bool more = true;
    for (std::uint64_t number = 0; more; ++number) {
        if (number % 1024 == 0 && stream.stopRequested())
            return cancelled();
        if (number % 1024 == 0)
            TRY(stream.checkKept(trace.memoryBytes() + trace.events.size() * analysisBytes));
        if (trace.openArray && number > 0 && TRY(stream.atEnd()))
            return {}; // the closing bracket is optional (Chrome trace event format)
        RawEvent event;
        bool isEnd = false;
        if (const auto read = stream.scan([&](JsonScanner &s) { return readElement(s, event, isEnd); }); !read)
            return read;
        if (isEnd)
            break;
        collector.take(event);
        if (trace.openArray && TRY(stream.atEnd()))
            return {};
        if (const auto next = stream.scan([&](JsonScanner &s) { return s.another(']', more); }); !next)
            return next;
    }
    trace.openArray = false;
    return {};
}

/// Reads the next member's name and the first character of its value; NUL at the end of the object.
Scan readName(JsonScanner &s, std::string &key, char &first) {
    if (const Scan peeked = s.peek(first); peeked != Scan::Ok)
        return peeked;
    if (first == '}') {
        ++s.at;
        first = '\0';
        return Scan::Ok;
    }
    std::string_view name;
    if (const Scan read = s.key(name); read != Scan::Ok)
        return read;
    key.assign(name.substr(0, 64));
    return s.peek(first);
}

/// Reads a member other than the array of events.
Scan readFact(JsonScanner &s, const std::string &key, TraceEvents &trace) {
    JsonScanner::Value value;
    const Scan outcome = s.value(value);
    if (outcome == Scan::Ok && (key == "distributedInfo" || key == "deviceProperties"))
        takeHeader(key, value.text, trace);
    else if (outcome == Scan::Ok && key == "baseTimeNanoseconds")
        trace.baseNanoseconds = std::clamp<std::int64_t>(integer(value.text), 0, std::numeric_limits<Nanoseconds>::max() / 4);
    return outcome;
}

Result<void> readObject(JsonStream &stream, TraceEvents &trace) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('{'); }); !open)
        return open;
    bool found = false;
    for (bool more = true; more;) {
        std::string key;
        char first = 0;
        if (const auto named = stream.scan([&](JsonScanner &s) { return readName(s, key, first); }); !named)
            return named;
        if (first == '\0')
            break;
        if (key == "traceEvents" && first == '[') {
            found = true;
            TRY(readArray(stream, trace));
        } else if (const auto read = stream.scan([&](JsonScanner &s) { return readFact(s, key, trace); }); !read) {
            return read;
        }
        if (const auto next = stream.scan([&](JsonScanner &s) { return s.another('}', more); }); !next)
            return next;
    }
    if (!found)
        return fail("there is no \"traceEvents\" array: this is JSON, but not a profiler trace",
                    "give the file that torch.profiler's export_chrome_trace wrote");
    return {};
}

/// Recognises common files that are not JSON by their first bytes and says what to do with them.
Unexpected refuse(std::string_view head, const std::string &place) {
    if (head.size() > 262 && head.substr(257, 5) == "ustar")
        return fail("this is a tar archive", "unpack it and give one rank's trace");
    if (head.starts_with("PK\x03\x04"))
        return fail("this is a zip archive", "unpack it and give one rank's trace");
    if (head.starts_with("SQLite format 3"))
        return fail("this is an SQLite database (Nsight Systems?), not a Kineto trace", "export a trace with torch.profiler");
    if (head.empty())
        return fail("the file is empty", "export the trace again");
    return fail("this is not JSON", "give the file that torch.profiler's export_chrome_trace wrote", {}, place);
}

} // namespace

std::size_t TraceEvents::memoryBytes() const {
    return events.size() * sizeof(TraceEvent) + details.size() * sizeof(EventDetail) + names.memoryBytes();
}

Result<TraceEvents> readTraceEvents(ByteSource &source, std::stop_token stop) {
    TraceEvents trace;
    trace.compressed = source.isCompressed();
    JsonStream stream(source, std::move(stop));
    TRY(stream.skipByteOrderMark());
    while (stream.ahead().find_first_not_of(" \t\r\n") == std::string_view::npos) {
        stream.skip(stream.ahead().size());
        const auto more = TRY(stream.refill());
        if (!more)
            return fail("the file is empty", "export the trace again");
    }
    const std::string_view head = stream.ahead();
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (head[first] != '{' && head[first] != '[')
        return refuse(head, stream.place());
    trace.openArray = head[first] == '[';
    TRY(trace.openArray ? readArray(stream, trace) : readObject(stream, trace));
    if (trace.eventCount == 0)
        return fail("the trace has no events", "record some training steps and export again");
    trace.textBytes = stream.textBytes();
    return trace;
}

} // namespace syncopate
