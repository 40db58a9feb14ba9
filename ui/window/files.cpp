// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files.h"

#include "engine/export/export.h"
#include "ui/project/recent_files.h"
#include "ui/theme/plain_text.h"
#include "ui/window/message_bar.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSet>
#include <QStandardPaths>
#include <QUrl>
#include <utility>

namespace syncopate::ui {

namespace {

const QString projectSuffix = QStringLiteral(".syncopate");

/// Asks for the file to save to, first `proposed`. A name without a suffix gets `suffix` in the dialog, which then asks before
/// another file is replaced. Empty if the user cancels.
QString askWhereToSave(QWidget &window, const QString &title, const QString &proposed, const QString &filter,
                       const QString &suffix) {
    QFileDialog dialog(&window, title, QFileInfo(proposed).path(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(QFileInfo(proposed).fileName());
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString documents() { return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation); }

} // namespace

Files::Files(QWidget &window, Session &session, ProjectKeeper &keeper, MessageBar &messages)
    : m_window(window), m_session(session), m_keeper(keeper), m_messages(messages) {
    connect(&session, &Session::loaded, this, [](const QString &what) { RecentFiles::add(what); });
    connect(&session, &Session::projectRead, this, [](const QString &path) {
        if (!ProjectKeeper::isSessionFile(path))
            RecentFiles::add(path);
    });
    connect(&keeper, &ProjectKeeper::saved, this, [this](const QString &path) {
        if (path == m_keeper.path()) // else it is the session's own file, which is internal
            RecentFiles::add(path);
    });
    connectDropped();
}

void Files::connectDropped() {
    connect(&m_session, &Session::loadStarted, this, [this] { m_dropped.reset(); });
    const auto opened = [this](const QString &what) {
        if (!m_dropped || m_dropped->path != what)
            return;
        m_dropped->isOpened = true;
        // After the session has taken it over, which may say what the file lacks.
        QMetaObject::invokeMethod(this, &Files::tellOpened, Qt::QueuedConnection);
    };
    connect(&m_session, &Session::loaded, this, opened);
    connect(&m_session, &Session::projectRead, this, opened);
    connect(&m_session, &Session::planFileRead, this, opened);
    connect(&m_session, &Session::failed, this, [this] {
        if (!m_session.isLoading()) // else it is of something else
            m_dropped.reset();
    });
    connect(&m_session, &Session::remarked, this, [this] {
        if (m_dropped && !m_session.isLoading())
            m_dropped->isRemarked = true;
    });
}

void Files::openDialog() {
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Open a profile, job, training DAG, cluster or project"), {},
        tr("Profiles, jobs, DAGs, clusters and projects (*.json *.json.gz *.gz *.zip *.tar *.tgz *.db "
           "*.sqlite *.pb *.pftrace *.perfetto-trace *.et *.txt *.dag *.yml *.yaml "
           "*.syncopate);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void Files::openFolderDialog() {
    const QString folder = QFileDialog::getExistingDirectory(&m_window, tr("Open the folder of a job's ranks"));
    if (!folder.isEmpty())
        open(folder);
}

void Files::openClusterDialog(std::optional<Side> side) {
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open a cluster"), {},
                                                      tr("Clusters (*.yml *.yaml *.json *.xml *.txt);;All files (*)"));
    if (!path.isEmpty())
        m_session.openCluster(path, side);
}

void Files::attachSizesDialog() {
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Attach the sizes of the model's variables"), {},
        tr("Job files, checkpoints and ONNX models (*.json *.safetensors *.onnx *.index);;All files (*)"));
    if (!path.isEmpty())
        m_session.attachSizes(path);
}

void Files::calibrateDialog() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        &m_window, tr("Calibrate the cluster by measurements"), {},
        tr("Message costs, logs of collectives, profiles (*.csv *.log *.txt *.json *.json.gz *.gz);;All files (*)"));
    if (!paths.isEmpty())
        m_session.calibrate(paths);
}

