// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

struct CatalogueJob {
    std::string name;        ///< "resnet50", as given on the command line
    std::string title;       ///< "ResNet-50"
    std::string description; ///< one line: batch size, device, where the variables and times come from
};

[[nodiscard]] const std::vector<CatalogueJob> &catalogueJobs();
/// The job of that catalogue name; the error lists the names there are.
[[nodiscard]] Result<Job> catalogueJob(std::string_view name);

} // namespace syncopate
