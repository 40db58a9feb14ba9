// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/strategy/policy.h"
#include "tests/scenarios.h"

#include <string_view>

namespace syncopate::testing {

inline constexpr double gigabyte = 1e9;

/// Any policy, with sizes that suit the tests' jobs.
inline CommPolicy smallParts(std::string_view name) {
    CommPolicy policy = policyOf(name, {{"partition", 1e6},
                                        {"slice", 1e6},
                                        {"credit", 3e6},
                                        {"fusion", 5e6},
                                        {"cycle", 3e-3},
                                        {"window", 500e3},
                                        {"bucket_cap", 5e6},
                                        {"reduce_bucket", 1.25e6},
                                        {"allgather_bucket", 1e6},
                                        {"bucket_size", 1.25e6},
                                        {"all_reduce_combine", 5e6},
                                        {"overlap", 1},
                                        {"overlap_grad_reduce", 1},
                                        {"latency_hiding_scheduler", 1},
                                        {"seed", 5}});
    policy.barrier = true;
    return policy;
}

} // namespace syncopate::testing
