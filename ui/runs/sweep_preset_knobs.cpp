// SPDX-License-Identifier: GPL-3.0-or-later
// Which knobs the preset of sweeps offers, over which ranges, and why the chosen knobs cannot be swept.
#include "engine/plan/dag_catalogue.h"
#include "engine/session/dag_job.h"
#include "engine/session/dag_sweep.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/runs/sweep_preset.h"
#include "ui/session/loaded_state.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>
#include <string>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int mapPoints = 17; ///< per axis

/// Each point of a plan has a search of its own.
int curvePoints(const SessionState &state) { return showsDag(state) ? 21 : 41; }

} // namespace

void SweepPreset::offerKnobs() {
    const SessionState &state = m_session.state();
    const std::vector<KnobBinding> knobs = knobBindings();
    std::vector<std::size_t> offered;
    for (std::size_t k = 0; k < knobs.size(); ++k)
        if (!showsDag(state) || reachesPlans(scenarioSpace()[k], isCatalogueDag(state.source)))
            offered.push_back(k);
    if (offered == m_offered)
        return;
    m_offered = std::move(offered);
    const QSignalBlocker quietX(m_x), quietY(m_y); // the caller sweeps
    const QVariant x = m_x->currentData(), y = m_y->currentData();
    m_x->clear();
    while (m_y->count() > 1) // a curve
        m_y->removeItem(1);
    for (const std::size_t k : m_offered)
        for (QComboBox *box : {m_x, m_y})
            box->addItem(knobs[k].info.name, static_cast<int>(k));
    m_x->setCurrentIndex(std::max(0, m_x->findData(x)));
    m_y->setCurrentIndex(std::max(0, m_y->findData(y)));
    if (m_x->currentData() != x)
        m_xRange->clear(); // it was another knob's
    if (m_y->currentData() != y)
        m_yRange->clear();
}

void SweepPreset::offerOthers() {
    auto *knobs = qobject_cast<QStandardItemModel *>(m_y->model());
    for (int row = 1; row < knobs->rowCount(); ++row)
        knobs->item(row)->setEnabled(m_y->itemData(row) != m_x->currentData());
    if (m_y->currentData() == m_x->currentData()) { // it was chosen before the first knob
        const QSignalBlocker blocker(m_y);          // the caller starts the sweep
        m_y->setCurrentIndex(0);
        m_yRange->clear();
    }
}

QString SweepPreset::whyNotSwept(std::size_t binding) const {
    const SessionState &state = m_session.state();
    if (!showsDag(state))
        return knobBindings()[binding].whyNot(state);
    const Dimension &knob = scenarioSpace()[binding];
    const auto a = checkSwept(state, Side::A, knob);
    if (a || (state.compare && checkSwept(state, Side::B, knob)))
        return {};
    return QString::fromStdString(a.error().toString());
}

QString SweepPreset::whyNot() const {
    const SessionState &state = m_session.state();
    if (QString reason = whyNotPlanned(state); !reason.isEmpty()) // of jobs with layers: whyNotSimulated()
        return reason;
    const auto second = secondBinding();
    if (const QString reason = whyNotSwept(bindingOf(*m_x)); !reason.isEmpty())
        return reason;
    if (const QString reason = second ? whyNotSwept(*second) : QString(); !reason.isEmpty())
        return reason;
    const auto x = axisOf(*m_x, *m_xRange);
    if (!x)
        return QString::fromStdString(x.error().toString());
    const auto y = second ? axisOf(*m_y, *m_yRange) : x;
    if (!y)
        return QString::fromStdString(y.error().toString());
    if (const auto few = checkSweepPoints(x->values.size() * (second ? y->values.size() : 1)); !few)
        return QString::fromStdString(few.error().toString());
    return {};
}

Result<SweepAxis> SweepPreset::axisOf(const QComboBox &box, const QLineEdit &range) const {
    const std::size_t index = bindingOf(box);
    const bool map = secondBinding().has_value();
    const int curve = curvePoints(m_session.state());
    const std::string text = range.text().trimmed().toStdString();
    if (text.empty())
        return map ? mapAxis(index, mapPoints) : sweepAxis(index, curve);
    const Dimension &dimension = scenarioSpace()[index];
    const bool factors = dimension.scale == Scale::Logarithmic && dimension.min > 0;
    if (text.find(':') != std::string::npos)
        return parseSweepAxis(dimension.id + "=" + text);
    const std::string steps = ":" + std::to_string(map ? mapPoints : curve);
    auto axis = TRY(parseSweepAxis(dimension.id + "=" + text + steps + (factors ? ":log" : "")));
    if (map && dimension.integer && factors) { // each value twice the one before, as over the whole range
        const double last = axis.values.back();
        axis.values.resize(1);
        while (axis.values.back() * 2 <= last)
            axis.values.push_back(axis.values.back() * 2);
        if (axis.values.back() < last) // the end that was asked for
            axis.values.push_back(last);
    }
    return axis;
}

} // namespace syncopate::ui
