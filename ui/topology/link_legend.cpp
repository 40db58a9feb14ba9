// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/link_legend.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/topology/topology_view.h"

#include <QPainter>
#include <algorithm>

namespace syncopate::ui {

namespace {

constexpr int stripWidth = 80, stripHeight = 8, space = 6;

QString textOf(NoSaving reason) {
    switch (reason) {
    case NoSaving::NoTransfer:
        return LinkLegend::tr("No faster link would save time: no transfer is on the critical path");
    case NoSaving::ConnectionLimits:
        return LinkLegend::tr(
            "No faster link would save time: the critical path's transfers are at their connections' own limits");
    case NoSaving::OtherLinks:
        return LinkLegend::tr("No faster link alone would save time: others are equally slow");
    }
    return {};
}

} // namespace

LinkLegend::LinkLegend(const Theme &theme, const TopologyView &view, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_view(view) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void LinkLegend::refresh() {
    const TopologyData *data = m_view.data();
    m_low.clear();
    m_high.clear();
    m_text.clear();
    if (data && data->run && m_view.linkPaint() == LinkPaint::Load) {
        m_low = tr("idle");
        m_high = QStringLiteral("100 %");
    } else if (data && data->run && data->largestSaving > 0) {
        m_low = QStringLiteral("0");
        m_high = tr("%1 saved per iteration with 1 Gbit/s more").arg(secondsText(data->largestSaving));
    } else if (data && data->run) {
        m_text = data->whyNoSaving ? textOf(*data->whyNoSaving) : tr("Simulating faster links…");
    }
    if (!m_high.isEmpty())
        m_text = tr("%1 to %2").arg(m_low, m_high);
    setVisible(!m_text.isEmpty());
    setAccessibleName(m_text);
    setToolTip(plainTip(m_text));
    updateGeometry();
    update();
}

QSize LinkLegend::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    const int texts = m_high.isEmpty()
                          ? metrics.horizontalAdvance(m_text)
                          : metrics.horizontalAdvance(m_low) + metrics.horizontalAdvance(m_high) + stripWidth + 2 * space;
    return {texts + 4, metrics.height() + 2};
}

void LinkLegend::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setPen(m_theme.color(ColorId::DimText));
    const QFontMetrics metrics = fontMetrics();
    QRect line = rect();
    if (m_high.isEmpty()) {
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(m_text, Qt::ElideRight, line.width()));
        return;
    }
    line.setLeft(std::max(0, line.right() - sizeHint().width() + 1));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_low);
    line.setLeft(line.left() + metrics.horizontalAdvance(m_low) + space);
    QLinearGradient gradient(line.left(), 0, line.left() + stripWidth, 0);
    gradient.setColorAt(0, m_view.linkColor(0));
    gradient.setColorAt(1, m_view.linkColor(1));
    painter.fillRect(QRect(line.left(), line.center().y() - stripHeight / 2, stripWidth, stripHeight), gradient);
    line.setLeft(line.left() + stripWidth + space);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(m_high, Qt::ElideRight, line.width()));
}

} // namespace syncopate::ui
