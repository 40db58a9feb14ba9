// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/tuner_paths.h"

#include <QColor>
#include <QPen>
#include <algorithm>
#include <array>
#include <cmath>

namespace syncopate::ui {

namespace {

/// Distinct from each other and from every colour of viridis; each colour has its own marker shape.
struct PathLook {
    QRgb color;
    QCPScatterStyle::ScatterShape shape;
};
constexpr std::array<PathLook, 6> looks{{{0xffff5c4d, QCPScatterStyle::ssCircle},
                                         {0xffffffff, QCPScatterStyle::ssTriangle},
                                         {0xffff9bee, QCPScatterStyle::ssSquare},
                                         {0xffffa63d, QCPScatterStyle::ssDiamond},
                                         {0xff9fd0ff, QCPScatterStyle::ssTriangleInverted},
                                         {0xffd9d9d9, QCPScatterStyle::ssCrossCircle}}};

/// The successive best settings of a tuning, or all of them: the points of its path.
std::vector<const TuneStep *> stepsOf(const Tuning &tuning, bool all) {
    std::vector<const TuneStep *> steps;
    double best = HUGE_VAL;
    for (const TuneStep &step : tuning.path)
        if (all || step.iterationSeconds < best) { // false for NaN
            steps.push_back(&step);
            best = std::min(best, step.iterationSeconds);
        }
    return steps;
}

} // namespace

void TunerPaths::style(const Path &path, std::size_t tuner, Weight weight) {
    const PathLook &look = looks[tuner % looks.size()];
    QColor color = QColor::fromRgba(look.color), edge(20, 20, 20);
    if (weight == Weight::Faint) {
        color.setAlpha(60);
        edge.setAlpha(60);
    }
    path.line->setPen(QPen(color, weight == Weight::Strong ? 2.2 : 1.4));
    path.line->setScatterStyle(QCPScatterStyle(look.shape, QPen(edge, 1), color, 8));
    path.dots->setScatterStyle(QCPScatterStyle(look.shape, QPen(edge, 0.8), color, 4.5));
}

void TunerPaths::draw(const TuneRun *run, std::optional<std::size_t> selected) {
    const std::size_t tuners = run ? run->tuners.size() : 0;
    const std::size_t strong = selected.value_or(tuners);
    const bool others = strong < tuners; // else nothing is selected, or a tuner that this run lacks
    while (m_paths.size() < tuners) {
        m_paths.push_back({new QCPCurve(m_plot.xAxis, m_plot.yAxis), new QCPCurve(m_plot.xAxis, m_plot.yAxis)});
        m_paths.back().dots->setLineStyle(QCPCurve::lsNone);
        m_paths.back().dots->removeFromLegend();
        m_paths.back().line->removeFromLegend();
    }
    for (std::size_t t = 0; t < m_paths.size(); ++t) {
        const Path &path = m_paths[t];
        path.line->data()->clear();
        path.dots->data()->clear();
        const bool drawn = t < tuners && run->tuners[t].tuning;
        path.line->setVisible(drawn);
        path.dots->setVisible(drawn);
        if (!drawn) {
            path.line->removeFromLegend();
            continue;
        }
        style(path, t, t == strong ? Weight::Strong : others ? Weight::Faint : Weight::Normal);
        path.line->setName(QString::fromStdString(run->tuners[t].expression));
        path.line->addToLegend();
        const auto add = [&](QCPCurve &curve, const TuneStep &step) {
            const TunePoint at = placeOnMap(run->plan, step.values);
            curve.addData(at[0], at[1]);
        };
        for (const TuneStep &step : run->tuners[t].tuning->path)
            add(*path.dots, step);
        for (const TuneStep *step : stepsOf(*run->tuners[t].tuning, t == strong))
            add(*path.line, *step);
    }
}

} // namespace syncopate::ui
