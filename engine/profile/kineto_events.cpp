// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/kineto_events.h"

#include "engine/profile/json_stream.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace syncopate {

namespace {

/// The values of one event that are of interest, as written. Empty = not there.
struct RawEvent {
    std::string_view phase, category, name, process, thread, start, duration;
    std::optional<EventKind> kind; ///< of the category
    bool nameEscaped = false;
    std::string_view correlation, externalId, sequence, device, stream;
    std::string_view collective, inElements, outElements, groupSize, dtype, dims, types;
};

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
               return std::tolower(x) == std::tolower(y);
           });
}

bool isAscii(std::string_view text) {
    unsigned char all = 0;
    for (const char c : text)
        all |= static_cast<unsigned char>(c);
    return all < 0x80;
}

/// The kind of a category that is kept, in the spellings since 2021 (formats.md 1.4).
std::optional<EventKind> kindOf(std::string_view category) {
    struct Row {
        std::string_view name;
        EventKind kind;
    };
    static constexpr Row rows[] = {{"cpu_op", EventKind::Operator},      {"kernel", EventKind::Kernel},
                                   {"cuda_runtime", EventKind::Runtime}, {"user_annotation", EventKind::Annotation},
                                   {"cuda_driver", EventKind::Runtime},  {"gpu_memcpy", EventKind::Copy},
                                   {"gpu_memset", EventKind::Copy},      {"operator", EventKind::Operator},
                                   {"runtime", EventKind::Runtime},      {"memcpy", EventKind::Copy},
                                   {"memset", EventKind::Copy},          {"hip_runtime", EventKind::Runtime}};
    for (const Row &row : rows) {
        if (category == row.name)
            return row.kind;
    }
    for (const Row &row : rows) {
        if (equalsIgnoringCase(category, row.name))
            return row.kind;
    }
    return std::nullopt;
}

void takeArgument(std::string_view key, const JsonScanner::Value &value, RawEvent &event) {
    switch (key.size()) {
    case 5:
        if (key == "dtype")
            event.dtype = value.text;
        break;
    case 6:
        if (key == "stream")
            event.stream = value.text;
        else if (key == "device")
            event.device = value.text;
        break;
    case 10:
        if (key == "Input Dims")
            event.dims = value.text;
        else if (key == "Input type")
            event.types = value.text;
        else if (key == "Group size")
            event.groupSize = value.text;
        break;
    case 11:
        if (key == "correlation")
            event.correlation = value.text;
        else if (key == "External id" || key == "external id")
            event.externalId = value.text;
        break;
    case 13:
        if (key == "In msg nelems")
            event.inElements = value.text;
        break;
    case 14:
        if (key == "Out msg nelems")
            event.outElements = value.text;
        break;
    case 15:
        if (key == "Sequence number")
            event.sequence = value.text;
        else if (key == "Collective name")
            event.collective = value.text;
        break;
    default:
        break;
    }
}

