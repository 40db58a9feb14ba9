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

constexpr int pauseMilliseconds = 1000; ///< after the last change, so that a drag is saved once

QDir sessionFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"));
}

/// Views that change without the user, with the window's size: saved only along with another change.
const std::vector<std::string> ownViews{"panels"};

/// Whether both lead to one file, however they are spelled.
bool isSameFile(const QString &a, const QString &b) {
    const QString file = QFileInfo(a).canonicalFilePath(); // empty if there is none
    return a == b || (!file.isEmpty() && file == QFileInfo(b).canonicalFilePath());
}

void removeSession(const QString &path) {
    QFile::remove(path);
    QFile::remove(path + QStringLiteral("-journal"));
}

} // namespace

/// An undo step between the kept scenarios before and after a change.
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
    connect(&session, &Session::projectWanted, this, [this](const QString &path) {
        if (!isSameFile(path, m_path))
            return;
        flush();
        m_revisionWhenWanted = *m_revision; // no writer has it now
    });
    connect(&session, &Session::projectRead, this, &ProjectKeeper::takeUp);
    connect(&m_visitors, &QFileSystemWatcher::fileChanged, this, [this] {
        if (const std::string visitor = m_lock ? m_lock->lastVisitor() : std::string(); !visitor.empty())
            Q_EMIT visited(QString::fromStdString(visitor));
    });
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
    for (const Side side : {Side::A, Side::B})
        if (!m_session.isStale(side))
            if (const auto run = m_session.run(side))
                kept.iterationSeconds[indexOf(side)] = run->recording().iterationSeconds;
    std::vector<KeptScenario> next = m_scenarios;
    next.push_back(std::move(kept));
    changeScenarios(std::move(next), tr("Keep “%1”").arg(name));
}

void ProjectKeeper::takeUp(const QString &path, const Project &project) {
    flush();          // the state is still the previous one
    m_wanted = false; // if that failed, it has been reported: the project opened now is not to be saved in its place
    leaveSessionFile();
    m_scenarios = project.scenarios;
    own(nullptr); // it may be the same file
    // This window's own file: a change made while it was read has been saved there since, and counts for the next save.
    const bool hasSaved = isSameFile(path, m_path) && *m_revision != m_revisionWhenWanted && *m_revision > project.revision;
    const bool isSession = isSessionFile(path);
    auto lock = isSession ? Result<std::unique_ptr<ProjectLock>>() : ProjectLock::take(path.toStdString());
    m_copyOf = lock ? QString() : path;
    m_path = isSession || !lock ? QString() : path;
    m_copyFrom = isSession ? path : m_copyOf; // it may have the only copy of a profile
    m_revision = std::make_shared<std::int64_t>(m_path.isEmpty() ? 0 : hasSaved ? *m_revision : project.revision);
    m_refused = false;
    if (lock)
        own(*std::move(lock));
    Q_EMIT scenariosChanged();
    Q_EMIT pathChanged();
    Q_EMIT opened(project);
    m_dirty = isSession; // no file has what the window shows
    m_known = m_dirty ? std::nullopt : std::optional(project);
    m_opening = m_known.has_value();
    adoptViews();
    if (m_dirty)
        m_pause.start();
    else
        m_pause.stop();
    if (!lock)
        Q_EMIT m_session.failed({lock.error().what, "this window goes on with a copy: save it under another name", {}, {}},
                                false);
}

void ProjectKeeper::viewsShown() {
    m_opening = false;
    adoptViews();
}

void ProjectKeeper::adoptViews() {
    if (!m_known)
        return;
    // Sheets round their values, panels add state that the file lacks, and projects from the command line have no views at all.
    Project shown = project();
    m_known->views = std::move(shown.views);
    m_known->curves = std::move(shown.curves);
    m_known->search = std::move(shown.search);
}

bool ProjectKeeper::isChange(Project project) const {
    if (m_opening)
        project.curves = m_known->curves; // their sheet is still being filled
    return m_wanted || !m_known || !sameContent(project, *m_known, ownViews);
}

void ProjectKeeper::own(std::unique_ptr<ProjectLock> lock) {
    if (m_lock)
        m_visitors.removePath(QString::fromStdString(m_lock->lockPath()));
    m_lock = std::move(lock);
    if (m_lock)
        m_visitors.addPath(QString::fromStdString(m_lock->lockPath()));
}

void ProjectKeeper::touch() {
    m_dirty = true;
    // A pending change is saved no later than one pause after the first change since the last save.
    if (!m_pause.isActive())
        m_pause.start();
}

Project ProjectKeeper::project() const {
    Project project;
    project.present = m_session.state();
    project.scenarios = m_scenarios;
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
        m_sessionLock = ProjectLock::take(m_sessionPath.toStdString()).value_or(nullptr);
        m_revision = std::make_shared<std::int64_t>(0);
    }
    return m_sessionPath;
}

ProjectKeeper::Written ProjectKeeper::written(Project project, const QString &path, const QString &from, std::int64_t &revision) {
    const std::string to = path.toStdString();
    // Profiles whose own files are gone exist only in the old project.
    const bool isCopy = !from.isEmpty() && QFile::exists(from);
    project.revision = revision;
    auto saved = isCopy ? saveProjectAs(std::move(project), to, from.toStdString()) : saveProject(std::move(project), to);
    if (saved)
        revision = saved->revision;
    return {path, from, std::move(saved)};
}

