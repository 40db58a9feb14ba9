// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/kineto_events.h"
#include "engine/profile/kineto_raw_event.h"
#include "engine/profile/stoppable_sort.h"
#include "engine/profile/tensorflow.h"
#include "engine/profile/trace_array.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <new>
#include <regex>
#include <unordered_map>

namespace syncopate {

namespace {

using kineto::integer;
using kineto::members;

constexpr std::size_t mostInputs = 4096; ///< of one op; a graph's NoOp that waits for all updates has hundreds

struct RawOp {
    std::string_view phase, kind, process, thread, start, duration, name, type, snapshot;
    std::string_view bytes; ///< timeline.py writes none; recorders that keep a received tensor's size put it here
    std::vector<std::pair<std::uint32_t, std::string_view>> inputs; ///< by argument number
};

Scan readArguments(JsonScanner &scanner, RawOp &op) {
    return members(scanner, [&](std::string_view key, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan scanned = s.value(value);
        if (scanned != Scan::Ok)
            return scanned;
        if (key == "name")
            op.name = value.text;
        else if (key == "op")
            op.type = value.text;
        else if (key == "snapshot")
            op.snapshot = value.text;
        else if (key == "bytes")
            op.bytes = value.text;
        else if (key.starts_with("input") && op.inputs.size() < mostInputs) {
            std::uint32_t number = 0;
            if (const auto [end, status] = std::from_chars(key.data() + 5, key.data() + key.size(), number);
                status == std::errc() && end == key.data() + key.size())
                op.inputs.emplace_back(number, value.text);
        }
        return scanned;
    });
}

Scan readOp(JsonScanner &scanner, RawOp &op) {
    std::vector<std::pair<std::uint32_t, std::string_view>> inputs = std::move(op.inputs); // their room is used again
    inputs.clear();
    op = {};
    op.inputs = std::move(inputs);
    char c = 0;
    if (const Scan peeked = scanner.peek(c); peeked != Scan::Ok)
        return peeked;
    if (c != '{') {
        scanner.complaint = "the elements of this array are not trace events";
        scanner.remedy = "give the file that TensorFlow's timeline module wrote";
        return Scan::Bad;
    }
    return members(scanner, [&](std::string_view key, JsonScanner &s) {
        if (key == "args") {
            if (const Scan peeked = s.peek(c); peeked != Scan::Ok)
                return peeked;
            if (c == '{')
                return readArguments(s, op);
        }
        JsonScanner::Value value;
        const Scan scanned = s.value(value);
        if (key == "ph")
            op.phase = value.text;
        else if (key == "name")
            op.kind = value.text;
        else if (key == "pid")
            op.process = value.text;
        else if (key == "tid")
            op.thread = value.text;
        else if (key == "ts")
            op.start = value.text;
        else if (key == "dur")
            op.duration = value.text;
        return scanned;
    });
}

/// "/job:worker/replica:0/task:1/device:CPU:0 Compute": the rows of a device, without what they show of it.
std::string deviceName(std::string name) {
    for (const std::string_view ending : {" Compute", " Tensors"}) {
        if (name.ends_with(ending))
            name.resize(name.size() - ending.size());
    }
    return name;
}

/// formats.md 4.1: job, replica and task where there are any; streams and copies of an accelerator have none.
ProfiledResource resourceNamed(const std::string &name) {
    static const std::regex device("^/job:([^/]+)/replica:(\\d+)/task:(\\d+)/.*$");
    static const std::regex stream("^(?:/device:[A-Za-z]+:|/gpu:)(\\d+)/(?:stream:(\\w+)|memcpy)$");
    ProfiledResource resource;
    resource.name = name;
    std::smatch match;
    if (name.size() > 512)
        return resource;
    if (std::regex_match(name, match, device)) {
        resource.job = match[1];
        const std::string task = match[3];
        std::from_chars(task.data(), task.data() + task.size(), resource.task);
    } else if (std::regex_match(name, match, stream)) {
        resource.kind = match[2].matched ? ProfiledResource::Kind::Stream : ProfiledResource::Kind::Copies;
    }
    return resource;
}

/// The number behind `key` in the text of a tensor description, or -1.
std::int64_t numberAfter(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos)
        return -1;
    std::int64_t number = -1;
    const std::string_view digits = text.substr(at + key.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

class TimelineReader {
public:
    TimelineReader(JsonStream &stream, std::string name, std::stop_token stop)
        : m_stream(stream), m_stop(std::move(stop)), m_graph(std::make_shared<OpGraph>()) {
        m_graph->file = std::move(name);
    }

    Result<std::shared_ptr<const OpGraph>> read() {
        RawOp raw;
        const auto walked = forEachTraceEvent(
            m_stream, [&](JsonScanner &s) { return readOp(s, raw); }, [&] { take(raw); });
        if (!walked)
            return tl::unexpected(walked.error());
        if (m_ops.empty())
            return fail("there is no op in it", "run the step with trace_level=FULL_TRACE and write its timeline again");
        m_graph->textBytes = m_stream.textBytes();
        placeOps();
        if (!order())
            return fail("cancelled");
        resolveInputs();
        if (m_stop.stop_requested())
            return fail("cancelled");
        return std::shared_ptr<const OpGraph>(std::move(m_graph));
    }

private:
    struct Pending {
        ProfiledOp op;
        std::int64_t process = -1, thread = -1;
        std::vector<std::string> inputs;
    };

    void take(RawOp &raw) {
        ++m_graph->eventCount;
        if (raw.phase == "M" && raw.kind == "process_name") {
            m_processes[integer(raw.process)] = deviceName(unescapeJson(raw.name));
        } else if (raw.phase == "X") {
            Pending pending;
            Nanoseconds duration = 0;
            if (!parseMicroseconds(raw.start, pending.op.start) ||
                (!raw.duration.empty() && !parseMicroseconds(raw.duration, duration)))
                return;
            constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
            pending.op.start = std::clamp(pending.op.start, -bound, bound);
            pending.op.end = pending.op.start + std::clamp<Nanoseconds>(duration, 0, bound);
            pending.op.name = unescapeJson(raw.name);
            pending.op.type = unescapeJson(raw.type.empty() ? raw.kind : raw.type);
            if (const std::int64_t bytes = raw.bytes.empty() ? -1 : integer(raw.bytes); bytes >= 0)
                pending.op.sizeBytes = bytes;
            pending.process = integer(raw.process);
            pending.thread = integer(raw.thread);
            const auto byNumber = [](const auto &a, const auto &b) { return a.first < b.first; };
            std::stable_sort(raw.inputs.begin(), raw.inputs.end(), byNumber);
            for (const auto &[number, text] : raw.inputs)
                pending.inputs.push_back(unescapeJson(text));
            m_ops.push_back(std::move(pending));
        } else if (raw.phase == "O" && !raw.snapshot.empty()) {
            // A memory object: the first output of the op that ends a microsecond later on the same thread.
            Nanoseconds time = 0;
            const std::string text = unescapeJson(raw.snapshot);
            std::int64_t bytes = numberAfter(text, "requested_bytes: ");
            if (bytes < 0)
                bytes = numberAfter(text, "allocated_bytes: ");
            if (bytes >= 0 && parseMicroseconds(raw.start, time))
                m_sizes[{time, integer(raw.thread), unescapeJson(raw.kind)}] = {integer(raw.process), bytes};
        }
    }

    [[nodiscard]] const std::string &deviceOf(std::int64_t process) const {
        static const std::string unknown = "unnamed device";
        const auto known = m_processes.find(process);
        return known == m_processes.end() ? unknown : known->second;
    }

    /// Gives every op its resource; leaves out the single streams where all of them are written again as one.
    void placeOps() {
        std::map<std::string, std::int32_t> resources;
        bool all = false;
        for (const auto &[process, name] : m_processes)
            all |= name.ends_with("/stream:all");
        std::erase_if(m_ops, [&](const Pending &pending) {
            const std::string &name = deviceOf(pending.process);
            return all && name.find("/stream:") != std::string::npos && !name.ends_with("/stream:all");
        });
        for (Pending &pending : m_ops) {
            const std::string &name = deviceOf(pending.process);
            const auto [place, fresh] = resources.try_emplace(name, static_cast<std::int32_t>(resources.size()));
            if (fresh)
                m_graph->resources.push_back(resourceNamed(name));
            pending.op.resource = place->second;
            const auto size = m_sizes.find({pending.op.end - 1000, pending.thread, pending.op.name});
            if (size != m_sizes.end() && deviceOf(size->second.first) == name)
                pending.op.sizeBytes = size->second.second;
        }
    }

    [[nodiscard]] bool order() {
        sortUnlessStopped(
            m_ops,
            [](const Pending &a, const Pending &b) {
                return a.op.start != b.op.start ? a.op.start < b.op.start : a.op.end < b.op.end;
            },
            m_stop);
        if (m_stop.stop_requested())
            return false;
        m_graph->zero = m_ops.front().op.start;
        m_graph->ops.reserve(m_ops.size());
        for (Pending &pending : m_ops) {
            pending.op.start -= m_graph->zero;
            pending.op.end -= m_graph->zero;
            m_graph->ops.push_back(std::move(pending.op));
        }
        return true;
    }

    /// The op called `name` that started last before op `before`; -1 = none.
    [[nodiscard]] std::int32_t lastNamed(const std::string &name, std::int32_t before) const {
        const auto known = m_named.find(name);
        if (known == m_named.end())
            return -1;
        const auto after = std::lower_bound(known->second.begin(), known->second.end(), before);
        return after == known->second.begin() ? -1 : *std::prev(after);
    }

    /// What an argument names: "^conv" is a control dependency, "split:1" an output, "w/read_S11" or "w/read/_5" the receiving
    /// half of an inserted transfer, "_recv_x_0" what was fed.
    [[nodiscard]] std::int32_t producerOf(std::string name, std::int32_t before) const {
        if (name.starts_with('^'))
            name.erase(0, 1);
        const auto without = [&](std::string_view mark) {
            const std::size_t at = name.rfind(mark);
            if (at == std::string::npos || at == 0 ||
                name.find_first_not_of("0123456789", at + mark.size()) != std::string::npos || at + mark.size() == name.size())
                return false;
            name.resize(at);
            return true;
        };
        without(":");
        for (const std::string_view mark : {"/_", "_S"}) {
            if (const std::int32_t found = lastNamed(name, before); found >= 0)
                return found;
            without(mark);
        }
        return lastNamed(name, before);
    }

    void resolveInputs() {
        std::vector<bool> device;
        for (const ProfiledResource &resource : m_graph->resources)
            device.push_back(resource.kind == ProfiledResource::Kind::Device);
        auto &ops = m_graph->ops;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(ops.size()); ++i) {
            if (static_cast<std::size_t>(i) % stopInterval == 0 && m_stop.stop_requested())
                return;
            ProfiledOp &op = ops[static_cast<std::size_t>(i)];
            if (device[static_cast<std::size_t>(op.resource)]) {
                for (const std::string &input : m_ops[static_cast<std::size_t>(i)].inputs) {
                    op.inputs.push_back(producerOf(input, i));
                    m_graph->unresolvedInputs += op.inputs.back() < 0 ? 1 : 0;
                }
                m_named[op.name].push_back(i);
            } else if (const std::int32_t launch = lastNamed(op.name, i); launch >= 0) {
                op.inputs.push_back(launch); // a kernel waits for the op that launched it
            }
        }
    }

    JsonStream &m_stream;
    std::stop_token m_stop;
    std::shared_ptr<OpGraph> m_graph;
    std::vector<Pending> m_ops;
    std::map<std::int64_t, std::string> m_processes;
    /// Device and bytes of memory objects, by time, thread and name of their op.
    std::map<std::tuple<Nanoseconds, std::int64_t, std::string>, std::pair<std::int64_t, std::int64_t>> m_sizes;
    std::unordered_map<std::string, std::vector<std::int32_t>> m_named;
};

} // namespace

bool looksLikeTensorFlowTimeline(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos || head[first] != '{' || head.find("\"traceEvents\"") == std::string_view::npos)
        return false;
    const auto has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    return has("\"process_name\"") && (has("\"Allocators\"") || has(" Compute\"")) && (has("/replica:") || has("/stream:"));
}

Result<std::shared_ptr<const OpGraph>> readTensorFlowTimeline(ByteSource &source, const std::string &name, std::stop_token stop) {
    try {
        JsonStream stream(source, stop);
        if (const auto filled = stream.refill(); !filled)
            return tl::unexpected(inFile(filled.error(), name));
        if (stream.ahead().starts_with("\xef\xbb\xbf"))
            stream.skip(3);
        auto graph = TimelineReader(stream, name, std::move(stop)).read();
        if (!graph)
            return tl::unexpected(inFile(graph.error(), name));
        return graph;
    } catch (const std::bad_alloc &) {
        return fail("not enough memory for this timeline", "close other programs", name);
    }
}

} // namespace syncopate
