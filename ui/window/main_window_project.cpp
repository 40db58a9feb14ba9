// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow's files: projects, recent ones, windows, and what a project keeps of how the window looks.
#include "engine/export/export.h"
#include "ui/project/annotation_views.h"
#include "ui/project/recent_files.h"
#include "ui/project/scenarios_panel.h"
#include "ui/runs/candidates_panel.h"
#include "ui/runs/search_panel.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/panel_layout.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QStandardPaths>
#include <QStatusBar>
#include <cmath>

namespace syncopate::ui {

namespace {

const QString projectSuffix = QStringLiteral(".syncopate");

QJsonArray rangeOf(const TimeAxis::Range &range) { return {range.first, range.second}; }

/// Nothing where the text is no range of an axis: a project may be anybody's.
std::optional<TimeAxis::Range> rangeFrom(const QJsonValue &value) {
    const QJsonArray array = value.toArray();
    const double from = array.at(0).toDouble(), to = array.at(1).toDouble();
    constexpr double longest = 1e15;
    if (array.size() != 2 || !(from < to) || std::abs(from) > longest || std::abs(to) > longest)
        return {};
    return TimeAxis::Range(from, to);
}

} // namespace

void MainWindow::makeProjectActions(QMenu *file) {
    QMenu *recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    add(file, QStringLiteral("newWindow"), tr("&New window"), QKeySequence::New, tr("Another window, to load something else in"),
        [this] { openWindow(); });
    file->addSeparator();
    add(file, QStringLiteral("save"), tr("&Save project"), QKeySequence::Save,
        tr("Save scenarios, views and what they were made from; changes after that are saved by themselves"),
        [this] { saveProject(false); });
    add(file, QStringLiteral("saveAs"), tr("Save project &as…"), QKeySequence(tr("Ctrl+Shift+S")),
        tr("Save the project under another name, and go on there"), [this] { saveProject(true); });
    add(file, QStringLiteral("keep"), tr("&Keep this scenario"), QKeySequence(tr("Ctrl+D")),
        tr("Keep what A and B are now, to come back to or to compare with"), [this] {
            raisePanel(QStringLiteral("scenarios"));
            m_scenarios->keep();
        });
    file->addSeparator();
    for (const char *name : {"save", "saveAs", "keep"}) {
        QAction *one = action(QLatin1String(name));
        const auto enable = [this, one] { allow(one, m_session.state().job != nullptr, tr("nothing is loaded yet")); };
        enable();
        connect(&m_session, &Session::stateChanged, one, enable);
    }

    connect(&m_session, &Session::loaded, this, [](const QString &what) { RecentFiles::add(what); });
    connect(&m_session, &Session::projectRead, this, [](const QString &path) {
        if (!ProjectKeeper::isSessionFile(path))
            RecentFiles::add(path);
    });
    connect(&m_keeper, &ProjectKeeper::pathChanged, this, &MainWindow::showTitle);
    connect(&m_keeper, &ProjectKeeper::saved, this, [this](const QString &path) {
        if (path != m_keeper.path())
            return; // the session's own file, which is not the user's business
        RecentFiles::add(path);
        statusBar()->showMessage(tr("Saved %1").arg(QFileInfo(path).fileName()), 2000);
    });
    connect(&m_keeper, &ProjectKeeper::opened, this, [this](const Project &project) {
        m_viewsToShow = project.views;
        m_fittedJob.reset(); // even where the job is the one that was there
        m_notesOf.clear();
        m_otherNotes.clear();
        m_notes.setNotes({});
        m_searcher->restore(project.search);
        m_throughput->restore(project.curves, project.present.job);
        if (project.search)
            for (const CandidateId pin : project.search->pins)
                m_candidates->model().setPinned(pin, true);
    });
    connect(m_searcher, &Searcher::statusChanged, &m_keeper, &ProjectKeeper::touch);
    connect(m_searcher, &Searcher::progressed, &m_keeper, &ProjectKeeper::touch);
    connect(m_search, &SearchPanel::settingsChanged, &m_keeper, &ProjectKeeper::touch);
    connect(m_candidates, &CandidatesPanel::changed, &m_keeper, &ProjectKeeper::touch);
    connect(m_throughput, &ThroughputPanel::changed, &m_keeper, &ProjectKeeper::touch);
    for (TimeAxis *axis : {&m_axis, &m_axisB})
        connect(axis, &TimeAxis::windowChanged, &m_keeper, &ProjectKeeper::touch);
}

void MainWindow::openFile(const QString &path) { m_session.open(path); }

void MainWindow::saveProject(bool elsewhere) {
    if (!elsewhere && !m_keeper.path().isEmpty()) {
        m_keeper.save();
        return;
    }
    const QString name = QFileInfo(QString::fromStdString(m_session.state().source)).completeBaseName();
    const QString folder = m_keeper.path().isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                                                     : QFileInfo(m_keeper.path()).path();
    QString path = QFileDialog::getSaveFileName(this, tr("Save the project"), folder + QLatin1Char('/') + name + projectSuffix,
                                                tr("Syncopate projects (*%1)").arg(projectSuffix));
    if (path.isEmpty())
        return;
    if (!path.endsWith(projectSuffix))
        path += projectSuffix;
    m_keeper.saveAs(path);
}

// By value: the panel may show another cluster while the file dialog is open.
void MainWindow::saveCluster(Cluster cluster) { // NOLINT(performance-unnecessary-value-param)
    const QString name = cluster.name.empty() ? QStringLiteral("cluster") : QString::fromStdString(cluster.name);
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the cluster"),
                                                      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) +
                                                          QLatin1Char('/') + name + QStringLiteral(".yml"),
                                                      tr("resource_spec.yml (*.yml *.yaml)"));
    if (path.isEmpty())
        return;
    if (const auto written = writeFile(path.toStdString(), writeResourceSpec(cluster)); !written)
        m_messages->showError(written.error());
    else
        m_messages->showDone(tr("Saved %1").arg(QFileInfo(path).fileName()), QFileInfo(path).path());
}

