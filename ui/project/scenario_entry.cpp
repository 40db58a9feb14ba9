// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/scenario_entry.h"

#include "engine/session/source.h"

#include <utility>

namespace syncopate::ui {

Result<SessionState> ScenarioEntry::decoded() const {
    SessionState made = state;
    if (strategy) {
        auto own = TRY(strategy());
        Source &source = made.side(side).source;
        source = replaced(source, std::move(own), name.toStdString());
    }
    return made;
}

} // namespace syncopate::ui
