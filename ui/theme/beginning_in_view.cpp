// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/beginning_in_view.h"

#include <QComboBox>
#include <QEvent>
#include <QLineEdit>

namespace syncopate::ui {

namespace {

class BeginningInView final : public QObject {
public:
    explicit BeginningInView(QComboBox &box) : QObject(&box), m_box(box) { box.installEventFilter(this); }

    bool eventFilter(QObject *watched, QEvent *event) override {
        // Queued: the box itself handles the event first.
        if (event->type() == QEvent::FocusIn)
            QMetaObject::invokeMethod(this, &BeginningInView::selectBackwards, Qt::QueuedConnection);
        else if (event->type() == QEvent::FocusOut)
            QMetaObject::invokeMethod(this, &BeginningInView::leave, Qt::QueuedConnection);
        return QObject::eventFilter(watched, event);
    }

private:
    void selectBackwards() {
        QLineEdit &line = *m_box.lineEdit();
        const int length = static_cast<int>(line.text().size());
        if (length > 0 && line.selectionLength() == length)
            line.setSelection(length, -length);
    }
    void leave() {
        if (m_box.window()->focusWidget() != &m_box) // else only a popup or another window has the focus
            m_box.lineEdit()->setCursorPosition(0);
    }

    QComboBox &m_box;
};

} // namespace

void keepBeginningInView(QComboBox &box) { new BeginningInView(box); }

} // namespace syncopate::ui
