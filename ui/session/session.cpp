// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.h"

#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "engine/session/recorded_cluster.h"
#include "ui/session/loaded_state.h"
#include "ui/session/sample.h"
#include "ui/session/simulate_side.h"
#include "ui/session/state_command.h"
#include "ui/theme/sentences.h"

#include <QDir>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <type_traits>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr std::array bothSides{Side::A, Side::B};
constexpr int frameMs = 16;
constexpr int tickMs = 100; ///< of the clocks that show how long a simulation takes

} // namespace

Session::Session(QObject *parent) : QObject(parent) {
    // A picture that is about to be replaced is dimmed only if the wait is long enough to be noticed.
    m_staleTimer.setSingleShot(true);
    m_staleTimer.setInterval(noticedMs);
    connect(&m_staleTimer, &QTimer::timeout, this, [this] {
        for (Background<SideResult> &simulator : m_simulators)
            simulator.dropOutdated();
        if (isStale()) {
            Q_EMIT staleChanged();
            m_waitTimer.start();
        }
    });
    m_waitTimer.setInterval(tickMs);
    connect(&m_waitTimer, &QTimer::timeout, this, &Session::staleChanged);
    m_frameTimer.setSingleShot(true);
    m_frameTimer.setInterval(frameMs);
    connect(&m_frameTimer, &QTimer::timeout, this, [this] {
        if (m_sides[0].held || m_sides[1].held)
            tell();
    });
    m_progressTimer.setInterval(33);
    connect(&m_progressTimer, &QTimer::timeout, this, [this] {
        const auto total = m_progress->total.load(), done = m_progress->done.load();
        Q_EMIT loadProgress(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : -1);
    });
}

Session::~Session() = default;

void Session::change(SessionState next, const QString &text) {
    if (m_telling)
        return;
    SessionState before = std::exchange(m_dragStart, std::nullopt).value_or(m_state); // Undo passes over a preview
    if (next == before)
        apply(next);
    else
        m_undo.push(new StateCommand(*this, std::move(before), std::move(next), text));
}

void Session::preview(const SessionState &next) {
    if (m_telling)
        return;
    if (!m_dragStart)
        m_dragStart = m_state;
    apply(next);
}

void Session::commitPreview(const QString &text) {
    if (m_telling || !m_dragStart)
        return;
    SessionState before = *std::exchange(m_dragStart, std::nullopt);
    if (before != m_state)
        m_undo.push(new StateCommand(*this, std::move(before), m_state, text));
}

void Session::apply(const SessionState &next) {
    if (next == m_state)
        return;
    m_state = next;
    {
        const QScopedValueRollback telling(m_telling, true);
        Q_EMIT stateChanged();
    }
    simulateState();
}

void Session::simulateState() {
    const bool possible = m_state.job && m_state.cluster;
    for (const Side side : bothSides)
        if (possible && (side == Side::A || m_state.compare))
            ask(side);
        else
            dropSide(side);
    if (!isPending(Side::A) && !isPending(Side::B)) {
        tell();
        return;
    }
    m_staleTimer.start();
    if (!m_frameTimer.isActive()) // not restarted: a result waits one frame at most, however fast a knob moves
        m_frameTimer.start();
}

void Session::ask(Side side) {
    SideRuns &own = m_sides[indexOf(side)];
    Background<SideResult> &simulator = m_simulators[indexOf(side)];
    const SideResult &newest = own.held ? *own.held : own.shown;
    if (m_state.sameScenario(newest.state, side) && (newest.run || newest.error)) {
        simulator.cancel();
        return;
    }
    if (simulator.isPending() && m_state.sameScenario(own.asked, side))
        return; // the other side changed
    if (!simulator.isPending())
        own.waiting.start();
    own.asked = m_state;
    simulator.start([state = m_state, side](const std::stop_token &stop, const auto &post) {
        auto run = simulateSide(state, side, stop);
        if (run)
            post(SideResult{state, *std::move(run), {}});
        else
            post(SideResult{state, nullptr, std::move(run).error()});
    });
}

void Session::dropSide(Side side) {
    m_simulators[indexOf(side)].cancel();
    m_sides[indexOf(side)].held.reset();
    m_sides[indexOf(side)].shown = {m_state, nullptr, {}};
}

void Session::deliver(Side side, const SideResult &result) {
    SideRuns &own = m_sides[indexOf(side)];
    own.held = result;
    own.waiting.start();
    if (!m_frameTimer.isActive() || (!isPending(Side::A) && !isPending(Side::B)))
        tell();
}

void Session::tell() {
    std::vector<Error> failures;
    for (SideRuns &own : m_sides) {
        if (!own.held)
            continue;
        const auto before = std::exchange(own.shown, *std::exchange(own.held, std::nullopt)).error;
        if (const auto &error = own.shown.error; error && before != error)
            failures.push_back(*error);
    }
    if (!isStale()) {
        m_staleTimer.stop();
        m_waitTimer.stop();
    }
    Q_EMIT staleChanged();
    Q_EMIT runsChanged();
    for (const Error &error : failures)
        Q_EMIT failed(error, true);
}

