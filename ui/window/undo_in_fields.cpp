// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/undo_in_fields.h"

#include "ui/knobs/knobs_panel.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>

namespace syncopate::ui {

UndoInFields::UndoInFields(QObject *parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

namespace {

/// The field that `watched` is or contains: editable boxes pass the key to their field without sending an event.
const QLineEdit *fieldOf(const QObject *watched) {
    if (const auto *field = qobject_cast<const QLineEdit *>(watched))
        return field;
    const bool asks = qobject_cast<const QComboBox *>(watched) || qobject_cast<const QAbstractSpinBox *>(watched);
    return asks ? watched->findChild<QLineEdit *>(QString(), Qt::FindDirectChildrenOnly) : nullptr;
}

bool isTyping(const QLineEdit &field) {
    const QVariant ofModel = field.property(textOfModel);
    return ofModel.isValid() ? field.text() != ofModel.toString() : field.isModified();
}

} // namespace

bool UndoInFields::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const QLineEdit *field = fieldOf(watched);
    const auto *key = static_cast<QKeyEvent *>(event);
    if (!field || isTyping(*field) || !(key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)))
        return false;
    event->ignore();
    return true;
}

} // namespace syncopate::ui
