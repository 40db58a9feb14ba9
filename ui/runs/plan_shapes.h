// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif.h"

#include <QString>
#include <optional>
#include <string>

namespace syncopate::ui {

/// How a collective is carried out apart from its segments and splines, as item data of a box: trees and groups add their size.
enum PlanShape { WholeShape = 0, RingShape = 1, TreeShape = 1 << 20, GroupsShape = 1 << 21 };

[[nodiscard]] int shapeOf(const MotifCut &cut);
/// The cut of this shape, with one segment and one spline.
[[nodiscard]] MotifCut cutOfShape(int shape);
[[nodiscard]] QString shapeText(int shape); ///< "tree of 2"
/// "2 segments · ring"; for motifs that no cut produces, their number.
[[nodiscard]] QString cutText(const std::optional<MotifCut> &cut, std::size_t motifs);

/// The name of a plan or a DAG, which is UTF-8.
[[nodiscard]] inline QString planText(const std::string &name) { return QString::fromStdString(name); }

} // namespace syncopate::ui
