// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"

#include <QUndoCommand>

namespace syncopate::ui {

class Session;

/// One undo step: the whole state before and after. States share their jobs and clusters by pointer, so a step is small.
class StateCommand final : public QUndoCommand {
public:
    StateCommand(Session &session, SessionState before, SessionState after, const QString &text);
    void undo() override;
    void redo() override;

private:
    void show(const SessionState &state);

    Session &m_session;
    SessionState m_before, m_after;
};

} // namespace syncopate::ui
