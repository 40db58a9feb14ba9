// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/why_report.h"

#include "engine/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <vector>

namespace syncopate::cli {

namespace {

void writeEnd(JsonWriter &json, const char *name, double value, const std::optional<double> &seconds) {
    json.key(name);
    if (!seconds) {
        json.json("null");
        return;
    }
    json.beginObject().member("value", value).member("iteration_seconds", *seconds).endObject();
}

constexpr std::size_t shownCauses = 20;

/// The longest causes, in order of time.
std::vector<std::size_t> longestOf(const std::vector<CauseRow> &causes) {
    std::vector<std::size_t> numbers(causes.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    const auto seconds = [&causes](std::size_t c) { return causes[c].endSeconds - causes[c].startSeconds; };
    std::stable_sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) { return seconds(a) > seconds(b); });
    numbers.resize(std::min(numbers.size(), shownCauses));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::string percentOf(double seconds, double present) {
    const double percent = 100 * (seconds / present - 1);
    return fmt::format("{:+.1f} %", std::abs(percent) < 0.05 ? 0.0 : percent); // no "-0.0 %"
}

} // namespace

void writeCauses(JsonWriter &json, const Explanation &answer) {
    json.newLine().key("causes").beginArray();
    for (const CauseRow &cause : answer.causes)
        json.newLine()
            .beginObject()
            .member("what", cause.what.english())
            .member("how", cause.how.english())
            .member("kind", nameOf(cause.kind))
            .member("start_seconds", cause.startSeconds)
            .member("end_seconds", cause.endSeconds)
            .member("seconds", cause.endSeconds - cause.startSeconds)
            .endObject();
    json.endArray();
}

void writeSensitivities(JsonWriter &json, const Explanation &answer, const ScenarioRecipe &recipe) {
    json.newLine().key("sensitivities").beginArray();
    for (const Sensitivity &row : answer.sensitivities) {
        const Dimension &dimension = scenarioSpace()[row.dimension];
        json.newLine().beginObject().member("knob", dimension.id).member("unit", nameOf(dimension.unit));
        json.member("value", dimension.get(recipe));
        writeEnd(json, "low", row.lowValue, row.lowSeconds);
        writeEnd(json, "high", row.highValue, row.highSeconds);
        json.endObject();
    }
    json.endArray();
}

std::string causesText(const Explanation &answer, double present) {
    const double whole = answer.chain.toSeconds - answer.chain.fromSeconds;
    const std::vector<std::size_t> longest = longestOf(answer.causes);
    std::string text = fmt::format("iteration {}, because of", formatSeconds(present));
    text += longest.size() < answer.causes.size()
                ? fmt::format(" (the {} longest of {} causes)\n", longest.size(), answer.causes.size())
                : "\n";
    for (const std::size_t c : longest) {
        const CauseRow &cause = answer.causes[c];
        const double seconds = cause.endSeconds - cause.startSeconds;
        text += fmt::format("{:>10} {:5.1f} %  {}{}\n", formatSeconds(seconds), 100 * seconds / whole, cause.what.english(),
                            cause.how.isEmpty() ? "" : ": " + cause.how.english());
    }
    return text;
}

std::string remediesText(const Explanation &answer, double present, bool all) {
    if (!hasTraffic(answer.chain))
        return answer.chain.seconds(CauseKind::HostWait) > 0
                   ? fmt::format(
                         "\nno communication to remedy: computing decides, and for {} of it devices wait for their hosts\n",
                         formatSeconds(answer.chain.seconds(CauseKind::HostWait)))
                   : "\nno communication to remedy: compute alone decides\n";
    std::string text = fmt::format("\nremedies ({} simulations)\n", answer.tried);
    std::size_t folded = 0;
    for (const RemedyRow &row : answer.remedies) {
        if (!row.helps() && !all)
            ++folded;
        else if (row.iterationSeconds)
            text += fmt::format("{:>10} {:>8}  {}\n", formatSeconds(*row.iterationSeconds),
                                percentOf(*row.iterationSeconds, present), row.remedy.text.english());
        else
            text += fmt::format("{:>10} {:>8}  {}: {}\n", "-", "", row.remedy.text.english(), row.iterationSeconds.error().what);
    }
    if (folded > 0)
        text +=
            fmt::format("{:>10} {:>8}  {} change nothing for certain, make it slower or cannot be simulated (--all lists them)\n",
                        "", "", folded);
    if (answer.leftOut > 0)
        text += fmt::format("{:>10} {:>8}  {} were not tried (--simulations)\n", "", "", answer.leftOut);
    return text;
}

std::string sensitivitiesText(const Explanation &answer, double present, const ScenarioRecipe &recipe) {
    std::string text = fmt::format("\n{:14} {:>10}   {:>29}   {:>29}\n", "knob", "now", "lower", "higher");
    for (const Sensitivity &row : answer.sensitivities) {
        const Dimension &dimension = scenarioSpace()[row.dimension];
        const auto end = [&](double value, const std::optional<double> &seconds) {
            return seconds ? fmt::format("{} ({}, {})", formatSeconds(*seconds), percentOf(*seconds, present),
                                         dimension.format(value))
                           : std::string("-");
        };
        text += fmt::format("{:14} {:>10}   {:>29}   {:>29}\n", dimension.id, dimension.format(dimension.get(recipe)),
                            end(row.lowValue, row.lowSeconds), end(row.highValue, row.highSeconds));
    }
    return text;
}

} // namespace syncopate::cli
