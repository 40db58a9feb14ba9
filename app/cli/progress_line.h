// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/base/progress.h"

#include <string>
#include <thread>

namespace syncopate::cli {

/// Shows how far long work is in one line of stderr, which is drawn anew some times a second and is gone when the work ends. Only
/// where stderr is a terminal and --quiet is not given: to a script, stderr is the line of an error.
class ProgressLine final {
public:
    /// `what`: "simulating the training set"; `units` are those of `progress`, which outlives this: "conditions".
    ProgressLine(const Common &common, std::string what, std::string units, const Progress &progress);
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

private:
    std::jthread m_drawer; ///< none where nothing is shown
};

} // namespace syncopate::cli
