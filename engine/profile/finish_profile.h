// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"

namespace syncopate {

/// Compares the elements of the gradient collectives of the job's step with those of the job's variables. Where the sums differ,
/// it says so, with both, first among the inferred sentences and among the job's notes, replacing the sentence of an earlier
/// check. It says nothing where nothing is synchronised, or where no collective of the step has a recorded size.
void checkSizes(ImportedProfile &profile);

/// Replaces bytes that are not UTF-8 in all texts of the profile: names, notes, labels, its file's name. Line breaks and other
/// control characters become visible (visibleText()), except in files' names, which are opened again.
void makeNamesValid(ImportedProfile &profile);

} // namespace syncopate
