// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/why_scaling.h"

#include "app/cli/rate.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"

#include <cmath>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

std::string percentText(double share) { return std::isnan(share) ? "-" : fmt::format("{:.1f} %", 100 * share); }

std::string kneeText(const ScalingKnee &knee) { return fmt::format("{}{}", knee.workers, knee.isBeyond ? " or more" : ""); }

void writeKnee(JsonWriter &json, const char *name, const std::optional<ScalingKnee> &knee) {
    json.key(name);
    if (!knee)
        json.json("null");
    else
        json.beginObject().member("workers", knee->workers).member("beyond", knee->isBeyond).endObject();
}

void writePoint(JsonWriter &json, double batchSize, const ScalingPoint &point) {
    json.newLine().beginObject().member("workers", point.workers).member("iteration_seconds", point.iterationSeconds);
    writeRate(json, batchSize, point.samplesPerSecond);
    json.member("low", point.lowSamplesPerSecond).member("high", point.highSamplesPerSecond);
    json.member("efficiency", point.efficiency).member("marginal_efficiency", point.marginalEfficiency);
    if (!point.isSimulated()) {
        json.member("error", point.error).endObject();
        return;
    }
    json.member("bottleneck", nameOf(point.bottleneck.kind)).member("resource", point.bottleneck.resource);
    json.key("shares").beginObject();
    for (std::size_t b = 0; b < bottleneckCount; ++b)
        json.member(nameOf(static_cast<Bottleneck>(b)), point.bottleneck.shares[b]);
    json.endObject().key("bounds").beginObject();
    json.member("compute_seconds", point.bounds.computeSeconds).member("network_seconds", point.bounds.networkSeconds);
    json.member("queue_seconds", point.bounds.queueSeconds).member("dependency_seconds", point.bounds.dependencySeconds);
    json.endObject().endObject();
}

} // namespace

void writeScaling(JsonWriter &json, const Job &job, const Scaling &scaling) {
    json.newLine().key("scaling").beginObject().member("from", scaling.options.from).member("to", scaling.options.to);
    json.member("worthwhile_share", scaling.options.worthwhileShare);
    json.key("points").beginArray();
    for (const ScalingPoint &point : scaling.points)
        writePoint(json, job.batchSize, point);
    json.endArray().newLine().key("regions").beginArray();
    for (const ScalingRegion &region : scaling.regions)
        json.beginObject()
            .member("from", region.from)
            .member("to", region.to)
            .member("bottleneck", nameOf(region.bottleneck))
            .member("resource", region.resource)
            .endObject();
    json.endArray().newLine();
    writeKnee(json, "knee", scaling.knee);
    writeKnee(json, "low", scaling.low);
    writeKnee(json, "high", scaling.high);
    json.key("conditions").beginArray();
    for (const ScalingCondition &condition : scaling.conditions) {
        json.beginObject().member("name", condition.name.english());
        writeKnee(json, "knee", condition.knee);
        json.endObject();
    }
    json.endArray().newLine().key("worth_benchmarking").beginArray();
    for (const WorthBenchmarking &count : scaling.worth)
        json.beginObject().member("workers", count.workers).member("why", count.why.english()).endObject();
    json.endArray().member("simulations", static_cast<std::uint64_t>(scaling.simulations)).key("assumptions").beginArray();
    for (const std::string &assumption : scaling.assumptions)
        json.value(assumption);
    json.endArray().endObject();
}

