// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

namespace syncopate::cli {

extern const CommandEntry queryEntry;

} // namespace syncopate::cli
