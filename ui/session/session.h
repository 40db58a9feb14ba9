// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/plan_settings.h"
#include "engine/store/project_file.h"
#include "ui/session/area.h"
#include "ui/session/shown_run.h"
#include "ui/tasks/background.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <array>
#include <memory>
#include <optional>
#include <variant>

namespace syncopate::ui {

/// The two scenarios A and B, their undo history, and the threads that load files and simulate. Views read state() and run(), and
/// change the state with change() (one undo step) or preview() ... commitPreview() (one step per drag). Results of an older state
/// are shown while the newer one is simulated, and never replace newer results. The sides do not wait for each other: each is
/// shown as soon as it is ready, and one whose scenario is unchanged keeps running.
class Session final : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject *parent = nullptr);
    ~Session() override;

    [[nodiscard]] const SessionState &state() const { return m_state; }
    [[nodiscard]] QUndoStack *undoStack() { return &m_undo; }
    /// The newest result of a side, or null; may be older than state() while isStale().
    [[nodiscard]] std::shared_ptr<const ShownRun> run(Side side) const { return m_sides[indexOf(side)].shown.run; }
    /// The state that run() or error() is of.
    [[nodiscard]] const SessionState &stateOfRun(Side side) const { return m_sides[indexOf(side)].shown.state; }
    /// Why the side has no run for the present state.
    [[nodiscard]] const std::optional<Error> &error(Side side) const { return m_sides[indexOf(side)].shown.error; }
    /// The run shown belongs to an older state: the present one is being simulated, or its result is held for this frame.
    [[nodiscard]] bool isStale() const { return isStale(Side::A) || isStale(Side::B); }
    [[nodiscard]] bool isStale(Side side) const { return isPending(side) || m_sides[indexOf(side)].held; }
    /// How long the side has been waiting for its next run; 0 if it is not.
    [[nodiscard]] double waitedSeconds(Side side) const;
    /// The wait is long enough to be noticed: the side's picture and figures are marked as outdated.
    [[nodiscard]] bool isMarkedStale(Side side) const { return waitedSeconds(side) * 1000 >= noticedMs; }
    /// Stops the simulation of a side; error() says so until simulateAgain() or a new state.
    void cancelSimulation(Side side);
    void simulateAgain(Side side);
    [[nodiscard]] bool isLoading() const { return m_loader.isPending(); }

    /// Makes `next` the state, as one undo step called `text`. Ignored while stateChanged() is emitted: a field that loses focus
    /// because the new state disables it ends its editing then, and that edit is about the previous state.
    void change(SessionState next, const QString &text);
    /// Makes `next` the state temporarily: part of a drag that commitPreview() ends.
    void preview(const SessionState &next);
    void commitPreview(const QString &text);

    /// Loads a job (catalogue name, job file, profile), a training DAG (delivered by planFileRead()) or, by its suffix .yml or
    /// .yaml, a cluster, which is that of the next job if there is none yet. One at a time: a newer load cancels the older one.
    /// `cluster` may name a cluster to load with a job.
    void open(const QString &nameOrPath, const QString &cluster = {});
    /// Loads the cluster that both sides share, or that side's own. B is simulated on it where it showed a measurement or
    /// nothing.
    void openCluster(const QString &nameOrPath, std::optional<Side> side = {});
    /// Sets the strategies and policies to start with instead of the defaults. Call before anything is opened; the first job's
    /// loader turns the non-empty `strategies` into sources, reading those that are files.
    void startWith(const std::array<SideState, 2> &sides, bool compare, const std::array<std::string, 2> &strategies = {});
    /// Sets how messages share links, for a picture. Call before anything is opened.
    void shareLinks(LinkModel model) { m_state.linkModel = model; }
    /// Makes what readSource() returns for `text` the source of `side`, as one undo step called `what`. A strategy file is read
    /// by the loader, as jobs are.
    void chooseStrategy(Side side, const std::string &text, const QString &what);
    /// Opens the bundled sample profile or, if it is not installed, the catalogue's ResNet-50, with two strategies to compare.
    void openSample(const QString &cluster = {});
    /// Reads the present profile again, with the sizes of the model's variables from `list` (ImportOptions::variables).
    void attachSizes(const QString &list);
    /// Sets the figures of the shared cluster from measurements (readCalibrationFiles()); a profile among them is paired with the
    /// present one. One undo step; remarked() says which figures changed.
    void calibrate(const QStringList &files);
    /// readPlanFile() for the present state; planFileRead() delivers the result.
    void openPlanFile(const QString &path, const PlanSettings &settings);
    void cancelLoad();
    /// Reads a project file and makes its state the present one, with an empty undo history; projectRead() delivers the rest.
    void openProject(const QString &path);

    /// countArea() for both sides, on a worker thread; the newest request wins.
    void requestArea(const AreaQuery &query);

