// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/autograd/autograd_trace.h"

#include "engine/base/stoppable_sort.h"
#include "engine/parse/json_key.h"
#include "engine/parse/json_members.h"
#include "engine/parse/read_limits.h"
#include "engine/parse/trace_array.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/torch/kineto.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <span>

namespace syncopate {

namespace {

struct RawCall {
    std::string_view phase, name, process, thread, start, duration, id;
};

Scan readCall(JsonScanner &scanner, RawCall &call) {
    call = {};
    char c = 0;
    if (const Scan peeked = scanner.peek(c); peeked != Scan::Ok)
        return peeked;
    if (c != '{') {
        scanner.complaint = "the elements of this array are not trace events";
        scanner.remedy = "give the file that export_chrome_trace wrote";
        return Scan::Bad;
    }
    return forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan scanned = s.value(value);
        if (isKey(key, "ph"))
            call.phase = value.text;
        else if (isKey(key, "name"))
            call.name = value.text;
        else if (isKey(key, "pid"))
            call.process = value.text;
        else if (isKey(key, "tid"))
            call.thread = value.text;
        else if (isKey(key, "ts"))
            call.start = value.text;
        else if (isKey(key, "dur"))
            call.duration = value.text;
        else if (isKey(key, "id"))
            call.id = value.text;
        return scanned;
    });
}