void MainWindow::fillRecent(QMenu *menu) {
    menu->clear();
    for (const QString &path : RecentFiles::list()) {
        QAction *one = menu->addAction(QFileInfo(path).fileName(), this, [this, path] { openFile(path); });
        one->setToolTip(path);
    }
    if (menu->isEmpty())
        menu->addAction(tr("Nothing was opened yet"))->setEnabled(false);
    else
        menu->addSeparator();
    menu->setToolTipsVisible(true);
    QAction *clear = menu->addAction(tr("Forget these"), this, [] { RecentFiles::clear(); });
    clear->setEnabled(menu->actions().size() > 2);
}

MainWindow *MainWindow::openWindow() {
    auto *window = new MainWindow(m_theme);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->m_keeper.setKeepsSessions(m_keepLayout);
    if (m_keepLayout)
        window->restoreLayout();
    window->move(pos() + QPoint(32, 32));
    // In an event of its own: making a window and laying it out take as long as each other.
    QMetaObject::invokeMethod(window, &QWidget::show, Qt::QueuedConnection);
    return window;
}

void MainWindow::showTitle() {
    const SessionState &state = m_session.state();
    const QString file = m_keeper.path().isEmpty() ? QFileInfo(QString::fromStdString(state.source)).fileName()
                                                   : QFileInfo(m_keeper.path()).completeBaseName();
    setWindowTitle(state.job ? tr("%1 – Syncopate").arg(file) : tr("Syncopate"));
}

