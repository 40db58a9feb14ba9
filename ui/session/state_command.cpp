// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/state_command.h"

#include "ui/session/session.h"

#include <utility>

namespace syncopate::ui {

StateCommand::StateCommand(Session &session, SessionState before, SessionState after, const QString &text)
    : QUndoCommand(text), m_session(session), m_before(std::move(before)), m_after(std::move(after)) {}

void StateCommand::undo() { m_session.apply(m_before); }

void StateCommand::redo() { m_session.apply(m_after); }

} // namespace syncopate::ui
