// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_preset.h"

#include <utility>

namespace syncopate::ui {

RunPreset::RunPreset(Names names, QObject *parent)
    : QObject(parent), m_names(std::move(names)),
      m_stateLine(new RunStateLine(m_names.stateName, m_names.resume, m_names.resumeToolTip)) {
    connect(m_stateLine, &RunStateLine::stopWanted, this, [this] { stop(); });
    connect(m_stateLine, &RunStateLine::resumeWanted, this, [this] { resume(); });
}

void RunPreset::setRunState(const RunState &state) {
    m_stateLine->setState(state);
    Q_EMIT runStateChanged();
}

} // namespace syncopate::ui
