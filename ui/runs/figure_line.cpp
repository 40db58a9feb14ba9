// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/figure_line.h"

namespace syncopate::ui {

ElidedLabel *figureLine(const QString &name) {
    auto *line = new ElidedLabel(Qt::ElideRight, maxFigureLines);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    line->setAccessibleName(name);
    return line;
}

} // namespace syncopate::ui