double Session::waitedSeconds(Side side) const {
    return isStale(side) ? static_cast<double>(m_sides[indexOf(side)].waiting.elapsed()) / 1000 : 0;
}

void Session::cancelSimulation(Side side) {
    if (!isPending(side))
        return;
    SideRuns &own = m_sides[indexOf(side)];
    m_simulators[indexOf(side)].cancel();
    own.held.reset();
    own.shown = {m_state, nullptr, cancelled().value()};
    tell();
}

void Session::simulateAgain(Side side) {
    if (isStale(side) || !error(side))
        return;
    dropSide(side);
    simulateState();
    Q_EMIT runsChanged(); // the error is gone
}

namespace {

/// The task that loads a job, then the cluster if one is named, and before it the sides' strategies.
auto jobTask(std::string source, std::string cluster, std::array<std::string, 2> strategies) {
    return [source = std::move(source), cluster = std::move(cluster), strategies = std::move(strategies)](
               SessionState state, const std::stop_token &stop, Progress *progress) -> Result<SessionState> {
        for (std::size_t s = 0; s < strategies.size(); ++s)
            if (!strategies[s].empty())
                state.sides[s].source = readSource(strategies[s]);
        auto loaded = TRY(loadJobInto(std::move(state), source, {}, stop, progress));
        return cluster.empty() ? std::move(loaded) : loadClusterInto(std::move(loaded), cluster);
    };
}

} // namespace

void Session::attachSizes(const QString &list) {
    ImportOptions options;
    options.variables = list.toStdString();
    load(QString::fromStdString(m_state.source),
         [options, source = m_state.source](SessionState state, const std::stop_token &stop,
                                            Progress *progress) -> Result<SessionState> {
             const double batch = state.job ? state.job->batchSize : 0;
             auto read = TRY(loadJobInto(std::move(state), source, options, stop, progress));
             if (batch > 0 && !statesBatch(*read.job)) { // stated since it was opened
                 auto stated = TRY(withBatch(*read.job, batch));
                 read.job = std::make_shared<const Job>(std::move(stated));
             }
             return read;
         });
}

void Session::open(const QString &given, const QString &cluster) {
    // Shells complete a folder's name with a slash; a name must remain behind the last one.
    const QString nameOrPath = given.endsWith(QLatin1Char('/')) ? QDir::cleanPath(given) : given;
    const QString suffix = QFileInfo(nameOrPath).suffix().toLower();
    if (suffix == QLatin1String("syncopate")) {
        openProject(nameOrPath);
        return;
    }
    if (suffix == QLatin1String("yml") || suffix == QLatin1String("yaml"))
        openCluster(nameOrPath);
    else
        startLoading(nameOrPath,
                     [path = nameOrPath.toStdString(), cluster = cluster.toStdString(), planners = m_startStrategies,
                      state = m_state, task = jobTask(nameOrPath.toStdString(), cluster.toStdString(), m_startStrategies)](
                         const std::stop_token &stop, Progress *progress) -> Content {
                         if (!namesTrainingDag(path))
                             return task(state, stop, progress);
                         // A file beside a job of layers is one more DAG to plan for its cluster.
                         if (state.job && !state.job->layers.empty() && beginsAsDagFile(path))
                             return readPlanFile(path, state, {});
                         return loadDagInto(state, path, cluster, planners, stop);
                     });
}

void Session::openPlanFile(const QString &path, const PlanSettings &settings) {
    startLoading(path, [path = path.toStdString(), state = m_state, settings](const std::stop_token &, Progress *) -> Content {
        return readPlanFile(path, state, settings);
    });
}

void Session::take(const QString &path, const PlanFile &file) {
    Q_EMIT message(tr("Read %1").arg(path));
    Q_EMIT planFileRead(path, file);
}

void Session::startWith(const std::array<SideState, 2> &sides, bool compare, const std::array<std::string, 2> &strategies) {
    m_state.sides = sides;
    m_state.compare = compare;
    m_startStrategies = strategies;
}

void Session::chooseStrategy(Side side, const std::string &text, const QString &what) {
    if (showsDag(m_state)) {
        startLoading(QString::fromStdString(text),
                     [side, text, what, state = m_state](const std::stop_token &stop, Progress *) -> Content {
                         auto source = plannedBy(state, side, shownDag(state, side), text, stop);
                         return std::move(source).map([&](Source &&made) { return ChosenStrategy{side, what, std::move(made)}; });
                     });
        return;
    }
    if (!namesStrategyFile(text)) {
        take({}, ChosenStrategy{side, what, readSource(text)});
        return;
    }
    startLoading(QString::fromStdString(text), [side, text, what](const std::stop_token &, Progress *) -> Content {
        return Result<ChosenStrategy>({side, what, readSource(text)});
    });
}

void Session::take(const QString & /*path*/, const ChosenStrategy &chosen) {
    SessionState next = m_state;
    next.side(chosen.side).source = chosen.source;
    change(std::move(next), chosen.undo);
}

