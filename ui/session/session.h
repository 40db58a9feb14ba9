// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/project_file.h"
#include "ui/session/area.h"
#include "ui/session/shown_run.h"
#include "ui/tasks/latest_worker.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <array>
#include <memory>
#include <optional>

namespace syncopate::ui {

/// The two scenarios A and B, their undo history, and the threads that load files and simulate. Views read state() and
/// run(), and change the state with change() (one undo step) or preview() ... commit() (one step per drag). Results carry
/// the generation of the state they were made from; an older one never replaces a newer one.
class Session final : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject *parent = nullptr);
    ~Session() override;

    [[nodiscard]] const SessionState &state() const { return m_state; }
    [[nodiscard]] QUndoStack *undoStack() { return &m_undo; }
    /// The newest result of a side, or null; may be older than state() while isStale().
    [[nodiscard]] std::shared_ptr<const ShownRun> run(Side side) const { return m_runs[indexOf(side)]; }
    /// Why the side has no run for the present state.
    [[nodiscard]] const std::optional<Error> &error(Side side) const { return m_errors[indexOf(side)]; }
    /// The runs shown belong to an older state: the simulation of this one is under way.
    [[nodiscard]] bool isStale() const { return m_shownGeneration < m_generation; }
    [[nodiscard]] bool isLoading() const { return m_loading; }

    /// Makes `next` the state, as one undo step called `text`. Not while stateChanged() is being told: a field that loses the
    /// focus because the new state disables it ends its editing then, which belongs to the state before.
    void change(SessionState next, const QString &text);
    /// Makes `next` the state for now: part of a drag that commitPreview() ends.
    void preview(const SessionState &next);
    void commitPreview(const QString &text);

    /// Loads a job (catalogue name, job file, profile) or, by its suffix .yml or .yaml, a cluster. One at a time: a newer
    /// one cancels the older one. `cluster` may name a cluster to load with a job.
    void open(const QString &nameOrPath, const QString &cluster = {});
    /// The cluster that both sides share, or that side's own.
    void openCluster(const QString &nameOrPath, std::optional<Side> side = {});
    /// The strategies and policies to start with instead of the defaults. To be called before anything is opened; the first
    /// job's loader makes sources of the `strategies` that are not empty, and reads those that are files.
    void startWith(const std::array<SideState, 2> &sides, bool compare, const std::array<std::string, 2> &strategies = {});
    /// What readSource() makes of `text` becomes the source of `side`, as one undo step called `what`. A strategy file is read
    /// by the loader, as open() reads a job.
    void chooseStrategy(Side side, const std::string &text, const QString &what);
    /// The bundled sample profile or, where it is not installed, the catalogue's ResNet-50; strategies set side by side.
    void openSample(const QString &cluster = {});
    void cancelLoad();
    /// Reads a project file and makes its present state the state, with an empty undo history; projectRead() has the rest of it.
    void openProject(const QString &path);

    /// countArea() of both sides, on a thread; newest wins.
    void requestArea(const AreaQuery &query);

Q_SIGNALS:
    void stateChanged();
    /// One or both runs or errors changed; they belong to the same state.
    void runsChanged();
    /// The simulation takes long enough to be noticed (or no longer does).
    void staleChanged(bool stale);
    void areaReady(const syncopate::ui::AreaAnswer &answer);
    void loadStarted(const QString &what);
    void loadProgress(double fraction); ///< negative: not known
    void loadEnded();
    /// `ofState`: the present state cannot be simulated, and the message is about nothing else.
    void failed(const syncopate::Error &error, bool ofState);
    void message(const QString &line); ///< for the log
    void loaded(const QString &what);  ///< a job or a cluster, by what open() was given
    void projectRead(const QString &path, const syncopate::Project &project);

private:
    struct Results;
    friend class StateCommand;
    void apply(const SessionState &next);
    void simulateState();
    void deliver(std::uint64_t generation, const Results &results);
    void load(const QString &what, std::function<Result<SessionState>(SessionState, std::stop_token, Progress *)> task);
    void finishLoad(std::uint64_t generation, const QString &what, const Result<SessionState> &loaded);
    std::uint64_t beginLoad(const QString &what);
    [[nodiscard]] bool endLoad(std::uint64_t generation, const std::optional<Error> &error);

    SessionState m_state;
    std::optional<SessionState> m_dragStart;
    QUndoStack m_undo;
    std::array<std::shared_ptr<const ShownRun>, 2> m_runs;
    std::array<std::optional<Error>, 2> m_errors;
    std::array<std::string, 2> m_startStrategies; ///< that no job was opened with yet
    SessionState m_shownState;                    ///< what m_runs were made from
    std::uint64_t m_generation = 0;
    std::uint64_t m_shownGeneration = 0;
    std::uint64_t m_loadGeneration = 0;
    bool m_loading = false;
    bool m_telling = false; ///< stateChanged() is under way
    std::shared_ptr<Progress> m_progress;
    QTimer m_progressTimer;
    QTimer m_staleTimer;
    // Last: their threads end before what they report to goes.
    LatestWorker m_simulator;
    LatestWorker m_loader{std::chrono::milliseconds(0)};
    LatestWorker m_area{std::chrono::hours(24)}; ///< a slow answer beats none while a stretch is dragged
};

} // namespace syncopate::ui
