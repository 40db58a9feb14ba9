// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_analysis.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace syncopate::kineto {

namespace {

// Facts about an event from its name; each distinct name is parsed once.
enum NameFlag : std::uint8_t {
    evaluates = 1,       ///< autograd::engine::evaluate_function: ...
    accumulates = 2,     ///< AccumulateGrad
    backwardNode = 4,    ///< ...Backward0
    optimizerStep = 8,   ///< Optimizer.step#...
    optimizerOther = 16, ///< Optimizer.zero_grad#...
    asynchronous = 32,   ///< gloo:all_reduce: outlives the op that started it, so it encloses nothing
    profilerStep = 64,
};

std::uint8_t flagsOf(std::string_view name) {
    std::uint8_t flags = 0;
    if (name.starts_with("autograd::engine::evaluate_function"))
        flags |= evaluates;
    if (name.find("AccumulateGrad") != std::string_view::npos)
        flags |= accumulates;
    const std::size_t stem = name.find_last_not_of("0123456789");
    if (stem != std::string_view::npos && name.substr(0, stem + 1).ends_with("Backward") && !name.starts_with("aten::"))
        flags |= backwardNode;
    if (name.starts_with("Optimizer.step"))
        flags |= optimizerStep;
    else if (name.starts_with("Optimizer."))
        flags |= optimizerOther;
    if (name.starts_with("gloo:") || name.starts_with("nccl:") || name.starts_with("mpi:"))
        flags |= asynchronous;
    if (name.starts_with("ProfilerStep#"))
        flags |= profilerStep;
    return flags;
}

class ContextScan {
public:
    ContextScan(const TraceEvents &trace, Analysis &analysis) : m_trace(trace), m_analysis(analysis) {
        m_flags.reserve(trace.names.size());
        for (std::uint32_t i = 0; i < trace.names.size(); ++i)
            m_flags.push_back(flagsOf(trace.names[i]));
        analysis.contexts.resize(trace.events.size());
    }

    void run() {
        sortHostEvents();
        findSteps();
        findBackward();
        if (m_analysis.stop.stop_requested())
            return;
        for (std::size_t from = 0; from < m_order.size();) {
            std::size_t to = from;
            while (to < m_order.size() && event(to).row == event(from).row)
                ++to;
            scanRow(from, to);
            from = to;
        }
        const auto byStep = [](const auto &a, const auto &b) { return a.step < b.step; };
        const std::stop_token &stop = m_analysis.stop;
        sortUnlessStopped(m_analysis.backward, byStep, stop);
        sortUnlessStopped(m_analysis.forward, byStep, stop);
        sortUnlessStopped(
            m_analysis.gradients,
            [](const GradientReady &a, const GradientReady &b) { return a.step != b.step ? a.step < b.step : a.start < b.start; },
            stop);
    }

private:
    struct Frame {
        std::uint32_t event = 0;
        Nanoseconds end = 0;
        std::int32_t container = -1; ///< innermost op or optimizer annotation, including this event
    };

    [[nodiscard]] const TraceEvent &event(std::size_t position) const { return m_trace.events[m_order[position]]; }
    [[nodiscard]] std::uint8_t flags(const TraceEvent &event) const { return m_flags[event.name]; }
    [[nodiscard]] bool isBackwardMarker(const TraceEvent &e) const {
        return e.kind == EventKind::Operator &&
               ((flags(e) & (evaluates | accumulates)) != 0 || ((flags(e) & backwardNode) != 0 && e.sequence >= 0));
    }

    void sortHostEvents() {
        // Sorts by row first, with a counting sort: rows are few, and within a row events are nearly in order.
        std::vector<std::size_t> ends(m_trace.rows.size() + 1, 0);
        std::size_t i = 0;
        for (const TraceEvent &e : m_trace.events) {
            if (m_analysis.stopsAt(i++))
                return;
            if (!e.onDevice())
                ++ends[e.row + 1];
        }
        for (std::size_t row = 1; row < ends.size(); ++row)
            ends[row] += ends[row - 1];
        std::vector<std::vector<std::uint32_t>> byRow(m_trace.rows.size());
        for (std::size_t row = 0; row < byRow.size(); ++row)
            byRow[row].reserve(ends[row + 1] - ends[row]);
        i = 0;
        for (const TraceEvent &e : m_trace.events) {
            if (m_analysis.stopsAt(i))
                return;
            if (!e.onDevice())
                byRow[e.row].push_back(static_cast<std::uint32_t>(i));
            ++i;
        }
        m_order.reserve(ends.back());
        for (std::vector<std::uint32_t> &row : byRow) {
            sortRow(row);
            m_order.insert(m_order.end(), row.begin(), row.end());
            std::vector<std::uint32_t>().swap(row);
        }
    }

