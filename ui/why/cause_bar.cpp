// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/cause_bar.h"

#include "ui/theme/font_of_pixels.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"

#include <QPainter>
#include <numeric>

namespace syncopate::ui {

QColor causeColor(const Theme &theme, CauseKind kind) {
    switch (kind) {
    case CauseKind::Forward:
        return theme.color(ColorId::Forward);
    case CauseKind::Backward:
        return theme.color(ColorId::Backward);
    case CauseKind::Update:
        return theme.color(ColorId::Update);
    case CauseKind::HostWait:
        return theme.color(ColorId::OtherCompute);
    case CauseKind::Latency:
        return theme.color(ColorId::Pull);
    case CauseKind::Transfer:
        return theme.color(ColorId::AllReduce);
    case CauseKind::Sharing:
        return theme.color(ColorId::Push);
    case CauseKind::Host:
        return theme.color(ColorId::OtherComm);
    case CauseKind::Start:
        return theme.color(ColorId::Hatch);
    }
    return theme.color(ColorId::Hatch);
}

CauseBar::CauseBar(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Causes by kind"));
    connect(&theme, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void CauseBar::set(const CauseChain &chain) {
    m_seconds = chain.secondsByKind;
    const double total = std::accumulate(m_seconds.begin(), m_seconds.end(), 0.0);
    QStringList lines;
    for (std::size_t k = 0; k < causeKindCount; ++k)
        if (m_seconds[k] > 0)
            lines += tr("%1: %2, %3 %")
                         .arg(worded({nameOf(static_cast<CauseKind>(k))}), secondsText(m_seconds[k]))
                         .arg(100 * m_seconds[k] / total, 0, 'f', 1);
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    if (!lines.isEmpty())
        lines += tr("Update: the optimizer, host copies and compressors.\n"
                    "Transfer: bytes at the rate that their path gives one flow alone.\n"
                    "Sharing: what other flows on the same links add to that.\n"
                    "Latency: the fixed time of messages.\n"
                    "Host: a node's CPU at work for messages.\n"
                    "Waiting for host: the device idles after an op until its host launches the next one.");
    setToolTip(plainTip(lines.join(QLatin1Char('\n'))));
    update();
}

void CauseBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorId::TimelineBackground));
    const double total = std::accumulate(m_seconds.begin(), m_seconds.end(), 0.0);
    if (total <= 0)
        return;
    const QFont small = fontOfPixels(font(), 11);
    painter.setFont(small);
    double at = 0;
    for (std::size_t k = 0; k < causeKindCount; ++k) {
        if (m_seconds[k] <= 0)
            continue;
        const double from = at / total * width();
        at += m_seconds[k];
        const QRectF piece(from, 0, at / total * width() - from, height());
        const QColor color = causeColor(m_theme, static_cast<CauseKind>(k));
        painter.fillRect(piece, color);
        const QString text =
            tr("%1 %2 %").arg(worded({nameOf(static_cast<CauseKind>(k))})).arg(100 * m_seconds[k] / total, 0, 'f', 0);
        if (painter.fontMetrics().horizontalAdvance(text) + 10 <= piece.width()) {
            painter.setPen(Theme::inkOn(color));
            painter.drawText(piece.adjusted(5, 0, -5, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
        }
    }
}

} // namespace syncopate::ui
