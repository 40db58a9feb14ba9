// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/project_views.h"

#include "ui/project/annotation_views.h"
#include "ui/project/scenarios_panel.h"
#include "ui/runs/conditions_preset.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/sweep_preset.h"
#include "ui/runs/tune_preset.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/panel_layout.h"
#include "ui/window/panels.h"
#include "ui/window/panes.h"
#include "ui/window/perspectives.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace syncopate::ui {

namespace {

QJsonArray rangeOf(const TimeAxis::Range &range) { return {range.first, range.second}; }

/// None if the text is not a valid range: a project may come from anyone.
std::optional<TimeAxis::Range> rangeFrom(const QJsonValue &value) {
    const QJsonArray array = value.toArray();
    const double from = array.at(0).toDouble(), to = array.at(1).toDouble();
    constexpr double longest = 1e15;
    if (array.size() != 2 || !(from < to) || std::abs(from) > longest || std::abs(to) > longest)
        return {};
    return TimeAxis::Range(from, to);
}

/// One of a project's views; empty if it lacks it.
QJsonObject viewOf(const std::map<std::string, std::string> &views, const char *name) {
    const auto found = views.find(name);
    return found == views.end() ? QJsonObject() : QJsonDocument::fromJson(QByteArray::fromStdString(found->second)).object();
}

std::string textOf(const QJsonObject &object) { return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString(); }

} // namespace

ProjectViews::ProjectViews(Session &session, ProjectKeeper &keeper, Panes &panes, Panels &panels)
    : m_session(session), m_keeper(keeper), m_panes(panes), m_panels(panels) {
    connect(&keeper, &ProjectKeeper::opened, this, &ProjectViews::take);
    connect(&panels.searcher(), &Searcher::statusChanged, &keeper, &ProjectKeeper::touch);
    connect(&panels.searcher(), &Searcher::progressed, &keeper, &ProjectKeeper::touch);
    connect(&panels.searcher(), &Searcher::levelsChanged, &keeper, &ProjectKeeper::touch);
    connect(&panels.search(), &SearchPreset::settingsChanged, &keeper, &ProjectKeeper::touch);
    connect(&panels.plans(), &PlanPreset::settingsChanged, &keeper, &ProjectKeeper::touch);
    connect(&panels.tuning().sheet(), &TuneSheet::settingsChanged, &keeper, &ProjectKeeper::touch);
    connect(&panels.conditions().sheet(), &ConditionsSheet::changed, &keeper, &ProjectKeeper::touch);
    connect(&panels.candidates(), &RunsTable::changed, &keeper, &ProjectKeeper::touch);
    connect(&panels.scenarios(), &ScenariosPanel::changed, &keeper, &ProjectKeeper::touch);
    connect(&panels.runs(), &RunsPanel::changed, &keeper, &ProjectKeeper::touch);
    connect(&panels.throughput(), &ThroughputPanel::changed, &keeper, &ProjectKeeper::touch);
    connect(&panels.perspectives(), &Perspectives::changed, &keeper, &ProjectKeeper::touch);
    connect(&panes, &Panes::changed, &keeper, &ProjectKeeper::touch);
}

void ProjectViews::take(const Project &project) {
    m_toShow = project.views;
    m_panes.forgetFit();
    m_notesOf.clear();
    m_otherNotes.clear();
    m_panes.notes().setNotes({});
    m_panels.searcher().restore(project.search, project.pastSearches);
    m_panels.plans().restore(project.present);
    m_panels.throughput().restore(project.curves, project.present.job);
    if (project.search)
        for (const RunId pin : project.search->pins)
            m_panels.candidates().model().setPinned(pin, true);
}

void ProjectViews::complete(Project &project) const {
    if (const auto search = m_panels.searcher().state()) {
        search->pins = m_panels.candidates().model().pins();
        project.search = search;
    }
    project.pastSearches = m_panels.searcher().past();
    project.curves = m_panels.throughput().curvesToKeep();
    if (m_toShow) { // the opened project's views are not on screen yet, and must not be lost
        project.views = *m_toShow;
        return;
    }
    project.views["time"] = textOf(time());
    if (m_panels.areShown())
        project.views["panels"] = textOf({{QStringLiteral("layout"), QString::fromLatin1(m_panels.layout().toBase64())}});
    project.views["perspectives"] = textOf(m_panels.perspectives().settings());
    project.views["timelines"] = textOf(timelines());
    project.views["search"] = textOf(m_panels.search().settings());
    project.views["plan"] = textOf(m_panels.plans().settings());
    project.views["tune"] = textOf(m_panels.tuning().sheet().settings());
    project.views["conditions"] = textOf(m_panels.conditions().sheet().settings());
    project.views["candidates"] = textOf(m_panels.candidates().settings());
    project.views["scenarios"] = textOf(m_panels.scenarios().settings());
    project.views["runs"] = textOf(m_panels.runs().settings());
    project.views["throughput"] = textOf(m_panels.throughput().settings());
}

QJsonObject ProjectViews::time() const {
    QJsonObject time{{QStringLiteral("locked"), m_panes.isLocked()}};
    // While fitted, the range follows the runs: a slower side that arrives later is no change of the project.
    if (!m_panes.isFitted()) {
        time.insert(QStringLiteral("window"), rangeOf(m_panes.axis().destination()));
        time.insert(QStringLiteral("windowB"), rangeOf(m_panes.axisB().destination()));
    }
    if (m_panes.axis().selection())
        time.insert(QStringLiteral("selection"), rangeOf(*m_panes.axis().selection()));
    return time;
}