    /// Sorts by start, enclosing events first.
    void sortRow(std::vector<std::uint32_t> &row) const {
        struct Item {
            Nanoseconds start, duration;
            std::uint32_t event;
        };
        const auto before = [](const Item &a, const Item &b) {
            if (a.start != b.start)
                return a.start < b.start;
            return a.duration != b.duration ? a.duration > b.duration : a.event < b.event;
        };
        const auto itemOf = [&](std::uint32_t i) { return Item{m_trace.events[i].start, m_trace.events[i].duration, i}; };
        const auto beforeByEvent = [&](std::uint32_t a, std::uint32_t b) { return before(itemOf(a), itemOf(b)); };
        if (std::is_sorted(row.begin(), row.end(), beforeByEvent))
            return;
        std::vector<Item> items;
        items.reserve(row.size());
        for (const std::uint32_t i : row)
            items.push_back(itemOf(i));
        sortUnlessStopped(items, before, m_analysis.stop);
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = items[i].event;
    }

    /// Finds steps: ProfilerStep#N, else the optimizer's steps, else the whole trace.
    void findSteps() {
        auto &steps = m_analysis.steps;
        std::vector<const TraceEvent *> marks, updates;
        Nanoseconds first = std::numeric_limits<Nanoseconds>::max(), last = std::numeric_limits<Nanoseconds>::min();
        for (const TraceEvent &e : m_trace.events) {
            first = std::min(first, e.start);
            last = std::max(last, e.end());
            if (e.kind != EventKind::Annotation)
                continue;
            if ((flags(e) & profilerStep) != 0 && (marks.empty() || marks.front()->row == e.row))
                marks.push_back(&e);
            else if ((flags(e) & optimizerStep) != 0 && (updates.empty() || updates.front()->name == e.name))
                updates.push_back(&e);
        }
        const auto byStart = [](const TraceEvent *a, const TraceEvent *b) { return a->start < b->start; };
        std::sort(marks.begin(), marks.end(), byStart);
        std::sort(updates.begin(), updates.end(), byStart);
        m_mainRow = !marks.empty() ? marks.front()->row : !updates.empty() ? updates.front()->row : rowOfMostForwardOps();
        m_analysis.stepsMarked = !marks.empty();
        if (!marks.empty())
            addMarkedSteps(marks);
        else if (!updates.empty())
            addUpdatedSteps(updates, first);
        if (steps.empty()) {
            steps.push_back({"whole profile", first, last});
            m_analysis.stepSource = "Neither ProfilerStep nor Optimizer.step was recorded: the whole profile counts as one step.";
        }
    }

    void addMarkedSteps(const std::vector<const TraceEvent *> &marks) {
        auto &steps = m_analysis.steps;
        for (const TraceEvent *mark : marks) {
            if (steps.empty() || mark->start >= steps.back().end)
                steps.push_back({m_trace.nameOf(*mark), mark->start, mark->end()});
        }
        m_analysis.stepSource = steps.size() == 1 ? std::string("1 step is marked by a ProfilerStep annotation.")
                                                  : fmt::format("{} steps are marked by ProfilerStep annotations.", steps.size());
    }

    void addUpdatedSteps(const std::vector<const TraceEvent *> &updates, Nanoseconds from) {
        auto &steps = m_analysis.steps;
        for (const TraceEvent *update : updates) {
            if (update->start < from)
                continue;
            steps.push_back({fmt::format("step {}", steps.size() + 1), from, update->end()});
            from = update->end();
        }
        m_analysis.stepSource =
            steps.size() == 1
                ? std::string("No ProfilerStep annotation was recorded: the optimizer's only step ends the training step.")
                : fmt::format("No ProfilerStep annotation was recorded: each of the {} optimizer steps ends a training step.",
                              steps.size());
    }

