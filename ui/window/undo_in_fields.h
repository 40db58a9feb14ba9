// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace syncopate::ui {

/// Lets undo and redo through a text field that has nothing typed to take back. Qt's fields keep these keys for themselves
/// always, so that after a value was typed and taken, Ctrl+Z would never reach the model.
class UndoInFields final : public QObject {
public:
    explicit UndoInFields(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace syncopate::ui
