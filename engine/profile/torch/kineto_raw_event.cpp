// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the text of an event into its kept parts. In one file, so that reading members is inlined: traces have gigabytes.
#include "engine/profile/torch/kineto_raw_event.h"

#include "engine/parse/json_key.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace syncopate::kineto {

namespace {

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

/// The kind of an event by its category, in all spellings since 2021; nullopt = not kept.
std::optional<EventKind> kindOf(std::string_view category) {
    struct Row {
        std::string_view name;
        EventKind kind;
    };
    static constexpr Row rows[] = {{"cpu_op", EventKind::Operator},
                                   {"kernel", EventKind::Kernel},
                                   {"cuda_runtime", EventKind::Runtime},
                                   {"user_annotation", EventKind::Annotation},
                                   {"cuda_driver", EventKind::Runtime},
                                   {"gpu_memcpy", EventKind::Copy},
                                   {"gpu_memset", EventKind::Copy},
                                   {"operator", EventKind::Operator},
                                   {"runtime", EventKind::Runtime},
                                   {"memcpy", EventKind::Copy},
                                   {"memset", EventKind::Copy},
                                   {"hip_runtime", EventKind::Runtime},
                                   {"xpu_runtime", EventKind::Runtime},
                                   {"xpu_driver", EventKind::Runtime},
                                   {"privateuse1_runtime", EventKind::Runtime},
                                   {"privateuse1_driver", EventKind::Runtime}};
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

/// Keys of 13 letters or more.
inline void takeLongArgument(std::string_view key, const JsonScanner::Value &value, RawEvent &event) {
    switch (key.size()) {
    case 13:
        if (isKey(key, "In msg nelems"))
            event.inElements = value.text;
        break;
    case 14:
        if (isKey(key, "Out msg nelems"))
            event.outElements = value.text;
        break;
    case 15:
        if (isKey(key, "Sequence number"))
            event.sequence = value.text;
        else if (isKey(key, "Collective name"))
            event.collective = value.text;
        break;
    case 18:
        if (isKey(key, "Process Group Name"))
            event.groupName = value.text;
        else if (isKey(key, "Record function id"))
            event.recordId = value.text;
        break;
    case 19:
        if (isKey(key, "Process Group Ranks"))
            event.groupRanks = value.text;
        break;
    default:
        break;
    }
}

void takeArgument(std::string_view key, const JsonScanner::Value &value, RawEvent &event) {
    switch (key.size()) {
    case 4:
        if (isKey(key, "Rank"))
            event.peerMember = value.text;
        break;
    case 5:
        if (isKey(key, "dtype"))
            event.dtype = value.text;
        break;
    case 6:
        if (isKey(key, "stream"))
            event.stream = value.text;
        else if (isKey(key, "device"))
            event.device = value.text;
        break;
    case 8:
        if (isKey(key, "Src Rank"))
            event.sourceRank = value.text;
        else if (isKey(key, "Dst Rank"))
            event.targetRank = value.text;
        break;
    case 10:
        if (isKey(key, "Input Dims"))
            event.dims = value.text;
        else if (isKey(key, "Input type"))
            event.types = value.text;
        else if (isKey(key, "Group size"))
            event.groupSize = value.text;
        break;
    case 11:
        if (isKey(key, "correlation"))
            event.correlation = value.text;
        else if (isKey(key, "External id") || isKey(key, "external id"))
            event.externalId = value.text;
        break;
    default:
        takeLongArgument(key, value, event);
        break;
    }
}

Scan readArguments(JsonScanner &scanner, RawEvent &event) {
    return forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan outcome = s.value(value);
        if (outcome == Scan::Ok)
            takeArgument(key, value, event);
        return outcome;
    });
}

inline void takeMember(std::string_view key, const JsonScanner::Value &value, RawEvent &event) {
    if (isKey(key, "ph"))
        event.phase = value.text;
    else if (isKey(key, "cat")) {
        event.category = value.text;
        // Flow events, a third of a trace, need no kind; "ph" comes first in all known writers.
        event.kind = event.phase.empty() || isKey(event.phase, "X") ? kindOf(value.text) : std::nullopt;
    } else if (isKey(key, "name")) {
        event.name = value.text;
        event.nameEscaped = value.escaped || !isAscii(value.text);
    } else if (isKey(key, "pid"))
        event.process = value.text;
    else if (isKey(key, "tid"))
        event.thread = value.text;
    else if (isKey(key, "ts"))
        event.start = value.text;
    else if (isKey(key, "dur"))
        event.duration = value.text;
}