void MainWindow::complete(Project &project) const {
    if (m_searcher->plan())
        project.search = std::make_shared<const SearchState>(
            SearchState{*m_searcher->plan(), m_searcher->history(), m_candidates->model().pins()});
    project.curves = m_throughput->curvesToKeep();
    if (!m_viewsToShow.empty()) { // of the project that was just opened: not on screen yet, and not to be lost
        project.views = m_viewsToShow;
        return;
    }
    QJsonObject time{{QStringLiteral("window"), rangeOf(m_axis.window())},
                     {QStringLiteral("windowB"), rangeOf(m_axisB.window())},
                     {QStringLiteral("locked"), m_lock->isChecked()}};
    if (m_axis.selection())
        time.insert(QStringLiteral("selection"), rangeOf(*m_axis.selection()));
    const QJsonObject panels{{QStringLiteral("layout"), QString::fromLatin1(saveState().toBase64())}};
    const auto text = [](const QJsonObject &object) {
        return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
    };
    project.views["time"] = text(time);
    if (m_panelsShown)
        project.views["panels"] = text(panels);
    QJsonObject otherNotes;
    for (const auto &[source, notes] : m_otherNotes)
        otherNotes.insert(QString::fromStdString(source), notesToJson(notes));
    project.views["timelines"] = text({{QStringLiteral("notes"), notesToJson(m_notes.notes())},
                                       {QStringLiteral("notesOfOtherJobs"), otherNotes},
                                       {QStringLiteral("lanesA"), lanesToJson(m_views[0]->arrangement())},
                                       {QStringLiteral("lanesB"), lanesToJson(m_views[1]->arrangement())}});
    project.views["search"] = text(m_search->settings());
    project.views["candidates"] = text(m_candidates->settings());
    project.views["throughput"] = text(m_throughput->settings());
}

void MainWindow::showViews() {
    const auto views = std::exchange(m_viewsToShow, {});
    const auto object = [&](const char *name) {
        const auto found = views.find(name);
        return found == views.end() ? QJsonObject() : QJsonDocument::fromJson(QByteArray::fromStdString(found->second)).object();
    };
    const QJsonObject time = object("time"), panels = object("panels"), timelines = object("timelines");
    if (!timelines.isEmpty()) {
        m_notes.setNotes(notesFromJson(timelines.value(QStringLiteral("notes")).toArray()));
        const QJsonObject others = timelines.value(QStringLiteral("notesOfOtherJobs")).toObject();
        for (auto other = others.begin(); other != others.end(); ++other)
            m_otherNotes[other.key().toStdString()] = notesFromJson(other.value().toArray());
        m_views[0]->setArrangement(lanesFromJson(timelines.value(QStringLiteral("lanesA")).toObject()));
        m_views[1]->setArrangement(lanesFromJson(timelines.value(QStringLiteral("lanesB")).toObject()));
    }
    if (const QJsonObject search = object("search"); !search.isEmpty())
        m_search->setSettings(search);
    if (const QJsonObject candidates = object("candidates"); !candidates.isEmpty())
        m_candidates->setSettings(candidates);
    if (const QJsonObject throughput = object("throughput"); !throughput.isEmpty())
        m_throughput->setSettings(throughput);
    if (!panels.isEmpty() &&
        !restorePanels(*this, QByteArray::fromBase64(panels.value(QStringLiteral("layout")).toString().toLatin1())))
        log(tr("The project's arrangement of panels cannot be read; panels stay as they are."));
    if (time.isEmpty())
        return;
    m_lock->setChecked(time.value(QStringLiteral("locked")).toBool(true));
    if (const auto window = rangeFrom(time.value(QStringLiteral("window"))))
        m_axis.setWindow(window->first, window->second);
    if (const auto window = rangeFrom(time.value(QStringLiteral("windowB"))))
        m_axisB.setWindow(window->first, window->second);
    m_axis.setSelection(rangeFrom(time.value(QStringLiteral("selection"))));
}

void MainWindow::showNotesOfJob() {
    const std::string &source = m_session.state().source;
    if (source == m_notesOf)
        return;
    if (!m_notesOf.empty() && !m_notes.notes().empty())
        m_otherNotes[m_notesOf] = m_notes.notes();
    m_notesOf = source;
    const auto known = m_otherNotes.extract(source);
    m_notes.setNotes(known ? known.mapped() : std::vector<Note>());
}

} // namespace syncopate::ui
