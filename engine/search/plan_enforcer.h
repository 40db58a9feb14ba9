// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/plan_search.h"
#include "engine/simulate/plan_commit.h"
#include "engine/simulate/rank_player.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace syncopate {

/// A plan carried out by enforcers (SYNDICATE, sections 4.4 and 5).
struct EnforceRequest {
    PlanRequest plan;                          ///< the request of the first plan, by which a new one is made
    PlanMethod method = PlanMethod::Syndicate; ///< of the new plan, which is enforced as the first one is
    ComputeNoise noise;
    std::int32_t iterations = 32;
    double heldUpLimit = 0.05;  ///< share of an iteration beyond which a new plan is made
    std::int32_t patience = 3;  ///< number of consecutive iterations beyond it: "consistently"
    double planningSeconds = 0; ///< from noticing to the new plan
    CommitNetwork network;
};

/// The result of enforcing a plan.
struct EnforcedPlan {
    RankRun strict;  ///< the plan under sequence numbers, to the end
    RankRun ordered; ///< the plan as priorities without sequence numbers; may stand still
    /// A new plan, made because channels were held up for too long.
    struct Replanned {
        std::int32_t noticed = 0;  ///< the last of the iterations beyond the limit
        FoundPlan found;           ///< for the measured times
        double heldUpRatio = 0;    ///< mean over the iterations beyond the limit, of the worst process
        double presentSeconds = 0; ///< an iteration of the present plan with the same times
        [[nodiscard]] bool isFaster() const { return found.run.iterationSeconds < presentSeconds; } ///< else it is not committed
        CommitOutcome commit;
        std::optional<RankRun> run; ///< from the beginning, with the change; null: it was not committed in time
    };
    std::optional<Replanned> replanned;
};

/// Plays `plan` with every process played separately, and, the first time that channels are held up beyond the limit, once more
/// with a new plan. The new plan is made for each op's mean time in those iterations on its slowest process, and carried out if
/// it is faster at these times than the present one. Deterministic. Errors: those of playRanks() and findPlan().
[[nodiscard]] Result<EnforcedPlan> enforcePlan(const EnforceRequest &request, const ExecutionPlan &plan,
                                               const std::stop_token &stop = {});

} // namespace syncopate
