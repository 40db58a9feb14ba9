// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/perspectives.h"

#include "ui/runs/plan_preset.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/tune_preset.h"
#include "ui/window/panel_layout.h"
#include "ui/window/panels.h"

#include <algorithm>

namespace syncopate::ui {

namespace {

/// Null if there is none with that id.
const Perspective *perspectiveOf(const QString &id) {
    const auto &all = Perspectives::all();
    const auto found = std::find_if(all.begin(), all.end(), [&id](const Perspective &one) { return one.id == id; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

const std::vector<Perspective> &Perspectives::all() {
    static const std::vector<Perspective> perspectives{
        {"compare", tr("&Compare"), tr("A and B with knobs, inspector and variables"), "variables", {}, true, true, true, 0.3},
        {"search", tr("&Search"), tr("Room for a search and its candidates"), "runs", "search", false, false, false, 1},
        {"tune", tr("T&une"), tr("Room for maps of a policy's settings"), "runs", "tune", false, false, false, 1},
        {"plan", tr("&Plan"), tr("Room for plans of collectives"), "runs", "plan", false, false, false, 1},
        {"throughput",
         tr("T&hroughput"),
         tr("Room for curves of asynchronous training"),
         "throughput",
         {},
         false,
         false,
         false,
         1},
        {"topology",
         tr("T&opology"),
         tr("Room for the cluster and the load of its links"),
         "topology",
         {},
         false,
         false,
         false,
         1},
        {"trace", tr("&Trace"), tr("Room for the timelines, with the inspector"), {}, {}, false, true, true, 0}};
    return perspectives;
}

Perspectives::Perspectives(Panels &panels) : QObject(&panels), m_panels(panels), m_present(all().front().id) {}

bool Perspectives::showsTimelines() const { return perspectiveOf(m_present)->timelines; }

void Perspectives::show(const QString &id) {
    const Perspective *wanted = perspectiveOf(id);
    if (!wanted || !m_panels.areShown())
        return;
    if (id == m_present) {
        bringToFront(*wanted);
        return;
    }
    m_layouts[m_present] = m_panels.layout();
    const QByteArray known = m_layouts.take(id);
    setPresent(id);
    if (known.isEmpty() || !m_panels.restore(known)) {
        m_panels.arrangeFor(*wanted);
        bringToFront(*wanted);
    } else if (const RunPreset *preset = presetOf(*wanted)) { // another perspective may have chosen its own
        m_panels.chooseRuns(*preset);
    }
}

const RunPreset *Perspectives::presetOf(const Perspective &perspective) const {
    if (perspective.preset == QLatin1String("search"))
        return &m_panels.search();
    if (perspective.preset == QLatin1String("tune"))
        return &m_panels.tuning();
    if (perspective.preset == QLatin1String("plan"))
        return &m_panels.plans();
    return nullptr;
}

void Perspectives::bringToFront(const Perspective &perspective) {
    if (const RunPreset *preset = presetOf(perspective))
        m_panels.raiseRuns(*preset);
    else if (!perspective.front.isEmpty())
        m_panels.raise(perspective.front);
}

void Perspectives::reset() {
    m_layouts.clear();
    setPresent(all().front().id);
    m_panels.reset();
}

void Perspectives::setPresent(const QString &id) {
    m_present = id;
    Q_EMIT changed(id);
}

QJsonObject Perspectives::settings() const {
    QJsonObject layouts;
    for (auto layout = m_layouts.begin(); layout != m_layouts.end(); ++layout)
        layouts.insert(layout.key(), QString::fromLatin1(layout.value().toBase64()));
    return {{QStringLiteral("present"), m_present}, {QStringLiteral("layouts"), layouts}};
}

void Perspectives::setSettings(const QJsonObject &settings) {
    m_layouts.clear();
    const QJsonObject layouts = settings.value(QStringLiteral("layouts")).toObject();
    for (const Perspective &one : all()) {
        const QByteArray layout = QByteArray::fromBase64(layouts.value(one.id).toString().toLatin1());
        if (isPanelLayout(layout))
            m_layouts[one.id] = layout;
    }
    const QString present = settings.value(QStringLiteral("present")).toString();
    setPresent(perspectiveOf(present) ? present : all().front().id);
}

} // namespace syncopate::ui
