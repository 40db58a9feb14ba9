// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/tune_run.h"

#include "engine/strategy/comm_policy.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/sentences.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

struct TuneRunText {
    Q_DECLARE_TR_FUNCTIONS(TuneRun)
};

/// The part of a side that the axes' dimensions read.
ScenarioRecipe settingsOf(const SessionState &state, Side side) {
    ScenarioRecipe settings;
    settings.cluster = state.side(side).cluster ? state.side(side).cluster : state.cluster;
    settings.knobs = state;
    settings.policy = parsePolicy(state.side(side).policy).value_or(CommPolicy{});
    return settings;
}

/// The place of a value among an axis' cells, whose middles are evenly spaced from 0 to 1.
double placeAmongCells(const TuneAxis &axis, const std::vector<double> &cells, double value) {
    const auto middle = [&](std::size_t cell) { return axis.coordinateOf(axis.at(cells[cell])); };
    if (cells.size() < 2)
        return 0;
    const double coordinate = axis.coordinateOf(value);
    std::size_t next = 1;
    while (next + 1 < cells.size() && middle(next) < coordinate)
        ++next;
    const double from = middle(next - 1), share = (coordinate - from) / (middle(next) - from);
    return std::clamp((static_cast<double>(next - 1) + share) / static_cast<double>(cells.size() - 1), 0.0, 1.0);
}

} // namespace

std::vector<TuneAxis> tuneAxes(std::size_t x, std::size_t y) {
    std::vector<TuneAxis> usual = TuneSpace::partitionAndCredit();
    if (usual[0].dimension == x && usual[1].dimension == y)
        return usual;
    return {usualAxis(x), usualAxis(y)};
}

std::optional<double> TuneRun::bestSeconds() const {
    double best = std::numeric_limits<double>::infinity();
    const auto consider = [&best](const TuneStep &step) {
        if (step.iterationSeconds < best) // false for NaN
            best = step.iterationSeconds;
    };
    for (const TuneStep &point : map.points)
        consider(point);
    for (const auto &step : {usual, present})
        if (step)
            consider(*step);
    for (const TunerRun &tuner : tuners)
        if (tuner.tuning && tuner.tuning->best())
            consider(tuner.tuning->path[*tuner.tuning->best()]);
    return std::isfinite(best) ? std::optional(best) : std::nullopt;
}

double TuneRun::regretOf(const TuneStep &step) const {
    return step.iterationSeconds / bestSeconds().value_or(std::numeric_limits<double>::quiet_NaN()) - 1;
}

QString TuneRun::describe(const TuneStep &step) const {
    if (!step.error.empty())
        return TuneRunText::tr("cannot be simulated: %1").arg(QString::fromStdString(step.error));
    if (!std::isfinite(step.iterationSeconds))
        return TuneRunText::tr("not simulated yet");
    const double regret = regretOf(step);
    return TuneRunText::tr("%1 an iteration, %2 %3, %4")
        .arg(secondsText(step.iterationSeconds), samplesText(step.samplesPerSecond), rateUnitText(statesBatch()),
             regret >= shownChange ? TuneRunText::tr("%1 slower than the fastest").arg(percentText(regret))
                                   : TuneRunText::tr("the fastest"));
}

QString TuneRun::findings() const {
    if (!hasMap() || !usual)
        return {};
    QStringList parts;
    if (const auto best = map.best())
        parts << TuneRunText::tr("fastest of the map: %1 %2 (%3)")
                     .arg(samplesText(map.points[*best].samplesPerSecond), rateUnitText(statesBatch()),
                          QString::fromStdString(syncopate::describe(plan.axes, map.points[*best].values)));
    if (const double regret = regretOf(*usual); regret >= shownChange)
        parts << TuneRunText::tr("the default takes %1 longer").arg(percentText(regret));
    if (hasWholeMap() && map.best()) {
        const std::size_t valleys = map.valleys();
        parts << (valleys == 1 ? TuneRunText::tr("unimodal: going downhill from anywhere finds it")
                               : TuneRunText::tr("%1 valleys: going downhill may end in the wrong one").arg(valleys));
    }
    if (!bound.what.empty()) {
        const QString limit = TuneRunText::tr("%1, %2").arg(secondsText(bound.seconds), said(bound.what));
        parts << (bound.isReached(usual->iterationSeconds)
                      ? TuneRunText::tr("no gain is possible here: the default is at the bound of %1").arg(limit)
                      : TuneRunText::tr("nothing can be faster than %1").arg(limit));
    }
    return parts.join(QStringLiteral(" · "));
}

SessionState withSetting(SessionState state, Side side, const std::vector<TuneAxis> &axes, const std::vector<double> &values) {
    state.side(side) = state.side(Side::A);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto turned = axes[i].of().with(settingsOf(state, side), values[i]);
        if (!turned)
            continue;
        if (axes[i].of().isOfCluster())
            static_cast<ClusterKnobs &>(state) = turned->knobs;
        else
            state.side(side).policy = formatPolicy(turned->policy);
    }
    state.compare = state.compare || side == Side::B;
    return state;
}

std::optional<std::vector<double>> settingOf(const SessionState &state, Side side, const std::vector<TuneAxis> &axes) {
    const ScenarioRecipe settings = settingsOf(state, side);
    std::vector<double> values;
    for (const TuneAxis &axis : axes) {
        if (!axis.of().appliesTo(settings))
            return std::nullopt;
        values.push_back(axis.of().get(settings));
    }
    return values;
}

bool sameButFor(const std::vector<TuneAxis> &axes, const SessionState &a, const SessionState &b) {
    const auto values = settingOf(a, Side::A, axes);
    return values && withSetting(a, Side::A, axes, *values).sameScenario(withSetting(b, Side::A, axes, *values), Side::A);
}

TunePoint placeOnMap(const TunePlan &plan, const std::vector<double> &values) {
    TunePoint place;
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
        const TuneAxis &axis = plan.axes[i];
        const double value = values[i] / (axis.multipleOf ? values[*axis.multipleOf] : 1);
        place.push_back(placeAmongCells(axis, axis.gridCoordinates(plan.counts[i]), value));
    }
    return place;
}

} // namespace syncopate::ui