/// The members of an object, each given to `take(key, scanner)`, which reads the value.
template <class Take> Scan members(JsonScanner &scanner, Take &&take) {
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

Scan readArguments(JsonScanner &scanner, RawEvent &event) {
    return members(scanner, [&](std::string_view key, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan outcome = s.value(value);
        if (outcome == Scan::Ok)
            takeArgument(key, value, event);
        return outcome;
    });
}

Scan readEvent(JsonScanner &scanner, RawEvent &event) {
    return members(scanner, [&](std::string_view key, JsonScanner &s) {
        if (key == "args" && (event.category.empty() || event.kind) && (event.phase.empty() || event.phase == "X")) {
            char c = 0;
            if (const Scan outcome = s.peek(c); outcome != Scan::Ok)
                return outcome;
            if (c == '{')
                return readArguments(s, event);
        }
        JsonScanner::Value value;
        if (const Scan outcome = s.value(value); outcome != Scan::Ok)
            return outcome;
        if (key == "ph")
            event.phase = value.text;
        else if (key == "cat") {
            event.category = value.text;
            // Flow events, a third of a trace, and what is not kept need no kind; "ph" comes first in all writers seen.
            event.kind = event.phase.empty() || event.phase == "X" ? kindOf(value.text) : std::nullopt;
        } else if (key == "name") {
            event.name = value.text;
            event.nameEscaped = value.escaped || !isAscii(value.text);
        } else if (key == "pid")
            event.process = value.text;
        else if (key == "tid")
            event.thread = value.text;
        else if (key == "ts")
            event.start = value.text;
        else if (key == "dur")
            event.duration = value.text;
        return Scan::Ok;
    });
}

/// A count or id; -1 for what is not one. Ids beyond int64 keep their 64 bits (formats.md 1.4).
std::int64_t integer(std::string_view text) {
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

/// "[[64, 3], [], 5]": the dimensions of the first input that has any, else none.
std::vector<std::int64_t> firstDims(std::string_view text) {
    std::vector<std::int64_t> dims;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '[')
            ++depth;
        else if (c == ']') {
            if (--depth <= 1 && !dims.empty())
                break;
        } else if (depth >= 2 && c >= '0' && c <= '9') {
            std::int64_t number = 0;
            const auto result = std::from_chars(text.data() + i, text.data() + text.size(), number);
            dims.push_back(result.ec == std::errc() ? number : 0);
            i = static_cast<std::size_t>(result.ptr - text.data()) - 1;
        }
    }
    return dims;
}

std::string firstText(std::string_view list) {
    const std::size_t from = list.find('"');
    const std::size_t to = from == std::string_view::npos ? from : list.find('"', from + 1);
    return to == std::string_view::npos ? std::string() : unescapeJson(list.substr(from + 1, to - from - 1));
}