Q_SIGNALS:
    void stateChanged();
    /// One or both runs or errors changed. They belong to the same state unless the session is stale.
    void runsChanged();
    /// Which sides are stale, or for how long, changed: ten times a second during a noticeable wait, and at its end.
    void staleChanged();
    void areaReady(const syncopate::ui::AreaAnswer &answer);
    void loadStarted(const QString &what);
    void loadProgress(double fraction); ///< negative: unknown
    void loadEnded();
    /// `ofState`: the error is only that the present state cannot be simulated.
    void failed(const syncopate::Error &error, bool ofState);
    void message(const QString &line); ///< for the log
    /// Something was done that the user should know about.
    void remarked(const QString &text);
    /// A profile was opened; `remark`: on which cluster it is simulated, "" for the sample.
    void profileOpened(const QString &remark);
    void recordingOpened(); ///< a trace without a training step; remarked() says what it lacks
    /// A job or a cluster; `what` is what open() was given, without a slash at its end, or a word for the sample.
    void loaded(const QString &what);
    void projectWanted(const QString &path); ///< it is read next: what is still to be saved there must be saved now
    void projectRead(const QString &path, const syncopate::Project &project);
    /// A planning file was read; the state is unchanged.
    void planFileRead(const QString &path, const syncopate::PlanFile &file);

private:
    /// The result of simulating one side of a state.
    struct SideResult {
        SessionState state;
        std::shared_ptr<const ShownRun> run;
        std::optional<Error> error;
    };
    struct SideRuns {
        SideResult shown;
        std::optional<SideResult> held; ///< shown together with the other side's, in the same frame
        SessionState asked;             ///< the state being simulated
        QElapsedTimer waiting;          ///< while there is no newest answer: since the first question, or the last answer
    };
    /// A strategy file read for one side.
    struct ChosenStrategy {
        Side side;
        QString undo; ///< name of the undo step
        Source source;
    };
    /// The shared cluster with measured figures.
    struct Calibrated {
        std::shared_ptr<const Cluster> cluster;
        std::shared_ptr<const Cluster> from; ///< the calibrated cluster, with the knobs below applied
        ClusterKnobs knobs;
        QString remark; ///< which figures changed, and what could not be read
    };
    /// The result of load(), openProject(), chooseStrategy(), calibrate() or openPlanFile().
    using Content =
        std::variant<Result<SessionState>, Result<Project>, Result<ChosenStrategy>, Result<Calibrated>, Result<PlanFile>>;
    struct Loaded {
        QString what;
        Content content;
        SessionState from; ///< the state when the load began
    };
    using Reader = std::function<Content(const std::stop_token &, Progress *)>;
    friend class StateCommand;
    void apply(const SessionState &next);
    [[nodiscard]] bool isPending(Side side) const { return m_simulators[indexOf(side)].isPending(); }
    void simulateState();
    void ask(Side side);
    void dropSide(Side side);
    void deliver(Side side, const SideResult &result);
    /// Shows the held results.
    void tell();
    using StateTask = std::function<Result<SessionState>(SessionState, std::stop_token, Progress *)>;
    void load(const QString &what, StateTask task);
    void startLoading(const QString &what, Reader read);
    void endLoad(const Loaded &loaded);
    void take(const QString &what, const SessionState &loaded);
    void take(const QString &path, const Project &project);
    void take(const QString &path, const ChosenStrategy &chosen);
    void take(const QString &names, const Calibrated &calibrated);
    void take(const QString &path, const PlanFile &file);

    SessionState m_state;
    std::optional<SessionState> m_dragStart;
    QUndoStack m_undo;
    std::array<SideRuns, 2> m_sides;
    std::array<std::string, 2> m_startStrategies; ///< until the first job is opened
    bool m_telling = false;                       ///< stateChanged() is being emitted
    std::shared_ptr<Progress> m_progress;
    QTimer m_progressTimer;
    QTimer m_frameTimer; ///< runs since the last change: sides that are ready within a frame are shown together
    QTimer m_staleTimer;
    QTimer m_waitTimer;
    static constexpr int noticedMs = 150;
    // Last: their threads end before the members that they report to are destroyed.
    std::array<Background<SideResult>, 2> m_simulators{
        {{this, [this](const SideResult &result) { deliver(Side::A, result); }, std::chrono::milliseconds(noticedMs)},
         {this, [this](const SideResult &result) { deliver(Side::B, result); }, std::chrono::milliseconds(noticedMs)}}};
    Background<Loaded> m_loader{this, [this](const Loaded &loaded) { endLoad(loaded); }};
    /// While a stretch is dragged, a late answer is better than none.
    Background<AreaAnswer> m_area{this, [this](const AreaAnswer &answer) { Q_EMIT areaReady(answer); }, std::chrono::hours(24)};
};

} // namespace syncopate::ui
