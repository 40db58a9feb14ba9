// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace syncopate::ui {

/// Stands in place of knobs while nothing on screen is simulated: why they change nothing, and a button with the remedy. Hidden
/// where a side is simulated, planned or played.
class IdleKnobs final : public QWidget {
    Q_OBJECT
public:
    enum class Reason : std::uint8_t {
        None,
        Recording, ///< without a training step: nothing can be simulated
        Measured,  ///< a step that could be simulated, but every side shows its measurement
    };
    [[nodiscard]] static Reason reasonOf(const SessionState &state);

    explicit IdleKnobs(Session &session, QWidget *parent = nullptr);

    void refresh();
    [[nodiscard]] Reason reason() const { return m_reason; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] QPushButton &button() const { return *m_button; }

Q_SIGNALS:
    void openWanted(); ///< another file, to be chosen

private:
    void help();
    /// Shows the simulation of the measured step as B, beside the measurement; a simulation that was hidden in B comes back.
    void simulate();

    Session &m_session;
    QLabel *m_line;
    QPushButton *m_button;
    Reason m_reason = Reason::None;
};

} // namespace syncopate::ui
