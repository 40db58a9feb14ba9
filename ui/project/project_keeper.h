// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/project_file.h"
#include "ui/session/session.h"

#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace syncopate::ui {

/// What keeps a session beyond its window: the scenarios that the user kept, and the project file. Every change is saved a moment
/// later, on a thread of its own: to the project's file once it has one, until then to a file of the session's that the next
/// start offers to continue from.
class ProjectKeeper final : public QObject {
    Q_OBJECT
public:
    /// `complete` adds, when the project is saved, what only the window knows: what its views look like, and its search.
    ProjectKeeper(Session &session, std::function<void(Project &)> complete, QObject *parent = nullptr);
    ~ProjectKeeper() override;

    [[nodiscard]] QString path() const { return m_path; } ///< empty: no file of the user's yet
    [[nodiscard]] const std::vector<KeptScenario> &scenarios() const { return m_scenarios; }
    /// Makes `next` the kept scenarios, as one undo step called `text`.
    void changeScenarios(std::vector<KeptScenario> next, const QString &text);
    /// Keeps the present state under `name`.
    void keepPresent(const QString &name);

    /// Saves now; with a path, there from now on. Failures go through Session::failed().
    void save();
    void saveAs(const QString &path);
    /// Something that only the views know changed.
    void touch();
    /// Saves what is not saved yet and waits for it: the window closes.
    void flush();
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
    /// A project was opened: the window may want to look as it did. Its state is the session's a moment later.
    void opened(const syncopate::Project &project);

private:
    friend class ScenariosCommand;
    void setScenarios(std::vector<KeptScenario> scenarios);
    void takeUp(const QString &path, const Project &project);
    void write();
    struct Written {
        QString path;
        Result<std::int64_t> revision;
    };
    void finishWrite(const Written &written);
    [[nodiscard]] Project project() const;
    [[nodiscard]] QString target();
    void leaveSessionFile();

    Session &m_session;
    std::function<void(Project &)> m_complete;
    std::vector<KeptScenario> m_scenarios;
    QString m_path;        ///< of the user's file
    QString m_sessionPath; ///< of the session's own file, while there is no other
    std::unique_ptr<QLockFile> m_sessionLock;
    std::int64_t m_revision = 0;
    QString m_copyFrom; ///< the next write starts from a copy of it
    bool m_dirty = false;
    bool m_writing = false;
    bool m_refused = false; ///< the last save failed: said once
    bool m_keepsSessions = false;
    QTimer m_pause;
    /// Nothing stops or replaces what is being written.
    Background<Written> m_writer{this, [this](const Written &written) { finishWrite(written); }, std::chrono::hours(24)};
};

} // namespace syncopate::ui
