// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_curves.h"

#include "app/cli/output.h"
#include "engine/base/units.h"
#include "engine/collective/log_parts.h"
#include "engine/plan/planned_costs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace syncopate::cli {

namespace {

constexpr std::array<double, 5> tabledBytes{4096, 65536, 1 << 20, 1 << 24, 1 << 28};
constexpr std::size_t maxLines = 40; ///< of crossovers or sizes on a terminal

const std::string &channelOf(const PlannedCosts &costs, const CostCurve &curve) {
    return costs.channels[curve.channel.index()].name;
}

void writeWays(JsonWriter &json, const PlannedCosts &costs, const CostCurves &of) {
    json.newLine().key("ways").beginArray();
    for (const CostCurve &curve : of.curves) {
        json.newLine().beginObject().member("channel", channelOf(costs, curve)).member("way", wayOf(curve.cut));
        json.member("measured", curve.isMeasured).member("priced", curve.isPriced);
        if (curve.sameAs >= 0)
            json.member("same_as", curve.sameAs);
        json.key("points").beginArray();
        for (const CollectiveSample &point : curve.points)
            json.beginObject().member("size_bytes", point.sizeBytes).member("seconds", point.seconds).endObject();
        json.endArray().endObject();
    }
    json.endArray().newLine().key("crossovers").beginArray();
    for (const Crossover &crossover : of.crossovers) {
        json.newLine().beginObject().member("size_bytes", crossover.sizeBytes).member("seconds", crossover.seconds);
        json.member("below", crossover.below).member("above", crossover.above);
        json.member("fastest", crossover.isOfFastest).endObject();
    }
    json.endArray();
}

void writeCurves(const PlannedCosts &costs, const std::vector<std::string> &notes) {
    JsonWriter json;
    json.beginObject().key("curves").beginArray();
    for (const PlannedCost &kind : costs.kinds) {
        json.newLine().beginObject().member("collective", nameOf(*kind.like.collective));
        json.member("processes", kind.like.membersAmong(costs.processes)).member("stride", kind.like.group.stride);
        if (kind.like.collective == CollectiveKind::Permute)
            json.member("shift", kind.like.shift);
        if (kind.like.isUneven()) {
            json.key("group_sizes").beginArray();
            for (const std::int32_t size : kind.like.groupSizes)
                json.value(size);
            json.endArray();
        }
        json.key("sizes_bytes").beginArray();
        for (const double size : kind.sizesBytes)
            json.value(size);
        json.endArray().member("channels_left_out", kind.costs.channelsLeftOut);
        writeWays(json, costs, kind.costs);
        json.endObject();
    }
    json.endArray().member("kinds_left_out", costs.kindsLeftOut);
    json.newLine().key("notes").beginArray();
    for (const std::string &note : notes)
        json.value(note);
    json.endArray().endObject().newLine();
    printJson(json);
}

/// "4 MiB, 6 MiB"; at most maxLines of them.
std::string sizesText(const std::vector<double> &sizes) {
    std::string text;
    for (std::size_t s = 0; s < std::min(sizes.size(), maxLines); ++s)
        text += (s == 0 ? "" : ", ") + formatBytes(sizes[s]);
    return sizes.size() > maxLines ? fmt::format("{} and {} more", text, sizes.size() - maxLines) : text;
}

/// The time of every cut and channel at some sizes, with a star at the fastest.
std::string wayTable(const PlannedCosts &costs, const CostCurves &of) {
    const auto nameOfWay = [&](const CostCurve &curve) {
        return fmt::format("{}, {}{}", channelOf(costs, curve), wayOf(curve.cut),
                           !curve.isPriced    ? ", by its figures"
                           : curve.isMeasured ? ", measured"
                                              : "");
    };
    std::size_t width = 0;
    for (const CostCurve &curve : of.curves)
        width = std::max(width, nameOfWay(curve).size());
    std::string text = fmt::format("  {:{}}", "", width);
    std::array<double, tabledBytes.size()> fastest{};
    for (std::size_t s = 0; s < tabledBytes.size(); ++s) {
        text += fmt::format(" {:>11}", formatBytes(tabledBytes[s]));
        fastest[s] = std::numeric_limits<double>::infinity();
        for (const CostCurve &curve : of.curves)
            if (curve.isPriced)
                fastest[s] = std::min(fastest[s], curve.seconds(tabledBytes[s]));
    }
    text += '\n';
    for (const CostCurve &curve : of.curves) {
        if (curve.sameAs >= 0) {
            text += fmt::format("  {:{}} as {}\n", nameOfWay(curve), width,
                                nameOfWay(of.curves[static_cast<std::size_t>(curve.sameAs)]));
            continue;
        }
        text += fmt::format("  {:{}}", nameOfWay(curve), width);
        for (std::size_t s = 0; s < tabledBytes.size(); ++s) {
            const double seconds = curve.seconds(tabledBytes[s]);
            text += fmt::format(" {:>10}{}", formatSeconds(seconds), curve.isPriced && seconds <= fastest[s] ? '*' : ' ');
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

std::string crossoverLines(const PlannedCosts &costs, const CostCurves &of) {
    const auto way = [&](std::size_t curve) {
        return fmt::format("{}, {}", channelOf(costs, of.curves[curve]), wayOf(of.curves[curve].cut));
    };
    std::vector<const Crossover *> fastest;
    for (const Crossover &crossover : of.crossovers)
        if (crossover.isOfFastest)
            fastest.push_back(&crossover);
    if (fastest.empty())
        return "  one way is the fastest for all sizes\n";
    std::string text = fmt::format("  the fastest way changes {}:\n",
                                   fastest.size() == 1 ? "at 1 size" : fmt::format("at {} sizes", fastest.size()));
    for (std::size_t f = 0; f < std::min(fastest.size(), maxLines); ++f)
        text += fmt::format("    up to {} {}; beyond {} (both take {})\n", formatBytes(fastest[f]->sizeBytes),
                            way(fastest[f]->below), way(fastest[f]->above), formatSeconds(fastest[f]->seconds));
    if (fastest.size() > maxLines)
        text += fmt::format("    and {} more, which --json names\n", fastest.size() - maxLines);
    if (const std::size_t others = of.crossovers.size() - fastest.size(); others > 0)
        text += fmt::format("  {} more of ways that are not the fastest there, with --json\n",
                            others == 1 ? "1 crossing" : fmt::format("{} crossings", others));
    return text;
}

std::string curvesReport(const PlannedCosts &costs, const std::vector<std::string> &notes) {
    std::string text;
    for (const PlannedCost &kind : costs.kinds) {
        text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", nameOf(costs, kind),
                            kind.sizesBytes.empty() ? "no bytes in the DAG" : sizesText(kind.sizesBytes) + " in the DAG");
        text += wayTable(costs, kind.costs) + crossoverLines(costs, kind.costs);
        const auto has = [&](bool measured) {
            return std::any_of(kind.costs.curves.begin(), kind.costs.curves.end(),
                               [&](const CostCurve &curve) { return curve.isPriced && curve.isMeasured == measured; });
        };
        if (has(true) && has(false))
            text += "  times not measured follow from the channels' figures\n";
        if (const std::size_t left = kind.costs.channelsLeftOut; left > 0)
            text += fmt::format("  {} left out\n", left == 1 ? "1 channel is" : fmt::format("{} channels are", left));
    }
    if (costs.kindsLeftOut > 0)
        text += fmt::format("{} left out beyond {}; --curves KIND prints one kind only\n",
                            costs.kindsLeftOut == 1 ? "1 kind and group is"
                                                    : fmt::format("{} kinds and groups are", costs.kindsLeftOut),
                            maxPlannedKinds);
    for (const std::string &note : notes)
        text += note + '\n';
    return text;
}

} // namespace

Outcome printCostCurves(const Common &common, const PlanRequest &request, const std::string &kind,
                        const std::vector<std::string> &notes) {
    std::optional<CollectiveKind> only;
    if (kind != "all") {
        only = collectiveNamed(kind);
        if (!only)
            return badInput(fmt::format("\"{}\" is not a collective", kind), "all, or a kind such as all_to_all", "--curves");
    }
    const PlannedCosts costs = plannedCosts(*request.dag, request.channels, request.costs, only);
    if (costs.kinds.empty())
        return badInput(fmt::format("the DAG has no {}", only ? nameOf(*only) : "collective"),
                        only ? "--curves all prints the kinds that it has" : "plan a DAG with a collective", "--curves");
    if (common.json)
        writeCurves(costs, notes);
    else
        print(curvesReport(costs, notes));
    return {};
}

} // namespace syncopate::cli
