// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/plan_edit.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace syncopate {

namespace {

/// Start of each motif, relative to the start of its own iteration.
std::vector<double> startsOf(const ExecutionPlan &plan, const PlannedRun &run) {
    std::vector<double> starts(plan.motifs.size(), 0);
    for (const PlannedSpan &span : run.spans)
        if (span.motif.exists())
            starts[span.motif.index()] = span.startSeconds;
    return starts;
}

/// A motif's position in a channel's order.
struct OrderPlace {
    std::int32_t place = 0, iterationOffset = 0;
};

/// The place before the first entry of `order` that starts later. Entries count from the start of the order's own iteration: a
/// later iteration adds its offset, so a time before the first entry belongs at the end of the previous order.
OrderPlace placeIn(const std::vector<OrderEntry> &order, const std::vector<double> &starts, double iteration, double seconds) {
    if (order.empty() || !(iteration > 0))
        return {};
    const auto at = [&](const OrderEntry &entry) { return starts[entry.motif.index()] + entry.iterationOffset * iteration; };
    constexpr double rounding = 1e-9;
    const double first = at(order.front());
    OrderPlace found;
    found.iterationOffset =
        static_cast<std::int32_t>(std::clamp(std::ceil((first - seconds) / iteration - rounding), -16.0, 16.0));
    const double wanted = seconds + found.iterationOffset * iteration;
    while (asIndex(found.place) < order.size() && at(order[asIndex(found.place)]) < wanted + rounding * iteration)
        ++found.place;
    // The end of an order is the beginning of the next; the form with the smaller offset reads better.
    if (asIndex(found.place) == order.size() && found.iterationOffset > 0)
        found = {0, found.iterationOffset - 1};
    return found;
}

Unexpected notThere(const std::string &what) { return fail(what, "choose one that the plan has"); }

/// Checks a cut against the rules; each error says what the rule is for.
Result<std::vector<Motif>> motifsOf(const DagOp &op, const MotifCut &cut, std::int32_t processes) {
    if (cut.segments < 1 || cut.splines < 1 || cut.tree < 1 || cut.partition < 1 ||
        std::int64_t{cut.segments} * cut.splines > static_cast<std::int64_t>(maxMotifs))
        return fail(fmt::format("a collective has 1 to {} motifs", maxMotifs), "cut it into fewer");
    if ((cut.ring ? 1 : 0) + (cut.tree > 1 ? 1 : 0) + (cut.partition > 1 ? 1 : 0) > 1)
        return fail("a collective is a ring, a tree, or in groups, one of them", "choose one");
    std::vector<Motif> first{{.kind = *op.collective}};
    if (cut.splines > 1 && *op.collective == CollectiveKind::AllReduce)
        return fail("an all-reduce has no splines; only plan files can spline the motifs of its ring or tree",
                    "cut it into segments");
    if (cut.splines > 1)
        first = TRY(rewriteMotif(first, 0, MotifRule::Spline, cut.splines, processes));
    if (cut.ring)
        TRY(rewriteMotif(first, 0, MotifRule::Ring, 1, processes));
    if (cut.tree > 1)
        TRY(rewriteMotif(first, 0, MotifRule::Tree, cut.tree, processes));
    if (cut.partition > 1)
        TRY(rewriteMotif(first, 0, MotifRule::Partition, cut.partition, processes));
    return cutMotifs(*op.collective, cut, processes);
}

Result<ExecutionPlan> recut(const TrainingDag &dag, const ExecutionPlan &plan, const PlannedRun &run, const RecutOp &edit) {
    if (!edit.op.exists() || edit.op.index() >= dag.ops.size() || dag.ops[edit.op.index()].isCompute())
        return notThere("there is no such collective");
    for (const ChannelId channel : edit.channels)
        if (!channel.exists() || channel.index() >= plan.channels.size())
            return notThere("there is no such channel");
    if (edit.channels.empty())
        return notThere("a collective runs on a channel");
    const DagOp &op = dag.ops[edit.op.index()];
    const std::vector<Motif> motifs = TRY(motifsOf(op, edit.cut, dag.groupSize(op)));
    const std::vector<double> starts = startsOf(plan, run);
    const ExecutionPlan::Range present = plan.rangesByOp(dag.ops.size())[edit.op.index()];
    double start = std::numeric_limits<double>::infinity();
    for (std::int32_t m = 0; m < present.count; ++m)
        start = std::min(start, starts[present.at(m).index()]);

    ExecutionPlan edited = plan;
    const auto before = [&](const PlannedMotif &planned) { return planned.op < edit.op; };
    const auto begin =
        edited.motifs.begin() + (std::partition_point(plan.motifs.begin(), plan.motifs.end(), before) - plan.motifs.begin());
    const MotifId at(static_cast<std::size_t>(begin - edited.motifs.begin())), end(at.index() + asIndex(present.count));
    std::vector<PlannedMotif> planned;
    for (std::size_t m = 0; m < motifs.size(); ++m)
        planned.push_back({edit.op, motifs[m], edit.channels[m % edit.channels.size()]});
    edited.motifs.insert(edited.motifs.erase(begin, begin + present.count), planned.begin(), planned.end());
    const std::int32_t more = static_cast<std::int32_t>(motifs.size()) - present.count;
    for (std::size_t c = 0; c < edited.orders.size(); ++c) {
        auto &order = edited.orders[c];
        std::erase_if(order, [at, end](const OrderEntry &entry) { return !(entry.motif < at) && entry.motif < end; });
        const OrderPlace place = placeIn(order, starts, run.iterationSeconds, start); // by the old motif numbers
        for (OrderEntry &entry : order)
            if (!(entry.motif < at))
                entry.motif = MotifId(entry.motif.number() + more);
        std::vector<OrderEntry> entries;
        for (std::size_t m = 0; m < planned.size(); ++m)
            if (planned[m].channel == ChannelId(c))
                entries.push_back({MotifId(at.index() + m), place.iterationOffset});
        order.insert(order.begin() + place.place, entries.begin(), entries.end());
    }
    return edited;
}

Result<ExecutionPlan> moved(const ExecutionPlan &plan, const MoveMotif &edit) {
    if (!edit.motif.exists() || edit.motif.index() >= plan.motifs.size())
        return notThere("there is no such motif");
    if (!edit.channel.exists() || edit.channel.index() >= plan.channels.size())
        return notThere("there is no such channel");
    ExecutionPlan edited = plan;
    for (auto &order : edited.orders)
        std::erase_if(order, [&](const OrderEntry &entry) { return entry.motif == edit.motif; });
    auto &order = edited.orders[edit.channel.index()];
    if (edit.place < 0 || asIndex(edit.place) > order.size())
        return notThere("there is no such place in the order");
    order.insert(order.begin() + edit.place, OrderEntry{edit.motif, edit.iterationOffset});
    edited.motifs[edit.motif.index()].channel = edit.channel;
    return edited;
}

/// Moves a motif to the place that its new start time has among the others'.
Result<ExecutionPlan> shifted(const ExecutionPlan &plan, const PlannedRun &run, const ShiftMotif &edit) {
    if (!edit.motif.exists() || edit.motif.index() >= plan.motifs.size() || !edit.channel.exists() ||
        edit.channel.index() >= plan.channels.size() || !std::isfinite(edit.seconds))
        return notThere("there is no such motif, channel, or time");
    std::vector<OrderEntry> order = plan.orders[edit.channel.index()];
    std::erase_if(order, [&](const OrderEntry &entry) { return entry.motif == edit.motif; });
    const std::vector<double> starts = startsOf(plan, run);
    const OrderPlace to = placeIn(order, starts, run.iterationSeconds, starts[edit.motif.index()] + edit.seconds);
    return moved(plan, {edit.motif, edit.channel, to.place, to.iterationOffset});
}

} // namespace

