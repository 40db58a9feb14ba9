// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/causes.h"
#include "engine/plan/execution_plan.h"
#include "engine/plan/motif_costs.h"
#include "engine/space/recipe.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace syncopate {

/// The kind of change that a remedy makes.
enum class RemedyKind : std::uint8_t {
    DoubleLink,
    ResizeParts,
    MoveVariable,
    Group,
    DropBarrier,
    Prioritise,
    Knob,
    Builder,      ///< as released
    TunedBuilder, ///< with other arguments
    Policy,
    Winner,         ///< of a search
    Planner,        ///< another planning method
    Channel,        ///< a channel of a plan with other figures
    PlannedChannel, ///< a faster or a further channel, with a plan made for it
};
[[nodiscard]] const char *nameOf(RemedyKind kind); ///< "double_link"

/// A setting of the cluster at another value.
struct TurnedKnob {
    std::size_t dimension = 0; ///< index into scenarioSpace()
    double value = 0;
};

/// The winner of a search.
struct SearchWinner {
    Phrase name; ///< "trial 17 of rules()"
    std::shared_ptr<const Strategy> strategy;
    CommPolicy policy; ///< of the search
};

/// Another plan for the collectives of the plan that a side shows, or the same plan over changed channels.
struct PlanChange {
    std::string title;                      ///< of the changed plan
    std::string method{};                   ///< of RemedyKind::Planner: the planning method, as --method takes it; else empty
    std::shared_ptr<const TrainingDag> dag; ///< that the plan is for, without withSubmission()
    ExecutionPlan plan;
    MotifCosts costs;
    bool ownChannels = false; ///< the channels are no longer the cluster's
};

/// The origin of a changed scenario; none: the present scenario with a change.
using RemedyOrigin = std::variant<std::monostate, BuiltStrategy, TurnedKnob, SearchWinner>;

/// A scenario that is ready to be simulated.
struct ScenarioChange {
    Scenario scenario;
    RemedyOrigin origin{};
};

/// No plan could be made: the row says why.
struct NoPlan {};

/// One change that might shorten the iteration.
struct Remedy {
    RemedyKind kind = RemedyKind::DoubleLink;
    Phrase text; ///< "Move fc1/kernel to 10.0.0.2:CPU:0"
    /// A ScenarioChange for a side that is simulated from a scenario, one of the others for a side that shows a plan.
    std::variant<ScenarioChange, TurnedKnob, std::shared_ptr<const PlanChange>, NoPlan> change{};

    /// Only where the change is a ScenarioChange.
    [[nodiscard]] const Scenario &scenario() const { return std::get<ScenarioChange>(change).scenario; }
};

/// Whether anything in `chain` communicates; otherwise compute alone decides, and no synchronisation can help.
[[nodiscard]] bool hasTraffic(const CauseChain &chain);

/// Proposes the changes that the causes in `chain` suggest for `run`, without simulating them. The costliest server-bound
/// variable is moved to the server with the fewest bytes, the policy's sizes scaled by their knobs' factors or limited and its
/// choices changed, all-reduce groups joined in pairs, the barrier dropped, messages sent in the order of need, and the link for
/// which the chain waits most doubled. Changes that do not apply (no barrier, one server, a policy that ignores placement or
/// groups) are left out; without traffic none applies.
[[nodiscard]] std::vector<Remedy> proposeRemedies(const Run &run, const CauseFinder &finder, const CauseChain &chain);

} // namespace syncopate
