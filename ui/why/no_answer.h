// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace syncopate::ui {

/// Why there is nothing where a table or plot would be.
class NoAnswer final : public QWidget {
    Q_OBJECT
public:
    explicit NoAnswer(const QString &name, QWidget *parent = nullptr);

    void setReason(const QString &reason);
    [[nodiscard]] QString reason() const;

private:
    QLabel *m_reason;
};

} // namespace syncopate::ui
