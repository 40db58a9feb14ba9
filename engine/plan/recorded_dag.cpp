// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/recorded_dag.h"

#include "engine/collective/log_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace syncopate {

namespace {

/// For example "all_reduce 3, all_to_all 5".
std::string listed(const std::map<std::string, int> &counts) {
    std::string text;
    for (const auto &[name, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
    return text;
}

class StepDag {
public:
    StepDag(const RecordedStep &step, std::string name, std::int64_t ranks, std::int32_t processes, const std::string &file)
        : m_step(step), m_ranks(ranks), m_file(file) {
        m_made.dag.name = name.empty() ? "profile" : std::move(name); // a DAG's file needs a name
        m_made.dag.processes = processes;
        for (const std::string &left : step.leftOut)
            ++m_leftOut[left];
    }

    Result<RecordedDag> make() {
        if (m_made.dag.processes < 2)
            return refuse("a plan needs two processes or more", "choose a cluster with several GPUs");
        number();
        for (const RecordedOp &op : m_step.ops)
            TRY(add(op));
        if (m_made.dag.submissionOrder.empty())
            return refuse("the step has no collective that can be planned",
                          "plan data-parallel training of its layers instead: their gradients");
        TRY(validateDag(m_made.dag, m_file));
        state();
        return std::move(m_made);
    }

private:
    [[nodiscard]] Unexpected refuse(std::string what, std::string remedy) const {
        return fail(std::move(what), std::move(remedy), m_file);
    }

    /// Whether a collective of several ranks' step has one rank, as of a model that is not split: it moves nothing.
    [[nodiscard]] bool isAlone(const RecordedOp &op) const { return !op.isCompute() && op.groupSize == 1 && m_ranks > 1; }
    [[nodiscard]] bool stays(const RecordedOp &op) const {
        return op.isCompute() || (collectiveNamed(op.collective) && !isAlone(op));
    }

    /// Numbers the ops that stay, in the DAG's order.
    void number() {
        DagOpId next(0);
        for (const RecordedOp &op : m_step.ops) {
            const bool isKept = stays(op);
            m_numbers.push_back(isKept ? next : DagOpId());
            if (isKept)
                next = next.next();
            else
                ++m_leftOut[isAlone(op) ? op.collective + " of one rank" : op.collective];
        }
    }

    [[nodiscard]] std::vector<DagOpId> numbered(const std::vector<std::int32_t> &ops) const {
        std::vector<DagOpId> opIds;
        for (const std::int32_t op : ops)
            if (const DagOpId number = m_numbers[static_cast<std::size_t>(op)]; number.exists())
                opIds.push_back(number);
        return opIds;
    }

    Result<void> add(const RecordedOp &recorded) {
        if (!stays(recorded))
            return {};
        TrainingDag &dag = m_made.dag;
        const DagOpId self(dag.ops.size());
        DagOp op{.name = recorded.name, .backward = recorded.backward};
        op.parents = numbered(recorded.parents);
        op.previousParents = numbered(recorded.previousParents);
        if (recorded.isCompute()) {
            op.seconds = recorded.seconds;
            dag.computeOrder.push_back(self);
        } else {
            op.collective = collectiveNamed(recorded.collective);
            if (!(recorded.sizeBytes > 0))
                return refuse(
                    fmt::format("the size of \"{}\" was not recorded", recorded.name),
                    "add the rank's execution trace (ExecutionTraceObserver), record with shapes, or plan the gradients of "
                    "its layers instead");
            op.sizeBytes = recorded.sizeBytes;
            op.group = TRY(groupOf(recorded));
            if (op.collective == CollectiveKind::Permute)
                op.shift = static_cast<std::int32_t>(recorded.shift % dag.groupSize(op));
            ++m_kept[std::string(nameOf(*op.collective))];
            dag.submissionOrder.push_back(self);
        }
        dag.ops.push_back(std::move(op));
        return {};
    }

    Result<ProcessGroup> groupOf(const RecordedOp &op) {
        m_groupless += op.groupSize == 0 ? 1 : 0;
        if (op.groupSize < 2 || op.groupSize == m_ranks)
            return ProcessGroup{};
        if (op.groupSize > m_made.dag.processes)
            return refuse(
                fmt::format("\"{}\" has {} ranks, and the cluster has {} GPUs", op.name, op.groupSize, m_made.dag.processes),
                "choose a cluster like the recorded one, or add nodes with --workers");
        ProcessGroup group{static_cast<std::int32_t>(op.groupSize), 1};
        if (op.groupStride > 0)
            group.stride = static_cast<std::int32_t>(std::min<std::int64_t>(op.groupStride, m_made.dag.processes));
        else
            ++m_uneven;
        if (!fits(group, m_made.dag.processes))
            return refuse(fmt::format("groups of {} ranks, {} apart (\"{}\"), do not divide {} processes", op.groupSize,
                                      group.stride, op.name, m_made.dag.processes),
                          "choose a cluster like the recorded one");
        if (group.size == m_made.dag.processes)
            return ProcessGroup{};
        return group;
    }

    void state() {
        auto &notes = m_made.notes;
        notes.push_back(fmt::format("{} collectives of the measured step are planned: {}. Their times follow from the channels "
                                    "or measured curves, not from the profile.",
                                    m_made.dag.submissionOrder.size(), listed(m_kept)));
        notes.insert(notes.end(), m_step.notes.begin(), m_step.notes.end());
        if (!m_leftOut.empty())
            notes.push_back(fmt::format("Left out, with the waits for them: {}.", listed(m_leftOut)));
        if (m_ranks > 0 && m_ranks != m_made.dag.processes)
            notes.push_back(
                fmt::format("Recorded on {} ranks, planned for {} processes: sizes and times of each stay as recorded.", m_ranks,
                            m_made.dag.processes));
        if (m_groupless > 0)
            notes.push_back(fmt::format("The ranks of {} collectives were not recorded: they are assumed to span all processes.",
                                        m_groupless));
        if (m_uneven > 0)
            notes.push_back(fmt::format(
                "The ranks of {} collectives are not evenly spaced: their groups are assumed to be of neighbours.", m_uneven));
    }

    const RecordedStep &m_step;
    const std::int64_t m_ranks;
    const std::string &m_file;
    RecordedDag m_made;
    std::vector<DagOpId> m_numbers; ///< per op of the step, none = left out
    std::map<std::string, int> m_kept, m_leftOut;
    int m_groupless = 0, m_uneven = 0;
};

} // namespace

Result<RecordedDag> dagOfStep(const RecordedStep &step, const std::string &name, std::int64_t ranks, std::int32_t processes,
                              const std::string &file) {
    return StepDag(step, name, ranks, processes, file).make();
}

} // namespace syncopate