    /// The row with the most ops that are not backward markers, which is taken for the training loop's thread; 0 without any.
    [[nodiscard]] std::uint32_t rowOfMostForwardOps() const {
        std::vector<std::size_t> counts(m_trace.rows.size(), 0);
        for (const TraceEvent &e : m_trace.events) {
            if (e.kind == EventKind::Operator && !isBackwardMarker(e))
                ++counts[e.row];
        }
        const auto most = std::max_element(counts.begin(), counts.end());
        return static_cast<std::uint32_t>(most - counts.begin());
    }

    [[nodiscard]] std::int32_t stepAt(Nanoseconds time) {
        const auto &steps = m_analysis.steps;
        // Steps do not overlap, and consecutive events mostly share one.
        if (m_lastStep < steps.size() && steps[m_lastStep].start <= time && time < steps[m_lastStep].end)
            return static_cast<std::int32_t>(m_lastStep);
        const auto after =
            std::upper_bound(steps.begin(), steps.end(), time, [](Nanoseconds t, const StepWindow &s) { return t < s.start; });
        if (after == steps.begin())
            return -1;
        const auto index = static_cast<std::int32_t>(after - steps.begin()) - 1;
        m_lastStep = static_cast<std::size_t>(index);
        return time < steps[static_cast<std::size_t>(index)].end ? index : -1;
    }

    void findBackward() {
        m_backwardEnd.assign(m_analysis.steps.size(), std::numeric_limits<Nanoseconds>::max());
        m_hasBackward.assign(m_trace.rows.size(), false);
        for (const TraceEvent &e : m_trace.events) {
            if (!isBackwardMarker(e))
                continue;
            m_hasBackward[e.row] = true;
            m_analysis.backwardOps += (flags(e) & accumulates) == 0 ? 1 : 0;
            if (const std::int32_t step = stepAt(e.start); step >= 0) {
                Nanoseconds &end = m_backwardEnd[static_cast<std::size_t>(step)];
                end = end == std::numeric_limits<Nanoseconds>::max() ? e.end() : std::max(end, e.end());
            }
        }
    }

    /// State of the scan of a row.
    struct RowState {
        bool backwardOnly = false; ///< this is an autograd thread
        Phase phase = Phase::Forward;
        std::int64_t forwardKey = -1, backwardKey = -1;
        std::int32_t step = -1;
        std::int32_t openGradient = -1; ///< event that added the last GradientReady
        std::vector<Frame> stack;

        void enterStep(std::int32_t entered) {
            step = entered;
            phase = backwardOnly ? Phase::Backward : Phase::Forward;
            forwardKey = backwardKey = -1;
        }
    };

    /// An event with its enclosing op or annotation.
    struct Enclosed {
        std::uint32_t index = 0;
        const TraceEvent &event;
        std::uint8_t flags = 0;
        std::int32_t container = -1; ///< innermost op or optimizer annotation around it
        Context *outer = nullptr;    ///< context of the container
        bool inOp = false;
    };

    void scanRow(std::size_t from, std::size_t to) {
        RowState row;
        row.backwardOnly = m_hasBackward[event(from).row] && event(from).row != m_mainRow;
        row.enterStep(-1);
        for (std::size_t position = from; position < to; ++position) {
            if (m_analysis.stopsAt(position))
                return;
            const Enclosed at = enclose(m_order[position], row);
            Context &context = m_analysis.contexts[at.index];
            context.parent = at.container;
            context.step = stepAt(at.event.start);
            if (context.step != row.step)
                row.enterStep(context.step);
            context.top = !at.inOp;
            context.phase = phaseOf(at, row);
            if (context.phase == Phase::Backward)
                context.key = backwardKeyOf(at, row);
            else if (context.phase == Phase::Forward)
                context.key = forwardKeyOf(at, row);
            if (at.event.kind == EventKind::Runtime || (at.flags & asynchronous) != 0)
                continue;
            const bool contains = at.event.kind == EventKind::Operator || (at.flags & (optimizerStep | optimizerOther)) != 0;
            row.stack.push_back({at.index, at.event.end(), contains ? static_cast<std::int32_t>(at.index) : at.container});
        }
    }