void ProjectKeeper::write() {
    if (!m_dirty || (m_path.isEmpty() && !m_keepsSessions))
        return;
    if (m_beingWritten) {
        m_pause.start();
        return;
    }
    Project next = project();
    m_dirty = isChange(next);
    const QString path = m_dirty ? target() : QString();
    if (path.isEmpty())
        return;
    m_dirty = m_wanted = false;
    m_beingWritten = next;
    m_writer.start([path, from = m_copyFrom, next = std::move(next), revision = m_revision](
                       const std::stop_token &, const auto &post) { post(written(next, path, from, *revision)); });
}

void ProjectKeeper::finishWrite(const Written &written) {
    const auto &[path, from, saved] = written;
    auto content = std::exchange(m_beingWritten, std::nullopt);
    if (!content || (path != m_path && path != m_sessionPath))
        return; // flush() was faster, or another project was opened in the meantime
    if (!saved) {
        m_dirty = m_wanted = true;
        if (!std::exchange(m_refused, true))
            Q_EMIT m_session.failed(saved.error(), false);
        return;
    }
    m_known = std::move(content);
    // It may have the only copy of a profile: it stays, and the next write, at the latest on closing, starts from it again.
    const bool isLeft = !saved->hasCopy && isSessionFile(from) && QFile::exists(from);
    m_dirty = m_dirty || isLeft;
    m_wanted = m_wanted || isLeft;
    if (m_copyFrom == from && !isLeft) // after saveAs() meanwhile, the next file is a copy of this one
        m_copyFrom = path == m_path || m_path.isEmpty() ? QString() : path;
    if (m_keepsSessions && isSessionFile(from) && !isLeft) // its content has moved to the file just written
        removeSession(from);
    m_refused = false;
    const QString there = QString::fromStdString(saved->path);
    if (there != path)
        goOnBeside(path, there);
    if (there == m_path && !m_sessionPath.isEmpty()) {
        if (!isLeft || m_sessionPath != from)
            removeSession(m_sessionPath);
        leaveSessionFile();
    }
    Q_EMIT this->saved(there);
}

void ProjectKeeper::goOnBeside(const QString &asked, const QString &path) {
    own(ProjectLock::take(path.toStdString()).value_or(nullptr));
    m_path = path;
    Q_EMIT pathChanged();
    Q_EMIT m_session.failed({tr("%1 was saved by another program meanwhile").arg(QFileInfo(asked).fileName()).toStdString(),
                             tr("this window goes on in %1").arg(QFileInfo(path).fileName()).toStdString(),
                             {},
                             {}},
                            false);
}

void ProjectKeeper::save() {
    m_refused = false;
    m_dirty = m_wanted = true;
    write();
}

void ProjectKeeper::saveAs(const QString &path) {
    if (!isSameFile(path, m_path)) {
        auto lock = ProjectLock::take(path.toStdString());
        if (!lock) {
            Q_EMIT m_session.failed(lock.error(), false);
            return;
        }
        own(*std::move(lock));
    }
    m_pause.stop();
    const QString before = !m_path.isEmpty() ? m_path : !m_sessionPath.isEmpty() ? m_sessionPath : m_copyOf;
    if (m_copyFrom.isEmpty()) // else no save has taken its profiles over yet
        m_copyFrom = before;
    if (isSameFile(m_copyFrom, path))
        m_copyFrom.clear();
    m_path = path;
    m_copyOf.clear();
    m_revision = std::make_shared<std::int64_t>(0); // any existing file is meant to be replaced
    m_known.reset();
    m_opening = false;
    Q_EMIT pathChanged();
    save();
}

void ProjectKeeper::flush() {
    m_pause.stop();
    if (!m_dirty && !m_beingWritten)
        return;
    Project last = project();
    const QString path = m_beingWritten || isChange(last) ? target() : QString();
    if (path.isEmpty())
        return;
    m_dirty = m_wanted = false;
    // Runs on the writer's thread after the write in progress; the caller is about to close and may wait.
    std::promise<Written> done;
    m_writer.start([&done, path, from = m_copyFrom, last, revision = m_revision](const std::stop_token &, const auto &) {
        done.set_value(written(last, path, from, *revision));
    });
    m_beingWritten = std::move(last);
    finishWrite(done.get_future().get());
    constexpr int kept = 5; // the newest is offered; the others remain in case it is the wrong one
    const QFileInfoList old = sessionFolder().entryInfoList({QStringLiteral("*.syncopate")}, QDir::Files, QDir::Time).mid(kept);
    for (const QFileInfo &file : old)
        if (const auto lock = ProjectLock::take(file.filePath().toStdString()))
            removeSession(file.filePath());
}

void ProjectKeeper::close() {
    flush();
    own(nullptr);
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
        if (ProjectLock::take(file.filePath().toStdString()))
            return file.filePath();
    }
    return {};
}

} // namespace syncopate::ui
