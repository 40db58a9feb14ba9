// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

namespace syncopate::cli {

extern const CommandEntry completionEntry;

} // namespace syncopate::cli
