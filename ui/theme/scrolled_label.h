// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

class QLabel;

namespace syncopate::ui {

/// A label of wrapped lines that asks for the height of all of them, and scrolls where its layout has less room: a label alone
/// would be painted over its neighbours.
class ScrolledLabel final : public QScrollArea {
    Q_OBJECT
public:
    /// Owns `label`.
    explicit ScrolledLabel(QLabel *label, QWidget *parent = nullptr);

    void setText(const QString &text);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    /// Takes focus by Tab while text is out of sight, so that keys can scroll to it.
    void offerFocus();

    QLabel *m_label;
};

} // namespace syncopate::ui
