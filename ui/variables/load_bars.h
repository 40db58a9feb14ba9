// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_run.h"

#include <QWidget>
#include <memory>
#include <vector>

namespace syncopate::ui {

class Theme;

/// The bytes that each parameter server of one side reduces, a bar per server beside the mean: shows whether load is even.
class LoadBars final : public QWidget {
    Q_OBJECT
public:
    LoadBars(const Theme &theme, const QString &side, QWidget *parent = nullptr);

    void setRun(const std::shared_ptr<const ShownRun> &run);
    /// A newer state of the side is being simulated: the bars are pale until then.
    void setStale(bool stale);
    /// Bytes per bar, in bar order: for tests and the accessible description.
    [[nodiscard]] std::vector<double> bytes() const;
    [[nodiscard]] QSize sizeHint() const override { return {260, 34}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {150, 34}; }

Q_SIGNALS:
    void serverClicked(const QString &address);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Server {
        QString address;
        ServerShare share;
    };
    [[nodiscard]] QRectF barRect(std::size_t server) const;
    [[nodiscard]] std::ptrdiff_t serverAt(const QPoint &position) const;
    [[nodiscard]] QString describe(const Server &server) const;

    const Theme &m_theme;
    const QString m_side;
    std::vector<Server> m_servers;
    double m_max = 0, m_mean = 0;
    bool m_stale = false;
};

} // namespace syncopate::ui
