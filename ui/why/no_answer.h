// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace syncopate::ui {

/// Why there is nothing where a table or plot would be, with a button that leads to it where there is a way.
class NoAnswer final : public QWidget {
    Q_OBJECT
public:
    explicit NoAnswer(const QString &name, QWidget *parent = nullptr);

    void setReason(const QString &reason);
    [[nodiscard]] QString reason() const;
    /// The owner names it, and hides it where there is no way.
    [[nodiscard]] QPushButton &button() const { return *m_button; }

private:
    QLabel *m_reason;
    QPushButton *m_button;
};

} // namespace syncopate::ui
