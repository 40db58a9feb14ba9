// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/scaling.h"

#include <QWidget>
#include <memory>
#include <vector>

class QCPGraph;
class QCPItemRect;
class QCPItemText;
class QCustomPlot;

namespace syncopate::ui {

class Theme;

/// Samples/s over the number of workers: regions shaded and named by their bottleneck, the band of other conditions, the knee
/// with its band at the foot, and ticks at the numbers that are worth a benchmark.
class ScalingPlot final : public QWidget {
    Q_OBJECT
public:
    explicit ScalingPlot(const Theme &theme, QWidget *parent = nullptr);

    /// `present`: the workers of the session, marked; 0 = none. `old`: drawn pale, as it does not belong to the present settings.
    /// `statesBatch`: of its job; rates count samples, else steps.
    void set(std::shared_ptr<const Scaling> scaling, std::int32_t present, bool old, bool statesBatch);
    [[nodiscard]] const QCustomPlot &plot() const { return *m_plot; }
    /// The tooltip of the point nearest to `position`, in this widget's pixels; empty if there is none.
    [[nodiscard]] QString tipAt(const QPoint &position) const;

Q_SIGNALS:
    /// A point was clicked.
    void workersWanted(std::int32_t workers);

protected:
    bool event(QEvent *event) override;

private:
    void refresh();
    void drawCurves();
    void drawRegions();
    void drawKnee();
    void addShade(double from, double to, double top, double bottom, const QColor &color);
    void addLine(double workers, const QColor &color, Qt::PenStyle style);
    /// `top`: position as a share of the height, from the top.
    QCPItemText *addText(double workers, double top, const QString &text, const QColor &color, Qt::Alignment alignment);
    /// Names regions and ticks as far as they fit.
    void fitTexts();
    void fitTicks();
    [[nodiscard]] const ScalingPoint *pointAt(const QPoint &position) const;
    /// The end of a region's shading: between its last point and the next one's first.
    [[nodiscard]] double borderAfter(std::size_t region) const;

    const Theme &m_theme;
    std::shared_ptr<const Scaling> m_scaling;
    std::int32_t m_present = 0;
    bool m_old = false, m_statesBatch = true;
    QCustomPlot *m_plot;
    QCPGraph *m_low, *m_high, *m_ideal, *m_curve;
    struct Name {
        double from, to; ///< workers
        QCPItemText *text;
    };
    std::vector<Name> m_names;
    std::vector<std::int32_t> m_ticks;
};

} // namespace syncopate::ui
