// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/conditions_run.h"
#include "ui/theme/qcustomplot.h"

#include <QWidget>
#include <cstddef>
#include <memory>
#include <vector>

namespace syncopate::ui {

class PlotOrText;
class Theme;

/// Speed over the iterations of a ConditionsRun: a line for each arm with its changes of setting marked, and below it the
/// conditions as the re-tuned arm meets them. The mark can be dragged, or moved with the arrow keys.
class ConditionsPlot final : public QWidget {
    Q_OBJECT
public:
    explicit ConditionsPlot(const Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    void setRun(std::shared_ptr<const ConditionsRun> run);
    void setIteration(std::size_t iteration);
    [[nodiscard]] std::size_t iteration() const { return m_iteration; }
    [[nodiscard]] const QCPGraph &lineOf(std::size_t arm) const { return *m_arms[arm].line; }
    [[nodiscard]] const QCPGraph &changesOf(std::size_t arm) const { return *m_arms[arm].changes; }
    /// The texts below the lines as of the last replot.
    [[nodiscard]] QStringList conditionTexts() const;
    [[nodiscard]] double pixelOf(std::size_t iteration) const;

Q_SIGNALS:
    /// The mark was moved by mouse or keyboard.
    void marked(std::size_t iteration);
    /// A or B was pressed.
    void wanted(syncopate::Side side);
    /// Space was pressed.
    void playWanted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Arm {
        QCPGraph *line, *changes;
    };
    /// A range of iterations under one condition.
    struct Band {
        QCPItemRect *area;
        QCPItemText *text;
    };
    void makeRects();
    void refresh();
    void nameAxis();
    void style();
    void drawArms();
    void drawBands();
    void placeTexts();
    void mark();
    void moveTo(double coordinate);
    void walk(int key);

    const Theme &m_theme;
    std::shared_ptr<const ConditionsRun> m_run;
    std::size_t m_iteration = 0;
    QCustomPlot *m_plot;
    PlotOrText *m_pages;
    QCPAxisRect *m_conditions = nullptr; ///< below the lines
    std::vector<Arm> m_arms;
    std::vector<Band> m_bands;
    QCPItemLine *m_mark = nullptr;
};

} // namespace syncopate::ui
