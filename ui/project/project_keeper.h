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

/// What keeps a session beyond its window: the scenarios that the user kept, and the project file. Every change is saved a moment
/// later, on a thread of its own: to the project's file once it has one, until then to a file of the session's that the next
/// start offers to continue from. Opening a project changes nothing in it: only what differs from the file's content is saved.
/// One window owns a project (ProjectLock); in any other that opens it, it is a copy that has no file yet, and says so.
class ProjectKeeper final : public QObject {
    Q_OBJECT
public:
    /// `complete` adds, when the project is saved, what only the window knows: what its views look like, and its search.
    ProjectKeeper(Session &session, std::function<void(Project &)> complete, QObject *parent = nullptr);
    ~ProjectKeeper() override;

    [[nodiscard]] QString path() const { return m_path; } ///< empty: no file of the user's yet
    [[nodiscard]] const std::vector<KeptScenario> &scenarios() const { return m_scenarios; }
    /// The project that this window has a copy of, because another window has it open; else empty.
    [[nodiscard]] QString copyOf() const { return m_copyOf; }
    /// Makes `next` the kept scenarios, as one undo step called `text`.
    void changeScenarios(std::vector<KeptScenario> next, const QString &text);
    /// Keeps the present state under `name`.
    void keepPresent(const QString &name);

    /// Saves now; with a path, there from now on. Failures go through Session::failed().
    void save();
    void saveAs(const QString &path);
    /// Something that only the views know may have changed.
    void touch();
    /// The views of the opened project are on screen: what opening it made of them is no change of the user's.
    void viewsShown();
    /// Saves what is not saved yet and waits for it.
    void flush();
    /// The window closes: flush(), and the project is left to others.
    void close();
    /// Whether what is not saved as a project is kept in a file of the session's own. Not unless asked for.
    void setKeepsSessions(bool keeps) { m_keepsSessions = keeps; }

    /// The file of the last session that was not saved as a project, empty where there is none. Sessions that are still open,
    /// here or in another program, are not among them.
    [[nodiscard]] static QString lastSession();
    [[nodiscard]] static bool isSessionFile(const QString &path);

Q_SIGNALS:
    void scenariosChanged();
    void pathChanged();
    void saved(const QString &path);
    /// Another window, named `who`, opened this project, too; it has a copy.
    void visited(const QString &who);
    /// A project was opened: the window may want to look as it did. Its state is the session's a moment later.
    void opened(const syncopate::Project &project);

private:
    friend class ScenariosCommand;
    void setScenarios(std::vector<KeptScenario> scenarios);
    void takeUp(const QString &path, const Project &project);
    void write();
    struct Written {
        QString path; ///< that was asked for
        Result<SavedProject> saved;
    };
    /// For the writer's thread: `from`, where not empty, is copied to `path` before.
    [[nodiscard]] static Written written(Project project, const QString &path, const QString &from, std::int64_t &revision);
    void finishWrite(const Written &written);
    /// The project was saved beside the file that it was to go to: it is there from now on.
    void goOnBeside(const QString &asked, const QString &path);
    [[nodiscard]] Project project() const;
    /// Whether the file, if there is one, holds anything else than `project`.
    [[nodiscard]] bool isChange(Project project) const;
    [[nodiscard]] QString target();
    void adoptViews();
    void own(std::unique_ptr<ProjectLock> lock);
    void leaveSessionFile();

    Session &m_session;
    std::function<void(Project &)> m_complete;
    std::vector<KeptScenario> m_scenarios;
    QString m_path;        ///< of the user's file
    QString m_sessionPath; ///< of the session's own file, while there is no other
    QString m_copyOf;      ///< a project that another window has
    std::unique_ptr<ProjectLock> m_lock, m_sessionLock;
    QFileSystemWatcher m_visitors; ///< watches m_lock
    /// Of the file at the last save; belongs to the writer's thread while it writes.
    std::shared_ptr<std::int64_t> m_revision = std::make_shared<std::int64_t>(0);
    std::optional<Project> m_known; ///< content of the file, as far as it is known
    std::optional<Project> m_beingWritten;
    QString m_copyFrom;     ///< the next write starts from a copy of it
    bool m_dirty = false;   ///< there may be a change
    bool m_wanted = false;  ///< saved even without one
    bool m_opening = false; ///< the views of the opened project are not on screen yet
    bool m_refused = false; ///< the last save failed: said once
    bool m_keepsSessions = false;
    QTimer m_pause;
    /// Nothing stops or replaces what is being written.
    Background<Written> m_writer{this, [this](const Written &written) { finishWrite(written); }, std::chrono::hours(24)};
};

} // namespace syncopate::ui
