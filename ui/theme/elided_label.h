// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace syncopate::ui {

/// Plain text in a limited number of lines, and in no more than its height has room for. An ellipsis stands for the omitted rest,
/// and the tooltip then begins with the full text; text() and screen readers always have all of it. It takes the width that its
/// layout has left, and asks for the height of its lines only.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    /// `mode`: where a single line is cut; several lines are cut at the end of the last one.
    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, int maxLines = 1, QWidget *parent = nullptr);

    /// One line, or words wrapped into at most `lines`; setWordWrap(false) makes it a single line for a while.
    void setMaxLines(int lines);
    /// Whether part of the text is not on screen.
    [[nodiscard]] bool isCut() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// The tooltip while the text is cut.
    [[nodiscard]] QString cutTip() const;
    /// The text's lines at this width, as many as have room, the last one elided.
    [[nodiscard]] QStringList linesAt(int width) const;

    Qt::TextElideMode m_mode;
    int m_maxLines = 0;
    QString m_painted; ///< the text that was painted last
};

} // namespace syncopate::ui
