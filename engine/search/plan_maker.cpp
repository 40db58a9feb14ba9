// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_maker.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace syncopate {

namespace {

constexpr int maxTreeLevels = 8;  ///< as many as movesAllChunks() can prove
constexpr double sameTime = 1e-9; ///< relative: times that differ less count as equal

std::size_t draw(Rng &rng, std::size_t count) { return static_cast<std::size_t>(rng.next() % count); }

} // namespace

double PlanMaker::motifSeconds(const Motif &motif, DagOpId op, ChannelId channel) const {
    return m_request.costs.seconds(motif, m_dag.ops[op.index()], m_dag.processes, m_request.channels[channel.index()]);
}

std::vector<Motif> PlanMaker::cut(DagOpId op, const MotifCut &by) const { return cutMotifs(kindOf(op), by, groupSize(op)); }

VariantPtr PlanMaker::variantOf(DagOpId op, OpPlan plan) {
    if (m_variantCount == maxRemembered)
        forget();
    const auto [known, isNew] = m_variants[op.index()].try_emplace(std::move(plan));
    if (isNew) {
        ++m_variantCount;
        const OpPlan &of = known->first;
        Variant variant{of, cut(op, of.cut), {}, 0, {}};
        for (std::size_t m = 0; m < variant.motifs.size(); ++m)
            variant.seconds.push_back(motifSeconds(variant.motifs[m], op, of.channels[m]));
        variant.totalSeconds = std::accumulate(variant.seconds.begin(), variant.seconds.end(), 0.0);
        variant.listed = ListedOp::of(variant.motifs, of.channels, variant.seconds);
        known->second = std::make_shared<const Variant>(std::move(variant));
    }
    return known->second;
}

void PlanMaker::forget() {
    for (auto &variants : m_variants)
        variants.clear();
    m_variantCount = 0;
}

VariantPtr PlanMaker::fastest(DagOpId op, MotifCut wished, ChannelId channel, bool partitions) {
    VariantPtr best; // the first one, even if none of them ever ends
    for (const std::int32_t size : m_groupSizes)
        for (const bool tree : {false, true}) {
            wished.tree = tree ? size : 1;
            wished.partition = tree || !partitions ? 1 : size;
            const MotifCut by = possible(wished, op);
            VariantPtr variant = variantOf(op, {by, std::vector<ChannelId>(cut(op, by).size(), channel)});
            if (!best || variant->totalSeconds < best->totalSeconds)
                best = std::move(variant);
        }
    return best;
}

ChannelId PlanMaker::commonChannel() const {
    ChannelId best(0);
    double bestSeconds = infinity;
    for (ChannelId c(0); c.index() < channelCount(); c = c.next()) {
        double seconds = 0;
        for (const DagOpId op : m_dag.submissionOrder)
            seconds += motifSeconds({kindOf(op)}, op, c);
        if (seconds < bestSeconds) {
            bestSeconds = seconds;
            best = c;
        }
    }
    return best;
}

bool PlanMaker::splinesMayPay(DagOpId op, std::int32_t splines) {
    const auto [known, isNew] = m_splinesMayPay.try_emplace({op, splines}, false);
    if (!isNew)
        return known->second;
    const auto secondsOn = [&](ChannelId channel, const MotifCut &by) {
        double seconds = 0;
        for (const Motif &motif : cut(op, by))
            seconds += motifSeconds(motif, op, channel);
        return seconds;
    };
    double rate = 0, whole = infinity; // of all channels at once; on the fastest
    for (ChannelId c(0); c.index() < channelCount(); c = c.next()) {
        const double seconds = secondsOn(c, {.splines = splines});
        rate += 1 / seconds; // infinite where it takes no time
        whole = std::min(whole, secondsOn(c, {}));
        known->second = known->second || seconds < secondsOn(c, {.segments = splines}) * (1 - sameTime);
    }
    known->second = known->second && 1 / rate <= whole * (1 + sameTime);
    return known->second;
}

MotifCut PlanMaker::possible(MotifCut cut, DagOpId op) {
    const CollectiveKind kind = kindOf(op);
    const std::int32_t members = groupSize(op);
    const auto divides = [members](std::int32_t size) { return size > 1 && size < members && members % size == 0; };
    const bool isMeasured = m_request.costs.isMeasured(kind);
    if (kind == CollectiveKind::Permute || !hasSplines(kind) || members % cut.splines != 0)
        cut.splines = 1;
    if (cut.splines > 1 && kind != CollectiveKind::AllToAll && // others are mostly better off in groups
        ((divides(cut.partition) && !isMeasured) || m_dag.ops[op.index()].isUneven() || !splinesMayPay(op, cut.splines)))
        cut.splines = 1;
    cut.ring = cut.ring && kind == CollectiveKind::AllReduce;
    if (kind != CollectiveKind::AllReduce || !divides(cut.tree) || isMeasured || members > std::pow(cut.tree, maxTreeLevels))
        cut.tree = 1;
    if (cut.tree > 1 || cut.splines > 1 || !divides(cut.partition) || isMeasured || kind == CollectiveKind::Permute)
        cut.partition = 1;
    if (m_dag.ops[op.index()].isUneven()) // validatePlan() allows no others
        cut.splines = cut.tree = cut.partition = 1;
    cut.ring = cut.ring && cut.tree == 1 && cut.partition == 1;
    return cut;
}

Choice PlanMaker::uniform(const MotifCut &wished, ChannelId channel) {
    Choice choice(m_dag.ops.size());
    for (const DagOpId op : m_dag.submissionOrder) {
        MotifCut own = wished;
        if (kindOf(op) != CollectiveKind::AllToAll)
            own.splines = 1;
        choice[op.index()] = fastest(op, own, channel, false);
    }
    return choice;
}

