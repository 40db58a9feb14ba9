// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/palette_entries.h"

#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/space/space.h"
#include "ui/knobs/knob.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/scenarios_panel.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/panels.h"
#include "ui/window/panes.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>
#include <functional>
#include <iterator>

namespace syncopate::ui {

namespace {

QString noJob() { return CommandPalette::tr("nothing is loaded yet"); }

PaletteEntry entryOf(QAction *action, const QString &kind, bool loaded) {
    QString hint = action->shortcut().toString(QKeySequence::NativeText);
    if (!action->isEnabled()) {
        const QString why = action->property("whyNot").toString();
        hint = why.isEmpty() && !loaded ? noJob() : why;
    }
    return {kind,
            withoutMnemonic(action->text()),
            hint,
            action->isEnabled(),
            [action] { action->trigger(); },
            action->objectName(),
            tipText(action->toolTip())};
}

void addMenu(std::vector<PaletteEntry> &entries, const QMenu &menu, const QString &kind, bool loaded) {
    for (QAction *action : menu.actions()) {
        if (const QMenu *inner = action->menu()) {
            // The catalogue's entries are added separately.
            if (inner->objectName() != QLatin1String("catalogue"))
                addMenu(entries, *inner, kind + QStringLiteral(" › ") + withoutMnemonic(inner->title()), loaded);
        } else if (!action->isSeparator() && !action->text().isEmpty() && action->objectName() != QLatin1String("palette")) {
            entries.push_back(entryOf(action, kind, loaded));
        }
    }
}

void addCatalogue(std::vector<PaletteEntry> &entries, Session &session, bool loaded) {
    for (const CatalogueJob &job : catalogueJobs()) {
        const QString id = QString::fromStdString(job.name), about = said(job.description);
        entries.push_back({CommandPalette::tr("Job"), QString::fromStdString(job.title), id + QStringLiteral(" · ") + about, true,
                           [&session, id] { session.open(id); }, id, about});
    }
    for (const CatalogueCluster &cluster : catalogueClusters()) {
        const QString name = QString::fromStdString(cluster.name), about = QString::fromStdString(cluster.description);
        entries.push_back({CommandPalette::tr("Cluster"), name, loaded ? about : noJob(), loaded,
                           [&session, name] { session.openCluster(name); }, name, about});
    }
}

void addLanes(std::vector<PaletteEntry> &entries, Panes &panes, Side side) {
    const TimelineView &view = panes.view(side);
    for (std::size_t l = 0; view.data() && l < view.data()->laneCount(); ++l)
        entries.push_back({side == Side::A ? CommandPalette::tr("Lane of A") : CommandPalette::tr("Lane of B"),
                           QString::fromStdString(view.data()->lane(l).name),
                           {},
                           true,
                           [&panes, side, l] { panes.view(side).showLane(l); }});
}

void addKnobs(std::vector<PaletteEntry> &entries, Panels &panels) {
    for (std::size_t k = 0; k < panels.knobs().knobs().size(); ++k) {
        Knob *const knob = panels.knobs().knobs()[k];
        const QString &whyNot = knob->whyNotUsable();
        entries.push_back({CommandPalette::tr("Knob"), knob->info().name, whyNot.isEmpty() ? knob->field()->text() : whyNot,
                           whyNot.isEmpty() && knob->field()->isEnabled(),
                           [&panels, knob] {
                               panels.raise(QStringLiteral("knobs"));
                               if (!knob->isVisible()) // it is folded
                                   panels.knobs().foldButton().setChecked(true);
                               knob->field()->setFocus();
                               knob->field()->selectAll();
                           },
                           QString::fromStdString(scenarioSpace()[k].id), knob->info().toolTip});
    }
}

/// Adds the choices of a side's box, as its strategy or policy.
void addChoices(std::vector<PaletteEntry> &entries, const QComboBox &box, const QString &kind,
                const std::function<void(const QString &)> &choose) {
    for (int item = 0; item < box.count() && box.isEnabled(); ++item)
        if (const QString text = box.itemText(item); !text.isEmpty()) // a separator has none
            entries.push_back({kind, text, {}, true, [choose, text] { choose(text); }});
}

void addScenarios(std::vector<PaletteEntry> &entries, ScenariosPanel &scenarios) {
    const auto &rows = scenarios.model()->rows();
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows[r].source == RowSource::Kept && rows[r].side == Side::A) // the other row is the same scenario's B
            entries.push_back({CommandPalette::tr("Scenario"),
                               rows[r].name,
                               {},
                               true,
                               [&scenarios, row = static_cast<int>(r), name = rows[r].name] { // a project may be read meanwhile
                                   const auto &present = scenarios.model()->rows();
                                   if (row < std::ssize(present) && present[static_cast<std::size_t>(row)].name == name)
                                       scenarios.goTo(row);
                               }});
}

} // namespace

std::vector<PaletteEntry> paletteEntries(const QMenuBar &menus, Session &session, Panels &panels, Panes &panes) {
    std::vector<PaletteEntry> entries;
    const bool loaded = session.state().job != nullptr;
    for (const QAction *action : menus.actions())
        if (const QMenu *menu = action->menu())
            addMenu(entries, *menu, withoutMnemonic(menu->title()), loaded);
    addCatalogue(entries, session, loaded);
    if (!loaded)
        return entries;
    addKnobs(entries, panels);
    for (const Side side : {Side::A, Side::B}) {
        if (side == Side::B && !session.state().compare)
            continue;
        KnobsPanel &knobs = panels.knobs();
        addChoices(entries, *knobs.strategyBox(side),
                   side == Side::A ? CommandPalette::tr("Strategy of A") : CommandPalette::tr("Strategy of B"),
                   [&knobs, side](const QString &text) { knobs.chooseStrategy(side, text); });
        addChoices(entries, *knobs.policyBox(side),
                   side == Side::A ? CommandPalette::tr("Policy of A") : CommandPalette::tr("Policy of B"),
                   [&knobs, side](const QString &text) { knobs.choosePolicy(side, text); });
    }
    addScenarios(entries, panels.scenarios());
    for (const Variable &variable : session.state().job->variables)
        entries.push_back({CommandPalette::tr("Variable"),
                           QString::fromStdString(variable.name),
                           {},
                           true,
                           [&panels, name = QString::fromStdString(variable.name)] { panels.selectVariable(name); }});
    for (const Side side : {Side::A, Side::B})
        addLanes(entries, panes, side);
    return entries;
}

} // namespace syncopate::ui
