// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/variables/load_bars.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {
constexpr int textWidth = 132;
}

LoadBars::LoadBars(const Theme &theme, const QString &side, QWidget *parent) : QWidget(parent), m_theme(theme), m_side(side) {
    setAccessibleName(tr("Bytes per server of %1").arg(side));
    connect(&theme, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
    hide();
}

void LoadBars::setRun(const std::shared_ptr<const ShownRun> &run) {
    m_servers.clear();
    m_max = m_mean = 0;
    if (run)
        for (std::size_t n = 0; n < run->servers().size(); ++n)
            if (const ServerShare &share = run->servers()[n]; share.units > 0) {
                m_servers.push_back({QString::fromStdString(run->simulation()->scenario.cluster->nodes[n].address), share});
                m_max = std::max(m_max, share.bytes);
                m_mean += share.bytes;
            }
    m_mean = m_servers.empty() ? 0 : m_mean / static_cast<double>(m_servers.size());
    QStringList texts;
    for (const Server &server : m_servers)
        texts += describe(server);
    setAccessibleDescription(texts.join(QStringLiteral("; ")));
    setVisible(!m_servers.empty());
    update();
}

void LoadBars::setStale(bool stale) {
    if (std::exchange(m_stale, stale) != stale)
        update();
}

std::vector<double> LoadBars::bytes() const {
    std::vector<double> bytes;
    for (const Server &server : m_servers)
        bytes.push_back(server.share.bytes);
    return bytes;
}

QString LoadBars::describe(const Server &server) const {
    return tr("%1 reduces %2 (%n variables or parts), %3 of the mean", nullptr, static_cast<int>(server.share.units))
        .arg(server.address, bytesText(server.share.bytes))
        .arg(m_mean > 0 ? server.share.bytes / m_mean : 1, 0, 'f', 2);
}

QRectF LoadBars::barRect(std::size_t server) const {
    const double pitch = static_cast<double>(width() - textWidth) / static_cast<double>(m_servers.size());
    const double bar = std::clamp(pitch - 2, 1.0, 24.0), high = height() - 6;
    const double length = m_max > 0 ? high * m_servers[server].share.bytes / m_max : 0;
    return {textWidth + pitch * static_cast<double>(server), 3 + high - length, bar, length};
}

std::ptrdiff_t LoadBars::serverAt(const QPoint &position) const {
    for (std::size_t s = 0; s < m_servers.size(); ++s)
        if (const QRectF bar = barRect(s); position.x() >= bar.left() - 1 && position.x() <= bar.right() + 1)
            return static_cast<std::ptrdiff_t>(s);
    return -1;
}

void LoadBars::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setOpacity(m_stale ? staleOpacity : 1);
    painter.setPen(m_theme.color(ColorId::DimText));
    const double worst = m_mean > 0 ? m_max / m_mean : 1;
    painter.drawText(QRect(0, 0, textWidth - 8, height()), Qt::AlignVCenter | Qt::AlignRight,
                     tr("servers of %1:\nmost %2 × mean").arg(m_side).arg(worst, 0, 'f', 2));
    for (std::size_t s = 0; s < m_servers.size(); ++s)
        painter.fillRect(barRect(s), m_theme.color(m_servers[s].share.bytes > 1.25 * m_mean ? ColorId::Worse : ColorId::Push));
    if (m_servers.size() < 2)
        return;
    const double y = 3 + (height() - 6) * (1 - m_mean / m_max);
    painter.setPen(QPen(m_theme.color(ColorId::Text), 1, Qt::DashLine));
    painter.drawLine(QPointF(textWidth - 4, y), QPointF(barRect(m_servers.size() - 1).right() + 4, y));
}

void LoadBars::mousePressEvent(QMouseEvent *event) {
    if (const std::ptrdiff_t server = serverAt(event->pos()); server >= 0)
        Q_EMIT serverClicked(m_servers[static_cast<std::size_t>(server)].address);
}

bool LoadBars::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const std::ptrdiff_t server = serverAt(help->pos());
        QToolTip::showText(help->globalPos(),
                           plainTip(server >= 0
                                        ? describe(m_servers[static_cast<std::size_t>(server)])
                                        : tr("Bytes that each server of %1 reduces; the dashed line is the mean.").arg(m_side)),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace syncopate::ui
