// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_enforced.h"

#include "engine/base/units.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace syncopate::cli {

namespace {

/// The number of initial iterations to exclude from means.
std::int32_t settledFrom(const RankRun &run) { return std::max(run.iterations / 4, 1); }

/// Means over the settled iterations, for the worst process in each.
struct Waits {
    double heldUp = 0, others = 0;
};
Waits waitsOf(const RankRun &run) {
    Waits waits;
    const std::int32_t from = settledFrom(run), count = run.iterations - 1 - from;
    for (std::int32_t i = from; i < run.iterations - 1; ++i) {
        waits.heldUp += run.heldUpRatio(i) / count;
        waits.others += run.othersRatio(i) / count;
    }
    return waits;
}

Result<Straggler> readStraggler(const std::string &text, std::int32_t processes) {
    std::vector<double> numbers;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(':', from), text.size());
        numbers.push_back(TRY(inFile(parseNumber(std::string_view(text).substr(from, end - from)), "--straggler")));
        from = end + 1;
    }
    const auto isCount = [](double number, double end) { return number >= 0 && number < end && number == std::floor(number); };
    if (numbers.size() < 2 || numbers.size() > 3 || !isCount(numbers[0], processes) || !(numbers[1] > 0 && numbers[1] <= 1000) ||
        (numbers.size() == 3 && !isCount(numbers[2], 1e6)))
        return fail(
            fmt::format("\"{}\" is not a straggler", text),
            fmt::format("PROCESS:SLOWDOWN[:FROM_ITERATION] with a process below {} and a slowdown of up to 1000", processes),
            "--straggler");
    return Straggler{ProcessId(static_cast<std::int32_t>(numbers[0])), numbers[1],
                     numbers.size() == 3 ? static_cast<std::int32_t>(numbers[2]) : 0};
}

} // namespace

void addEnforce(CLI::App &command, EnforceArguments &arguments) {
    command
        .add_option("--jitter", arguments.jitterPercent,
                    "Play every process, with compute-ops longer or shorter by this many percent (standard deviation)")
        ->check(between(0, 300));
    command.add_option("--straggler", arguments.stragglers,
                       "PROCESS:SLOWDOWN[:FROM_ITERATION], play every process, with this one slower than the others");
    command.add_option("--iterations", arguments.iterations, "Iterations for which every process is played (32)")
        ->check(between(8, 100'000));
    command
        .add_option("--planning", arguments.planningSeconds,
                    "Seconds that replanning takes, where a channel is held up for more than 5 % of three iterations")
        ->check(between(0, 1e6));
}

Result<EnforcedPlan> enforced(const EnforceArguments &arguments, const PlanRequest &request, PlanMethod method,
                              const ExecutionPlan &plan) {
    EnforceRequest enforce{.plan = request, .method = method, .noise = {}, .network = {}};
    enforce.plan.channels = plan.channels; // a plan file has its own channels
    enforce.noise.jitter = std::max(arguments.jitterPercent, 0.0) / 100;
    enforce.noise.seed = enforce.network.seed = request.seed;
    if (arguments.iterations > 0)
        enforce.iterations = arguments.iterations;
    for (const std::string &text : arguments.stragglers) {
        const Straggler straggler = TRY(readStraggler(text, request.dag->processes));
        if (straggler.fromIteration >= enforce.iterations)
            return fail(
                fmt::format("\"{}\" begins after the last of the {} iterations that are played", text, enforce.iterations),
                "count iterations from 0, or play more with --iterations", "--straggler");
        enforce.noise.stragglers.push_back(straggler);
    }
    enforce.planningSeconds = arguments.planningSeconds;
    return enforcePlan(enforce, plan);
}

void writeEnforced(JsonWriter &json, const EnforcedPlan &enforced) {
    const auto write = [&json](std::string_view key, const RankRun &run, std::int32_t from) {
        json.newLine().key(key).beginObject().member("iterations", run.iterations);
        if (run.deadlock)
            json.member("deadlock_seconds", run.deadlock->atSeconds).member("cycle", describe(*run.deadlock));
        if (run.iterations > from + 1) {
            const Waits waits = waitsOf(run);
            json.member("iteration_seconds", run.iterationSeconds(from)).member("held_up_ratio", waits.heldUp);
            json.member("waiting_for_others_ratio", waits.others);
        }
        json.endObject();
    };
    json.newLine().key("enforced").beginObject();
    write("strict", enforced.strict, settledFrom(enforced.strict));
    write("first_ready", enforced.ordered, settledFrom(enforced.ordered));
    if (const auto &again = enforced.replanned) {
        json.newLine().key("replanned").beginObject().member("noticed_iteration", again->noticed);
        json.member("held_up_ratio", again->heldUpRatio).member("committed", again->commit.committed);
        json.member("present_seconds", again->presentSeconds).member("found_seconds", again->found.run.iterationSeconds);
        json.member("attempts", again->commit.attempts).member("decided_seconds", again->commit.decidedSeconds);
        if (again->run) {
            const std::int32_t from = again->commit.changeAt.front();
            json.member("from_iteration", from);
            write("run", *again->run, from);
        }
        json.endObject();
    }
    json.endObject();
}

std::string reportEnforced(const EnforcedPlan &enforced, std::int32_t processes) {
    const RankRun &strict = enforced.strict;
    const Waits waits = waitsOf(strict);
    std::string text =
        fmt::format("\nevery one of {} processes, {} iterations: {} an iteration; a channel held up by its order for {:.1f} %, "
                    "waiting for other processes for {:.1f} % (the worst of each)\n",
                    processes, strict.iterations, formatSeconds(strict.iterationSeconds(settledFrom(strict))), 100 * waits.heldUp,
                    100 * waits.others);
    if (const auto &again = enforced.replanned) {
        text += fmt::format("held up for {:.1f} % by iteration {}, planned again with the times measured so far: ",
                            100 * again->heldUpRatio, again->noticed);
        if (!again->isFaster())
            text += fmt::format("no faster plan was found ({} an iteration, the present one {}), so the present one stays\n",
                                formatSeconds(again->found.run.iterationSeconds), formatSeconds(again->presentSeconds));
        else if (!again->run)
            text += "not committed before the last iteration\n";
        else
            text += fmt::format("committed in two phases at {} for iteration {}, {} an iteration from there\n",
                                formatSeconds(again->commit.decidedSeconds), again->commit.changeAt.front(),
                                formatSeconds(again->run->iterationSeconds(
                                    std::min(again->commit.changeAt.front(), again->run->iterations - 2))));
    }
    if (const auto &deadlock = enforced.ordered.deadlock)
        text += fmt::format("without sequence numbers they stand still from {} on: {}\n", formatSeconds(deadlock->atSeconds),
                            describe(*deadlock));
    else
        text += fmt::format("without sequence numbers: {} an iteration, nothing stands still with this seed\n",
                            formatSeconds(enforced.ordered.iterationSeconds(settledFrom(enforced.ordered))));
    return text;
}

} // namespace syncopate::cli
