// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace YAML {
class Node;
}

namespace syncopate {

/// Refuses a document whose aliases stand for far more than its text, which has `textBytes`: a reader copies what they stand for,
/// and looks up the keys of a map each time. Documents that spell out at most 16 MiB are read, and those without aliases.
void limitAliases(const YAML::Node &root, std::size_t textBytes);

} // namespace syncopate
