// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow's menus, toolbar and what their actions do; the layout is in main_window.cpp.
#include "engine/job/catalogue.h"
#include "ui/export/export_sheet.h"
#include "ui/help/about.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/runs/candidates_panel.h"
#include "ui/runs/search_panel.h"
#include "ui/theme/theme.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/throughput/throughput_plot.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/panel_layout.h"
#include "ui/window/readout.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStatusBar>
#include <QTableView>
#include <QTime>
#include <QToolBar>
#include <QToolButton>

namespace syncopate::ui {

QAction *MainWindow::add(QMenu *menu, const QString &name, const QString &text, const QKeySequence &shortcut,
                         const QString &toolTip, std::function<void()> run) {
    auto *action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    const QString keys = shortcut.toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? toolTip : QStringLiteral("%1 (%2)").arg(toolTip, keys));
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    menu->addAction(action);
    return action;
}

void MainWindow::allow(QAction *action, bool allowed, const QString &whyNot) {
    action->setProperty("whyNot", allowed ? QString() : whyNot);
    action->setEnabled(allowed);
}

QAction *MainWindow::action(const QString &name) const { return findChild<QAction *>(name); }

void MainWindow::makeActions() {
    QMenu *file = menuBar()->addMenu(tr("&File"));
    QAction *open = add(file, QStringLiteral("open"), tr("&Open…"), QKeySequence::Open,
                        tr("Open a profile, job, cluster or project file"), [this] { openDialog(); });
    add(file, QStringLiteral("sample"), tr("Open &sample"), QKeySequence(tr("Ctrl+Shift+O")), tr("Open the bundled sample"),
        [this] { m_session.openSample(); });
    makeProjectActions(file);
    QMenu *jobs = file->addMenu(tr("Open from the &catalogue"));
    jobs->setObjectName(QStringLiteral("catalogue"));
    for (const CatalogueJob &job : catalogueJobs())
        add(jobs, QStringLiteral("job_") + QString::fromStdString(job.name), QString::fromStdString(job.title), {},
            QString::fromStdString(job.description), [this, name = job.name] { m_session.open(QString::fromStdString(name)); });
    add(file, QStringLiteral("cluster"), tr("Open c&luster…"), QKeySequence(tr("Ctrl+L")), tr("Open a resource_spec.yml"),
        [this] { openClusterDialog({}); });
    file->addSeparator();
    QAction *exporting = add(file, QStringLiteral("export"), tr("&Export…"), QKeySequence(tr("Ctrl+E")),
                             tr("Export strategies, traces, tables, pictures, settings and reports"), [this] { exportDialog(); });
    file->addSeparator();
    add(file, QStringLiteral("quit"), tr("&Quit"), QKeySequence::Quit, tr("Quit"), [this] { close(); });

    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    QAction *undo = m_session.undoStack()->createUndoAction(this, tr("Undo"));
    QAction *redo = m_session.undoStack()->createRedoAction(this, tr("Redo"));
    undo->setObjectName(QStringLiteral("undo"));
    redo->setObjectName(QStringLiteral("redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    edit->addActions({undo, redo});
    undo->setProperty("whyNot", tr("nothing was changed yet"));
    redo->setProperty("whyNot", tr("nothing was undone"));
    // The steps' names belong into the menu and the tooltip; on a button they would make the toolbar jump.
    for (QAction *action : {undo, redo}) {
        const QString plain = action == undo ? tr("Undo") : tr("Redo");
        action->setIconText(plain);
        connect(action, &QAction::changed, action, [action, plain] {
            const QString tip =
                QStringLiteral("%1 (%2)").arg(action->text(), action->shortcut().toString(QKeySequence::NativeText));
            if (action->toolTip() != tip)
                action->setToolTip(tip);
            if (action->iconText() != plain)
                action->setIconText(plain);
        });
    }
    edit->addSeparator();
    add(edit, QStringLiteral("copyReadout"), tr("Copy &readout"), QKeySequence(tr("Ctrl+Shift+R")),
        tr("Copy the readout line; Ctrl+C in a timeline"),
        [this] { QApplication::clipboard()->setText(m_readout->plainText()); });
    add(edit, QStringLiteral("copyPicture"), tr("Copy &picture"), QKeySequence(tr("Ctrl+Shift+C")),
        tr("Copy a picture of the panes"), [this] { copyPicture(); });

    QMenu *view = menuBar()->addMenu(tr("&View"));
    // Of the pane that had the focus last: while axes are not locked, B has its own.
    const auto zoom = [this](double factor) {
        TimeAxis &axis = activeView().axis();
        const auto [from, to] = axis.window();
        axis.zoomAt(axis.cursor().value_or((from + to) / 2), factor);
    };
    add(view, QStringLiteral("zoomIn"), tr("Zoom &in"), QKeySequence::ZoomIn, tr("Zoom in; W in a timeline"),
        [zoom] { zoom(0.8); });
    add(view, QStringLiteral("zoomOut"), tr("Zoom &out"), QKeySequence::ZoomOut, tr("Zoom out; S in a timeline"),
        [zoom] { zoom(1.25); });
    add(view, QStringLiteral("fit"), tr("&Fit selection or iteration"), QKeySequence(tr("F")),
        tr("Fit the selection, or the iteration"), [this] { activeView().fitSelectionOrIteration(); });
    add(view, QStringLiteral("back"), tr("&Back"), QKeySequence(tr("Alt+Left")), tr("The view before"),
        [this] { activeView().axis().back(); });
    add(view, QStringLiteral("forward"), tr("For&ward"), QKeySequence(tr("Alt+Right")), tr("The view after"),
        [this] { activeView().axis().forward(); });
    view->addSeparator();
    QMenu *themes = view->addMenu(tr("&Theme"));
    auto *themeGroup = new QActionGroup(this);
    for (const auto &[setting, text] : {std::pair{Theme::Setting::System, tr("As the &system")},
                                        {Theme::Setting::Dark, tr("&Dark")},
                                        {Theme::Setting::Light, tr("&Light")}}) {
        QAction *action =
            add(themes, QStringLiteral("theme_") + Theme::nameOf(setting), text, {}, tr("Theme: %1").arg(Theme::nameOf(setting)),
                [this, setting = setting] { m_theme.setSetting(setting); });
        action->setCheckable(true);
        themeGroup->addAction(action);
        const auto check = [this, action, setting = setting] { action->setChecked(m_theme.setting() == setting); };
        check();
        connect(&m_theme, &Theme::themeChanged, action, check);
    }
    QMenu *scales = view->addMenu(tr("S&cale"));
    auto *scaleGroup = new QActionGroup(this);
    const int present = QSettings().value(QStringLiteral("scalePercent"), 100).toInt();
    for (const int percent : {80, 90, 100, 110, 125, 150, 175, 200}) {
        QAction *action = add(scales, QStringLiteral("scale%1").arg(percent), tr("%1 %").arg(percent), {},
                              tr("Size of all text and controls, from the next start on"), [this, percent] {
                                  QSettings().setValue(QStringLiteral("scalePercent"), percent);
                                  statusBar()->showMessage(tr("%1 % from the next start on").arg(percent), 5000);
                              });
        action->setCheckable(true);
        action->setChecked(percent == present);
        scaleGroup->addAction(action);
    }
    view->addSeparator();
    for (QDockWidget *dock : findChildren<QDockWidget *>()) {
        view->addAction(dock->toggleViewAction());
        connect(&m_session, &Session::stateChanged, dock,
                [this, dock] { allow(dock->toggleViewAction(), m_session.state().job != nullptr, tr("nothing is loaded yet")); });
    }
    add(view, QStringLiteral("resetLayout"), tr("&Reset layout"), {}, tr("Put all panels back"), [this] { resetLayout(); });

    QMenu *compareMenu = menuBar()->addMenu(tr("&Compare"));
    m_compare = add(compareMenu, QStringLiteral("compare"), tr("&Compare A/B"), QKeySequence(tr("Ctrl+2")),
                    tr("Show B beside A, with their difference"), [] {});
    m_compare->setCheckable(true);
    connect(m_compare, &QAction::triggered, this, [this](bool on) {
        SessionState next = m_session.state();
        next.compare = on;
        m_session.change(std::move(next), on ? tr("Compare A and B") : tr("Show A alone"));
    });
    m_lock = add(compareMenu, QStringLiteral("lock"), tr("&Lock axes"), QKeySequence(tr("L")),
                 tr("A and B show the same stretch of time, aligned at the iteration's start"), [] {});
    m_lock->setCheckable(true);
    m_lock->setChecked(true);
    connect(m_lock, &QAction::toggled, this, &MainWindow::setLocked);
    add(compareMenu, QStringLiteral("explain"), tr("&Explain the iteration"), QKeySequence(tr("Ctrl+I")),
        tr("Why the iteration is as long as it is, and what would help"), [this] { raisePanel(QStringLiteral("why")); });
    add(compareMenu, QStringLiteral("sweep"), tr("S&weep a knob"), QKeySequence(tr("Ctrl+J")),
        tr("Iteration time over any knob, or any pair of knobs"), [this] { raisePanel(QStringLiteral("sweeps")); });
    add(compareMenu, QStringLiteral("throughput"), tr("Asynchronous t&hroughput"), QKeySequence(tr("Ctrl+U")),
        tr("Throughput of asynchronous training over the number of workers"), [this] {
            raisePanel(QStringLiteral("throughput"));
            m_throughput->plot().setFocus(Qt::ShortcutFocusReason);
        });
    add(compareMenu, QStringLiteral("topology"), tr("&Topology"), QKeySequence(tr("Ctrl+T")),
        tr("The cluster, the load of its links, and its nodes to edit"), [this] { raisePanel(QStringLiteral("topology")); });
    add(compareMenu, QStringLiteral("swap"), tr("&Swap A and B"), QKeySequence(tr("X")), tr("Swap A and B"),
        [this] { swapSides(); });

    makeSearchActions();

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    add(help, QStringLiteral("tutorial"), tr("&Tutorial: overlap in two minutes"), {},
        tr("Learn on the bundled sample what overlap is and what makes it better"), [this] { startTutorial(); });
    QAction *keys =
        add(help, QStringLiteral("keys"), tr("&Shortcuts"), QKeySequence(tr("F1")), tr("What keys and mouse do"), [this] {
            auto *sheet = new ShortcutSheet(*menuBar(), this);
            sheet->setAttribute(Qt::WA_DeleteOnClose);
            sheet->open();
        });
    keys->setShortcuts({QKeySequence(tr("F1")), QKeySequence(tr("?"))});
    add(help, QStringLiteral("about"), tr("&About Syncopate"), {}, tr("Versions and licence"),
        [this] { QMessageBox::about(this, tr("About Syncopate"), aboutText()); });

    auto *tools = new QToolBar(tr("Tools"));
    tools->setObjectName(QStringLiteral("tools"));
    tools->setMovable(false);
    tools->setToolButtonStyle(Qt::ToolButtonTextOnly);
    tools->addActions({open});
    tools->addSeparator();
    tools->addActions({undo, redo});
    tools->addSeparator();
    tools->addActions({action(QStringLiteral("search")), action(QStringLiteral("stopSearch"))});
    action(QStringLiteral("search"))->setIconText(tr("Search"));
    action(QStringLiteral("stopSearch"))->setIconText(tr("Stop"));
    tools->addSeparator();
    tools->addActions({m_compare, m_lock, action(QStringLiteral("swap")), action(QStringLiteral("fit"))});
    action(QStringLiteral("fit"))->setIconText(tr("Fit"));
    action(QStringLiteral("swap"))->setIconText(tr("Swap"));
    tools->addSeparator();
    tools->addActions({exporting});
    auto *gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tools->addWidget(gap);
    auto *themeButton = new QToolButton;
    themeButton->setText(tr("Theme"));
    themeButton->setToolTip(tr("Dark, light, or as the system"));
    themeButton->setMenu(themes);
    themeButton->setPopupMode(QToolButton::InstantPopup);
    tools->addWidget(themeButton);
    addToolBar(tools);

    makeTimelineActions(edit, view, compareMenu);

    auto *cancel = new QAction(this);
    cancel->setShortcut(QKeySequence(Qt::Key_Escape));
    cancel->setEnabled(false);
    connect(cancel, &QAction::triggered, &m_session, &Session::cancelLoad);
    connect(&m_session, &Session::loadStarted, cancel, [cancel] { cancel->setEnabled(true); });
    connect(&m_session, &Session::loadEnded, cancel, [cancel] { cancel->setEnabled(false); });
    addAction(cancel);
    const auto enable = [this, exporting] {
        const bool any = m_session.run(Side::A) || m_session.run(Side::B);
        const QString nothing = tr("nothing is loaded yet");
        for (const char *name :
             {"copyReadout", "copyPicture", "zoomIn", "zoomOut", "fit", "back", "forward", "compare", "lock", "swap", "find",
              "note", "collapseAll", "expandAll", "lanesAsSimulated", "alignStart", "alignBackward", "alignEnd"})
            allow(action(QString::fromLatin1(name)), m_session.state().job != nullptr, nothing);
        allow(exporting, any, m_session.state().job ? tr("neither side could be simulated yet") : nothing);
    };
    enable();
    connect(&m_session, &Session::runsChanged, this, enable);
}

void MainWindow::makeSearchActions() {
    QMenu *menu = menuBar()->addMenu(tr("&Search"));
    QAction *run = add(menu, QStringLiteral("search"), tr("&Run search…"), QKeySequence(tr("Ctrl+R")),
                       tr("Search for a strategy that is faster than every builder's"), [this] {
                           raisePanel(QStringLiteral("search"));
                           m_search->focusSheet();
                       });
    QAction *stop = add(menu, QStringLiteral("stopSearch"), tr("&Stop search"), {},
                        tr("Stop the search and keep what was found; Esc in its panel"), [this] { m_search->stop(); });
    QAction *resume = add(menu, QStringLiteral("resumeSearch"), tr("R&esume search"), {},
                          tr("Go on with the same seed, exactly as if it had not been stopped"), [this] { m_search->resume(); });
    menu->addSeparator();
    QAction *candidates = add(menu, QStringLiteral("showCandidates"), tr("&Candidates"), QKeySequence(tr("Ctrl+Shift+A")),
                              tr("The table of what the search tried"), [this] {
                                  raisePanel(QStringLiteral("candidates"));
                                  m_candidates->table().setFocus(Qt::ShortcutFocusReason);
                              });
    const auto enable = [this, run, stop, resume, candidates] {
        const bool loaded = m_session.state().job != nullptr;
        const bool running = m_searcher->status() == Searcher::Status::Running;
        const QString nothing = tr("nothing is loaded yet");
        allow(run, loaded, nothing);
        allow(candidates, loaded, nothing);
        allow(stop, running && !m_searcher->isStopping(), running ? tr("it is stopping") : tr("no search is running"));
        allow(resume, m_searcher->status() == Searcher::Status::Stopped,
              running ? tr("the search is running") : tr("no search was stopped"));
    };
    enable();
    connect(&m_session, &Session::stateChanged, this, enable);
    connect(m_searcher, &Searcher::statusChanged, this, enable);
}

void MainWindow::openDialog() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a profile, job, cluster or project"), {},
        tr("Profiles, jobs, clusters and projects (*.json *.json.gz *.gz *.yml *.yaml *.syncopate);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openClusterDialog(std::optional<Side> side) {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a cluster"), {}, tr("resource_spec.yml (*.yml *.yaml);;All files (*)"));
    if (!path.isEmpty())
        m_session.openCluster(path, side);
}