/// "aten::native_batch_norm" and "NativeBatchNormBackward1" both become "nativebatchnorm".
std::string plainOp(std::string_view name) {
    if (const std::size_t space = name.rfind("::"); space != std::string_view::npos)
        name.remove_prefix(space + 2);
    std::string plain;
    for (const char c : name) {
        if (c != '_')
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return plain;
}

/// The op that a backward node's name refers to; empty = this is not the name of a backward node.
std::string differentiated(std::string_view name) {
    const std::size_t stem = name.find_last_not_of("0123456789");
    if (name.find("::") != std::string_view::npos || stem == std::string_view::npos)
        return {};
    name = name.substr(0, stem + 1);
    return name.size() > 8 && name.ends_with("Backward") ? plainOp(name.substr(0, name.size() - 8)) : std::string();
}

class AutogradReader {
public:
    AutogradReader(JsonStream &stream, std::stop_token stop) : m_stream(stream), m_stop(std::move(stop)) {}

    Result<TraceEvents> read(AutogradNumbers &numbers) {
        RawCall call;
        TRY(forEachElement(
            m_stream, [&](JsonScanner &s) { return readCall(s, call); }, [&] { take(call); }));
        if (m_trace.events.empty())
            return fail("there is no op in it", "record some training steps and export again");
        m_trace.textBytes = m_stream.textBytes();
        numberOps(numbers);
        if (m_stop.stop_requested())
            return cancelled();
        return std::move(m_trace);
    }

private:
    void take(const RawCall &call) {
        ++m_trace.eventCount;
        const bool device = isKey(call.process, "CUDA functions");
        if (isKey(call.phase, "f")) {
            m_flow = integer(call.id); // the flow of the kernel that comes next
            ++m_trace.flowCount;
            return;
        }
        const bool launch = isKey(call.phase, "s");
        if (!isKey(call.phase, "X") && !launch)
            return;
        TraceEvent event;
        if (!parseMicroseconds(call.start, event.start) ||
            (!call.duration.empty() && !parseMicroseconds(call.duration, event.duration))) {
            ++m_trace.unreadableTimes;
            return;
        }
        constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
        event.start = std::clamp(event.start, -bound, bound);
        m_trace.negativeDurations += event.duration < 0 ? 1 : 0;
        event.duration = std::clamp<Nanoseconds>(event.duration, 0, bound);
        event.name = internJson(m_trace.names, call.name);
        const std::string &name = m_trace.names[event.name];
        event.row = row(device, call.thread);
        if (device) {
            event.kind = name.starts_with("Memcpy") || name.starts_with("Memset") ? EventKind::Copy : EventKind::Kernel;
            event.correlation = m_flow;
            m_flow = -1;
        } else if (launch) {
            event.kind = EventKind::Runtime;
            event.correlation = integer(call.id);
        } else {
            const bool mark = name.starts_with("Optimizer.") || name.starts_with("ProfilerStep#");
            event.kind = mark ? EventKind::Annotation : EventKind::Operator;
        }
        m_trace.events.push_back(event);
    }

    std::uint32_t row(bool device, std::string_view written) {
        LastRow &last = m_lastRow[device ? 1 : 0];
        if (last.row >= 0 && last.written == written)
            return static_cast<std::uint32_t>(last.row);
        const std::string thread = unescapeJson(written);
        const auto [place, fresh] = m_rows.try_emplace({device, thread}, static_cast<std::uint32_t>(m_trace.rows.size()));
        if (fresh)
            m_trace.rows.push_back({device, device ? thread : "CPU functions", device ? "0" : thread});
        last.written = written;
        last.row = place->second;
        return place->second;
    }

    void numberOps(AutogradNumbers &numbers) {
        std::vector<TraceEvent *> nodes;
        std::vector<Nanoseconds> updates;
        std::vector<TraceEvent *> ops;
        for (TraceEvent &event : m_trace.events) {
            if (event.kind == EventKind::Annotation && m_trace.nameOf(event).starts_with("Optimizer.step"))
                updates.push_back(event.start);
            if (event.kind == EventKind::Operator)
                (roleOf(event).isNode ? nodes : ops).push_back(&event);
        }
        numbers.backwardNodes = nodes.size();
        const auto byStart = [](const TraceEvent *a, const TraceEvent *b) { return a->start < b->start; };
        sortUnlessStopped(nodes, byStart, m_stop);
        std::sort(updates.begin(), updates.end());
        // Enclosing ops come first.
        sortUnlessStopped(
            ops,
            [](const TraceEvent *a, const TraceEvent *b) {
                return a->start != b->start ? a->start < b->start : a->duration > b->duration;
            },
            m_stop);
        if (m_stop.stop_requested())
            return;
        Pairing pairing{std::vector<Kind>(m_ops.size()), std::vector<Outermost>(m_trace.rows.size())};
        std::size_t op = 0;
        for (std::size_t from = 0; from < nodes.size();) {
            // A pass ends with the next optimizer step.
            const auto end = std::upper_bound(updates.begin(), updates.end(), nodes[from]->start);
            std::size_t to = from;
            while (to < nodes.size() && (end == updates.end() || nodes[to]->start < *end))
                ++to;
            numberNodes(std::span(nodes).subspan(from, to - from), pairing);
            for (; op < ops.size() && ops[op]->start < nodes[from]->start; ++op)
                addForward(ops[op], pairing);
            numbers.forwardOps += passNumbersOn(pairing);
            while (op < ops.size() && ops[op]->start < nodes[to - 1]->end())
                ++op;
            from = to;
        }
    }

    /// The nodes and ops of one kind in a pass; outdated unless `pass` is the current one.
    struct Kind {
        std::size_t pass = 0;
        std::vector<TraceEvent *> nodes;                            ///< in reverse order
        std::vector<std::pair<TraceEvent *, TraceEvent *>> forward; ///< op and its outermost op
    };
    /// A row's outermost op; outdated unless `pass` is the current one.
    struct Outermost {
        std::size_t pass = 0;
        TraceEvent *op = nullptr;
    };
    struct Pairing {
        std::vector<Kind> kinds;
        std::vector<Outermost> outermost;   ///< per row
        std::vector<std::size_t> present{}; ///< kinds of the current pass
        std::size_t pass = 0;
        std::int64_t numbered = 0; ///< nodes numbered so far
    };

    /// Starts the pass of these nodes: numbers them in reverse order and groups them by kind.
    void numberNodes(std::span<TraceEvent *const> nodes, Pairing &pairing) {
        ++pairing.pass;
        pairing.present.clear();
        for (std::size_t i = nodes.size(); i-- > 0;) {
            nodes[i]->sequence = pairing.numbered++;
            const auto number = static_cast<std::size_t>(roleOf(*nodes[i]).op);
            Kind &kind = pairing.kinds[number];
            if (kind.pass != pairing.pass) {
                kind.pass = pairing.pass;
                kind.nodes.clear();
                kind.forward.clear();
                pairing.present.push_back(number);
            }
            kind.nodes.push_back(nodes[i]);
        }
    }

    void addForward(TraceEvent *op, Pairing &pairing) {
        Outermost &outer = pairing.outermost[op->row];
        if (outer.pass != pairing.pass || outer.op->end() <= op->start)
            outer = {pairing.pass, op};
        if (Kind &kind = pairing.kinds[static_cast<std::size_t>(roleOf(*op).op)]; kind.pass == pairing.pass)
            kind.forward.emplace_back(op, outer.op);
    }

    /// Passes the numbers of the pass's nodes on to the outermost ops, for each kind with as many ops as nodes. Returns the
    /// number of ops paired.
    static std::size_t passNumbersOn(const Pairing &pairing) {
        std::size_t paired = 0;
        for (const std::size_t number : pairing.present) {
            const Kind &kind = pairing.kinds[number];
            if (kind.nodes.size() != kind.forward.size())
                continue;
            for (std::size_t k = 0; k < kind.nodes.size(); ++k) {
                std::int64_t &sequence = kind.forward[k].second->sequence;
                sequence = std::max(sequence, kind.nodes[k]->sequence);
            }
            paired += kind.nodes.size();
        }
        return paired;
    }

    /// What an op's name means: its kind of op or, for a backward node, the kind that it differentiates.
    struct Role {
        std::int32_t op = -1; ///< kind; -1: not determined yet
        bool isNode = false;
    };
    const Role &roleOf(const TraceEvent &event) {
        if (m_roles.size() <= event.name)
            m_roles.resize(event.name + 1U);
        Role &role = m_roles[event.name];
        if (role.op < 0) {
            const std::string &name = m_trace.nameOf(event);
            const std::string node = differentiated(name);
            role.isNode = !node.empty();
            role.op =
                m_ops.try_emplace(role.isNode ? node : plainOp(name), static_cast<std::int32_t>(m_ops.size())).first->second;
        }
        return role;
    }

    JsonStream &m_stream;
    std::stop_token m_stop;
    TraceEvents m_trace;
    std::map<std::pair<bool, std::string>, std::uint32_t> m_rows;
    struct LastRow {
        std::string written; ///< the thread, as written
        std::int64_t row = -1;
    };
    std::array<LastRow, 2> m_lastRow; ///< of the host; of the device
    std::vector<Role> m_roles;        ///< per name
    std::map<std::string, std::int32_t> m_ops;
    std::int64_t m_flow = -1;
};

} // namespace

