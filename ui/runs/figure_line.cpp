// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/figure_line.h"

#include "ui/theme/plain_text.h"

#include <QLabel>

namespace syncopate::ui {

QLabel *figureLine(const QString &name) {
    auto *line = plainLabel();
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->setWordWrap(true);
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    line->setAccessibleName(name);
    return line;
}

} // namespace syncopate::ui
