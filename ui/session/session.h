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

/// The two scenarios A and B, their undo history, and the threads that load files and simulate. Views read state() and
/// run(), and change the state with change() (one undo step) or preview() ... commitPreview() (one step per drag). Results of an
/// older state are shown while the newer one is simulated, and never replace a newer one's. The sides do not wait for each
/// other: one that is ready is shown, and one whose scenario did not change goes on as it is.
class Session final : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject *parent = nullptr);
    ~Session() override;

    [[nodiscard]] const SessionState &state() const { return m_state; }
    [[nodiscard]] QUndoStack *undoStack() { return &m_undo; }
    /// The newest result of a side, or null; may be older than state() while isStale().
    [[nodiscard]] std::shared_ptr<const ShownRun> run(Side side) const { return m_sides[indexOf(side)].shown.run; }
    /// Why the side has no run for the present state.
    [[nodiscard]] const std::optional<Error> &error(Side side) const { return m_sides[indexOf(side)].shown.error; }
    /// A run that is shown belongs to an older state: the simulation of this one is under way, or held until the frame ends.
    [[nodiscard]] bool isStale() const { return isStale(Side::A) || isStale(Side::B); }
    [[nodiscard]] bool isStale(Side side) const { return isPending(side) || m_sides[indexOf(side)].held; }
    /// For how long the side has been waiting for its next run; 0 where it does not.
    [[nodiscard]] double waitedSeconds(Side side) const;
    /// It has been waiting for so long that one would notice: its picture and figures are marked as old.
    [[nodiscard]] bool isMarkedStale(Side side) const { return waitedSeconds(side) * 1000 >= noticedMs; }
    /// Ends the simulation of a side; its error() says so until simulateAgain() or another state.
    void cancelSimulation(Side side);
    void simulateAgain(Side side);
    [[nodiscard]] bool isLoading() const { return m_loader.isPending(); }

    /// Makes `next` the state, as one undo step called `text`. Not while stateChanged() is being told: a field that loses the
    /// focus because the new state disables it ends its editing then, which belongs to the state before.
    void change(SessionState next, const QString &text);
    /// Makes `next` the state for now: part of a drag that commitPreview() ends.
    void preview(const SessionState &next);
    void commitPreview(const QString &text);

    /// Loads a job (catalogue name, job file, profile), a training DAG (planFileRead() has it) or, by its suffix .yml or .yaml, a
    /// cluster. One at a time: a newer one cancels the older one. `cluster` may name a cluster to load with a job.
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
    /// Reads the present profile again, with the sizes of the model's variables from `list` (ImportOptions::variables).
    void attachSizes(const QString &list);
    /// Sets the figures of the shared cluster from measurements (readCalibrationFiles()); one profile among them is paired with
    /// the present one. An undo step; remarked() says which figures changed.
    void calibrate(const QStringList &files);
    /// readPlanFile() for the present state; planFileRead() has what was read.
    void openPlanFile(const QString &path, const PlanSettings &settings);
    void cancelLoad();
    /// Reads a project file and makes its present state the state, with an empty undo history; projectRead() has the rest of it.
    void openProject(const QString &path);

    /// countArea() of both sides, on a thread; newest wins.
    void requestArea(const AreaQuery &query);

Q_SIGNALS:
    void stateChanged();
    /// One or both runs or errors changed. They belong to the same state where the session is not stale.
    void runsChanged();
    /// Which sides are stale, or for how long: ten times a second while a wait is long enough to be noticed, and at its end.
    void staleChanged();
    void areaReady(const syncopate::ui::AreaAnswer &answer);
    void loadStarted(const QString &what);
    void loadProgress(double fraction); ///< negative: not known
    void loadEnded();
    /// `ofState`: the present state cannot be simulated, and the message is about nothing else.
    void failed(const syncopate::Error &error, bool ofState);
    void message(const QString &line); ///< for the log
    /// What was done that the user has to know of.
    void remarked(const QString &text);
    /// A profile was opened; `remark`: on which machines it is simulated, "" for the sample.
    void profileOpened(const QString &remark);
    void loaded(const QString &what); ///< a job or a cluster, by what open() was given
    void projectRead(const QString &path, const syncopate::Project &project);
    /// A file of planning was read; the state is what it was.
    void planFileRead(const QString &path, const syncopate::PlanFile &file);

private:
    /// What the simulation of one side of a state gave.
    struct SideResult {
        SessionState state;
        std::shared_ptr<const ShownRun> run;
        std::optional<Error> error;
    };
    struct SideRuns {
        SideResult shown;
        std::optional<SideResult> held; ///< to be shown with the other side's, in the same frame
        SessionState asked;             ///< what is being simulated
        QElapsedTimer waiting;          ///< since the first question, or the last answer, while there is no newest answer
    };
    /// A strategy file for one side.
    struct ChosenStrategy {
        Side side;
        QString undo; ///< name of the undo step
        Source source;
    };
    /// The shared cluster with figures from measurements.
    struct Calibrated {
        std::shared_ptr<const Cluster> cluster;
        std::shared_ptr<const Cluster> from; ///< what was calibrated, with these knobs turned
        ClusterKnobs knobs;
        QString remark; ///< which figures changed, and what was not read
    };
    /// What a load(), an openProject(), a chooseStrategy(), a calibrate() or an openPlanFile() has read.
    using Content =
        std::variant<Result<SessionState>, Result<Project>, Result<ChosenStrategy>, Result<Calibrated>, Result<PlanFile>>;
    struct Loaded {
        QString what;
        Content content;
    };
    using Reader = std::function<Content(const std::stop_token &, Progress *)>;
    friend class StateCommand;
    void apply(const SessionState &next);
    [[nodiscard]] bool isPending(Side side) const { return m_simulators[indexOf(side)].isPending(); }
    void simulateState();
    void ask(Side side);
    void dropSide(Side side);
    void deliver(Side side, const SideResult &result);
    /// Shows what is held.
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
    std::array<std::string, 2> m_startStrategies; ///< that no job was opened with yet
    bool m_telling = false;                       ///< stateChanged() is under way
    std::shared_ptr<Progress> m_progress;
    QTimer m_progressTimer;
    QTimer m_frameTimer; ///< since the last change: sides that are ready within a frame are shown at once
    QTimer m_staleTimer;
    QTimer m_waitTimer;
    static constexpr int noticedMs = 150;
    // Last: their threads end before what they report to goes.
    std::array<Background<SideResult>, 2> m_simulators{
        {{this, [this](const SideResult &result) { deliver(Side::A, result); }, std::chrono::milliseconds(noticedMs)},
         {this, [this](const SideResult &result) { deliver(Side::B, result); }, std::chrono::milliseconds(noticedMs)}}};
    Background<Loaded> m_loader{this, [this](const Loaded &loaded) { endLoad(loaded); }};
    /// A slow answer is better than none while a stretch is dragged.
    Background<AreaAnswer> m_area{this, [this](const AreaAnswer &answer) { Q_EMIT areaReady(answer); }, std::chrono::hours(24)};
};

} // namespace syncopate::ui
