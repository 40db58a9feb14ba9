// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace syncopate {

/// The contents of the CSV and JSON files directly in `folder`, in the order of their names; an unreadable file counts as empty.
/// Processes that share a validation compare them, to know that they read the same input.
[[nodiscard]] std::vector<std::string> tableTexts(const std::string &folder);

} // namespace syncopate