QJsonObject ProjectViews::timelines() const {
    QJsonObject otherNotes;
    for (const auto &[source, notes] : m_otherNotes)
        otherNotes.insert(QString::fromStdString(source), notesToJson(notes));
    return {{QStringLiteral("notes"), notesToJson(m_panes.notes().notes())},
            {QStringLiteral("notesOfOtherJobs"), otherNotes},
            {QStringLiteral("lanesA"), lanesToJson(m_panes.view(Side::A).arrangement())},
            {QStringLiteral("lanesB"), lanesToJson(m_panes.view(Side::B).arrangement())}};
}

void ProjectViews::show() {
    const auto views = std::exchange(m_toShow, std::nullopt);
    if (!views)
        return;
    const auto object = [&](const char *name) { return viewOf(*views, name); };
    // What a project lacks is as in a new window, not as the project before left it; only panels and runs stay in their places.
    showTimelines(object("timelines"));
    m_panels.search().restore(object("search"));
    if (const QJsonObject plan = object("plan"); !plan.isEmpty()) // the sheet is a new one since take()
        m_panels.plans().setSettings(plan);
    m_panels.tuning().restore(object("tune"));
    m_panels.conditions().restore(object("conditions"));
    m_panels.candidates().setSettings(object("candidates"));
    m_panels.scenarios().setSettings(object("scenarios"));
    m_panels.throughput().setSettings(object("throughput"));
    if (const QJsonObject runs = object("runs"); !runs.isEmpty())
        m_panels.runs().setSettings(runs);
    const QJsonObject panels = object("panels"), perspectives = object("perspectives");
    if (!panels.isEmpty() && !showPanels(panels))
        m_panels.log(tr("The project's arrangement of panels cannot be read; panels stay as they are."));
    if (!panels.isEmpty() || !perspectives.isEmpty()) // else the panels are still arranged for the present one
        m_panels.perspectives().setSettings(perspectives);
    showTime(object("time"));
    m_keeper.viewsShown();
}

bool ProjectViews::showPanels(const QJsonObject &panels) {
    const QByteArray layout = QByteArray::fromBase64(panels.value(QStringLiteral("layout")).toString().toLatin1());
    const QString former = formerRunsPanel(layout); // from a project before the panel of runs existed
    if (former == QLatin1String("sweeps"))
        m_panels.runs().choose(m_panels.sweeps());
    else if (!former.isEmpty())
        m_panels.runs().choose(m_panels.search());
    if (former == QLatin1String("candidates"))
        m_panels.runs().setView(RunsPanel::View::Table);
    return m_panels.restore(layout);
}

void ProjectViews::showTimelines(const QJsonObject &timelines) {
    m_panes.notes().setNotes(notesFromJson(timelines.value(QStringLiteral("notes")).toArray()));
    const QJsonObject others = timelines.value(QStringLiteral("notesOfOtherJobs")).toObject();
    for (auto other = others.begin(); other != others.end(); ++other)
        m_otherNotes[other.key().toStdString()] = notesFromJson(other.value().toArray());
    m_panes.view(Side::A).setArrangement(lanesFromJson(timelines.value(QStringLiteral("lanesA")).toObject()));
    m_panes.view(Side::B).setArrangement(lanesFromJson(timelines.value(QStringLiteral("lanesB")).toObject()));
}

void ProjectViews::showTime(const QJsonObject &time) {
    m_panes.setLocked(time.value(QStringLiteral("locked")).toBool(true));
    const auto place = [this](TimeAxis &axis, const std::optional<TimeAxis::Range> &window) {
        if (!window)
            return;
        // A side still being simulated may be much longer than the present bounds, which would clip the window.
        if (m_session.isStale())
            axis.setBounds(axis.bounds().first, std::max({axis.bounds().second, window->second, window->second - window->first}));
        axis.setWindow(window->first, window->second);
    };
    place(m_panes.axis(), rangeFrom(time.value(QStringLiteral("window"))));
    place(m_panes.axisB(), rangeFrom(time.value(QStringLiteral("windowB"))));
    m_panes.axis().setSelection(rangeFrom(time.value(QStringLiteral("selection"))));
}

void ProjectViews::leaveViewsTo(const std::string &source) {
    const QJsonObject timelines = viewOf(*m_toShow, "timelines");
    const QString notes = QStringLiteral("notes"), ofOthers = QStringLiteral("notesOfOtherJobs");
    QJsonObject others = timelines.value(ofOthers).toObject();
    if (const QJsonArray left = timelines.value(notes).toArray(); !left.isEmpty())
        others.insert(QString::fromStdString(m_notesOf), left);
    const QJsonValue own = others.take(QString::fromStdString(source));
    (*m_toShow)["timelines"] = textOf({{notes, own.toArray()}, {ofOthers, others}});
    m_toShow->erase("time");
}

void ProjectViews::showNotesOfJob() {
    const std::string &source = m_session.state().source;
    if (source == m_notesOf)
        return;
    if (!m_notesOf.empty() && m_toShow)
        leaveViewsTo(source);
    if (!m_notesOf.empty() && !m_panes.notes().notes().empty())
        m_otherNotes[m_notesOf] = m_panes.notes().notes();
    m_notesOf = source;
    const auto known = m_otherNotes.extract(source);
    m_panes.notes().setNotes(known ? known.mapped() : std::vector<Note>());
}

} // namespace syncopate::ui
