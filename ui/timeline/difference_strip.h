// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_data.h"

#include <QWidget>
#include <memory>
#include <vector>

class QPainter;

namespace syncopate::ui {

class Theme;

/// Where A exposes more communication than B and where less: per pixel column, the share of its time that the worker
/// that waits longest spends in exposed communication, A minus B, as a bar up (A more) or down (B more). Shows the reason
/// instead where the two cannot be compared.
class DifferenceStrip final : public QWidget {
    Q_OBJECT
public:
    DifferenceStrip(const Theme &theme, TimeAxis &axis, QWidget *parent = nullptr);

    /// `whyNone`: why a difference would say nothing (engine/analyze/comparable.h); empty = it does.
    void setData(std::shared_ptr<const TimelineData> a, std::shared_ptr<const TimelineData> b, const QString &whyNone = {});
    /// What stands at time 0 of the axis in B, in nanoseconds after its iteration's start.
    void setOffset(double nanoseconds);
    /// Left and right end of the panes' plots, so that columns stand under each other.
    void setPlotRange(int left, int right);
    /// A minus B per column, -1..1, over `columns` columns of the axis' window; empty where no difference is shown.
    [[nodiscard]] std::vector<double> differences(int columns) const;
    [[nodiscard]] QSize sizeHint() const override { return {600, 50}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 50}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintBars(QPainter &painter, const QRect &plot) const;
    void paintGutter(QPainter &painter, const QRect &gutter) const;

    const Theme &m_theme;
    TimeAxis &m_axis;
    std::shared_ptr<const TimelineData> m_a, m_b;
    QString m_whyNone;
    double m_offset = 0; ///< of B
    int m_left = 0, m_right = 0;
};

} // namespace syncopate::ui
