// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"
#include "engine/session/source.h"
#include "engine/space/dimension.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace syncopate {

/// One of the two scenarios that the explorer shows.
enum class Side : std::uint8_t { A, B };
[[nodiscard]] constexpr std::size_t indexOf(Side side) { return static_cast<std::size_t>(side); }

/// The settings of one side.
struct SideState {
    Source source;
    std::string policy; ///< as the user wrote it
    /// A cluster of this side's own and its name; null = the shared one. The knobs apply to either.
    std::shared_ptr<const Cluster> cluster{};
    std::string clusterSource{};
    /// Whether a strategy is simulated: measurements, played steps and plans have no strategy and no policy.
    [[nodiscard]] bool hasScenario() const {
        return !std::holds_alternative<Measured>(source) && !std::holds_alternative<Played>(source) && !isPlanned();
    }
    [[nodiscard]] bool isPlanned() const { return std::holds_alternative<Planned>(source); }
    bool operator==(const SideState &) const = default;
};

/// Everything that the explorer's pictures depend on, as a value: a knob makes a new one, undo is a stack of them.
struct SessionState : ClusterKnobs {
    std::string source; ///< catalogue name or path of the job
    std::shared_ptr<const Job> job;
    std::shared_ptr<const ImportedProfile> profile; ///< where the job was read from a profile
    std::string clusterSource;
    std::shared_ptr<const Cluster> cluster; ///< as loaded or edited; the knobs change it
    bool clusterEdited = false;             ///< differs from clusterSource
    LinkModel linkModel = LinkModel::Fluid; ///< of both sides; projects do not keep it
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

/// Puts the side's name in front of the error.
[[nodiscard]] Unexpected ofSide(Error error, Side side);

/// Makes the recipe of one side's scenario. Errors are the engine's, with the side's name in front; a measured side has none.
[[nodiscard]] Result<ScenarioRecipe> recipeOf(const SessionState &state, Side side);

/// Makes the scenario of one side: cluster by the knobs, strategy by its builder (or file), policy parsed. Errors are the
/// engine's, with the side's name in front; a measured side has none. Not for the GUI thread: builders look at every variable.
[[nodiscard]] Result<Scenario> makeScenario(const SessionState &state, Side side);

/// Whether the dimension is a setting of a side. A dimension of the cluster applies to the shared cluster and to sides' own.
[[nodiscard]] bool appliesTo(const Dimension &dimension, const SessionState &state);
/// The dimension's value: of the shared cluster, or of the first side whose policy has it.
[[nodiscard]] double valueOf(const Dimension &dimension, const SessionState &state);
/// Whether withoutValue() would change the state.
[[nodiscard]] bool isTurned(const Dimension &dimension, const SessionState &state);
/// Sets that value on every side to which the dimension applies; a policy's expression is rewritten. Values that
/// Dimension::check() refuses change nothing.
[[nodiscard]] SessionState withValue(SessionState state, const Dimension &dimension, double value);
/// Resets the dimension to the clusters' own value, or to the policies' default.
[[nodiscard]] SessionState withoutValue(SessionState state, const Dimension &dimension);

/// Applies the knobs to the clusters and resets the knobs, so that one cluster can change alone; the scenarios stay the same.
[[nodiscard]] SessionState withKnobsInClusters(SessionState state);

/// Applies to `state` the differences of `changed` from `present`, both scenarios of `side`: its policy, its strategy (as an
/// edited one) and the cluster, the side's own or the shared one. Knobs whose effect is in a changed shared cluster are reset.
[[nodiscard]] SessionState withScenario(SessionState state, Side side, const Scenario &present, const Scenario &changed);

/// The name of a side's source, for boxes and lists: "PSLoadBalancing", "trial 17", "4 workers, 1 server".
[[nodiscard]] std::string sourceName(const Source &source);
/// The same for titles, with edits and a cluster of its own: "PSLoadBalancing, edited", "PS on own.yml".
[[nodiscard]] std::string strategyTitle(const SideState &side);
/// The name of a cluster in sentences: a catalogue name, or a file without its folders.
[[nodiscard]] std::string clusterTitle(const std::string &source);

} // namespace syncopate