/// Lower case letters only: "_allgather_base" becomes "allgatherbase" (formats.md 1.8).
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (std::isalpha(static_cast<unsigned char>(c)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return plain;
}

/// Events whose shapes are needed: gradients, collectives, and the ops that tell the batch size.
bool wantsShapes(std::string_view name) {
    return name.find("AccumulateGrad") != std::string_view::npos || name.starts_with("gloo:") || name.starts_with("nccl:") ||
           name.starts_with("mpi:") || name.starts_with("c10d::") || name == "record_param_comms" ||
           name.starts_with("aten::conv") || name == "aten::linear";
}

class EventCollector {
public:
    explicit EventCollector(TraceEvents &trace) : m_trace(trace) {}

    void take(const RawEvent &raw) {
        ++m_trace.eventCount;
        if (raw.phase != "X") {
            if (raw.phase == "s" || raw.phase == "f" || raw.phase == "t")
                ++m_trace.flowCount;
            return;
        }
        const std::optional<EventKind> kind = raw.kind;
        if (!kind) {
            ++m_trace.ignored[unescapeJson(raw.category.substr(0, 64))];
            return;
        }
        TraceEvent event;
        if (!parseMicroseconds(raw.start, event.start) ||
            (!raw.duration.empty() && !parseMicroseconds(raw.duration, event.duration)) ||
            event.start > std::numeric_limits<Nanoseconds>::max() / 2 ||
            event.start < std::numeric_limits<Nanoseconds>::min() / 2) {
            ++m_trace.unreadableTimes;
            return;
        }
        if (event.duration < 0) { // guarded by Kineto, possible in edited files
            event.duration = 0;
            ++m_trace.negativeDurations;
        }
        event.duration = std::min(event.duration, std::numeric_limits<Nanoseconds>::max() / 4);
        event.kind = *kind;
        event.correlation = raw.correlation.empty() ? -1 : integer(raw.correlation);
        event.externalId = raw.externalId.empty() ? -1 : integer(raw.externalId);
        event.sequence = raw.sequence.empty() ? -1 : integer(raw.sequence);
        if (raw.nameEscaped)
            event.name = m_trace.names.intern(unescapeJson(raw.name));
        else
            event.name = m_trace.names.intern(raw.name);
        const std::string &name = m_trace.names[event.name];
        // Until 2021 annotations had the category of operators.
        if (event.kind == EventKind::Operator && (name.starts_with("ProfilerStep#") || name.starts_with("Optimizer.") ||
                                                  name.starts_with("nccl:") || name.starts_with("gloo:")))
            event.kind = EventKind::Annotation;
        event.row = event.onDevice()
                        ? row(true, raw.device.empty() ? raw.process : raw.device, raw.stream.empty() ? raw.thread : raw.stream)
                        : row(false, raw.process, raw.thread);
        if (!raw.collective.empty() || ((!raw.dims.empty() || !raw.inElements.empty()) && wantsShapes(name)))
            event.detail = detail(raw);
        m_trace.events.push_back(event);
    }

private:
    std::uint32_t row(bool device, std::string_view process, std::string_view thread) {
        if (device && thread.starts_with("stream "))
            thread.remove_prefix(7);
        if (m_lastRow < m_trace.rows.size()) {
            const TraceRow &last = m_trace.rows[m_lastRow];
            if (last.device == device && last.process == process && last.thread == thread)
                return m_lastRow;
        }
        std::string key = device ? "d" : "h";
        key.append(process).push_back('\0');
        key.append(thread);
        const std::uint32_t number = m_rowKeys.intern(key);
        if (number == m_trace.rows.size())
            m_trace.rows.push_back({device, unescapeJson(process), unescapeJson(thread)});
        return m_lastRow = number;
    }
    std::int32_t detail(const RawEvent &raw) {
        EventDetail detail;
        detail.dims = firstDims(raw.dims);
        detail.hasDims = !raw.dims.empty();
        detail.type = raw.dtype.empty() ? firstText(raw.types) : unescapeJson(raw.dtype);
        detail.collective = plainName(raw.collective);
        detail.inElements = raw.inElements.empty() ? -1 : integer(raw.inElements);
        detail.outElements = raw.outElements.empty() ? -1 : integer(raw.outElements);
        detail.groupSize = raw.groupSize.empty() ? -1 : integer(raw.groupSize);
        m_trace.details.push_back(std::move(detail));
        return static_cast<std::int32_t>(m_trace.details.size()) - 1;
    }

    TraceEvents &m_trace;
    StringTable m_rowKeys;
    std::uint32_t m_lastRow = std::numeric_limits<std::uint32_t>::max();
};

/// Distributed info and devices: small objects, read from their text.
void takeHeader(std::string_view key, std::string_view text, TraceEvents &trace) {
    const std::string copy(text); // the scanner wants a NUL and room behind it
    std::string padded = copy + std::string(64, '\0');
    JsonScanner scanner{padded.data(), padded.data() + copy.size()};
    if (key == "deviceProperties")
        scanner.at = std::find(padded.data(), padded.data() + copy.size(), '{');
    if (*scanner.at != '{')
        return;
    // A damaged header costs the facts in it, not the trace: its brackets were checked already.
    [[maybe_unused]] const Scan outcome = members(scanner, [&](std::string_view member, JsonScanner &s) {
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
        return read;
    });
}

/// The array of events, up to and with its closing bracket.
Result<void> readArray(JsonStream &stream, TraceEvents &trace) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('['); }); !open)
        return open;
    EventCollector collector(trace);
    bool first = true, done = false;
    for (std::uint64_t number = 0; !done; ++number) {
        if (number % 1024 == 0 && stream.stopRequested())
            return fail("cancelled");
        if (trace.openArray && !first && stream.atEnd())
            return {}; // the array form may leave its bracket open (Chrome trace event format)
        RawEvent event;
        bool hasEvent = true;
        const auto read = stream.scan([&](JsonScanner &s) {
            event = RawEvent();
            hasEvent = true;
            char c = 0;
            if (const Scan peeked = s.peek(c); peeked != Scan::Ok)
                return peeked;
            if (c == ']') { // an empty array, or a comma after the last event
                ++s.at;
                hasEvent = false;
                done = true;
                return Scan::Ok;
            }
            if (c != '{') {
                s.complaint = "the elements of this array are not trace events";
                return Scan::Bad;
            }
            return readEvent(s, event);
        });
        if (!read)
            return read;
        if (!hasEvent)
            break;
        collector.take(event);
        first = false;
        if (trace.openArray && stream.atEnd())
            return {};
        bool more = true;
        if (const auto next = stream.scan([&](JsonScanner &s) { return s.another(']', more); }); !next)
            return next;
        done = !more;
    }
    trace.openArray = false;
    return {};
}

