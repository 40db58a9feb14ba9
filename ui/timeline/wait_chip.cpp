// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/wait_chip.h"

#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

namespace syncopate::ui {

WaitChip::WaitChip(QWidget *parent) : QFrame(parent), m_text(plainLabel()), m_button(new QPushButton) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_button->setMaximumHeight(22);
    m_button->setText(tr("Cancel"));
    m_button->setToolTip(tr("End the simulation of this side; the other side goes on"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 2, 2);
    row->setSpacing(8);
    row->addWidget(m_text);
    row->addWidget(m_button);
    hide();
}

void WaitChip::tell(const QString &text, const QString &button, const QString &toolTip) {
    setVisible(!text.isEmpty());
    if (text.isEmpty())
        return;
    m_text->setText(text);
    m_button->setText(button);
    m_button->setToolTip(plainTip(toolTip));
    moveInto(m_area);
}

QString WaitChip::text() const { return m_text->text(); }

void WaitChip::moveInto(const QRect &area) {
    constexpr int margin = 6;
    m_area = area;
    adjustSize();
    // In a pane hardly higher than its ruler the chip covers the ruler.
    move(area.right() - width() - margin, std::min(area.top() + margin, parentWidget()->height() - height()));
}

} // namespace syncopate::ui
