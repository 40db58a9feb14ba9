// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif.h"

#include <QString>
#include <optional>
#include <string>

namespace syncopate::ui {

/// How a collective is carried out beside its segments and splines, as a value of a box: trees and groups have their size added.
enum PlanShape { WholeShape = 0, RingShape = 1, TreeShape = 1 << 20, GroupsShape = 1 << 21 };

[[nodiscard]] int shapeOf(const MotifCut &cut);
/// The cut of that shape, with one segment and one spline.
[[nodiscard]] MotifCut cutOfShape(int shape);
[[nodiscard]] QString shapeText(int shape); ///< "tree of 2"
/// "2 segments · ring"; of motifs that no cut makes, how many they are.
[[nodiscard]] QString cutText(const std::optional<MotifCut> &cut, std::size_t motifs);

/// A name of a plan or a DAG, which is UTF-8.
[[nodiscard]] inline QString planText(const std::string &name) { return QString::fromStdString(name); }

} // namespace syncopate::ui
