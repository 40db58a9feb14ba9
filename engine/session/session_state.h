// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/trace_run.h"
#include "engine/profile/profile.h"
#include "engine/rewrite/scenario.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace syncopate {

enum class Side : std::uint8_t { A, B };
[[nodiscard]] constexpr std::size_t indexOf(Side side) { return static_cast<std::size_t>(side); }

/// The strategy of a side that shows the imported profile as it was measured, beside a simulation of the same step.
inline constexpr const char *measuredStrategy = "measured";

/// What one side is asked to do, as the user wrote it.
struct SideState {
    std::string strategy; ///< a builder expression, the path of a strategy file, or measuredStrategy
    std::string policy;
    /// Node configs that were changed since `strategy` was chosen; null = as `strategy` says.
    std::shared_ptr<const Strategy> edited{};
    /// A cluster of this side's own and its name; null = the one that both share. The knobs change either.
    std::shared_ptr<const Cluster> cluster{};
    std::string clusterSource{};
    /// What `edited` is called where it is not `strategy` with changes: "trial 17".
    std::string editedName{};
    /// Steps of asynchronous training that are shown instead of a simulation of `strategy`; not kept in project files.
    std::shared_ptr<const TraceRequest> trace{};
    /// It is shown as it was recorded or generated: there is no strategy and no policy behind it.
    [[nodiscard]] bool isMeasured() const { return trace || strategy == measuredStrategy; }
    bool operator==(const SideState &) const = default;
};

/// Everything that the explorer's pictures depend on, as a value: a knob makes a new one, undo is a stack of them.
struct SessionState {
    std::string source; ///< catalogue name or path of the job
    std::shared_ptr<const Job> job;
    std::shared_ptr<const ImportedProfile> profile; ///< where the job was read from a profile
    std::string clusterSource;
    std::shared_ptr<const Cluster> cluster; ///< as loaded or edited; the knobs below change it, unset = as it is
    bool clusterEdited = false;             ///< no longer what clusterSource says
    std::optional<double> bandwidthGbits;
    std::optional<double> latencySeconds;
    std::optional<std::int32_t> workers;
    std::optional<std::int32_t> servers;
    std::array<SideState, 2> sides;
    bool compare = true;
    bool operator==(const SessionState &) const = default;

    [[nodiscard]] SideState &side(Side s) { return sides[indexOf(s)]; }
    [[nodiscard]] const SideState &side(Side s) const { return sides[indexOf(s)]; }
    /// Whether side `s` of both states asks for the same simulation.
    [[nodiscard]] bool sameScenario(const SessionState &other, Side s) const;
};

/// The cluster of a side with the knobs applied. Needs a cluster.
[[nodiscard]] Cluster effectiveCluster(const SessionState &state, Side side);

/// The scenario of one side: cluster by the knobs, strategy by its builder (or file), policy parsed. Errors are the
/// engine's, with the side's name in front; a measured side has none. Not for the GUI thread: builders look at every variable.
[[nodiscard]] Result<Scenario> makeScenario(const SessionState &state, Side side);

/// The same scenarios with the knobs' effect in the clusters and the knobs reset, so that one cluster can change alone.
[[nodiscard]] SessionState withKnobsInClusters(SessionState state);

/// `state` with what `changed` changes against `present`, both scenarios of `side`: its policy, its strategy (as an edited
/// one) and the cluster, the side's own or the shared one; knobs whose effect is in a changed shared cluster are reset.
[[nodiscard]] SessionState withScenario(SessionState state, Side side, const Scenario &present, const Scenario &changed);

/// What a side is asked to do, for titles: "PSLoadBalancing", "PSLoadBalancing, edited".
[[nodiscard]] std::string strategyTitle(const SideState &side);

} // namespace syncopate
