// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"

#include <QString>
#include <functional>
#include <memory>

namespace syncopate::ui {

/// A scenario of the table, to be simulated on a worker thread: one side of a state.
struct ScenarioEntry {
    QString name;
    SessionState state;
    Side side = Side::A;
    /// Makes the side's strategy, as of a search's trial, which is known by its genes; null: the state has it.
    std::function<Result<std::shared_ptr<const Strategy>>()> strategy = nullptr;

    /// The state with that strategy. Not for the GUI thread. Errors: those of `strategy`.
    [[nodiscard]] Result<SessionState> decoded() const;
};

} // namespace syncopate::ui