void Files::openDropped(const QList<QUrl> &urls) {
    QStringList paths;
    QSet<QString> folders;
    for (const QUrl &url : urls)
        if (url.isLocalFile()) {
            paths += QDir::cleanPath(url.toLocalFile()); // a folder may end with a slash
            folders += QFileInfo(paths.back()).path();
        }
    if (paths.isEmpty()) {
        m_messages.showError(
            {tr("Only files of this machine can be dropped.").toStdString(), tr("Save the file first.").toStdString(), {}, {}});
        return;
    }
    open(paths.front());
    if (paths.size() > 1)
        m_dropped = {paths.front(), paths.size(), folders.size() == 1 ? QFileInfo(paths.front()).path() : QString()};
}

void Files::tellOpened() {
    if (!m_dropped || !m_dropped->isOpened)
        return; // reading it has failed, or another file is read
    const Dropped dropped = *std::exchange(m_dropped, std::nullopt);
    const QString name = QFileInfo(dropped.path).fileName(), count = QString::number(dropped.count);
    const SessionState &state = m_session.state();
    if (!state.profile || state.source != dropped.path.toStdString()) {
        if (!dropped.isRemarked)
            m_messages.showDone(tr("Opened %1, one of %2 files. Drop the others one at a time.").arg(name, count));
        return;
    }
    m_messages.showOffer(
        tr("Opened %1, one of %2 files. To open all ranks of a job, open their folder.").arg(name, count),
        tr("Open folder as ranks"), tr("Open %1").arg(dropped.folder),
        dropped.folder.isEmpty() ? std::function<void()>() : [this, folder = dropped.folder] {
            m_messages.hide();
            open(folder);
        });
}

void Files::saveProject(bool elsewhere) {
    if (!elsewhere && !m_keeper.path().isEmpty()) {
        m_keeper.save();
        return;
    }
    const QString copyOf = m_keeper.copyOf();
    const QString name = copyOf.isEmpty() ? QFileInfo(QString::fromStdString(m_session.state().source)).completeBaseName()
                                          : tr("Copy of %1").arg(QFileInfo(copyOf).completeBaseName());
    const QString known = copyOf.isEmpty() ? m_keeper.path() : copyOf;
    const QString folder = known.isEmpty() ? documents() : QFileInfo(known).path();
    QString path = folder + QLatin1Char('/') + name + projectSuffix;
    // A name with a dot of its own still lacks the suffix. If it names another file with it, the dialog asks again.
    bool isWhole = true;
    do {
        path = askWhereToSave(m_window, tr("Save the project"), path, tr("Syncopate projects (*%1)").arg(projectSuffix),
                              projectSuffix);
        if (path.isEmpty())
            return;
        isWhole = path.endsWith(projectSuffix);
        if (!isWhole)
            path += projectSuffix;
    } while (!isWhole && QFileInfo::exists(path));
    m_keeper.saveAs(path);
}

void Files::saveCluster(const Cluster &cluster) {
    const Cluster asked = cluster; // the panel may show another one while the file dialog is open
    const QString name = asked.name.empty() ? QStringLiteral("cluster") : QString::fromStdString(asked.name);
    const QString path =
        askWhereToSave(m_window, tr("Save the cluster"), documents() + QLatin1Char('/') + name + QStringLiteral(".yml"),
                       tr("resource_spec.yml (*.yml *.yaml)"), QStringLiteral("yml"));
    if (path.isEmpty())
        return;
    if (const auto written = writeFile(path.toStdString(), writeResourceSpec(asked)); !written)
        m_messages.showError(written.error());
    else
        m_messages.showDone(tr("Saved %1").arg(QFileInfo(path).fileName()), QFileInfo(path).path());
}

void Files::fillRecent(QMenu &menu) {
    menu.clear();
    for (const QString &path : RecentFiles::list()) {
        QAction *one = menu.addAction(plainAction(RecentFiles::titleOf(path)), this, [this, path] { open(path); });
        one->setToolTip(plainTip(path));
    }
    if (menu.isEmpty())
        menu.addAction(tr("Nothing was opened yet"))->setEnabled(false);
    else
        menu.addSeparator();
    menu.setToolTipsVisible(true);
    QAction *clear = menu.addAction(tr("Forget these"), this, [] { RecentFiles::clear(); });
    clear->setEnabled(menu.actions().size() > 2);
}

} // namespace syncopate::ui
