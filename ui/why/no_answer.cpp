// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/no_answer.h"

#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QVBoxLayout>

namespace syncopate::ui {

NoAnswer::NoAnswer(const QString &name, QWidget *parent) : QWidget(parent), m_reason(plainLabel()) {
    setAccessibleName(name);
    m_reason->setWordWrap(true);
    m_reason->setMinimumWidth(40);
    m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->addWidget(m_reason);
    layout->addStretch();
}

void NoAnswer::setReason(const QString &reason) { m_reason->setText(reason); }

QString NoAnswer::reason() const { return m_reason->text(); }

} // namespace syncopate::ui
