// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/measured_points.h"
#include "ui/throughput/predictor.h"

#include <QString>
#include <memory>

namespace syncopate::ui {

class Theme;

/// One curve of the throughput plot: the present one, or one that was kept.
struct CurveEntry {
    QString name;
    int color = 0; ///< index for curveColor()
    bool shown = true;
    std::shared_ptr<const Job> job{};         ///< for the present curve: the loaded job
    std::shared_ptr<const Forecast> forecast; ///< null until predicted
    MeasuredSeries measured;                  ///< no points: none
    QString problem{};                        ///< why its steps cannot be shown; empty: they can, now or soon
};

/// Whether the curve counts samples; else steps, since neither job nor setting states the batch.
[[nodiscard]] bool countsSamples(const Forecast &forecast);
/// Whether steps of both jobs are the same layers with the same times, so that what was measured of one is of the other, too: its
/// batch was stated since, or sizes were attached. A file that was written again in between has other times.
[[nodiscard]] bool haveSameSteps(const Job &a, const Job &b);
/// Whether its measured points have the curve's unit, samples or steps.
[[nodiscard]] bool hasComparablePoints(const CurveEntry &entry);

inline constexpr int curveColors = 8;
[[nodiscard]] QColor curveColor(const Theme &theme, int color);

/// "resnet50, 10 Gbit/s, 2 servers, window off, tic": what distinguishes this configuration.
[[nodiscard]] QString describe(const Forecast &forecast);

/// The contents of plot and table besides the prediction.
struct CurveOptions {
    bool cynthia = true, queueing = true;
    double pricePerNodeHour = 0; ///< 0 = no costs shown
};

} // namespace syncopate::ui