void Session::openCluster(const QString &nameOrPath, std::optional<Side> side) {
    load(nameOrPath,
         [source = nameOrPath.toStdString(), side](SessionState state, const std::stop_token &stop,
                                                   Progress *) -> Result<SessionState> {
             if (!side) {
                 auto loaded = TRY(loadClusterInto(std::move(state), source));
                 if (!showsDag(loaded))
                     return loaded;
                 static_cast<ClusterKnobs &>(loaded) = {}; // the new cluster has its own figures
                 return plannedAgain(std::move(loaded), {}, stop);
             }
             auto next = TRY(loadSideCluster(state, *side, source));
             const bool isNew = next.side(*side).cluster != state.side(*side).cluster;
             return isNew && showsDag(next) ? plannedAgain(std::move(next), side, stop) : next;
         });
}

void Session::openSample(const QString &cluster) {
    load(tr("sample"), jobTask(sampleSource(), cluster.toStdString(), m_startStrategies));
}

void Session::startLoading(const QString &what, Reader read) {
    m_progress = std::make_shared<Progress>();
    m_loader.start([what, read = std::move(read), from = m_state, progress = m_progress](const auto &stop, const auto &post) {
        post({what, read(stop, progress.get()), from});
    });
    Q_EMIT loadStarted(what);
    m_progressTimer.start();
}

void Session::endLoad(const Loaded &loaded) {
    m_progressTimer.stop();
    Q_EMIT loadEnded();
    std::visit(
        [&](const auto &content) {
            if (!content)
                Q_EMIT failed(content.error(), false);
            else if constexpr (std::is_same_v<decltype(content), const Result<SessionState> &>)
                take(loaded.what, keepingChanges(*content, loaded.from, m_state));
            else
                take(loaded.what, *content);
        },
        loaded.content);
}

void Session::openProject(const QString &path) {
    Q_EMIT projectWanted(path);
    startLoading(path, [path](const std::stop_token &stop, Progress *progress) -> Content {
        return readProject(path.toStdString(), stop, progress);
    });
}

void Session::take(const QString &path, const Project &project) {
    m_startStrategies = {}; // the next job that is opened keeps the project's sides
    m_dragStart.reset();
    m_undo.clear();
    Q_EMIT projectRead(path, project);
    apply(project.present);
    for (const Error &loss : project.losses)
        Q_EMIT failed(loss, false);
    Q_EMIT message(tr("Opened %1").arg(path));
}

void Session::load(const QString &what, StateTask task) {
    startLoading(what, [task = std::move(task), state = m_state](const std::stop_token &stop, Progress *progress) {
        return task(state, stop, progress);
    });
}

void Session::take(const QString &what, const SessionState &loaded) {
    const bool isRecording = showsRecording(loaded), isDag = showsDag(loaded), opensDag = isDag && loaded.job != m_state.job;
    const auto dagBefore = isDag ? shownDag(m_state, Side::A) : nullptr;
    const bool anotherJob = loaded.source != m_state.source && m_startStrategies == decltype(m_startStrategies){};
    SessionState next = withLoaded(m_state, loaded, anotherJob && !isRecording && !isDag);
    if (!m_state.job && loaded.job) // a cluster opened before any job leaves the start's strategies to the job
        m_startStrategies = {};
    const bool tells = loaded.profile && loaded.profile != m_state.profile;
    const QString remark = tells && !isRecording ? QString::fromStdString(remarkOnCluster(next)) : QString();
    Q_EMIT message(tr("Loaded %1").arg(what));
    Q_EMIT this->loaded(what);
    change(std::move(next), tr("Open %1").arg(QFileInfo(what).fileName()));
    if (!m_state.job)
        Q_EMIT remarked(tr("%1 is the cluster of the next profile, job file or catalogue job that is opened.")
                            .arg(QFileInfo(what).fileName()));
    if (opensDag) {
        Q_EMIT remarked(
            tr("%1 is planned for the cluster %2, on both sides; choose planners and cluster among the knobs.")
                .arg(QString::fromStdString(m_state.job->name), QString::fromStdString(clusterTitle(m_state.clusterSource))));
    }
    if (const auto dag = isDag ? shownDag(m_state, Side::A) : nullptr; dag && (opensDag || !dagBefore || *dag != *dagBefore))
        Q_EMIT planFileRead(what, dag); // it is planned next
    if (tells && isRecording) {
        Q_EMIT remarked(said(whyNoJob(*m_state.job)));
        Q_EMIT recordingOpened();
    } else if (tells)
        Q_EMIT profileOpened(remark);
}

void Session::cancelLoad() {
    if (!isLoading())
        return;
    m_loader.cancel();
    m_progressTimer.stop();
    Q_EMIT loadEnded();
    Q_EMIT message(tr("Loading cancelled"));
}

void Session::requestArea(const AreaQuery &query) {
    m_area.start([runs = std::array{run(Side::A), run(Side::B)}, query](const std::stop_token &stop, const auto &post) {
        post(countArea(runs, query, stop));
    });
}

} // namespace syncopate::ui
