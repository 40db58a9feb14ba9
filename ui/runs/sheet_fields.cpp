// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sheet_fields.h"

#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QSpinBox>

namespace syncopate::ui {

QSpinBox *numberBox(int min, int max, int value, const QString &name, const QString &toolTip) {
    auto *box = new QSpinBox;
    box->setRange(min, max);
    box->setValue(value);
    box->setAccessibleName(name);
    box->setToolTip(plainTip(toolTip));
    box->setMinimumWidth(58);
    return box;
}

QLabel *figureLine(const QString &name) {
    auto *line = plainLabel();
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->setWordWrap(true);
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    line->setAccessibleName(name);
    return line;
}

} // namespace syncopate::ui
