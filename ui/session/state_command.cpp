// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/state_command.h"

#include "ui/session/session.h"

#include <utility>

namespace syncopate::ui {

StateCommand::StateCommand(Session &session, SessionState before, SessionState after, const QString &text)
    : QUndoCommand(text), m_session(session), m_before(std::move(before)), m_after(std::move(after)) {}

void StateCommand::undo() { show(m_before); }

void StateCommand::redo() { show(m_after); }

void StateCommand::show(const SessionState &state) {
    m_session.m_dragStart.reset(); // an uncommitted preview would otherwise become a step on top, and redo would be lost
    m_session.apply(state);
}

} // namespace syncopate::ui