std::vector<Choice> PlanMaker::segmentations() {
    const ChannelId channel = commonChannel();
    const bool splines = m_dag.processes % 2 == 0 && std::any_of(m_dag.ops.begin(), m_dag.ops.end(), [](const DagOp &op) {
                             return op.collective == CollectiveKind::AllToAll;
                         });
    std::vector<Choice> choices;
    for (std::int32_t segments = 1; segments <= m_request.maxSegments; segments *= 2)
        for (std::int32_t cuts = 1; cuts <= (splines ? 2 : 1); ++cuts)
            choices.push_back(uniform({segments, cuts}, channel));
    return choices;
}

PlanMaker::Lowered PlanMaker::lower(const Choice &choice) const {
    Lowered lowered;
    for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
        if (!choice[o])
            continue;
        const Variant &of = *choice[o];
        lowered.seconds.insert(lowered.seconds.end(), of.seconds.begin(), of.seconds.end());
        for (std::size_t m = 0; m < of.motifs.size(); ++m)
            lowered.motifs.push_back({DagOpId(o), of.motifs[m], of.plan.channels[m]});
    }
    return lowered;
}

Choice PlanMaker::greedy() {
    Choice choice(m_dag.ops.size());
    for (const DagOpId op : m_dag.submissionOrder) {
        VariantPtr &best = choice[op.index()];
        for (ChannelId c(0); c.index() < channelCount(); c = c.next())
            if (VariantPtr variant = fastest(op, {}, c, true); !best || variant->totalSeconds < best->totalSeconds)
                best = std::move(variant);
    }
    return choice;
}

PlanProposal PlanMaker::transform(Choice &choice, Rng &rng) {
    const DagOpId op = m_dag.submissionOrder[draw(rng, m_dag.submissionOrder.size())];
    const OpPlan &present = choice[op.index()]->plan;
    if (present.channels.size() > 1 && channelCount() > 1 && draw(rng, 3) == 0) {
        OpPlan plan = present;
        plan.channels[draw(rng, plan.channels.size())] = ChannelId(draw(rng, channelCount()));
        choice[op.index()] = variantOf(op, std::move(plan));
        return PlanProposal::Channel;
    }
    Drawn drawnOp = drawn(op, rng);
    choice[op.index()] = std::move(drawnOp.variant);
    return drawnOp.proposal;
}

Choice PlanMaker::random(Rng &rng) {
    Choice choice(m_dag.ops.size());
    for (const DagOpId op : m_dag.submissionOrder)
        choice[op.index()] = drawn(op, rng).variant;
    return choice;
}

PlanMaker::Drawn PlanMaker::drawn(DagOpId op, Rng &rng) {
    constexpr std::array<std::int32_t, 6> splines{1, 1, 2, 2, 4, 8};
    MotifCut by;
    while (2 * by.segments <= m_request.maxSegments && draw(rng, 2) == 0)
        by.segments *= 2;
    by.splines = splines[draw(rng, splines.size())];
    by.ring = draw(rng, 4) == 0;
    if (m_groupSizes.size() > 1 && !m_request.costs.isMeasured(kindOf(op)))
        (draw(rng, 2) == 0 ? by.tree : by.partition) = m_groupSizes[draw(rng, m_groupSizes.size())];
    OpPlan plan;
    plan.cut = possible(by, op);
    const bool isSpread = draw(rng, 2) != 0;
    if (isSpread)
        spread(plan, op);
    else
        plan.channels.assign(cut(op, plan.cut).size(), ChannelId(draw(rng, channelCount())));
    return {variantOf(op, std::move(plan)), isSpread ? PlanProposal::Spread : PlanProposal::Cut};
}

void PlanMaker::spread(OpPlan &plan, DagOpId op) const {
    const std::vector<Motif> motifs = cut(op, plan.cut);
    const std::size_t channels = channelCount();
    std::vector<double> seconds, shortest; // per motif and channel; per motif
    for (const Motif &motif : motifs) {
        for (std::size_t c = 0; c < channels; ++c)
            seconds.push_back(motifSeconds(motif, op, ChannelId(c)));
        shortest.push_back(*std::min_element(seconds.end() - static_cast<std::ptrdiff_t>(channels), seconds.end()));
    }
    std::vector<std::size_t> longestFirst(motifs.size()); // short motifs then fill the gaps that long ones leave
    std::iota(longestFirst.begin(), longestFirst.end(), std::size_t{0});
    std::stable_sort(longestFirst.begin(), longestFirst.end(),
                     [&](std::size_t a, std::size_t b) { return shortest[a] > shortest[b]; });
    std::vector<double> busy(channels, 0);
    plan.channels.assign(motifs.size(), ChannelId(0));
    for (const std::size_t m : longestFirst) {
        std::size_t best = 0;
        double bestEnd = infinity;
        for (std::size_t c = 0; c < channels; ++c)
            if (const double end = busy[c] + seconds[m * channels + c]; end < bestEnd) {
                bestEnd = end;
                best = c;
            }
        busy[best] = bestEnd;
        plan.channels[m] = ChannelId(best);
    }
}

std::vector<std::int32_t> PlanMaker::groupSizesFor(const PlanRequest &request) {
    std::vector<std::int32_t> sizes{1};
    for (const std::int32_t size : {request.costs.processesPerNode, 2, 4, 8})
        if (size > 1 && size < request.dag->processes && request.dag->processes % size == 0 &&
            std::find(sizes.begin(), sizes.end(), size) == sizes.end())
            sizes.push_back(size);
    return sizes;
}

} // namespace syncopate