std::string scalingText(const Job &job, const Scaling &scaling) {
    std::string text = fmt::format("{:>8} {:>10} {:>12} {:>10} {:>12}  {}\n", "workers", "iteration", rateUnit(statesBatch(job)),
                                   "efficiency", "of one more", "bottleneck");
    for (const ScalingPoint &point : scaling.points) {
        if (!point.isSimulated()) {
            text += fmt::format("{:>8} {:>10} {:>12} {:>10} {:>12}  {}\n", point.workers, "-", "-", "-", "-", point.error);
            continue;
        }
        const auto &[shares, kind, resource] = point.bottleneck;
        text += fmt::format("{:>8} {:>10} {:>12.5g} {:>10} {:>12}  {} {:.0f} %{}\n", point.workers,
                            formatSeconds(point.iterationSeconds), point.samplesPerSecond, percentText(point.efficiency),
                            percentText(point.marginalEfficiency), nameOf(kind), 100 * shares[static_cast<std::size_t>(kind)],
                            resource.empty() ? "" : ", " + resource);
    }
    text += "\nregions\n";
    for (const ScalingRegion &region : scaling.regions)
        text += fmt::format("{:>8}  {}{}\n",
                            region.from == region.to ? std::to_string(region.from) : fmt::format("{}-{}", region.from, region.to),
                            nameOf(region.bottleneck), region.resource.empty() ? "" : ", " + region.resource);
    if (scaling.knee)
        text += fmt::format("\nknee: {} worker{}{}\n", kneeText(*scaling.knee), scaling.knee->workers == 1 ? "" : "s",
                            scaling.low ? fmt::format(", band {} to {}", kneeText(*scaling.low), kneeText(*scaling.high)) : "");
    for (const ScalingCondition &condition : scaling.conditions)
        text += fmt::format("{:>8}  {}\n", condition.knee ? kneeText(*condition.knee) : "-", condition.name.english());
    text += "\nworth benchmarking\n";
    for (const WorthBenchmarking &count : scaling.worth)
        text += fmt::format("{:>8}  {}\n", count.workers, count.why.english());
    text += "\n";
    for (const std::string &assumption : scaling.assumptions)
        text += assumption + "\n";
    return text + fmt::format("{} simulations.\n", scaling.simulations);
}

void writeStragglers(JsonWriter &json, const Result<Stragglers> &found) {
    json.newLine().key("stragglers").beginObject();
    if (!found) {
        json.member("error", found.error().toString()).endObject();
        return;
    }
    json.member("step_seconds", found->stepSeconds).member("slowest", found->ranks[found->slowest].rank);
    json.member("slowest_as_median_seconds", found->slowestAsMedianSeconds);
    json.member("all_as_median_seconds", found->allAsMedianSeconds).key("ranks").beginArray();
    for (const RankLag &rank : found->ranks)
        json.newLine()
            .beginObject()
            .member("rank", rank.rank)
            .member("compute_seconds", rank.computeSeconds)
            .member("own_seconds", rank.ownSeconds)
            .member("behind_seconds", rank.behindSeconds)
            .member("worst_behind_seconds", rank.worstBehindSeconds)
            .member("as_median_seconds", rank.asMedianSeconds.value_or(found->stepSeconds))
            .endObject();
    json.endArray().key("steps").beginArray();
    for (const StragglerStep &step : found->steps)
        json.newLine()
            .beginObject()
            .member("name", step.name)
            .member("seconds", step.seconds)
            .member("median_seconds", step.medianSeconds)
            .member("slowest", found->ranks[step.slowest].rank)
            .member("behind_seconds", step.behindSeconds)
            .member("all_as_median_seconds", step.asMedianSeconds)
            .endObject();
    json.endArray().key("assumptions").beginArray();
    for (const std::string &assumption : found->assumptions)
        json.value(assumption);
    json.endArray().endObject();
}

std::string stragglersText(const Result<Stragglers> &found) {
    if (!found)
        return fmt::format("\nranks: stragglers are not known: {}\n", found.error().toString());
    const auto change = [&](double seconds) {
        return fmt::format("{} ({:+.1f} %)", formatSeconds(seconds), 100 * (seconds / found->stepSeconds - 1));
    };
    std::string text = fmt::format("\nrecorded ranks: a step takes {}; {} had rank {} been as the median, {} had all\n",
                                   formatSeconds(found->stepSeconds), change(found->slowestAsMedianSeconds),
                                   found->ranks[found->slowest].rank, change(found->allAsMedianSeconds));
    text += fmt::format("{:>6} {:>10} {:>10} {:>10} {:>10}  {}\n", "rank", "compute", "own time", "behind", "at worst",
                        "the step had it been as the median");
    for (const RankLag &rank : found->ranks)
        text += fmt::format("{:>6} {:>10} {:>10} {:>10} {:>10}  {}\n", rank.rank, formatSeconds(rank.computeSeconds),
                            formatSeconds(rank.ownSeconds), formatSeconds(rank.behindSeconds),
                            formatSeconds(rank.worstBehindSeconds), rank.asMedianSeconds ? change(*rank.asMedianSeconds) : "-");
    for (const std::string &assumption : found->assumptions)
        text += assumption + "\n";
    return text;
}

} // namespace syncopate::cli
