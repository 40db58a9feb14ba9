// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"

namespace syncopate {

/// Replaces bytes that are no UTF-8 in all texts of the profile: names, notes, labels, its file's name.
void makeNamesValid(ImportedProfile &profile);

} // namespace syncopate
