// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tasks/doorbell.h"

#include <QCoreApplication>
#include <QEvent>
#include <utility>

namespace syncopate::ui {

Doorbell::Doorbell(std::function<void()> answer) : m_answer(std::move(answer)) {}

void Doorbell::ring() { QCoreApplication::postEvent(this, new QEvent(QEvent::User)); }

bool Doorbell::event(QEvent *event) {
    if (event->type() != QEvent::User)
        return QObject::event(event);
    const std::function<void()> answer = m_answer; // which may destroy this
    answer();
    return true;
}

} // namespace syncopate::ui
