// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"

#include <QString>
#include <functional>
#include <memory>

namespace syncopate::ui {

/// One side of a state, as a row of the scenarios' table, for simulation on a worker thread.
struct ScenarioEntry {
    QString name;
    SessionState state;
    Side side = Side::A;
    /// Builds the side's strategy where the state lacks it: a search's trial is known by its genes only. Null: the state has it.
    std::function<Result<std::shared_ptr<const Strategy>>()> strategy = nullptr;

    /// Returns the state with that strategy. Not for the GUI thread. Errors: those of `strategy`.
    [[nodiscard]] Result<SessionState> decoded() const;
};

} // namespace syncopate::ui
