// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/annotations.h"
#include "ui/project/project_keeper.h"

#include <QJsonObject>
#include <QObject>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::ui {

class Panels;
class Panes;

/// The part of a project that says how a window looks: stretch of time, panels, notes and lanes, searches and their candidates,
/// curves. Adds it to a project being saved, and shows it when a project is opened.
class ProjectViews final : public QObject {
    Q_OBJECT
public:
    ProjectViews(Session &session, ProjectKeeper &keeper, Panes &panes, Panels &panels);

    /// Adds the views to a project being saved.
    void complete(Project &project) const;
    /// Shows the views of an opened project, once; called when its runs have arrived.
    void show();
    /// Notes belong to a job: shows those of the loaded job.
    void showNotesOfJob();

private:
    void take(const Project &project);
    /// Returns false and changes nothing if they are not a layout.
    [[nodiscard]] bool showPanels(const QJsonObject &panels);
    /// Another job was opened before the views could be shown: its notes, if any, take the place of those of the job before;
    /// lanes and stretches of time of that one are forgotten.
    void leaveViewsTo(const std::string &source);
    void showTimelines(const QJsonObject &timelines);
    void showTime(const QJsonObject &time);
    [[nodiscard]] QJsonObject time() const;
    [[nodiscard]] QJsonObject timelines() const;

    Session &m_session;
    ProjectKeeper &m_keeper;
    Panes &m_panes;
    Panels &m_panels;
    std::optional<std::map<std::string, std::string>> m_toShow; ///< of an opened project, until its runs have arrived
    std::string m_notesOf;                                      ///< source of the job that the shown notes belong to
    std::map<std::string, std::vector<Note>> m_otherNotes;      ///< of jobs loaded earlier, by source
};

} // namespace syncopate::ui
