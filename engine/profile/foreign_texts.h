// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/foreign_formats.h"

namespace syncopate {

/// The foreign format of a text that is not a profile at all: a log, a table, a description of machines, a strategy, a graph, a
/// job file. Null for every other file; a trace stays one whatever else is in it.
[[nodiscard]] const ForeignFormat *foreignTextOf(const FileHead &head);

} // namespace syncopate
