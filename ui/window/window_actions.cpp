// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_actions.h"

#include "ui/runs/searcher.h"
#include "ui/theme/glyph.h"
#include "ui/theme/motion.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/window/files.h"
#include "ui/window/main_window.h"
#include "ui/window/panels.h"
#include "ui/window/panes.h"
#include "ui/window/perspectives.h"

#include <QAction>
#include <QDockWidget>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace syncopate::ui {

namespace {

/// The step's name belongs in the menu and the tooltip; on a button it would make the tool bar jump.
void keepIconText(QAction *action, const QString &plain) {
    action->setIconText(plain);
    QObject::connect(action, &QAction::changed, action, [action, plain] {
        const QString tip = QStringLiteral("%1 (%2)").arg(action->text(), action->shortcut().toString(QKeySequence::NativeText));
        if (action->toolTip() != plainTip(tip))
            action->setToolTip(plainTip(tip));
        if (action->iconText() != plain)
            action->setIconText(plain);
    });
}

} // namespace

WindowActions::WindowActions(const WindowParts &parts) : m_parts(parts), m_table(parts.window) {
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makeCompareMenu();
    m_table.addAll(addMenu(tr("&Search")), searchRows(m_parts));
    m_table.addAll(addMenu(tr("&Help")), helpRows(m_parts));
    drawIcons();
    makeToolBar();
    makeCancel();
    const auto refresh = [this] { m_table.refresh(); };
    connect(&parts.session, &Session::stateChanged, this, refresh);
    connect(&parts.session, &Session::runsChanged, this, refresh);
    connect(&parts.panels.searcher(), &Searcher::statusChanged, this, refresh);
    connect(&parts.session, &Session::stateChanged, this, &WindowActions::showChecks);
    connect(&parts.panes, &Panes::lockedChanged, this, &WindowActions::showChecks);
}

QMenu *WindowActions::addMenu(const QString &title) { return m_parts.window.menuBar()->addMenu(title); }

void WindowActions::makeFileMenu() {
    QMenu *file = addMenu(tr("&File"));
    m_table.addAll(file, openRows(m_parts));
    QMenu *recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { m_parts.files.fillRecent(*recent); });
    m_table.addAll(file, projectRows(m_parts));
    QMenu *jobs = file->addMenu(tr("Open from the &catalogue"));
    jobs->setObjectName("catalogue");
    m_table.addAll(jobs, catalogueRows(m_parts));
    m_table.addAll(file, exportRows(m_parts));
}

void WindowActions::makeEditMenu() {
    QMenu *edit = addMenu(tr("&Edit"));
    QUndoStack *stack = m_parts.session.undoStack();
    QAction *undo = stack->createUndoAction(&m_parts.window, tr("Undo"));
    QAction *redo = stack->createRedoAction(&m_parts.window, tr("Redo"));
    undo->setObjectName("undo");
    redo->setObjectName("redo");
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    edit->addActions({undo, redo});
    undo->setProperty("whyNot", tr("nothing was changed yet"));
    redo->setProperty("whyNot", tr("nothing was undone"));
    keepIconText(undo, tr("Undo"));
    keepIconText(redo, tr("Redo"));
    m_table.addAll(edit, editRows(m_parts));
}

