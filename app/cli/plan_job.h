// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/load_plan.h"

#include <string>

namespace CLI {
class App;
}

namespace syncopate::cli {

/// Adds --costs and --incast. `of` begins their help where a command also takes other jobs: "Of a training DAG. ".
void addPlanCosts(CLI::App &command, PlanCosts &costs, const std::string &of = {});

} // namespace syncopate::cli
