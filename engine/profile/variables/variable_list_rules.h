// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/variables/variable_list.h"

#include <string_view>

namespace syncopate {

/// False for names that frameworks use for tensors that are not trained.
[[nodiscard]] bool isTrainable(std::string_view name);

/// Adds a tensor to the variables, or to those left out; `real` = of a floating-point type.
void addTensor(VariableList &list, Variable variable, bool real);

} // namespace syncopate
