// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/elided_label.h"

#include "ui/theme/plain_text.h"

#include <QAccessibleWidget>
#include <QHelpEvent>
#include <QPainter>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int minWidth = 24; ///< a letter and the ellipsis

/// Reads a label as "name: text". Of a label that has a name, Qt's own interface would tell only that.
class NamedText final : public QAccessibleWidget {
public:
    explicit NamedText(ElidedLabel &label) : QAccessibleWidget(&label, QAccessible::StaticText), m_label(label) {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        if (kind != QAccessible::Name)
            return QAccessibleWidget::text(kind);
        const QString name = m_label.accessibleName(), said = m_label.text();
        return name.isEmpty() || said.isEmpty() ? name + said : QStringLiteral("%1: %2").arg(name, said);
    }

private:
    ElidedLabel &m_label;
};

QAccessibleInterface *namedText(const QString & /*className*/, QObject *object) {
    auto *label = qobject_cast<ElidedLabel *>(object);
    return label ? new NamedText(*label) : nullptr;
}

} // namespace

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, int maxLines, QWidget *parent) : QLabel(parent), m_mode(mode) {
    QAccessible::installFactory(namedText); // once: Qt knows a factory that it has
    setTextFormat(Qt::PlainText);
    setMaxLines(maxLines);
}

void ElidedLabel::setMaxLines(int lines) {
    if (lines == m_maxLines)
        return;
    m_maxLines = lines;
    setWordWrap(lines > 1);
    updateGeometry();
    update();
}

QStringList ElidedLabel::linesAt(int width) const {
    const QFontMetrics metrics = fontMetrics();
    if (!wordWrap())
        return {metrics.elidedText(QString(text()).replace(QLatin1Char('\n'), QLatin1Char(' ')), m_mode, width)};
    QTextLayout layout(QString(text()).replace(QLatin1Char('\n'), QChar::LineSeparator), font());
    const int fitting = (contentsRect().height() + metrics.leading()) / std::max(1, metrics.lineSpacing());
    const int shownLines = std::clamp(fitting, 1, m_maxLines);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == shownLines) {
            lines += metrics.elidedText(layout.text().mid(line.textStart()).replace(QChar::LineSeparator, QLatin1Char(' ')),
                                        Qt::ElideRight, width);
            break;
        }
        lines += layout.text().mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines;
}

bool ElidedLabel::isCut() const {
    if (wordWrap()) // a low layout gives less height than asked for
        return QLabel::heightForWidth(width()) > std::min(height(), heightForWidth(width()));
    return text().contains(QLatin1Char('\n')) || fontMetrics().size(Qt::TextSingleLine, text()).width() > contentsRect().width();
}

QSize ElidedLabel::sizeHint() const {
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(text()) + margins.left() + margins.right() + 1,
            !wordWrap() ? minimumSizeHint().height() : QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    const QMargins margins = contentsMargins();
    return {minWidth, fontMetrics().height() + margins.top() + margins.bottom()};
}

int ElidedLabel::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    const int most = (wordWrap() ? m_maxLines : 1) * fontMetrics().lineSpacing() + margins.top() + margins.bottom();
    return wordWrap() ? std::min(most, QLabel::heightForWidth(width)) : most;
}

QString ElidedLabel::cutTip() const {
    const QString own = tipText(toolTip());
    if (own.isEmpty())
        return plainTip(text());
    return plainTip(own.startsWith(text()) ? own : text() + QLatin1Char('\n') + own);
}

bool ElidedLabel::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip || !isCut())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), cutTip(), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent *event) {
    if (std::exchange(m_painted, text()) != text() && !accessibleName().isEmpty()) { // else QLabel tells it
        QAccessibleEvent changed(this, QAccessible::NameChanged);
        QAccessible::updateAccessibility(&changed);
    }
    if (!isCut()) {
        QLabel::paintEvent(event); // with the selection in it
        return;
    }
    QPainter painter(this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    QRect line = contentsRect();
    const QStringList lines = linesAt(line.width());
    line.setHeight(fontMetrics().lineSpacing());
    if (lines.size() == 1)
        line.moveTop(contentsRect().top() + (contentsRect().height() - line.height()) / 2);
    for (const QString &text : lines) {
        painter.drawText(line, static_cast<int>((alignment() & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter | Qt::TextSingleLine),
                         text);
        line.translate(0, line.height());
    }
}

} // namespace syncopate::ui
