// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_shapes.h"

#include "ui/runs/plan_editor.h"

namespace syncopate::ui {

int shapeOf(const MotifCut &cut) {
    if (cut.ring)
        return RingShape;
    return cut.tree > 1 ? TreeShape + cut.tree : cut.partition > 1 ? GroupsShape + cut.partition : WholeShape;
}

MotifCut cutOfShape(int shape) {
    MotifCut cut;
    cut.ring = shape == RingShape;
    if (shape >= GroupsShape)
        cut.partition = shape - GroupsShape;
    else if (shape >= TreeShape)
        cut.tree = shape - TreeShape;
    return cut;
}

QString shapeText(int shape) {
    if (shape >= GroupsShape)
        return PlanEditor::tr("groups of %1").arg(shape - GroupsShape);
    if (shape >= TreeShape)
        return PlanEditor::tr("tree of %1").arg(shape - TreeShape);
    return shape == RingShape ? PlanEditor::tr("ring") : PlanEditor::tr("whole");
}

QString cutText(const std::optional<MotifCut> &cut, std::size_t motifs) {
    if (!cut)
        return PlanEditor::tr("%n motifs, by hand", nullptr, static_cast<int>(motifs));
    QStringList parts;
    if (cut->segments > 1)
        parts << PlanEditor::tr("%1 segments").arg(cut->segments);
    if (cut->splines > 1)
        parts << PlanEditor::tr("%1 splines").arg(cut->splines);
    if (const int shape = shapeOf(*cut); shape != WholeShape || parts.isEmpty())
        parts << shapeText(shape);
    return parts.join(QStringLiteral(" · "));
}

} // namespace syncopate::ui
