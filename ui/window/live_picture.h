// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"
#include "ui/session/shown_run.h"
#include "ui/tasks/background.h"

#include <QWidget>
#include <array>
#include <memory>

class QLabel;
class QSlider;

namespace syncopate::ui {

class PlanStack;
class Theme;

/// A demonstration of the program: ResNet-50 on eight workers with all-reduce and with parameter servers, simulated again while
/// its slider changes the bandwidth.
class LivePicture final : public QWidget {
    Q_OBJECT
public:
    explicit LivePicture(const Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] QSlider &slider() { return *m_slider; }
    [[nodiscard]] PlanStack &stack() { return *m_stack; }
    [[nodiscard]] QLabel &line() { return *m_line; }
    [[nodiscard]] double gbits() const; ///< the slider's value
    /// The state that is simulated.
    [[nodiscard]] SessionState state() const;

protected:
    void showEvent(QShowEvent *event) override;

private:
    struct Answer {
        double gbits = 0;
        std::array<std::shared_ptr<const ShownRun>, 2> runs;
    };
    void simulate();
    void take(const Answer &answer);

    std::shared_ptr<const Job> m_job;
    PlanStack *m_stack;
    QSlider *m_slider;
    QLabel *m_value, *m_line;
    /// Last: ends before the members that it reports to. An outdated picture is better than none while the slider moves.
    Background<Answer> m_simulator{this, [this](const Answer &answer) { take(answer); }, std::chrono::milliseconds(150)};
};

} // namespace syncopate::ui
