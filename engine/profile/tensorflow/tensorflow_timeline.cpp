// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/stoppable_sort.h"
#include "engine/parse/json_key.h"
#include "engine/parse/json_members.h"
#include "engine/parse/read_limits.h"
#include "engine/parse/trace_array.h"
#include "engine/profile/tensorflow/tensorflow.h"
#include "engine/profile/torch/kineto_events.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <regex>
#include <tuple>
#include <unordered_map>

namespace syncopate {

namespace {

constexpr std::size_t maxInputs = 4096; ///< per op; a NoOp that waits for all updates has hundreds

struct RawOp {
    std::string_view phase, kind, process, thread, start, duration, name, type, snapshot;
    std::string_view bytes; ///< not written by timeline.py; some recorders keep a received tensor's size here
    std::vector<std::pair<std::uint32_t, std::string_view>> inputs; ///< by argument number
};

Scan readArguments(JsonScanner &scanner, RawOp &op) {
    return forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan scanned = s.value(value);
        if (scanned != Scan::Ok)
            return scanned;
        if (hasPrefix(key, "input")) {
            std::uint32_t number = 0;
            if (const auto [end, status] = std::from_chars(key.data() + 5, key.data() + key.size(), number);
                status == std::errc() && end == key.data() + key.size() && op.inputs.size() < maxInputs)
                op.inputs.emplace_back(number, value.text);
        } else if (isKey(key, "name"))
            op.name = value.text;
        else if (isKey(key, "op"))
            op.type = value.text;
        else if (isKey(key, "snapshot"))
            op.snapshot = value.text;
        else if (isKey(key, "bytes"))
            op.bytes = value.text;
        return scanned;
    });
}

Scan readOp(JsonScanner &scanner, RawOp &op) {
    std::vector<std::pair<std::uint32_t, std::string_view>> inputs = std::move(op.inputs); // reuse the allocation
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
    return forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        if (isKey(key, "args")) {
            if (const Scan peeked = s.peek(c); peeked != Scan::Ok)
                return peeked;
            if (c == '{')
                return readArguments(s, op);
        }
        JsonScanner::Value value;
        const Scan scanned = s.value(value);
        if (isKey(key, "ph"))
            op.phase = value.text;
        else if (isKey(key, "name"))
            op.kind = value.text;
        else if (isKey(key, "pid"))
            op.process = value.text;
        else if (isKey(key, "tid"))
            op.thread = value.text;
        else if (isKey(key, "ts"))
            op.start = value.text;
        else if (isKey(key, "dur"))
            op.duration = value.text;
        return scanned;
    });
}

/// Strips the row's kind from its device: "/job:worker/replica:0/task:1/device:CPU:0 Compute" becomes "/job:.../device:CPU:0".
std::string deviceName(std::string name) {
    for (const std::string_view ending : {" Compute", " Tensors"}) {
        if (name.ends_with(ending))
            name.resize(name.size() - ending.size());
    }
    return name;
}

/// Parses job and task, if any; streams and copies of an accelerator have none.
ProfiledResource resourceNamed(const std::string &name) {
    static const std::regex device("/job:([^/]+)/replica:\\d+/task:(\\d+)/.*");
    static const std::regex stream("(?:/device:[A-Za-z]+:|/gpu:)\\d+/(?:stream:(\\w+)|memcpy)");
    ProfiledResource resource;
    resource.name = name;
    std::smatch match;
    if (name.size() > 512)
        return resource;
    if (std::regex_match(name, match, device)) {
        resource.job = match[1];
        const std::string task = match[2];
        std::from_chars(task.data(), task.data() + task.size(), resource.task);
    } else if (std::regex_match(name, match, stream)) {
        resource.kind = match[1].matched ? ProfiledResource::Kind::Stream : ProfiledResource::Kind::Copies;
    }
    return resource;
}

/// The number after `key` in the text of a tensor description, or -1.
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
        TRY(forEachTraceEvent(
            m_stream, [&](JsonScanner &s) { return readOp(s, raw); }, [&] { take(raw); }));
        placeOps();
        if (m_ops.empty())
            return fail("there is no op in it", "run the step with trace_level=FULL_TRACE and write its timeline again");
        m_graph->textBytes = m_stream.textBytes();
        if (!order())
            return cancelled();
        resolveInputs();
        if (m_stop.stop_requested())
            return cancelled();
        return std::shared_ptr<const OpGraph>(std::move(m_graph));
    }

