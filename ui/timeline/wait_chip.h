// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QPushButton;

namespace syncopate::ui {

/// What a pane is waiting for, in its upper right corner: a line of text and a button that stops or restarts the wait.
class WaitChip final : public QFrame {
    Q_OBJECT
public:
    explicit WaitChip(QWidget *parent);

    /// Shows `text` with a button; an empty text hides the chip.
    void tell(const QString &text, const QString &button, const QString &toolTip);
    [[nodiscard]] QString text() const;
    [[nodiscard]] QPushButton &button() { return *m_button; }
    /// Moves it to the upper right corner of `area`, in the parent's coordinates.
    void moveInto(const QRect &area);

private:
    QLabel *m_text;
    QPushButton *m_button;
    QRect m_area;
};

} // namespace syncopate::ui
