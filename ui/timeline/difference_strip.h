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

/// Where A exposes more communication than B and where less: per pixel column, the share of its time that the longest-waiting
/// worker spends in exposed communication, A minus B, as a bar up (A more) or down (B more). Shows the reason instead if the two
/// cannot be compared.
class DifferenceStrip final : public QWidget {
    Q_OBJECT
public:
    DifferenceStrip(const Theme &theme, TimeAxis &axis, QWidget *parent = nullptr);

    /// `whyNone`: why a difference would be meaningless (engine/analyze/comparable.h); empty = it is not.
    void setData(std::shared_ptr<const TimelineData> a, std::shared_ptr<const TimelineData> b, const QString &whyNone = {});
    /// The time in B's iteration, nanoseconds from its start, that is shown at 0 on the axis.
    void setOffset(double nanoseconds);
    /// A newer state of a side is being simulated: the bars are pale until then.
    void setStale(bool stale);
    /// Left and right end of the panes' plots, so that columns line up.
    void setPlotRange(int left, int right);
    /// A minus B per column, -1..1, over `columns` columns of the axis' window; empty if no difference is shown.
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
    bool m_stale = false;
    int m_left = 0, m_right = 0;
};

} // namespace syncopate::ui
