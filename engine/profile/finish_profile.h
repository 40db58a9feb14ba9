// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"

namespace syncopate {

/// Holds what the gradient collectives of the job's step move against the sizes of the job's variables. Where the sums differ,
/// says so first of all that was inferred and first of the job's notes, with both; a sentence of an earlier check goes. Says
/// nothing where nothing is synchronised, or where neither sum is known.
void checkSizes(ImportedProfile &profile);

/// Replaces bytes that are no UTF-8 in all texts of the profile: names, notes, labels, its file's name. In all but files' names,
/// which are opened again, line breaks and other control characters become visible (visibleText()).
void makeNamesValid(ImportedProfile &profile);

} // namespace syncopate