void WindowActions::makeViewMenu() {
    QMenu *view = addMenu(tr("&View"));
    m_table.addAll(view, viewRows(m_parts));
    Perspectives &perspectives = m_parts.panels.perspectives();
    m_table.addChoice(view->addMenu(tr("&Perspective")), perspectiveRows(m_parts));
    connect(&perspectives, &Perspectives::changed, this,
            [this](const QString &present) { action("perspective_" + present)->setChecked(true); });
    m_themes = view->addMenu(tr("&Theme"));
    m_table.addChoice(m_themes, themeRows(m_parts));
    connect(&m_parts.theme, &Theme::themeChanged, this,
            [this] { action("theme_" + Theme::nameOf(m_parts.theme.setting()))->setChecked(true); });
    m_table.addChoice(view->addMenu(tr("S&cale")), scaleRows(m_parts));
    m_table.add(view, {"animations",
                       tr("&Animations"),
                       {},
                       tr("Zooms and swaps glide; off: they happen at once"),
                       [this] { setMotionWanted(action("animations")->isChecked()); },
                       {},
                       isMotionWanted()});
    // The setting is of all windows.
    connect(view, &QMenu::aboutToShow, this, [this] { action("animations")->setChecked(isMotionWanted()); });
    view->addSeparator();
    addPanels(view);
    m_table.add(view, {"resetLayout", tr("&Reset layout"), {}, tr("Put all panels back"), [this] {
                           m_parts.panels.perspectives().reset();
                       }});
    m_table.addAll(view->addMenu(tr("&Lanes")), laneRows(m_parts));
}

void WindowActions::addPanels(QMenu *view) {
    for (QDockWidget *dock : m_parts.panels.docks()) {
        view->addAction(dock->toggleViewAction());
        const auto allow = [this, dock] { ActionTable::allow(dock->toggleViewAction(), whyNoJob(m_parts.session)); };
        allow();
        connect(&m_parts.session, &Session::stateChanged, dock, allow);
    }
}

void WindowActions::makeCompareMenu() {
    QMenu *menu = addMenu(tr("&Compare"));
    m_table.addAll(menu, compareRows(m_parts));
    m_table.addChoice(menu->addMenu(tr("&Align A and B by")), alignRows(m_parts));
}

/// An action gets the drawing with its name, if there is one, but only on the tool bar: menus in which only some rows have icons
/// are harder to read.
void WindowActions::drawIcons() {
    for (QAction *one : m_parts.window.findChildren<QAction *>(Qt::FindDirectChildrenOnly))
        if (const QIcon icon = glyph(m_parts.theme, one->objectName()); !icon.isNull()) {
            one->setIcon(icon);
            one->setIconVisibleInMenu(false);
        }
}

void WindowActions::makeToolBar() {
    auto *tools = new QToolBar(tr("Tools"));
    tools->setObjectName("tools");
    tools->setMovable(false);
    tools->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tools->setIconSize({16, 16});
    for (const char *id :
         {"open", "", "undo", "redo", "", "search", "stopSearch", "", "compare", "lock", "swap", "fit", "", "export"}) {
        if (*id == '\0')
            tools->addSeparator();
        else
            tools->addAction(action(id));
    }
    auto *gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tools->addWidget(gap);
    auto *themeButton = new QToolButton;
    themeButton->setText(tr("Theme"));
    themeButton->setIcon(glyph(m_parts.theme, QStringLiteral("theme")));
    themeButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    themeButton->setToolTip(tr("Dark, light, or as the system"));
    themeButton->setMenu(m_themes);
    themeButton->setPopupMode(QToolButton::InstantPopup);
    tools->addWidget(themeButton);
    m_parts.window.addToolBar(tools);
}

/// Esc cancels loading; it is in no menu.
void WindowActions::makeCancel() {
    auto *cancel = new QAction(&m_parts.window);
    cancel->setShortcut(QKeySequence(Qt::Key_Escape));
    cancel->setEnabled(false);
    connect(cancel, &QAction::triggered, &m_parts.session, &Session::cancelLoad);
    connect(&m_parts.session, &Session::loadStarted, cancel, [cancel] { cancel->setEnabled(true); });
    connect(&m_parts.session, &Session::loadEnded, cancel, [cancel] { cancel->setEnabled(false); });
    m_parts.window.addAction(cancel);
}

void WindowActions::showChecks() {
    action("compare")->setChecked(m_parts.session.state().compare);
    action("lock")->setChecked(m_parts.panes.isLocked());
}

} // namespace syncopate::ui
