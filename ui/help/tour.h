// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QTextBrowser;

namespace syncopate::ui {

class Theme;

/// One thing to do and see. While the step is shown `isDone` is called a few times a second; it compares with the state that
/// `begin` recorded.
struct TourStep {
    QString title;
    QString text; ///< rich text: what to do, and what it shows
    std::function<void()> begin;
    std::function<bool()> isDone;
};

/// Leads through steps one at a time: says what to do, notices when it is done, and goes on when the user asks.
class Tour final : public QWidget {
    Q_OBJECT
public:
    /// `figures` is a line of live numbers under the text.
    Tour(const Theme &theme, std::vector<TourStep> steps, std::function<QString()> figures, QWidget *parent = nullptr);

    void start();
    [[nodiscard]] int step() const { return m_step; }
    [[nodiscard]] int stepCount() const { return static_cast<int>(m_steps.size()); }
    /// The present step has been done; stays true if it is undone afterwards.
    [[nodiscard]] bool isStepDone() const { return m_done; }
    /// Checks now whether the step is done.
    void check();
    void next();
    void back();

Q_SIGNALS:
    void finished();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void showStep(int step);

    const Theme &m_theme;
    std::vector<TourStep> m_steps;
    std::function<QString()> m_figuresText;
    int m_step = 0;
    bool m_done = false;
    QLabel *m_title;
    QTextBrowser *m_text; ///< scrolls if the panel is small or the text large
    QLabel *m_figures, *m_state;
    QProgressBar *m_progress;
    QPushButton *m_back, *m_next;
    QTimer m_timer;
};

} // namespace syncopate::ui