void MainWindow::exportDialog() {
    auto *sheet = new ExportSheet(m_session, {[this](bool whole) { return pictures(whole); }, [this] { return tables(); }}, this);
    connect(sheet, &ExportSheet::exported, this, [this, sheet](const QStringList &paths) {
        const QString folder = QFileInfo(paths.first()).path();
        m_messages->showDone(paths.size() == 1 ? tr("Saved %1").arg(paths.first())
                                               : tr("Saved %1 files to %2").arg(paths.size()).arg(folder),
                             folder);
        for (const QString &path : paths)
            log(tr("Saved %1").arg(path));
        sheet->deleteLater();
    });
    connect(sheet, &ExportSheet::exportFailed, this, [this, sheet](const Error &error) {
        if (sheet->isVisible())
            return; // it says so itself
        m_messages->showError(error);
        log(tr("Error: %1").arg(QString::fromStdString(error.toString())));
        sheet->deleteLater();
    });
    connect(sheet, &QDialog::rejected, sheet, &ExportSheet::goWhenIdle);
    sheet->open();
}

void MainWindow::setLocked(bool locked) {
    if (!locked)
        m_axisB.copyFrom(m_axis);
    m_views[1]->setAxis(locked ? m_axis : m_axisB);
    showAlignment();
}

void MainWindow::swapSides() {
    SessionState next = m_session.state();
    std::swap(next.sides[0], next.sides[1]);
    m_session.change(std::move(next), tr("Swap A and B"));
}

void MainWindow::log(const QString &line) {
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + line);
}

void MainWindow::resetLayout() {
    if (!m_panelsShown) {
        m_layout = m_initialLayout;
        return;
    }
    restorePanels(*this, m_initialLayout);
    raisePanel(QStringLiteral("variables"));
}

void MainWindow::restoreLayout() {
    m_keepLayout = true;
    const QSettings settings;
    m_theme.setSetting(Theme::settingFromName(settings.value(QStringLiteral("theme")).toString()));
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    if (const QByteArray layout = settings.value(QStringLiteral("layout")).toByteArray(); !layout.isEmpty())
        m_layout = layout;
}

void MainWindow::saveLayout() const {
    QSettings settings;
    settings.setValue(QStringLiteral("theme"), Theme::nameOf(m_theme.setting()));
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("layout"), m_panelsShown ? saveState() : m_layout);
}

void MainWindow::closeEvent(QCloseEvent *event) {
    if (m_keepLayout)
        saveLayout();
    m_keeper.flush();
    event->accept();
}

} // namespace syncopate::ui
