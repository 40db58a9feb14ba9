// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "ui/project/project_keeper.h"

#include <QObject>
#include <optional>

class QMenu;
class QWidget;

namespace syncopate::ui {

class MessageBar;

/// Opens and saves for a window: file dialogs, files that are dropped, and the recent ones.
class Files final : public QObject {
    Q_OBJECT
public:
    Files(QWidget &window, Session &session, ProjectKeeper &keeper, MessageBar &messages);

    /// A profile, job, cluster or project.
    void open(const QString &path) { m_session.open(path); }
    void openDialog();
    /// The cluster of both sides, or that side's own.
    void openClusterDialog(std::optional<Side> side);
    /// Sizes for a profile that lacks them.
    void attachSizesDialog();
    /// Measurements that set the figures of the shared cluster.
    void calibrateDialog();
    /// Opens the first of these that is a file.
    void openDropped(const QList<QUrl> &urls);
    /// Saves the project; asks for a name where it has none, or where it is to be saved `elsewhere`.
    void saveProject(bool elsewhere);
    void saveCluster(const Cluster &cluster);
    /// Fills a menu with the recent files, in place of what it has.
    void fillRecent(QMenu &menu);

private:
    QWidget &m_window;
    Session &m_session;
    ProjectKeeper &m_keeper;
    MessageBar &m_messages;
};

} // namespace syncopate::ui
