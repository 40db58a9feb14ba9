// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/tune_model.h"

#include "engine/job/batch.h"
#include "ui/knobs/knob_names.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"
#include "ui/theme/rate_unit.h"

#include <cmath>
#include <limits>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr int iterationsPerPoint = 10; ///< cost of a grid's point to a running system, as in the tuner grid()

} // namespace

TuneModel::TuneModel(QObject *parent) : RunsModel(parent) { setColumns({}); }

void TuneModel::setRun(std::shared_ptr<const TuneRun> run) {
    const auto rows = [](const std::shared_ptr<const TuneRun> &of) {
        std::vector<std::size_t> names;
        for (const TuneAxis &axis : of->plan.axes)
            names.push_back(axis.dimension);
        return std::pair(names, of->plan.tuners);
    };
    if (m_run && run && rows(m_run) == rows(run)) {
        m_run = std::move(run);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    if (!m_run && !run)
        return;
    beginResetModel();
    clearPins();
    m_run = std::move(run);
    setColumns(m_run ? declareColumns() : std::vector<Column>());
    endResetModel();
}

int TuneModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_run ? 0 : tunerRow + static_cast<int>(m_run->tuners.size());
}

const TunerRun *TuneModel::tunerOf(int row) const {
    return row < tunerRow ? nullptr : &m_run->tuners[static_cast<std::size_t>(row - tunerRow)];
}

QString TuneModel::nameOf(int row) const {
    switch (row) {
    case usualRow:
        return tr("default");
    case presentRow:
        return tr("A at the start");
    case mapRow:
        return tr("fastest of the map");
    default:
        return QString::fromStdString(tunerOf(row)->expression);
    }
}

std::optional<TuneStep> TuneModel::stepOf(int row) const {
    if (row == usualRow)
        return m_run->usual;
    if (row == presentRow)
        return m_run->present;
    if (row == mapRow) {
        const auto best = m_run->map.best();
        return best ? std::optional(m_run->map.points[*best]) : std::nullopt;
    }
    const auto &tuning = tunerOf(row)->tuning;
    return tuning && tuning->best() ? std::optional(tuning->path[*tuning->best()]) : std::nullopt;
}

double TuneModel::evaluationsOf(int row) const {
    if (row == mapRow)
        return static_cast<double>(m_run->judged);
    const TunerRun *tuner = tunerOf(row);
    return !tuner ? 0 : tuner->tuning ? static_cast<double>(tuner->tuning->path.size()) : none;
}

double TuneModel::iterationsOf(int row) const {
    const TunerRun *tuner = tunerOf(row);
    if (!tuner)
        return evaluationsOf(row) * iterationsPerPoint;
    return tuner->tuning ? static_cast<double>(tuner->tuning->iterations()) : none;
}

double TuneModel::wallOf(int row) const {
    if (row == mapRow)
        return m_run->map.wallSeconds > 0 ? m_run->map.wallSeconds : none;
    const TunerRun *tuner = tunerOf(row);
    return tuner && tuner->tuning ? tuner->tuning->wallSeconds : none;
}

std::vector<RunsModel::Column> TuneModel::declareColumns() const {
    const auto stepFigure = [this](const auto &of) {
        return [this, of](int row) {
            const auto step = stepOf(row);
            return step ? of(*step) : none;
        };
    };
    const auto count = [](double value) { return QString::number(value, 'f', 0); };
    std::vector<Column> columns{
        {tr("Setting"),
         tr("Source of a setting: a tuner, the map, the policy's defaults, or side A."),
         {QStringLiteral("method"), FilterField::Kind::Text},
         170,
         [](int row) { return static_cast<double>(row); },
         [this](int row) { return nameOf(row); }},
        figure(tr("Iteration"), tr("Simulated time of a steady iteration, in seconds."),
               {QStringLiteral("iteration"), FilterField::Kind::Seconds}, 84,
               stepFigure([](const TuneStep &step) { return step.iterationSeconds; }), secondsText),
        figure(tr("Samples/s"), tr("Samples of all workers per second.") + QLatin1Char('\n') + unknownBatchText(),
               {QStringLiteral("samples"), FilterField::Kind::Number}, 80,
               stepFigure([this](const TuneStep &step) { return samplesOnly(m_run->statesBatch(), step.samplesPerSecond); }),
               samplesText),
        figure(tr("Regret"), tr("How much longer an iteration takes than the fastest known one."),
               {QStringLiteral("regret"), FilterField::Kind::Number}, 64,
               stepFigure([this](const TuneStep &step) { return m_run->regretOf(step); }), percentText),
        figure(
            tr("Evaluations"), tr("Settings that were judged."), {QStringLiteral("evaluations"), FilterField::Kind::Number}, 84,
            [this](int row) { return evaluationsOf(row); }, count),
        figure(
            tr("Cost"), tr("Training iterations that a running job would have spent on these evaluations."),
            {QStringLiteral("cost"), FilterField::Kind::Number}, 64, [this](int row) { return iterationsOf(row); }, count),
        figure(
            tr("Took"), tr("Time that the search took here."), {QStringLiteral("took"), FilterField::Kind::Seconds}, 72,
            [this](int row) { return wallOf(row); }, secondsText)};
    columns[3].filterScale = 100;
    for (std::size_t i = 0; i < m_run->plan.axes.size(); ++i) {
        const Dimension &of = m_run->plan.axes[i].of();
        columns.push_back(figure(knobName(of), knobDescription(of), {QString::fromStdString(of.id), filterKindOf(of.unit)}, 96,
                                 stepFigure([i](const TuneStep &step) { return i < step.values.size() ? step.values[i] : none; }),
                                 [&of](double value) { return QString::fromStdString(of.format(value)); }));
    }
    return columns;
}

QString TuneModel::describe(int row) const {
    const TunerRun *tuner = tunerOf(row);
    const auto step = stepOf(row);
    QStringList lines{nameOf(row)};
    if (tuner && !tuner->error.empty())
        lines << QString::fromStdString(tuner->error);
    else if (!step)
        lines << (m_run->complete ? tr("no setting could be simulated") : tr("not known yet"));
    else
        lines << QString::fromStdString(syncopate::describe(m_run->plan.axes, step->values)) << m_run->describe(*step);
    if (tuner && tuner->tuning && tuner->tuning->network)
        lines << networkText(*tuner->tuning->network);
    return lines.join(QLatin1Char('\n'));
}

} // namespace syncopate::ui