Result<void> readObject(JsonStream &stream, TraceEvents &trace) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('{'); }); !open)
        return open;
    bool found = false;
    for (bool more = true; more;) {
        std::string key;
        bool empty = false, isEvents = false;
        const auto named = stream.scan([&](JsonScanner &s) {
            char c = 0;
            if (const Scan peeked = s.peek(c); peeked != Scan::Ok)
                return peeked;
            empty = c == '}';
            if (empty) {
                ++s.at;
                return Scan::Ok;
            }
            std::string_view name;
            if (const Scan read = s.key(name); read != Scan::Ok)
                return read;
            key.assign(name.substr(0, 64));
            const Scan peeked = s.peek(c);
            isEvents = key == "traceEvents" && c == '[';
            return peeked;
        });
        if (!named)
            return named;
        if (empty)
            break;
        if (isEvents) {
            found = true;
            if (const auto read = readArray(stream, trace); !read)
                return read;
        } else {
            const auto read = stream.scan([&](JsonScanner &s) {
                JsonScanner::Value value;
                const Scan outcome = s.value(value);
                if (outcome == Scan::Ok && (key == "distributedInfo" || key == "deviceProperties"))
                    takeHeader(key, value.text, trace);
                return outcome;
            });
            if (!read)
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

/// What a file that is not JSON is, by its first bytes, with what to do about it.
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

bool parseMicroseconds(std::string_view text, Nanoseconds &nanoseconds) {
    const char *p = text.data(), *const end = p + text.size();
    bool negative = false;
    if (p != end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    std::uint64_t digits = 0; // the decimal number without its point, at most 19 digits
    int count = 0, scale = 3, dropped = 0;
    bool any = false, fraction = false, roundUp = false;
    for (; p != end; ++p) {
        if (*p == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*p < '0' || *p > '9')
            break;
        any = true;
        if (count < 19 && (dropped == 0)) {
            digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
            count += digits != 0;
            scale -= fraction;
        } else {
            if (dropped++ == 0)
                roundUp = *p >= '5';
            scale += !fraction;
        }
    }
    if (!any)
        return false;
    if (p != end) {
        if (*p != 'e' && *p != 'E')
            return false;
        ++p;
        if (p != end && *p == '+')
            ++p;
        int exponent = 0;
        const auto [stop, error] = std::from_chars(p, end, exponent);
        if (error != std::errc() || stop != end || exponent > 1000 || exponent < -1000)
            return false;
        scale += exponent;
    }
    for (; scale < 0 && digits != 0; ++scale) {
        roundUp = digits % 10 >= 5;
        digits /= 10;
    }
    for (; scale > 0 && digits != 0; --scale) {
        if (digits > std::numeric_limits<std::uint64_t>::max() / 10)
            return false;
        digits *= 10;
    }
    digits += roundUp && digits < std::numeric_limits<std::uint64_t>::max();
    if (digits > static_cast<std::uint64_t>(std::numeric_limits<Nanoseconds>::max()))
        return false;
    nanoseconds = negative ? -static_cast<Nanoseconds>(digits) : static_cast<Nanoseconds>(digits);
    return true;
}

Result<TraceEvents> readTraceEvents(ByteSource &source, std::stop_token stop) {
    TraceEvents trace;
    trace.compressed = source.isCompressed();
    JsonStream stream(source, std::move(stop));
    if (const auto filled = stream.refill(); !filled)
        return tl::unexpected(filled.error());
    if (stream.ahead().starts_with("\xef\xbb\xbf"))
        stream.skip(3);
    const std::string_view head = stream.ahead();
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || (head[first] != '{' && head[first] != '['))
        return refuse(head, stream.place());
    trace.openArray = head[first] == '[';
    const auto read = trace.openArray ? readArray(stream, trace) : readObject(stream, trace);
    if (!read)
        return tl::unexpected(read.error());
    if (trace.eventCount == 0)
        return fail("the trace has no events", "record some training steps and export again");
    trace.textBytes = stream.textBytes();
    return trace;
}

} // namespace syncopate
