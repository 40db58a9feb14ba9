// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/project_keeper.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUndoCommand>
#include <QUuid>
#include <future>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int pauseMilliseconds = 1000; ///< after the last change: a drag is saved once

QDir sessionFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"));
}

QString lockOf(const QString &path) { return path + QStringLiteral(".lock"); }

void removeSession(const QString &path) {
    QFile::remove(path);
    QFile::remove(path + QStringLiteral("-journal"));
}

} // namespace

/// The kept scenarios before and after.
class ScenariosCommand final : public QUndoCommand {
public:
    ScenariosCommand(ProjectKeeper &keeper, std::vector<KeptScenario> after, const QString &text)
        : QUndoCommand(text), m_keeper(keeper), m_before(keeper.m_scenarios), m_after(std::move(after)) {}
    void undo() override { m_keeper.setScenarios(m_before); }
    void redo() override { m_keeper.setScenarios(m_after); }

private:
    ProjectKeeper &m_keeper;
    std::vector<KeptScenario> m_before, m_after;
};

ProjectKeeper::ProjectKeeper(Session &session, std::function<void(Project &)> complete, QObject *parent)
    : QObject(parent), m_session(session), m_complete(std::move(complete)) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, &ProjectKeeper::write);
    connect(&session, &Session::stateChanged, this, &ProjectKeeper::touch);
    connect(&session, &Session::projectRead, this, &ProjectKeeper::takeUp);
}

ProjectKeeper::~ProjectKeeper() = default;

void ProjectKeeper::setScenarios(std::vector<KeptScenario> scenarios) {
    m_scenarios = std::move(scenarios);
    Q_EMIT scenariosChanged();
    touch();
}

void ProjectKeeper::changeScenarios(std::vector<KeptScenario> next, const QString &text) {
    if (next != m_scenarios)
        m_session.undoStack()->push(new ScenariosCommand(*this, std::move(next), text));
}

void ProjectKeeper::keepPresent(const QString &name) {
    KeptScenario kept;
    kept.name = name.toStdString();
    kept.keptAt = QDateTime::currentSecsSinceEpoch();
    kept.state = m_session.state();
    if (!m_session.isStale())
        for (const Side side : {Side::A, Side::B})
            if (const auto run = m_session.run(side))
                kept.iterationSeconds[indexOf(side)] = run->recording().iterationSeconds;
    std::vector<KeptScenario> next = m_scenarios;
    next.push_back(std::move(kept));
    changeScenarios(std::move(next), tr("Keep “%1”").arg(name));
}

void ProjectKeeper::takeUp(const QString &path, const Project &project) {
    flush(); // the state is still that of before
    leaveSessionFile();
    m_scenarios = project.scenarios;
    const bool isSession = isSessionFile(path);
    m_path = isSession ? QString() : path;
    m_revision = isSession ? 0 : project.revision;
    m_refused = false;
    if (isSession) // its content goes on in this session's file
        removeSession(path);
    Q_EMIT scenariosChanged();
    Q_EMIT pathChanged();
    Q_EMIT opened(project);
    // What the window took from the project is not a change of it.
    m_dirty = isSession;
    if (isSession)
        m_pause.start();
    else
        m_pause.stop();
}

void ProjectKeeper::touch() {
    m_dirty = true;
    // What waits is saved at the latest a moment after the first change that followed a save.
    if (!m_pause.isActive())
        m_pause.start();
}

Project ProjectKeeper::project() const {
    Project project;
    project.present = m_session.state();
    project.scenarios = m_scenarios;
    project.revision = m_revision;
    m_complete(project);
    return project;
}

