// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/base/progress.h"

#include <string>
#include <thread>

namespace syncopate::cli {

/// Shows the progress of long work in one line on stderr, which is redrawn a few times a second and erased when the work ends.
/// Only if stderr is a terminal and --quiet is not given: scripts expect only an error line on stderr.
class ProgressLine final {
public:
    /// `what`: "simulating the training set"; `units` of `progress`: "conditions". `progress` must outlive this.
    ProgressLine(const Common &common, std::string what, std::string units, const Progress &progress);
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

private:
    std::jthread m_drawer; ///< not started if nothing is shown
};

} // namespace syncopate::cli
