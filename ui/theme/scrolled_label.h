// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QClipboard>
#include <QScrollArea>
#include <QString>

class QLabel;

namespace syncopate::ui {

/// `text` with places where a line may break within the long names of functions, kernels, lanes and layers.
[[nodiscard]] QString withBreaks(const QString &text);

/// A label of wrapped lines that asks for the height of all of them, and scrolls where its layout has less room: a label alone
/// would be painted over its neighbours. Copied text lacks the break marks of withBreaks().
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
    void cleanCopy(QClipboard::Mode mode);
    /// Shows the scroll bar while text is out of sight, and takes focus by Tab, so that keys can scroll to it.
    void fit();

    QLabel *m_label;
};

} // namespace syncopate::ui