QString ProjectKeeper::target() {
    if (!m_path.isEmpty())
        return m_path;
    if (!m_keepsSessions || !m_session.state().job)
        return {};
    if (m_sessionPath.isEmpty()) {
        const QDir folder = sessionFolder();
        if (!folder.mkpath(QStringLiteral(".")))
            return {};
        m_sessionPath = folder.filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".syncopate"));
        m_sessionLock = std::make_unique<QLockFile>(lockOf(m_sessionPath));
        m_sessionLock->setStaleLockTime(0); // held as long as its program runs
        m_sessionLock->tryLock();
        m_revision = 0;
    }
    return m_sessionPath;
}

void ProjectKeeper::write() {
    const QString path = target();
    if (path.isEmpty() || !m_dirty)
        return;
    if (m_writing) {
        m_pause.start();
        return;
    }
    m_dirty = false;
    m_writing = true;
    m_writer.start([path, from = std::exchange(m_copyFrom, {}), project = project()](const std::stop_token &, const auto &post) {
        // Profiles whose own files are gone are in the project as it was: a copy of it takes them along.
        if (!from.isEmpty() && QFile::exists(from)) {
            QFile::remove(path);
            QFile::copy(from, path);
        }
        post({path, writeProject(project, path.toStdString())});
    });
}

void ProjectKeeper::finishWrite(const Written &written) {
    const auto &[path, revision] = written;
    m_writing = false;
    if (path != m_path && path != m_sessionPath)
        return; // another project was opened meanwhile
    if (!revision) {
        m_dirty = true;
        if (!std::exchange(m_refused, true))
            Q_EMIT m_session.failed(revision.error(), false);
        return;
    }
    m_revision = *revision;
    m_refused = false;
    if (path == m_path && !m_sessionPath.isEmpty()) {
        removeSession(m_sessionPath);
        leaveSessionFile();
    }
    Q_EMIT saved(path);
}

void ProjectKeeper::save() {
    m_refused = false;
    m_dirty = true;
    write();
}

void ProjectKeeper::saveAs(const QString &path) {
    m_pause.stop();
    const QString before = m_path.isEmpty() ? m_sessionPath : m_path;
    m_copyFrom = before == path ? QString() : before;
    m_path = path;
    m_revision = 0; // whatever is there was to be replaced
    Q_EMIT pathChanged();
    save();
}

void ProjectKeeper::flush() {
    m_pause.stop();
    const QString path = target();
    if (path.isEmpty() || (!m_dirty && !m_writing))
        return;
    // On the writer's thread, behind what is being written; the caller is about to close and may wait.
    std::promise<Result<std::int64_t>> done;
    Project last = project();
    if (m_writing)
        last.revision = 0; // that save is ours: its revision is not known here yet
    m_writer.start([&done, path, last = std::move(last)](const std::stop_token &, const auto &) {
        done.set_value(writeProject(last, path.toStdString()));
    });
    const auto revision = done.get_future().get();
    m_dirty = !revision;
    if (!revision)
        Q_EMIT m_session.failed(revision.error(), false);
    else
        m_revision = *revision;
    constexpr int kept = 5; // the newest is offered; the others are there should it be the wrong one
    const QFileInfoList old = sessionFolder().entryInfoList({QStringLiteral("*.syncopate")}, QDir::Files, QDir::Time).mid(kept);
    for (const QFileInfo &file : old)
        if (QLockFile lock(lockOf(file.filePath())); lock.tryLock(0))
            removeSession(file.filePath());
}

void ProjectKeeper::leaveSessionFile() {
    m_sessionPath.clear();
    m_sessionLock.reset();
}

bool ProjectKeeper::isSessionFile(const QString &path) {
    return QFileInfo(path).dir().canonicalPath() == sessionFolder().canonicalPath() && !path.isEmpty();
}

QString ProjectKeeper::lastSession() {
    for (const QFileInfo &file : sessionFolder().entryInfoList({QStringLiteral("*.syncopate")}, QDir::Files, QDir::Time)) {
        QLockFile lock(lockOf(file.filePath()));
        lock.setStaleLockTime(0);
        if (lock.tryLock(0))
            return file.filePath();
    }
    return {};
}

} // namespace syncopate::ui
