// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/tune_run.h"
#include "ui/theme/qcustomplot.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// The tuners' paths over a map, each in its own colour and marker shape: dots where it looked, and a line through its successive
/// best settings, named in the legend. Axes are coordinates of the unit square.
class TunerPaths final {
public:
    explicit TunerPaths(QCustomPlot &plot) : m_plot(plot) {}

    /// Null draws none. The `selected` tuner's line connects all its points, and the others are faint.
    void draw(const TuneRun *run, std::optional<std::size_t> selected);
    [[nodiscard]] const QCPCurve &lineOf(std::size_t tuner) const { return *m_paths[tuner].line; }
    [[nodiscard]] const QCPCurve &dotsOf(std::size_t tuner) const { return *m_paths[tuner].dots; }

private:
    struct Path {
        QCPCurve *line, *dots; ///< the plot's
    };
    enum class Weight : std::uint8_t { Normal, Strong, Faint };
    static void style(const Path &path, std::size_t tuner, Weight weight);

    QCustomPlot &m_plot;
    std::vector<Path> m_paths; ///< at least as many as the run has tuners
};

} // namespace syncopate::ui