private:
    /// An op as read. Texts are indices into m_texts.
    struct Pending {
        Nanoseconds start = 0, end = 0;
        std::int64_t process = -1, thread = -1, sizeBytes = -1;
        std::size_t firstInput = 0; ///< index into m_inputs
        std::uint32_t inputCount = 0;
        std::uint32_t name = 0, type = 0;
        std::int32_t resource = 0;
    };
    /// A memory object: the first output of the op that ends a microsecond later on the same thread.
    struct Output {
        Nanoseconds time;
        std::int64_t thread;
        std::uint32_t name;
        std::int64_t process, sizeBytes;

        [[nodiscard]] auto key() const { return std::tie(time, thread, name); }
    };

    void take(RawOp &raw) {
        ++m_graph->eventCount;
        if (isKey(raw.phase, "X")) {
            Pending pending;
            Nanoseconds duration = 0;
            if (!parseMicroseconds(raw.start, pending.start) ||
                (!raw.duration.empty() && !parseMicroseconds(raw.duration, duration)))
                return;
            constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
            pending.start = std::clamp(pending.start, -bound, bound);
            pending.end = pending.start + std::clamp<Nanoseconds>(duration, 0, bound);
            pending.name = internJson(m_texts, raw.name);
            pending.type = internJson(m_texts, raw.type.empty() ? raw.kind : raw.type);
            if (const std::int64_t bytes = raw.bytes.empty() ? -1 : integer(raw.bytes); bytes >= 0)
                pending.sizeBytes = bytes;
            pending.process = integer(raw.process);
            pending.thread = integer(raw.thread);
            const auto byNumber = [](const auto &a, const auto &b) { return a.first < b.first; };
            if (!std::is_sorted(raw.inputs.begin(), raw.inputs.end(), byNumber))
                std::stable_sort(raw.inputs.begin(), raw.inputs.end(), byNumber);
            pending.firstInput = m_inputs.size();
            pending.inputCount = static_cast<std::uint32_t>(raw.inputs.size());
            for (const auto &[number, text] : raw.inputs)
                m_inputs.push_back(internJson(m_texts, text));
            m_ops.push_back(pending);
        } else if (isKey(raw.phase, "O") && !raw.snapshot.empty()) {
            Nanoseconds time = 0;
            const std::string text = unescapeJson(raw.snapshot);
            std::int64_t bytes = numberAfter(text, "requested_bytes: ");
            if (bytes < 0)
                bytes = numberAfter(text, "allocated_bytes: ");
            if (bytes >= 0 && parseMicroseconds(raw.start, time))
                m_outputs.push_back({time, integer(raw.thread), internJson(m_texts, raw.kind), integer(raw.process), bytes});
        } else if (isKey(raw.phase, "M") && isKey(raw.kind, "process_name")) {
            m_processes[integer(raw.process)] = deviceName(unescapeJson(raw.name));
        }
    }

    [[nodiscard]] const std::string &deviceOf(std::int64_t process) const {
        static const std::string unknown = "unnamed device";
        const auto known = m_processes.find(process);
        return known == m_processes.end() ? unknown : known->second;
    }

    /// The known facts about the device of a process.
    struct Place {
        std::int64_t process = -1;
        const std::string *name = nullptr;
        bool leftOut = false; ///< a single stream, while another row repeats all of them
        std::int32_t resource = -1;
    };
    /// Processes are few, and consecutive ops mostly share one, so the last place is tried first.
    Place &placeOf(std::int64_t process) {
        if (m_lastPlace < m_places.size() && m_places[m_lastPlace].process == process)
            return m_places[m_lastPlace];
        const auto [number, fresh] = m_placeOf.try_emplace(process, m_places.size());
        if (fresh) {
            const std::string &name = deviceOf(process);
            m_places.push_back({process, &name,
                                m_allStreams && name.find("/stream:") != std::string::npos && !name.ends_with("/stream:all"),
                                -1});
        }
        m_lastPlace = number->second;
        return m_places[m_lastPlace];
    }

    /// Assigns resources to ops; drops the ops of single streams if the timeline repeats all streams in one row.
    void placeOps() {
        std::map<std::string, std::int32_t> resources;
        for (const auto &[process, name] : m_processes)
            m_allStreams |= name.ends_with("/stream:all");
        std::erase_if(m_ops, [&](const Pending &pending) { return placeOf(pending.process).leftOut; });
        // Of outputs with the same time, thread and op the last one counts.
        const auto byKey = [](const Output &a, const Output &b) { return a.key() < b.key(); };
        sortUnlessStopped(m_outputs, byKey, m_stop);
        for (Pending &pending : m_ops) {
            Place &place = placeOf(pending.process);
            if (place.resource < 0) {
                const auto [known, fresh] = resources.try_emplace(*place.name, static_cast<std::int32_t>(resources.size()));
                if (fresh)
                    m_graph->resources.push_back(resourceNamed(*place.name));
                place.resource = known->second;
            }
            pending.resource = place.resource;
            if (m_outputs.empty())
                continue;
            const Output wanted{pending.end - 1000, pending.thread, pending.name, 0, 0};
            const auto after = std::upper_bound(m_outputs.begin(), m_outputs.end(), wanted, byKey);
            if (after == m_outputs.begin() || std::prev(after)->key() != wanted.key())
                continue;
            if (deviceOf(std::prev(after)->process) == *place.name)
                pending.sizeBytes = std::prev(after)->sizeBytes;
        }
    }

    [[nodiscard]] bool order() {
        sortUnlessStopped(
            m_ops, [](const Pending &a, const Pending &b) { return a.start != b.start ? a.start < b.start : a.end < b.end; },
            m_stop);
        if (m_stop.stop_requested())
            return false;
        m_graph->zero = m_ops.front().start;
        return true;
    }

    /// The ops that an argument may refer to, most likely first, as indices into m_texts: "^conv" is a control dependency,
    /// "split:1" an output, "w/read_S11" or "w/read/_5" the receiving half of an inserted transfer, "_recv_x_0" a fed value.
    std::array<std::uint32_t, 3> producersNamed(std::string_view name) {
        if (name.starts_with('^'))
            name.remove_prefix(1);
        const auto without = [&](std::string_view mark) {
            const std::size_t at = name.rfind(mark);
            if (at != std::string_view::npos && at > 0 && at + mark.size() < name.size() &&
                name.find_first_not_of("0123456789", at + mark.size()) == std::string_view::npos)
                name = name.substr(0, at);
        };
        std::array<std::uint32_t, 3> names{};
        const std::string_view marks[] = {":", "/_", "_S"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            without(marks[i]);
            names[i] = m_texts.intern(name);
        }
        return names;
    }

    /// The names that each argument's producer may have, most likely first.
    struct Producers {
        std::vector<std::array<std::uint32_t, 3>> names;
        std::vector<std::int32_t> numbers; ///< by text: index into `names`, -1 = not an argument

        [[nodiscard]] const std::array<std::uint32_t, 3> &of(std::uint32_t text) const {
            return names[static_cast<std::size_t>(numbers[text])];
        }
    };
    [[nodiscard]] Producers producersOfArguments() {
        Producers producers;
        producers.numbers.assign(m_texts.size(), -1);
        for (const std::uint32_t text : m_inputs) {
            std::int32_t &number = producers.numbers[text];
            if (number < 0) {
                number = static_cast<std::int32_t>(producers.names.size());
                producers.names.push_back(producersNamed(m_texts[text]));
            }
        }
        return producers;
    }

    /// Makes the graph's ops. An argument's producer is the last op of that name to start before the reader.
    void resolveInputs() {
        std::vector<bool> device;
        for (const ProfiledResource &resource : m_graph->resources)
            device.push_back(resource.kind == ProfiledResource::Kind::Device);
        const Producers producers = producersOfArguments();
        std::vector<std::int32_t> last(m_texts.size(), -1); // last op of each name
        auto &ops = m_graph->ops;
        ops.reserve(m_ops.size());
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(m_ops.size()); ++i) {
            if (static_cast<std::size_t>(i) % stopInterval == 0 && m_stop.stop_requested())
                return;
            const Pending &pending = m_ops[static_cast<std::size_t>(i)];
            ProfiledOp &op = ops.emplace_back();
            op.name = m_texts[pending.name];
            op.type = m_texts[pending.type];
            op.resource = pending.resource;
            op.start = pending.start - m_graph->zero;
            op.end = pending.end - m_graph->zero;
            op.sizeBytes = pending.sizeBytes;
            if (device[static_cast<std::size_t>(op.resource)]) {
                op.inputs.reserve(pending.inputCount);
                for (std::uint32_t k = 0; k < pending.inputCount; ++k) {
                    const auto &names = producers.of(m_inputs[pending.firstInput + k]);
                    const auto name = std::find_if(names.begin(), names.end(), [&](std::uint32_t n) { return last[n] >= 0; });
                    const std::int32_t producer = name == names.end() ? -1 : last[*name];
                    op.inputs.push_back(producer);
                    m_graph->unresolvedInputs += producer < 0 ? 1 : 0;
                }
                last[pending.name] = i;
            } else if (last[pending.name] >= 0) {
                op.inputs.push_back(last[pending.name]); // a kernel waits for the op that launched it
            }
        }
    }

    JsonStream &m_stream;
    std::stop_token m_stop;
    std::shared_ptr<OpGraph> m_graph;
    StringTable m_texts; ///< names and types of ops, arguments
    std::vector<Pending> m_ops;
    std::vector<std::uint32_t> m_inputs; ///< texts of arguments, grouped by op
    std::vector<Output> m_outputs;
    std::map<std::int64_t, std::string> m_processes;
    bool m_allStreams = false; ///< one row has the kernels of all streams
    std::vector<Place> m_places;
    std::unordered_map<std::int64_t, std::size_t> m_placeOf; ///< index by process
    std::size_t m_lastPlace = 0;
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
    return withinMemory(name, recordLess, [&]() -> Result<std::shared_ptr<const OpGraph>> {
        JsonStream stream(source, stop);
        TRY(inFile(stream.skipByteOrderMark(), name));
        return inFile(TimelineReader(stream, name, std::move(stop)).read(), name);
    });
}

} // namespace syncopate
