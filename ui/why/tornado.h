// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/why/analyst.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

class QCPBars;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace syncopate::ui {

class Theme;
enum class ColorId : std::uint8_t;

/// A tornado chart: per knob, how far half and twice its value move the iteration time, the largest effect on top; lower bounds
/// as dashed lines, to show what no knob can reach. A knob with one bar only says why: its slider ends there, or its other value
/// cannot be simulated.
class Tornado final : public QWidget {
    Q_OBJECT
public:
    explicit Tornado(const Theme &theme, QWidget *parent = nullptr);

    void set(std::shared_ptr<const WhyAnswer> answer);
    [[nodiscard]] const QCustomPlot &plot() const { return *m_plot; }

Q_SIGNALS:
    /// A bar was clicked: its dimension, an index into scenarioSpace(), and the value that the bar represents.
    void valueWanted(std::size_t dimension, double value);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    /// The number of knobs that fit into the height; those with the largest effect are shown.
    [[nodiscard]] std::size_t fittingRows() const;
    void addRow(const Sensitivity &row, double key);
    /// `opposite`: the text is placed at zero, on the side opposite to the bar.
    void addBar(QCPBars &bars, double key, double seconds, const QString &text, bool opposite);
    /// A text that ends or, if not `left`, begins at `seconds`.
    void addText(double key, double seconds, const QString &text, bool left, ColorId color);
    void addBounds(double key);
    /// Leaves room for the texts beside the bars, and names the bounds that have room. Returns whether the axis has changed.
    bool fitTexts();
    void nameBounds();
    [[nodiscard]] const Sensitivity *rowAt(const QPoint &position) const;
    /// The value of the bar at `change` seconds from the present iteration, or of the longest that ends before it; none if there
    /// is no bar on that side.
    [[nodiscard]] std::optional<double> valueAt(const Sensitivity &row, double change) const;

    const Theme &m_theme;
    std::shared_ptr<const WhyAnswer> m_answer;
    QCustomPlot *m_plot;
    QCPBars *m_low, *m_high;
    struct Bound {
        double milliseconds; ///< on the axis
        QString name;
        QCPItemStraightLine *line;
        QCPItemText *label;
    };
    std::size_t m_rows = 0;      ///< rows shown
    std::vector<Bound> m_bounds; ///< from left to right
    double m_min = 0, m_max = 0; ///< range of bars and bounds, seconds
    int m_widest = 0;            ///< pixels of the longest text beside a bar
};

} // namespace syncopate::ui
