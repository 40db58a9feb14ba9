// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/variables/variable_list.h"

#include <string_view>

namespace syncopate {

/// False for names that are a framework's own for what is not trained.
[[nodiscard]] bool isTrainable(std::string_view name);

/// Puts a tensor among the variables, or among what is left out; `real` = of a floating-point type.
void addTensor(VariableList &list, Variable variable, bool real);

} // namespace syncopate
