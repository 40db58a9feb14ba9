// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/tune_run.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <chrono>
#include <memory>

namespace syncopate::ui {

/// Runs plans on worker threads: the map coarse first, then the tuners in parallel, one thread each. A newer plan replaces the
/// one in progress; short ones finish, so that a map keeps up with a dragged knob. A plan's figures equal those of `syncopate-cli
/// tune`.
class TuneRunner final : public QObject {
    Q_OBJECT
public:
    explicit TuneRunner(QObject *parent = nullptr) : QObject(parent) {}

    void start(const TunePlan &plan);
    void cancel() { m_worker.cancel(); }

Q_SIGNALS:
    /// About 20 times a second, and at the end.
    void progressed(const std::shared_ptr<const syncopate::ui::TuneRun> &run);

private:
    /// Last, so that its thread has ended before the rest is destroyed.
    Background<std::shared_ptr<const TuneRun>> m_worker{
        this, [this](const std::shared_ptr<const TuneRun> &run) { Q_EMIT progressed(run); }, std::chrono::milliseconds(150)};
};

} // namespace syncopate::ui