inline bool isFlow(std::string_view phase) { return isKey(phase, "s") || isKey(phase, "f") || isKey(phase, "t"); }

/// Until 2021 annotations had the category of operators.
inline bool isAnnotation(std::string_view name) {
    return name.starts_with("ProfilerStep#") || name.starts_with("Optimizer.") || name.starts_with("nccl:") ||
           name.starts_with("gloo:");
}

inline bool readTimes(const RawEvent &raw, TraceEvent &event) {
    return parseMicroseconds(raw.start, event.start) &&
           (raw.duration.empty() || parseMicroseconds(raw.duration, event.duration)) &&
           event.start <= std::numeric_limits<Nanoseconds>::max() / 4 &&
           event.start >= std::numeric_limits<Nanoseconds>::min() / 4;
}

std::string firstText(std::string_view list) {
    const std::size_t from = list.find('"');
    const std::size_t to = from == std::string_view::npos ? from : list.find('"', from + 1);
    return to == std::string_view::npos ? std::string() : unescapeJson(list.substr(from + 1, to - from - 1));
}

/// Ranges that c10d's backends record around a transfer; their inputs are its tensors.
bool isBackendRange(std::string_view name) {
    return name.starts_with("gloo:") || name.starts_with("nccl:") || name.starts_with("mpi:");
}

/// Events whose shapes are needed: gradients, collectives, and ops that reveal the batch size.
bool wantsShapes(std::string_view name) {
    return name.find("AccumulateGrad") != std::string_view::npos || isCommunicationOp(name) || name.starts_with("aten::conv") ||
           name == "aten::linear";
}

/// `product` times the number in `text` at `i`, at most maxElements; leaves `i` at the number's last digit.
std::int64_t boundedProduct(std::int64_t product, std::string_view text, std::size_t &i) {
    std::int64_t number = 0;
    const auto result = std::from_chars(text.data() + i, text.data() + text.size(), number);
    i = static_cast<std::size_t>(result.ptr - text.data()) - 1;
    return result.ec != std::errc() || (number > 0 && product > maxElements / number) ? maxElements : product * number;
}

} // namespace

bool isCommunicationOp(std::string_view name) {
    return isBackendRange(name) || name.starts_with("c10d::") || name == "record_param_comms";
}

std::int64_t elementsMoved(std::string_view text, bool separate) {
    std::int64_t sum = 0, largest = -1, product = 1;
    int depth = 0;
    bool numbers = false, any = false; // seen in the innermost list; in the current input
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '[') {
            ++depth;
            product = 1;
            numbers = false;
        } else if (c == ']') {
            if (numbers && depth >= 2) {
                sum = std::min(maxElements, sum + product);
                any = true;
            }
            numbers = false;
            if (--depth == 1 && !separate) { // end of an input
                largest = any ? std::max(largest, sum) : largest;
                sum = 0;
                any = false;
            }
        } else if (c >= '0' && c <= '9') {
            product = boundedProduct(product, text, i);
            numbers = true;
        }
    }
    return separate ? (any ? sum : -1) : largest;
}

std::vector<std::int64_t> firstDims(std::string_view text) {
    std::vector<std::int64_t> dims;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '[')
            ++depth;
        else if (c == ']') {
            --depth;
            if (!dims.empty())
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

std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (std::isalpha(static_cast<unsigned char>(c)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return plain;
}

std::vector<std::int64_t> integersOf(std::string_view text) {
    std::vector<std::int64_t> numbers;
    for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
        std::int64_t number = 0;
        const auto result = std::from_chars(at, end, number);
        if (result.ec == std::errc())
            numbers.push_back(number);
        at = result.ptr == at ? at + 1 : result.ptr;
    }
    return numbers;
}

Scan readEvent(JsonScanner &scanner, RawEvent &event) {
    return forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        if (isKey(key, "args") && (event.category.empty() || event.kind) && (event.phase.empty() || isKey(event.phase, "X"))) {
            char c = 0;
            if (const Scan outcome = s.peek(c); outcome != Scan::Ok)
                return outcome;
            if (c == '{')
                return readArguments(s, event);
        }
        JsonScanner::Value value;
        if (const Scan outcome = s.value(value); outcome != Scan::Ok)
            return outcome;
        takeMember(key, value, event);
        return Scan::Ok;
    });
}

