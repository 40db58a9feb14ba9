// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace syncopate::ui {

/// Passes undo and redo on from a text field that has no typing to undo. Qt's fields always consume these keys, so that after a
/// value was typed and committed, Ctrl+Z would never reach the model.
class UndoInFields final : public QObject {
public:
    explicit UndoInFields(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace syncopate::ui
