// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rng.h"
#include "engine/search/plan_search.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace syncopate {

/// How one comm-op is carried out: its cut, and the channel of every motif.
struct OpPlan {
    MotifCut cut{};
    std::vector<ChannelId> channels;
    bool operator<(const OpPlan &other) const {
        const auto key = [](const OpPlan &plan) {
            const MotifCut &cut = plan.cut;
            return std::tuple(cut.segments, cut.splines, cut.ring, cut.tree, cut.partition);
        };
        return std::pair(key(*this), channels) < std::pair(key(other), other.channels);
    }
};
/// An OpPlan that was tried, and its cost.
struct Variant {
    OpPlan plan;
    std::vector<Motif> motifs;
    std::vector<double> seconds; ///< per motif
    double totalSeconds = 0;     ///< of all motifs, one after the other
    ListedOp listed;
};
using VariantPtr = std::shared_ptr<const Variant>;
/// A variant for every op, null for compute-ops. Equal variants are mostly the same object.
using Choice = std::vector<VariantPtr>;
/// Hashes a choice by its variants, so that equal choices of the same objects are found again.
struct ChoiceHash {
    std::size_t operator()(const Choice &choice) const {
        std::size_t hash = 0;
        for (const VariantPtr &variant : choice)
            hash = (hash ^ std::hash<VariantPtr>{}(variant)) * 0x100000001b3ULL;
        return hash;
    }
};
inline constexpr std::size_t maxRemembered =
    50'000; ///< variants, and judged choices: hundreds of megabytes where motifs are many

/// Makes execution plans of a DAG: starting points of planners, and changed ones. Each way to carry out a comm-op is cut and
/// priced once.
class PlanMaker {
public:
    /// Both must outlive the maker.
    PlanMaker(const PlanRequest &request, const TrainingDag &dag)
        : m_request(request), m_dag(dag), m_groupSizes(groupSizesFor(request)), m_variants(dag.ops.size()) {}

    /// The channel on which all collectives, whole, take the shortest time together: traditional stacks have one communicator.
    [[nodiscard]] ChannelId commonChannel() const;
    /// All collectives on one channel, cut as `wished` where possible, by ring or tree; splines only for all-to-alls.
    [[nodiscard]] Choice uniform(const MotifCut &wished, ChannelId channel);
    /// "The benefit of the segment oracle": every number of segments, whole and in two splines, on the one channel.
    [[nodiscard]] std::vector<Choice> segmentations();
    /// Every collective whole, as a tree or partitioned, and on the channel, as is fastest for it alone; rings, segments and
    /// splines are not tried. The start of Metropolis-Hastings.
    [[nodiscard]] Choice greedy();
    /// Changes how one comm-op is carried out: a random cut, all on one channel or spread so that all channels end at once; or
    /// one of its motifs on another channel. Returns the kind of change.
    PlanProposal transform(Choice &choice, Rng &rng);
    /// Draws every collective independently, from the changes that transform() makes.
    [[nodiscard]] Choice random(Rng &rng);

    /// The motifs of an ExecutionPlan, and the time that each takes alone.
    struct Lowered {
        std::vector<PlannedMotif> motifs;
        std::vector<double> seconds;
    };
    [[nodiscard]] Lowered lower(const Choice &choice) const;

private:
    [[nodiscard]] std::size_t channelCount() const { return m_request.channels.size(); }
    [[nodiscard]] CollectiveKind kindOf(DagOpId op) const { return *m_dag.ops[op.index()].collective; }
    [[nodiscard]] std::int32_t groupSize(DagOpId op) const { return m_dag.groupSize(m_dag.ops[op.index()]); }
    [[nodiscard]] double motifSeconds(const Motif &motif, DagOpId op, ChannelId channel) const;
    [[nodiscard]] std::vector<Motif> cut(DagOpId op, const MotifCut &by) const;
    /// Returns the variant of an op carried out in this way, pricing its motifs if it is new.
    VariantPtr variantOf(DagOpId op, OpPlan plan);
    void forget();
    /// The cut with which the op is fastest: a ring or a tree, from which stacks choose, or also `partitions`. Never null.
    VariantPtr fastest(DagOpId op, MotifCut wished, ChannelId channel, bool partitions);
    /// The nearest cut to `cut` that the op can have.
    [[nodiscard]] MotifCut possible(MotifCut cut, DagOpId op);
    /// Whether splines of a collective whose whole is a ring or a tree are worth a try: on some channel they take less than as
    /// many segments do, and, spread over all channels at once, no more than the whole.
    [[nodiscard]] bool splinesMayPay(DagOpId op, std::int32_t splines);
    void spread(OpPlan &plan, DagOpId op) const;
    /// A random cut, all on one channel or spread.
    struct Drawn {
        VariantPtr variant;
        PlanProposal proposal;
    };
    Drawn drawn(DagOpId op, Rng &rng);
    /// Sizes of groups to try for trees and partitions: a node's processes, and the smallest divisors. 1 = no groups.
    [[nodiscard]] static std::vector<std::int32_t> groupSizesFor(const PlanRequest &request);

    const PlanRequest &m_request;
    const TrainingDag &m_dag;
    const std::vector<std::int32_t> m_groupSizes;
    std::vector<std::map<OpPlan, VariantPtr>> m_variants; ///< per op
    std::size_t m_variantCount = 0;
    std::map<std::pair<DagOpId, std::int32_t>, bool> m_splinesMayPay; ///< results so far
};

} // namespace syncopate
