// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_model.h"

#include "ui/runs/run_text.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace syncopate::ui {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

} // namespace

QString methodTitle(PlanMethod method) {
    const std::string_view text = titleOf(method);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

PlanModel::PlanModel(Planner &planner, QObject *parent) : HistoryModel(parent), m_planner(planner) {
    declareColumns();
    connect(&planner, &Planner::cleared, this, [this] {
        beginResetModel();
        m_methods.clear();
        m_accepted.clear();
        endResetModel();
    });
    connect(&planner, &Planner::planFound, this, &PlanModel::add);
    connect(&planner, &Planner::progressed, this, &PlanModel::grow);
    connect(&planner, &Planner::statusChanged, this, &PlanModel::trialsAdded); // the axis ends with the run
}

void PlanModel::declareColumns() {
    using Kind = FilterField::Kind;
    RunsModel::Column method{tr("Planner"),
                             tr("How the plan was found (docs/plan.md); in the order of the paper's figures."),
                             {QStringLiteral("planner"), Kind::Text},
                             104,
                             [this](int row) { return static_cast<double>(m_methods[static_cast<std::size_t>(row)]); },
                             [this](int row) { return methodTitle(m_methods[static_cast<std::size_t>(row)]); }};
    auto idle = figure(
        tr("Compute idle"), tr("Share of an iteration in which the compute stream waits."),
        {QStringLiteral("idle"), Kind::Number}, 96, [this](int row) { return planOf(row).run.computeIdleRatio(); }, percentText);
    idle.filterScale = 100;
    auto gap = figure(
        tr("Above bound"),
        tr("Iteration / lower bound − 1: no plan of these collectives on these channels is faster than the bound."),
        {QStringLiteral("gap"), Kind::Number}, 94, [this](int row) { return gapOf(planOf(row)); }, percentText);
    gap.filterScale = 100;
    auto change = figure(
        tr("vs FIFO"), tr("Iteration against FIFO's; below zero is faster."), {QStringLiteral("change"), Kind::Number}, 80,
        [this](int row) {
            const FoundPlan *fifo = m_planner.found(PlanMethod::Fifo);
            return fifo ? planOf(row).run.iterationSeconds / fifo->run.iterationSeconds - 1 : unknown;
        },
        changeText);
    change.filterScale = 100;
    setColumns(
        {method,
         figure(
             tr("Iteration"), tr("Time of a steady iteration of the plan, in seconds."),
             {QStringLiteral("iteration"), Kind::Seconds}, 84, [this](int row) { return planOf(row).run.iterationSeconds; },
             secondsText),
         idle, gap, change,
         figure(
             tr("Peak memory"),
             tr("Peak memory of the collectives' buffers in a process, as far as the DAG states sizes (docs/plan.md)."),
             {QStringLiteral("memory"), Kind::Bytes}, 88, [this](int row) { return planOf(row).peakBytes; }, bytesText),
         figure(
             tr("Schedules"), tr("Execution plans that were scheduled to find it."), {QStringLiteral("schedules"), Kind::Number},
             80, [this](int row) { return static_cast<double>(planOf(row).evaluations); },
             [](double value) { return QString::number(value, 'f', 0); })});
}

void PlanModel::add(PlanMethod method) {
    const auto at = std::lower_bound(m_methods.begin(), m_methods.end(), method) - m_methods.begin();
    beginInsertRows({}, static_cast<int>(at), static_cast<int>(at));
    m_methods.insert(m_methods.begin() + at, method);
    endInsertRows();
    Q_EMIT levelsChanged();
}

void PlanModel::grow() {
    const auto &steps = m_planner.steps();
    for (std::size_t s = m_accepted.size(); s < steps.size(); ++s)
        m_accepted.push_back((s > 0 ? m_accepted.back() : 0U) + (steps[s].accepted ? 1U : 0U));
    Q_EMIT trialsAdded();
}

int PlanModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_methods.size()); }

int PlanModel::rowOf(RunId id) const {
    const auto found = std::find_if(m_methods.begin(), m_methods.end(), [id](PlanMethod method) { return planId(method) == id; });
    return found == m_methods.end() ? -1 : static_cast<int>(found - m_methods.begin());
}

double PlanModel::gapOf(const FoundPlan &found) const {
    return m_planner.boundSeconds() > 0 ? found.run.iterationSeconds / m_planner.boundSeconds() - 1 : unknown;
}

QString PlanModel::describe(int row) const {
    const FoundPlan &found = planOf(row);
    QString text =
        tr("%1: %2 an iteration, compute idle %3")
            .arg(methodTitle(found.method), secondsText(found.run.iterationSeconds), percentText(found.run.computeIdleRatio()));
    if (const double gap = gapOf(found); !std::isnan(gap))
        text += tr("\n%1 above the lower bound").arg(percentText(gap));
    if (!found.run.isSteady)
        text += tr("\nthe schedule does not repeat: its iteration is a mean, or a bound if that is longer");
    return text;
}

std::size_t PlanModel::budget() const {
    constexpr std::size_t page = 1000; // the length of chains is not known in advance: the axis grows with them
    const std::size_t done = trials();
    switch (m_planner.status()) {
    case Planner::Status::Idle:
        return 0;
    case Planner::Status::Running:
        return (done / page + 1) * page;
    default:
        return done;
    }
}

double PlanModel::valueOf(std::size_t trial) const {
    const PlanStep &step = m_planner.steps()[trial];
    return step.fits && std::isfinite(step.seconds) ? step.seconds : unknown;
}

double PlanModel::hitRateAt(std::size_t trial) const {
    return static_cast<double>(m_accepted[trial]) / static_cast<double>(trial + 1);
}

QString PlanModel::describeTrial(std::size_t trial) const {
    const PlanStep &step = m_planner.steps()[trial];
    return tr("evaluation %1, chain %2: %3, %4")
        .arg(trial)
        .arg(step.chain)
        .arg(!step.fits                    ? tr("more memory than allowed")
             : std::isfinite(step.seconds) ? secondsText(step.seconds)
                                           : tr("cannot be played"),
             step.accepted ? tr("accepted") : tr("rejected"));
}

std::vector<HistoryModel::Level> PlanModel::levels() const {
    std::vector<Level> levels;
    std::size_t bar = 0;
    double best = HUGE_VAL;
    for (const PlanMethod method : m_methods) {
        const double seconds = m_planner.found(method)->run.iterationSeconds;
        levels.push_back({methodTitle(method), seconds, Level::Kind::Reference});
        if (isBaseline(method) && seconds < best) {
            best = seconds;
            bar = levels.size() - 1;
        }
    }
    if (best < HUGE_VAL)
        levels[bar].kind = Level::Kind::Bar;
    if (m_planner.boundSeconds() > 0)
        levels.push_back({tr("lower bound"), m_planner.boundSeconds(), Level::Kind::Bound});
    return levels;
}

} // namespace syncopate::ui
