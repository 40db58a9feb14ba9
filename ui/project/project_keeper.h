// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/project_file.h"
#include "engine/store/project_lock.h"
#include "ui/session/session.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::ui {

/// The parts of a session that outlive its window: the kept scenarios and the project file. Every change is saved a moment later
/// on a worker thread: to the project's file if there is one, else to a session file that the next start offers to continue.
/// Opening a project writes nothing: only what differs from the file is saved. One window owns a project (ProjectLock); any other
/// that opens it gets a copy without a file, and says so.
class ProjectKeeper final : public QObject {
    Q_OBJECT
public:
    /// `complete` adds the window's own parts at each save: the look of its views, and its search.
    ProjectKeeper(Session &session, std::function<void(Project &)> complete, QObject *parent = nullptr);
    ~ProjectKeeper() override;

    [[nodiscard]] QString path() const { return m_path; } ///< empty: no file of the user's yet
    [[nodiscard]] const std::vector<KeptScenario> &scenarios() const { return m_scenarios; }
    /// The project that this window has a copy of, since another window has it open; else empty.
    [[nodiscard]] QString copyOf() const { return m_copyOf; }
    /// Replaces the kept scenarios by `next`, as one undo step called `text`.
    void changeScenarios(std::vector<KeptScenario> next, const QString &text);
    /// Keeps the present state under `name`.
    void keepPresent(const QString &name);

    /// Saves now; with a path, saves there from now on. Failures go through Session::failed().
    void save();
    void saveAs(const QString &path);
    /// Notes that something known only to the views may have changed.
    void touch();
    /// The opened project's views are on screen: changes made while showing them were not the user's.
    void viewsShown();
    /// Saves pending changes and waits for it.
    void flush();
    /// Call when the window closes: flush(), and release the project's lock.
    void close();
    /// Whether unsaved work is kept in a session file; off by default.
    void setKeepsSessions(bool keeps) { m_keepsSessions = keeps; }

    /// The newest session file that was not saved as a project; empty if there is none. Sessions still open, here or in another
    /// program, are not considered.
    [[nodiscard]] static QString lastSession();
    [[nodiscard]] static bool isSessionFile(const QString &path);

Q_SIGNALS:
    void scenariosChanged();
    void pathChanged();
    void saved(const QString &path);
    /// Another window, named `who`, opened this project too and has a copy.
    void visited(const QString &who);
    /// A project was opened: the window may restore its views. The session's state follows a moment later.
    void opened(const syncopate::Project &project);

private:
    friend class ScenariosCommand;
    void setScenarios(std::vector<KeptScenario> scenarios);
    void takeUp(const QString &path, const Project &project);
    void write();
    struct Written {
        QString path; ///< the path asked for
        QString from; ///< the project whose profiles it was to contain; empty: none
        Result<SavedProject> saved;
    };
    /// For the writer's thread: the file contains the profiles of `from` too, if that is not empty.
    [[nodiscard]] static Written written(Project project, const QString &path, const QString &from, std::int64_t &revision);
    void finishWrite(const Written &written);
    /// The project was saved beside the file it was meant for: goes on saving there.
    void goOnBeside(const QString &asked, const QString &path);
    [[nodiscard]] Project project() const;
    /// Whether the file, if there is one, differs from `project`.
    [[nodiscard]] bool isChange(Project project) const;
    [[nodiscard]] QString target();
    void adoptViews();
    void own(std::unique_ptr<ProjectLock> lock);
    void leaveSessionFile();

    Session &m_session;
    std::function<void(Project &)> m_complete;
    std::vector<KeptScenario> m_scenarios;
    QString m_path;        ///< the user's file
    QString m_sessionPath; ///< the session's own file, while there is no user's file
    QString m_copyOf;      ///< the project that another window has open
    std::unique_ptr<ProjectLock> m_lock, m_sessionLock;
    QFileSystemWatcher m_visitors; ///< watches m_lock
    /// The file's revision at the last save; belongs to the writer's thread while it writes.
    std::shared_ptr<std::int64_t> m_revision = std::make_shared<std::int64_t>(0);
    std::int64_t m_revisionWhenWanted = 0; ///< m_revision when the session last began to read this file
    std::optional<Project> m_known;        ///< content of the file, as far as known
    std::optional<Project> m_beingWritten;
    QString m_copyFrom;     ///< writes start from a copy of this, until one succeeds; a session's, until one has that copy
    bool m_dirty = false;   ///< something may have changed
    bool m_wanted = false;  ///< save even if nothing changed
    bool m_opening = false; ///< the views of the opened project are not on screen yet
    bool m_refused = false; ///< the last save failed; reported once
    bool m_keepsSessions = false;
    QTimer m_pause;
    /// A write in progress is neither stopped nor replaced.
    Background<Written> m_writer{this, [this](const Written &written) { finishWrite(written); }, std::chrono::hours(24)};
};

} // namespace syncopate::ui