bool looksLikeAutogradTrace(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return first != std::string_view::npos && head[first] == '[' &&
           (head.find("\"CPU functions\"") != std::string_view::npos ||
            head.find("\"CUDA functions\"") != std::string_view::npos);
}

Result<TraceEvents> readAutogradTrace(ByteSource &source, AutogradNumbers &numbers, std::stop_token stop) {
    JsonStream stream(source, stop);
    TRY(stream.skipByteOrderMark());
    const bool compressed = source.isCompressed();
    auto trace = AutogradReader(stream, std::move(stop)).read(numbers);
    if (trace)
        trace->compressed = compressed;
    return trace;
}

Result<std::shared_ptr<const ImportedProfile>> importAutogradTrace(ByteSource &source, const std::string &name,
                                                                   const ImportOptions &options, const std::stop_token &stop) {
    return withinMemory(name, recordLess, [&]() -> Result<std::shared_ptr<const ImportedProfile>> {
        AutogradNumbers numbers;
        const auto trace = TRY(inFile(readAutogradTrace(source, numbers, stop), name));
        auto profile = TRY(analyseTrace(trace, name, options, stop));
        const std::string note = fmt::format("An export of the older autograd profiler: it has neither shapes nor sequence "
                                             "numbers. {} backward nodes were numbered in "
                                             "the reverse of their order, {} forward ops paired with them by name and order.",
                                             numbers.backwardNodes, numbers.forwardOps);
        profile->inferred.insert(profile->inferred.begin(), note);
        profile->job.notes.push_back(note);
        checkSizes(*profile); // must stay the first note
        return std::shared_ptr<const ImportedProfile>(std::move(profile));
    });
}

Result<std::vector<OverlapFigures>> measureAutogradOverlap(ByteSource &source, const std::string &name,
                                                           const std::stop_token &stop) {
    return withinMemory(name, recordLess, [&]() -> Result<std::vector<OverlapFigures>> {
        AutogradNumbers numbers;
        const auto trace = TRY(inFile(readAutogradTrace(source, numbers, stop), name));
        return measureTraceOverlap(trace, name, stop);
    });
}

} // namespace syncopate
