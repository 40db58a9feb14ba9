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

/// Opens and saves for a window: file dialogs, dropped files, and recent files.
class Files final : public QObject {
    Q_OBJECT
public:
    Files(QWidget &window, Session &session, ProjectKeeper &keeper, MessageBar &messages);

    /// A profile, job, cluster or project.
    void open(const QString &path) { m_session.open(path); }
    void openDialog();
    /// The traces of a job's ranks, in one folder.
    void openFolderDialog();
    /// Opens the cluster of both sides, or that side's own.
    void openClusterDialog(std::optional<Side> side);
    /// Adds sizes to a profile that lacks them.
    void attachSizesDialog();
    /// Sets the figures of the shared cluster from measurements.
    void calibrateDialog();
    /// Opens the first of the URLs that is a file. If there are several, says so, and offers their folder if they share one.
    void openDropped(const QList<QUrl> &urls);
    /// Saves the project; asks for a name if it has none, or if `elsewhere`.
    void saveProject(bool elsewhere);
    void saveCluster(const Cluster &cluster);
    /// Replaces the entries of a menu by the recent files.
    void fillRecent(QMenu &menu);

private:
    /// The first of several dropped files, while it is being opened.
    struct Dropped {
        QString path;
        qsizetype count = 0;
        QString folder; ///< of all of them; empty: they share none
        bool isOpened = false;
        bool isRemarked = false; ///< the session has a remark on it
    };
    void connectDropped();
    /// Says that one of several dropped files was opened, except in place of an error or a remark; of a profile in any case,
    /// where a button opens the folder.
    void tellOpened();

    QWidget &m_window;
    Session &m_session;
    ProjectKeeper &m_keeper;
    MessageBar &m_messages;
    std::optional<Dropped> m_dropped;
};

} // namespace syncopate::ui