    /// Pops events that ended before this one begins.
    Enclosed enclose(std::uint32_t index, RowState &row) {
        const TraceEvent &e = m_trace.events[index];
        while (!row.stack.empty() && row.stack.back().end <= e.start)
            row.stack.pop_back();
        const std::int32_t container = row.stack.empty() ? -1 : row.stack.back().container;
        Context *const outer = container < 0 ? nullptr : &m_analysis.contexts[static_cast<std::size_t>(container)];
        const bool inOp = outer && m_trace.events[static_cast<std::size_t>(container)].kind != EventKind::Annotation;
        return {index, e, flags(e), container, outer, inOp};
    }

    [[nodiscard]] Phase phaseOf(const Enclosed &at, RowState &row) const {
        const TraceEvent &e = at.event;
        if (e.kind == EventKind::Annotation && (at.flags & (optimizerStep | optimizerOther)) != 0) {
            if ((at.flags & optimizerStep) != 0 && !row.backwardOnly)
                row.phase = Phase::Update;
            return Phase::Update;
        }
        if (isBackwardMarker(e))
            return row.phase = Phase::Backward;
        if (at.outer)
            return at.outer->phase;
        if (row.backwardOnly)
            return Phase::Backward;
        if (e.kind == EventKind::Operator && e.sequence >= 0)
            return row.phase = Phase::Forward;
        if (row.phase == Phase::Forward && row.step >= 0 && e.row == m_mainRow &&
            e.start >= m_backwardEnd[static_cast<std::size_t>(row.step)])
            return Phase::Update; // after the backward pass: clipping, scaling, metrics
        return row.phase;
    }

    /// Key of an event of the backward pass; records gradients and backward nodes.
    std::int64_t backwardKeyOf(const Enclosed &at, RowState &row) {
        const TraceEvent &e = at.event;
        const std::int64_t around = at.outer && at.outer->key >= 0 ? at.outer->key : row.backwardKey;
        if ((at.flags & accumulates) != 0 && e.kind == EventKind::Operator) {
            if (at.inOp && row.openGradient == at.container) {
                if (e.detail >= 0)
                    m_analysis.gradients.back().detail = e.detail;
                return around;
            }
            m_analysis.gradients.push_back({row.step, row.backwardKey, e.detail, e.start});
            row.openGradient = static_cast<std::int32_t>(at.index);
            return row.backwardKey;
        }
        if (!isBackwardMarker(e) || e.sequence < 0)
            return around;
        row.backwardKey = e.sequence;
        // Some PyTorch versions do not give evaluate_function its node's number.
        if (at.inOp && at.outer->phase == Phase::Backward && m_trace.events[static_cast<std::size_t>(at.container)].sequence < 0)
            at.outer->key = e.sequence;
        m_analysis.backward.push_back({row.step, e.sequence, at.index});
        return e.sequence;
    }

    /// Key of an event of the forward pass; records outermost ops.
    std::int64_t forwardKeyOf(const Enclosed &at, RowState &row) {
        const TraceEvent &e = at.event;
        if (e.kind != EventKind::Operator || e.sequence < 0)
            return at.outer && at.outer->key >= 0 ? at.outer->key : row.forwardKey;
        row.forwardKey = e.sequence;
        if (!at.inOp)
            m_analysis.forward.push_back({row.step, e.sequence, at.index});
        return e.sequence;
    }

    const TraceEvents &m_trace;
    Analysis &m_analysis;
    std::vector<std::uint8_t> m_flags;
    std::vector<std::uint32_t> m_order; ///< host events by row and time, enclosing ones first
    std::vector<Nanoseconds> m_backwardEnd;
    std::vector<bool> m_hasBackward; ///< per row
    std::uint32_t m_mainRow = 0;
    std::size_t m_lastStep = 0;
};

} // namespace

void findContexts(const TraceEvents &trace, Analysis &analysis) { ContextScan(trace, analysis).run(); }

} // namespace syncopate::kineto