void EventCollector::take(const RawEvent &raw) {
    ++m_trace.eventCount;
    if (!isKey(raw.phase, "X")) {
        m_trace.flowCount += isFlow(raw.phase) ? 1 : 0;
        if (raw.category.size() == ascendFlow.size() && raw.category == ascendFlow) // Ascend's device rows have no category
            ++m_trace.ignored[std::string(ascendFlow)];
        return;
    }
    const std::optional<EventKind> kind = raw.kind;
    if (!kind) {
        ++m_trace.ignored[unescapeJson(raw.category.substr(0, 64))];
        return;
    }
    TraceEvent event;
    if (!readTimes(raw, event)) {
        ++m_trace.unreadableTimes;
        return;
    }
    if (event.duration < 0) { // Kineto prevents this, edited files may not
        event.duration = 0;
        ++m_trace.negativeDurations;
    }
    // At most two centuries, so that no sum of times overflows.
    event.duration = std::min(event.duration, std::numeric_limits<Nanoseconds>::max() / 8);
    event.kind = *kind;
    event.correlation = raw.correlation.empty() ? -1 : integer(raw.correlation);
    event.externalId = raw.externalId.empty() ? -1 : integer(raw.externalId);
    event.sequence = raw.sequence.empty() ? -1 : integer(raw.sequence);
    if (raw.nameEscaped)
        event.name = m_trace.names.intern(unescapeJson(raw.name));
    else
        event.name = m_trace.names.intern(raw.name);
    const std::string &name = m_trace.names[event.name];
    if (event.kind == EventKind::Operator && isAnnotation(name))
        event.kind = EventKind::Annotation;
    event.row = event.onDevice()
                    ? row(true, raw.device.empty() ? raw.process : raw.device, raw.stream.empty() ? raw.thread : raw.stream)
                    : row(false, raw.process, raw.thread);
    if (!raw.collective.empty() || ((!raw.dims.empty() || !raw.inElements.empty()) && wantsShapes(name)) ||
        name == "record_param_comms") // an execution trace may add facts to it
        event.detail = detail(raw, name);
    m_trace.events.push_back(event);
}

std::uint32_t EventCollector::row(bool device, std::string_view process, std::string_view thread) {
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

std::int32_t EventCollector::detail(const RawEvent &raw, std::string_view name) {
    EventDetail detail;
    detail.dims = firstDims(raw.dims);
    detail.hasDims = !raw.dims.empty();
    if (detail.hasDims && isCommunicationOp(name))
        detail.tensorElements = elementsMoved(raw.dims, isBackendRange(name));
    detail.type = raw.dtype.empty() ? firstText(raw.types) : unescapeJson(raw.dtype);
    detail.collective = plainName(raw.collective);
    detail.inElements = raw.inElements.empty() ? -1 : integer(raw.inElements);
    detail.outElements = raw.outElements.empty() ? -1 : integer(raw.outElements);
    detail.groupSize = raw.groupSize.empty() ? -1 : integer(raw.groupSize);
    detail.groupName = unescapeJson(raw.groupName);
    detail.groupRanks = unescapeJson(raw.groupRanks);
    if (detail.collective == "send" || detail.collective == "recv") { // of collectives, "Rank" is the rank itself, or a root
        const std::string_view peer = detail.collective == "send" ? raw.targetRank : raw.sourceRank;
        detail.peerRank = integer(peer);
        detail.peerMember = integer(raw.peerMember);
    }
    detail.recordId = raw.recordId.empty() ? -1 : integer(raw.recordId);
    m_trace.details.push_back(std::move(detail));
    return static_cast<std::int32_t>(m_trace.details.size()) - 1;
}

} // namespace syncopate::kineto
