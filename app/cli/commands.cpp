// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

namespace syncopate::cli {

const std::vector<CommandEntry> &commands() {
    static const std::vector<CommandEntry> entries{catalogEntry,  importEntry,    buildEntry, simulateEntry,  compareEntry,
                                                   diffEntry,     sweepEntry,     whyEntry,   queryEntry,     exportEntry,
                                                   trialEntry,    searchEntry,    tuneEntry,  planEntry,      predictEntry,
                                                   validateEntry, calibrateEntry, lintEntry,  completionEntry};
    return entries;
}

} // namespace syncopate::cli
