// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_scenario.h"

#include "engine/session/dag_job.h"
#include "engine/store/row_id.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

// Columns are bound and read by position: keep the two in step.

namespace syncopate {

namespace {

/// A count that a knob can have; other values, in a damaged file, would fail later and less clearly.
std::optional<std::int32_t> knobCount(std::optional<std::int64_t> value) {
    return value && *value >= 0 && *value <= 1 << 20 ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
}
std::optional<double> knobNumber(std::optional<double> value) {
    return value && *value >= 0 && *value < 1e12 ? value : std::nullopt;
}

} // namespace

Result<void> writeScenario(Database &file, ObjectWriter &objects, ScenarioId id, const KeptScenario &kept) {
    const SessionState &state = kept.state;
    Statement scenario(file, "INSERT INTO scenario VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    scenario.bind(id).bind(std::string_view(kept.name)).bind(std::string_view(kept.note)).bind(kept.keptAt);
    scenario.bind(std::string_view(state.source))
        .bind(objects.job(state.job, showsDag(state)))
        .bind(objects.profile(state.profile, state.source));
    scenario.bind(std::string_view(state.clusterSource)).bind(objects.cluster(state.cluster)).bind(state.clusterEdited);
    scenario.bind(state.bandwidthGbits).bind(state.latencySeconds).bind(state.workers).bind(state.servers).bind(state.compare);
    scenario.bind(kept.iterationSeconds[0]).bind(kept.iterationSeconds[1]);
    TRY(scenario.run());
    for (std::size_t s = 0; s < state.sides.size(); ++s) {
        const SideState &side = state.sides[s];
        Statement row(file, "INSERT INTO side VALUES(?,?,?,?,?,?,?,?,?)");
        const std::string text = textOf(side.source), unnamed;
        const Source source = withoutRuns(side.source);
        const auto *edited = std::get_if<Edited>(&source);
        row.bind(id).bind(static_cast<std::int64_t>(s)).bind(std::string_view(text)).bind(std::string_view(side.policy));
        row.bind(objects.strategy(edited ? edited->strategy : nullptr));
        row.bind(objects.cluster(side.cluster)).bind(std::string_view(side.clusterSource));
        row.bind(std::string_view(edited ? edited->name : unnamed));
        const auto *planned = std::get_if<Planned>(&side.source);
        row.bind(objects.plan(planned ? planned->work : nullptr));
        TRY(row.run());
    }
    return {};
}

Result<void> readSides(Database &file, ObjectReader &objects, ScenarioId id, SessionState &state) {
    // Version 1 has no edited_name, which then reads as "", and versions up to 4 no plan, which then reads as null.
    Statement rows(file, "SELECT * FROM side WHERE scenario = ?");
    rows.bind(id);
    for (;;) {
        const auto row = TRY(rows.step());
        if (!row)
            return {};
        static_cast<void>(rows.integer()); // the scenario's id
        const std::int64_t number = rows.integer();
        if (number < 0 || number > 1)
            continue;
        SideState &side = state.sides[static_cast<std::size_t>(number)];
        side.source = objects.source(rows.text());
        side.policy = rows.text();
        const auto edited = rows.optionalId<Strategy>();
        const auto cluster = rows.optionalId<Cluster>();
        side.clusterSource = rows.text();
        std::string editedName = rows.text();
        auto work = TRY(objects.plan(rows.optionalId<PlannedWork>()));
        auto strategy = TRY(objects.strategy(edited, state.job));
        auto sideCluster = TRY(objects.cluster(cluster));
        if (strategy && side.hasScenario())
            side.source = replaced(side.source, std::move(strategy), std::move(editedName));
        if (work && state.job && state.cluster) // a plan is played on it
            side.source = planned(side.source, std::move(work));
        side.cluster = std::move(sideCluster);
    }
}

Result<KeptScenario> readScenario(Statement &rows, ObjectReader &objects) {
    KeptScenario kept;
    kept.name = rows.text();
    kept.note = rows.text();
    kept.keptAt = rows.integer();
    SessionState &state = kept.state;
    state.source = rows.text();
    const auto job = rows.optionalId<Job>();
    const auto profile = rows.optionalId<ImportedProfile>();
    state.clusterSource = rows.text();
    const auto cluster = rows.optionalId<Cluster>();
    state.clusterEdited = rows.integer() != 0;
    state.bandwidthGbits = knobNumber(rows.optionalNumber());
    state.latencySeconds = knobNumber(rows.optionalNumber());
    state.workers = knobCount(rows.optionalInteger());
    state.servers = knobCount(rows.optionalInteger());
    state.compare = rows.integer() != 0;
    for (auto &seconds : kept.iterationSeconds)
        seconds = knobNumber(rows.optionalNumber());
    state.job = TRY(objects.job(job));
    state.cluster = TRY(objects.cluster(cluster));
    state.profile = TRY(objects.profile(profile, state.source));
    if (!state.job && state.profile)
        state.job = std::shared_ptr<const Job>(state.profile, &state.profile->job);
    return kept;
}

} // namespace syncopate
