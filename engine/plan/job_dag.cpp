// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/job_dag.h"

#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

class JobDag {
public:
    JobDag(const Job &job, std::int32_t processes, double computeScale)
        : m_job(job), m_computeScale(computeScale), m_forward(job.layers.size()), m_backward(job.layers.size()) {
        m_dag.name = job.name.empty() ? "job" : job.name; // a DAG's file needs a name
        m_dag.processes = processes;
        if (const std::int64_t bytes = job.parameterBytes(); bytes > 0)
            m_updateSecondsPerByte = job.updateSeconds / static_cast<double>(bytes);
    }

    Result<TrainingDag> make() {
        for (std::size_t l = 0; l < m_job.layers.size(); ++l) {
            m_computed.emplace_back(m_dag.ops.size());
            m_forward[l] = pass(l, false, forwardParents(l));
        }
        const DagOpId loss(m_dag.ops.size() - 1);
        std::vector<std::vector<std::int32_t>> children(m_job.layers.size());
        for (std::size_t l = m_job.layers.size(); l-- > 0;) {
            for (const std::int32_t parent : m_job.layers[l].parents)
                children[static_cast<std::size_t>(parent)].push_back(static_cast<std::int32_t>(l));
            std::vector<DagOpId> parents;
            for (const std::int32_t child : children[l])
                parents.push_back(m_backward[static_cast<std::size_t>(child)]);
            if (parents.empty())
                parents.push_back(loss);
            const DagOpId computed(m_dag.ops.size());
            m_backward[l] = pass(l, true, std::move(parents));
            synchronise(l, computed);
        }
        TRY(validateDag(m_dag));
        return std::move(m_dag);
    }

private:
    [[nodiscard]] std::vector<DagOpId> forwardParents(std::size_t layer) const {
        std::vector<DagOpId> parents;
        for (const std::int32_t parent : m_job.layers[layer].parents)
            parents.push_back(m_forward[static_cast<std::size_t>(parent)]);
        return parents;
    }

    DagOpId add(DagOp op) {
        const DagOpId added(m_dag.ops.size());
        (op.isCompute() ? m_dag.computeOrder : m_dag.submissionOrder).push_back(added);
        m_dag.ops.push_back(std::move(op));
        return added;
    }

    /// The layer's share of the update, by bytes of parameters.
    [[nodiscard]] double updateSeconds(const Layer &layer) const {
        double bytes = 0;
        for (const std::int32_t v : layer.variables)
            bytes += static_cast<double>(m_job.variables[static_cast<std::size_t>(v)].sizeBytes());
        return bytes * m_updateSecondsPerByte;
    }

    /// Adds a layer's op and the collectives that follow it; returns the op that later layers wait for.
    DagOpId pass(std::size_t layer, bool backward, std::vector<DagOpId> parents) {
        const Layer &of = m_job.layers[layer];
        const std::string name = (backward ? "backward/" : "forward/") + of.name;
        const double seconds = backward ? of.backwardSeconds : updateSeconds(of) + of.forwardSeconds;
        DagOp op{.name = name, .seconds = seconds / m_computeScale, .backward = backward};
        op.parents = std::move(parents);
        DagOpId last = add(std::move(op));
        for (std::size_t c = 0; c < of.collectives.size(); ++c)
            if (of.collectives[c].backward == backward) {
                DagOp comm{.name = name + "/" + std::string(nameOf(of.collectives[c].kind)) + " " + std::to_string(c)};
                comm.collective = of.collectives[c].kind;
                comm.sizeBytes = of.collectives[c].sizeBytes;
                comm.parents = {last};
                last = add(std::move(comm));
            }
        return last;
    }

    void synchronise(std::size_t layer, DagOpId computed) {
        double dense = 0, sparse = 0;
        for (const std::int32_t v : m_job.layers[layer].variables) {
            const Variable &variable = m_job.variables[static_cast<std::size_t>(v)];
            (variable.sparse ? sparse : dense) += variable.gradientBytes();
        }
        const auto addSum = [&](CollectiveKind kind, double bytes) {
            if (bytes <= 0)
                return;
            DagOp comm{.name = std::string(nameOf(kind)) + "/" + m_job.layers[layer].name};
            comm.collective = kind;
            comm.sizeBytes = bytes;
            comm.parents = {computed};
            const DagOpId sum = add(std::move(comm));
            m_dag.ops[m_computed[layer].index()].previousParents.push_back(sum);
        };
        addSum(CollectiveKind::AllReduce, dense);
        addSum(CollectiveKind::AllGather, sparse * m_dag.processes);
    }

    const Job &m_job;
    const double m_computeScale;
    TrainingDag m_dag;
    double m_updateSecondsPerByte = 0;          ///< of parameters
    std::vector<DagOpId> m_computed;            ///< per layer: its forward op, without its collectives
    std::vector<DagOpId> m_forward, m_backward; ///< per layer: the op that later layers wait for
};

} // namespace

Result<TrainingDag> dagOfJob(const Job &job, std::int32_t processes, double computeScale) {
    if (processes < 2)
        return fail("a plan needs two processes or more", "choose a cluster with several GPUs");
    return JobDag(job, processes, computeScale).make();
}

std::string computeScaleNote(double computeScale) {
    return fmt::format("All processes compute at {:.3g} times the job's speed, as the cluster's slowest node does.",
                       computeScale);
}

} // namespace syncopate
