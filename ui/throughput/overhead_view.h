// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/reconstruct.h"

#include <QWidget>
#include <memory>

class QCustomPlot;
class QCPAxisRect;
class QCPGraph;
class QLabel;

namespace syncopate::ui {

class Theme;

/// The fit of the parsing overhead: pairs of size and overhead with the line alpha * size + beta, their residuals, and how well
/// the modelled ends of transfers match the recorded ones.
class OverheadView final : public QWidget {
    Q_OBJECT
public:
    explicit OverheadView(const Theme &theme, QWidget *parent = nullptr);

    /// Null: nothing to show, for the given reason.
    void show(std::shared_ptr<const Reconstruction> reconstruction, const QString &whyNot);
    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    [[nodiscard]] QLabel &text() { return *m_text; }

private:
    void draw();
    [[nodiscard]] QString statistics() const;

    const Theme &m_theme;
    std::shared_ptr<const Reconstruction> m_reconstruction;
    QString m_whyNot;
    QLabel *m_text;
    QCustomPlot *m_plot;
    QCPAxisRect *m_residualRect;
    QCPGraph *m_pairs, *m_line, *m_residuals, *m_zero;
};

} // namespace syncopate::ui
