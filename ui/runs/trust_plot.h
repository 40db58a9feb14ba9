// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/candidates_model.h"

#include <QTimer>
#include <QWidget>
#include <array>
#include <cstdint>

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace syncopate::ui {

class PlotOrText;
class Theme;

/// How far a search's ranker can be trusted, batch by batch: the share of pairs of strategies that it ordered as the judge did
/// before learning from them, over all pairs and over those it ranked first, next and last, and how much of the fastest quarter
/// it found. Tossing a coin orders half of the pairs right.
class TrustPlot final : public QWidget {
    Q_OBJECT
public:
    enum class Line : std::uint8_t { All, First, Next, Last, Found };
    static constexpr std::size_t lines = 5;

    TrustPlot(const Theme &theme, const CandidatesModel &model, QWidget *parent = nullptr);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    [[nodiscard]] QCPGraph &lineOf(Line line) { return *m_lines[static_cast<std::size_t>(line)]; }
    /// Describes how the ranker did on a batch of trials.
    [[nodiscard]] static QString describe(const SearchPhase &phase);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void style();
    void redraw();
    void hover(const QPoint &position);

    const Theme &m_theme;
    const CandidatesModel &m_model;
    QCustomPlot *m_plot;
    PlotOrText *m_pages;
    std::array<QCPGraph *, lines> m_lines{};
    QCPItemStraightLine *m_coin;
    QCPItemText *m_coinName;
    QTimer m_redraw; ///< at most ten times a second
};

} // namespace syncopate::ui
