// SPDX-License-Identifier: GPL-3.0-or-later
// export --project: exports from a project file, as the explorer would.
#include "app/cli/export_command.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "engine/profile/recording/recording.h"
#include "engine/search/trial_log.h"
#include "engine/session/planned_work.h"
#include "engine/simulate/measured_run.h"
#include "engine/simulate/run.h"
#include "engine/store/project_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace syncopate::cli {

namespace {

/// The state of the kept scenario called `name`, or of the window if that is empty.
Result<SessionState> stateOf(const Project &project, const std::string &name, const std::string &file) {
    if (name.empty())
        return project.present;
    const auto isMeant = [&](const KeptScenario &one) { return one.name == name; };
    if (const auto matches = std::ranges::count_if(project.scenarios, isMeant); matches > 1)
        return fail(fmt::format("the project has {} scenarios '{}'", matches, name), "rename all but one of them in the explorer",
                    file);
    if (const auto kept = std::ranges::find_if(project.scenarios, isMeant); kept != project.scenarios.end())
        return kept->state;
    std::string names;
    for (const KeptScenario &one : project.scenarios)
        names += (names.empty() ? "" : ", ") + one.name;
    return fail(fmt::format("the project has no scenario '{}'", name), names.empty() ? "it has none" : "it has " + names, file);
}

/// The candidate that `text` names: the best, a builder, or a trial by its number.
std::optional<CandidateId> candidateOf(const SearchState &search, const std::string &text) {
    const SearchHistory &history = search.history;
    if (text == "best")
        return history.best(search.plan.objective);
    for (std::size_t b = 0; b < history.baselines.size(); ++b)
        if (history.baselines[b].builder == text)
            return CandidateId{CandidateId::Kind::Baseline, b};
    std::size_t trial = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), trial);
    if (error != std::errc() || end != text.data() + text.size() || trial >= history.trials.size())
        return {};
    return CandidateId{CandidateId::Kind::Trial, trial};
}

/// The state that was searched, with a candidate as A and without B.
Result<SessionState> withCandidate(const Project &project, const std::string &text, const std::string &file) {
    if (!project.search)
        return fail("the project has no search", "leave out --candidate, or search in the explorer", file);
    const SearchState &search = *project.search;
    const auto id = candidateOf(search, text);
    if (!id && text == "best")
        return fail("nothing that the project's search judged has a time", "search again, or leave out --candidate", file);
    if (!id)
        return fail(fmt::format("the project's search has no candidate '{}'", text),
                    search.history.trials.empty()
                        ? std::string("give best or a builder")
                        : fmt::format("give best, a builder, or a trial below {}", search.history.trials.size()),
                    file);
    SessionState state = search.plan.state;
    state.compare = false;
    Source &source = state.side(Side::A).source;
    if (id->kind == CandidateId::Kind::Baseline) {
        source = Built{search.history.baselines[id->index].builder};
        return state;
    }
    const auto planned = TRY(planSearch(search.plan));
    auto scenario = TRY(planned.method->decode(search.history.trials[id->index].genes));
    source = replaced(source, std::move(scenario.strategy), fmt::format("trial {}", id->index));
    return state;
}

Result<std::shared_ptr<const Run>> runOf(const SessionState &state, Side side) {
    const auto scenario = TRY(makeScenario(state, side));
    return simulate(scenario);
}

/// The state that `arguments` choose from the project.
Result<SessionState> chosenState(const Project &project, const ExportArguments &arguments) {
    if (!arguments.scenario.empty() && !arguments.candidate.empty())
        return fail("--scenario and --candidate name two things", "give one of them");
    if (arguments.candidate.empty())
        return stateOf(project, arguments.scenario, arguments.project);
    return withCandidate(project, arguments.candidate, arguments.project);
}

Outcome exportSetting(const Common &common, const ExportArguments &arguments, const SessionState &state, Side side) {
    const auto scenario = TRY(orBadInput(makeScenario(state, side)));
    return isLauncherFormat(arguments.format) ? saveSettings(common, arguments, scenario)
                                              : saveStrategy(common, arguments, *scenario.strategy);
}

/// Whether the side shows a plan or a measured profile, which have a timeline but no strategy.
bool hasOnlyTimeline(const SessionState &state, Side side) {
    return std::holds_alternative<Planned>(state.side(side).source) || (!state.side(side).hasScenario() && state.profile);
}

/// "chrome or svg"
std::string timelineFormatNames() {
    std::string names;
    for (const TimelineFormat &format : timelineFormats())
        names.append(names.empty() ? "" : " or ").append(format.name);
    return names;
}

