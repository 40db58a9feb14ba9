// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_job.h"

#include <CLI/CLI.hpp>

namespace syncopate::cli {

void addPlanCosts(CLI::App &command, PlanCosts &costs, const std::string &of) {
    command.add_option("--costs", costs.measured,
                       of + "Measured collectives, else the channels' bandwidth and latency: CSV (docs/plan.md), or as for "
                            "calibrate logs of collectives on one link, LINK=FILE or, if there is but one link, FILE "
                            "(nccl-tests' text or -J, NCCL Inspector, OSU, vTrain; files or folders)");
    command.add_option(
        "--incast", costs.incast,
        of + "Loss of wide all-to-alls, instead of the cluster's: a share such as 0.4 for every doubling of the processes that "
             "send to one at once, CHANNEL=SHARE of single channels, or fit, to --costs (docs/plan.md)");
}

} // namespace syncopate::cli