Result<ExecutionPlan> editPlan(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs, const PlanEdit &edit,
                               const std::stop_token &stop) {
    TRY(validatePlan(plan, dag));
    ExecutionPlan edited;
    if (const auto *by = std::get_if<MoveMotif>(&edit)) {
        edited = TRY(moved(plan, *by));
    } else {
        const PlannedRun run = TRY(playPlan(dag, plan, costs, stop));
        const auto *of = std::get_if<RecutOp>(&edit);
        edited = of ? TRY(recut(dag, plan, run, *of)) : TRY(shifted(plan, run, std::get<ShiftMotif>(edit)));
    }
    TRY(validatePlan(edited, dag));
    TRY(playPlan(dag, edited, costs, stop));
    return edited;
}

std::optional<MotifCut> cutOf(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes) {
    MotifCut cut;
    for (const Motif &motif : motifs) {
        cut.segments = std::max(cut.segments, motif.segment.of);
        cut.splines = std::max(cut.splines, motif.spline.of);
    }
    std::vector<MotifCut> possible{cut, cut};
    possible.back().ring = true;
    for (const Motif &motif : motifs)
        if (motif.group.size > 1) { // the inner groups of a tree or of a partition: found by comparing
            for (std::int32_t MotifCut::*groups : {&MotifCut::tree, &MotifCut::partition}) {
                possible.push_back(cut);
                possible.back().*groups = motif.group.size;
            }
        }
    for (const MotifCut &each : possible)
        if (std::int64_t{each.segments} * each.splines <= static_cast<std::int64_t>(maxMotifs) &&
            cutMotifs(kind, each, processes) == motifs)
            return each;
    return std::nullopt;
}

} // namespace syncopate