/// Exports the timeline of a side that has only that.
Outcome exportTimeline(const Common &common, const ExportArguments &arguments, const SessionState &state, Side side) {
    const auto *planned = std::get_if<Planned>(&state.side(side).source);
    if (!findTimelineFormat(arguments.format)) {
        const bool showsBoth = arguments.format == "html" && state.compare; // whichever side is chosen
        return badInput(
            fmt::format("{} shows a {}, which has no strategy to report", side == Side::A ? 'A' : 'B',
                        planned ? "plan" : "measured step"),
            fmt::format("choose {}a format of timelines: {}", showsBoth ? "" : "the other side, or ", timelineFormatNames()));
    }
    const std::string title = strategyTitle(state.side(side)); // without a policy, which neither of them has
    if (!planned)
        return saveTimeline(common, arguments, {*measuredRecording(state.profile, state.job), nullptr, title});
    const auto played = plannedRun(*planned->work, state.job, effectiveCluster(state, side));
    if (!played)
        return badInput(ofSide(played.error(), side).value());
    return saveTimeline(common, arguments, {**played, nullptr, title});
}

/// Refuses a state whose picture would show an error in place of a run.
Outcome checkDrawn(const SessionState &state, const std::string &file) {
    for (const Side side : state.compare ? std::vector{Side::A, Side::B} : std::vector{Side::A}) {
        if (const auto *planned = std::get_if<Planned>(&state.side(side).source)) {
            if (const auto played = plannedRun(*planned->work, state.job, effectiveCluster(state, side)); !played)
                return badInput(ofSide(played.error(), side).value());
        } else if (state.side(side).hasScenario()) {
            TRY(orBadInput(runOf(state, side)));
        } else if (!state.profile) {
            return badInput(fmt::format("{} shows a measured step, whose profile could not be read", side == Side::A ? 'A' : 'B'),
                            "put the profile back where it was, or choose a builder for the side in the explorer", file);
        }
    }
    return {};
}

/// Refuses --side for what shows both sides or none: it would be ignored.
Outcome refuseSide(const ExportArguments &arguments, const std::string &shows) {
    if (arguments.side == "b")
        return badInput(fmt::format("it is for formats of one side, and {}", shows), "leave it out", "--side");
    return {};
}

/// Exports timelines, tables and reports, of one side or both.
Outcome exportRuns(const Common &common, const ExportArguments &arguments, const SessionState &state, Side side) {
    ExportedRuns runs{state.source, state.clusterSource, {}, state.side(side).policy};
    const bool both = arguments.format == "html" && state.compare;
    runs.firstSide = both ? 0 : indexOf(side);
    for (const Side one : both ? std::vector{Side::A, Side::B} : std::vector{side}) {
        if (hasOnlyTimeline(state, one))
            return exportTimeline(common, arguments, state, one);
        const auto run = TRY(orBadInput(runOf(state, one)));
        runs.sides.push_back({strategyTitle(state.side(one)), run});
    }
    if (both) // a side without a report has a reason that comes first
        TRY(refuseSide(arguments, "the report shows both"));
    return saveRuns(common, arguments, runs);
}

/// Exports {(G, D, S), f} of all searches, oldest first.
Outcome exportTrials(const Common &common, const ExportArguments &arguments, const Project &project) {
    if (!arguments.scenario.empty() || !arguments.candidate.empty())
        return badInput("the format trials exports all searches of a project", "leave out --scenario and --candidate");
    TRY(refuseSide(arguments, "the format trials exports all searches of a project"));
    PastSearches searches = project.pastSearches;
    if (project.search)
        searches.push_back(project.search);
    if (searches.empty())
        return badInput("the project has no search", "search in the explorer, or with search --project", arguments.project);
    std::string text;
    for (const auto &search : searches) {
        const auto planned = TRY(orBadInput(planSearch(search->plan)));
        text += TRY(orBadInput(trialLines(planned.request, *planned.method, *planned.judge, search->history)));
    }
    TRY(save(common, arguments.output, text));
    describeExport(common, arguments);
    return {};
}

} // namespace

Outcome exportProject(const Common &common, const ExportArguments &arguments) {
    const std::string &format = arguments.format;
    auto project = TRY(orBadInput(readProject(arguments.project)));
    if (format == "trials")
        return exportTrials(common, arguments, project);
    const auto state = TRY(orBadInput(chosenState(project, arguments)));
    if (!state.job || !state.cluster) // the explorer would wait for its first simulation
        return badInput("the project has no job, or no cluster to run it on", "open both in the explorer and save it",
                        arguments.project);
    for (const Error &loss : project.losses)
        if (!common.json && !common.quiet)
            print(loss.toString() + "\n");
    if (!arguments.candidate.empty() && arguments.side == "b")
        return badInput("a candidate is exported alone, as A", "leave out --side");
    if (format == "png" || format == "pdf") {
        TRY(refuseSide(arguments, "a picture shows what the window showed"));
        TRY(checkDrawn(state, arguments.project));
        project.present = state;
        if (const auto drawn = drawProject(project, arguments.output, format); !drawn)
            return failedRunning(drawn.error());
        return sayExported(common, arguments);
    }
    const Side side = arguments.side == "b" ? Side::B : Side::A;
    if (format == "autodist" || format == "json" || isLauncherFormat(format))
        return exportSetting(common, arguments, state, side);
    return exportRuns(common, arguments, state, side);
}

} // namespace syncopate::cli
