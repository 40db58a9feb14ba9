// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/candidates_model.h"

#include "engine/job/batch.h"
#include "engine/search/rule_space.h"
#include "ui/runs/run_text.h"
#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/sentences.h"

#include <cmath>
#include <limits>
#include <utility>

namespace syncopate::ui {

namespace {

double changeOf(const CandidateMetrics &metrics, const Searcher &searcher) {
    const double baseline = searcher.tally().bestBaseline();
    return std::isfinite(baseline) && baseline > 0 ? searcher.valueOf(metrics) / baseline - 1
                                                   : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

QString candidateName(const Searcher &searcher, CandidateId id) {
    switch (id.kind) {
    case CandidateId::Kind::Trial:
        return CandidatesModel::tr("trial %1").arg(id.index);
    case CandidateId::Kind::Baseline:
        return QString::fromStdString(searcher.history().baselines[id.index].builder);
    case CandidateId::Kind::Tuned:
        break;
    }
    return QString::fromStdString(searcher.tuned()[id.index].expression);
}

/// "exact", "±0.3 %" or "not steady"; of a candidate that has a confidence.
QString confidenceText(double confidence) {
    if (std::isinf(confidence))
        return CandidatesModel::tr("not steady");
    return confidence > 0 ? QStringLiteral("±%1 %").arg(100 * confidence, 0, 'g', 2) : CandidatesModel::tr("exact");
}

QString candidateText(const Searcher &searcher, CandidateId id) {
    const CandidateMetrics &m = searcher.metricsOf(id);
    const std::string error = searcher.errorOf(id);
    QStringList lines;
    if (!error.empty())
        return CandidatesModel::tr("%1: cannot be simulated: %2").arg(candidateName(searcher, id), QString::fromStdString(error));
    lines << CandidatesModel::tr("%1: %2 an iteration, %3 exposed")
                 .arg(candidateName(searcher, id), secondsText(m.iterationSeconds), secondsText(m.exposedSeconds));
    if (const double change = changeOf(m, searcher); !std::isnan(change))
        lines << CandidatesModel::tr("%1 against the best builder").arg(changeText(change));
    lines << CandidatesModel::tr("%1 on %n servers, at most %2 on one", nullptr, m.servers)
                 .arg(CandidatesModel::tr("%n variables (%1)", nullptr, m.psVariables).arg(bytesText(m.psBytes)),
                      bytesText(m.largestServerBytes));
    lines << CandidatesModel::tr("%1 partitioned, %2, %3")
                 .arg(QString::number(m.partitionedVariables), CandidatesModel::tr("%n shards", nullptr, m.shards),
                      CandidatesModel::tr("%n all-reduce groups", nullptr, m.groups));
    if (const std::string rule = searcher.explanation(id); !rule.empty())
        lines << saidRule(rule);
    return lines.join(QLatin1Char('\n'));
}

CandidatesModel::CandidatesModel(Searcher &searcher, QObject *parent) : HistoryModel(parent), m_searcher(searcher) {
    declareColumns();
    connect(&searcher, &Searcher::cleared, this, [this] {
        beginResetModel();
        m_baselines = m_tuned = m_trials = 0;
        m_method.reset();
        m_groups.clear();
        clearPins();
        endResetModel();
        Q_EMIT phasesChanged();
    });
    connect(&searcher, &Searcher::progressed, this, &CandidatesModel::grow);
    connect(&searcher, &Searcher::levelsChanged, this, &CandidatesModel::takeLevels);
}

void CandidatesModel::declareColumns() {
    using Kind = FilterField::Kind;
    const auto of = [this](auto CandidateMetrics::*figure) {
        return [this, figure](int row) { return static_cast<double>(metricsOf(row).*figure); };
    };
    const auto whole = [](double value) { return QString::number(value, 'f', 0); };
    const auto count = [&](const QString &name, const QString &definition, const char *filter, int width, auto figureOf) {
        return figure(name, definition, {QLatin1String(filter), Kind::Number}, width, of(figureOf), whole);
    };
    RunsModel::Column name{tr("Candidate"),
                           tr("A builder's strategy, or the number of a trial."),
                           {QStringLiteral("candidate"), Kind::Text},
                           158,
                           [this](int row) { return static_cast<double>(idOf(row)); },
                           [this](int row) { return candidateName(m_searcher, candidateAt(row)); }};
    RunsModel::Column change = figure(
        tr("vs baseline"), tr("The objective against the best builder's; below zero is a hit."),
        {QStringLiteral("change"), Kind::Number}, 88, [this](int row) { return changeOf(metricsOf(row), m_searcher); },
        changeText);
    change.filterScale = 100;
    RunsModel::Column confidence = figure(tr("Confidence"), explained("Confidence"), {QStringLiteral("confidence"), Kind::Number},
                                          84, of(&CandidateMetrics::confidence), confidenceText);
    confidence.filterScale = 100;
    const auto isTrial = [this](int row) { return candidateAt(row).kind == CandidateId::Kind::Trial; };
    RunsModel::Column source{
        tr("Source"),
        tr("Source of a trial's proposal: the colour of its dot."),
        {QStringLiteral("source"), Kind::Text},
        120,
        [this, isTrial](int row) {
            return isTrial(row) ? static_cast<double>(groupOf(candidateAt(row).index)) : std::numeric_limits<double>::quiet_NaN();
        },
        [this, isTrial](int row) {
            return isTrial(row) ? groups()[static_cast<qsizetype>(groupOf(candidateAt(row).index))] : QString();
        }};
    setColumns({name,
                figure(tr("Iteration"), tr("Simulated time of a steady iteration, in seconds."),
                       {QStringLiteral("iteration"), Kind::Seconds}, 78, of(&CandidateMetrics::iterationSeconds), secondsText),
                change, confidence,
                figure(tr("Exposed"), explained("Exposed communication"), {QStringLiteral("exposed"), Kind::Seconds}, 76,
                       of(&CandidateMetrics::exposedSeconds), secondsText),
                figure(
                    tr("Samples/s"), tr("Samples of all workers per second.") + QLatin1Char('\n') + unknownBatchText(),
                    {QStringLiteral("samples"), Kind::Number}, 78,
                    [this](int row) {
                        const auto &plan = m_searcher.plan();
                        return samplesOnly(!plan || statesBatch(*plan->state.job), metricsOf(row).samplesPerSecond);
                    },
                    samplesText),
                count(tr("PS vars"), tr("Variables kept on parameter servers; the others are all-reduced."), "ps", 64,
                      &CandidateMetrics::psVariables),
                figure(tr("PS size"), tr("Bytes of the variables on parameter servers."),
                       {QStringLiteral("ps_size"), Kind::Bytes}, 78, of(&CandidateMetrics::psBytes), bytesText),
                count(tr("Servers"), tr("Parameter servers that hold a variable or a part of one."), "servers", 64,
                      &CandidateMetrics::servers),
                figure(tr("Max. per server"), tr("Bytes of the variables on the server that holds the most."),
                       {QStringLiteral("most"), Kind::Bytes}, 92, of(&CandidateMetrics::largestServerBytes), bytesText),
                count(tr("Partitioned"), tr("Variables in more than one part."), "partitioned", 80,
                      &CandidateMetrics::partitionedVariables),
                count(tr("Shards"), tr("Parts in all, a whole variable being one."), "shards", 60, &CandidateMetrics::shards),
                count(tr("Groups"), tr("All-reduce groups: the variables of one are reduced together."), "groups", 60,
                      &CandidateMetrics::groups),
                source});
}

void CandidatesModel::add(int &known, int present, int firstRow) {
    if (present <= known)
        return;
    beginInsertRows({}, firstRow + known, firstRow + present - 1);
    known = present;
    endInsertRows();
}

void CandidatesModel::groupTrials() {
    const std::vector<SearchTrial> &trials = m_searcher.history().trials;
    while (m_groups.size() < trials.size())
        m_groups.push_back(static_cast<std::uint8_t>(sourceOf(trials[m_groups.size()])));
}

void CandidatesModel::grow() {
    const auto baselines = static_cast<int>(m_searcher.history().baselines.size());
    if (baselines > m_baselines) {
        add(m_baselines, baselines, 0);
        Q_EMIT dataChanged(index(0, Change), index(rowCount() - 1, Change)); // compared with the best of more baselines
    }
    groupTrials();
    add(m_trials, static_cast<int>(m_searcher.history().trials.size()), m_baselines + m_tuned);
    Q_EMIT phasesChanged();
}

void CandidatesModel::takeLevels() {
    add(m_tuned, static_cast<int>(m_searcher.tuned().size()), m_baselines);
    if (m_method != m_searcher.method()) { // for an opened search it becomes known after its trials
        m_method = m_searcher.method();
        m_groups.clear();
        groupTrials();
        Q_EMIT groupsChanged();
        if (m_trials > 0)
            Q_EMIT dataChanged(index(0, Source), index(rowCount() - 1, Source));
    }
    Q_EMIT levelsChanged();
}

int CandidatesModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_baselines + m_tuned + m_trials; }

CandidateId CandidatesModel::candidateAt(int row) const {
    using Kind = CandidateId::Kind;
    if (row < m_baselines)
        return {Kind::Baseline, static_cast<std::size_t>(row)};
    row -= m_baselines;
    return row < m_tuned ? CandidateId{Kind::Tuned, static_cast<std::size_t>(row)}
                         : CandidateId{Kind::Trial, static_cast<std::size_t>(row - m_tuned)};
}

int CandidatesModel::rowOf(RunId id) const {
    const auto [kind, index] = CandidateId::ofRow(id);
    const auto [first, count] = kind == CandidateId::Kind::Baseline ? std::pair(0, m_baselines)
                                : kind == CandidateId::Kind::Tuned  ? std::pair(m_baselines, m_tuned)
                                                                    : std::pair(m_baselines + m_tuned, m_trials);
    return index < static_cast<std::size_t>(count) ? first + static_cast<int>(index) : -1;
}

QString CandidatesModel::describe(int row) const { return candidateText(m_searcher, candidateAt(row)); }

std::size_t CandidatesModel::budget() const { return m_searcher.plan() ? m_searcher.plan()->trials : 0; }

double CandidatesModel::valueOf(std::size_t trial) const {
    return m_searcher.valueOf(m_searcher.history().trials[trial].metrics);
}

QString CandidatesModel::valueName() const {
    const auto &plan = m_searcher.plan();
    return plan && plan->objective == SearchObjective::ExposedCommunication ? tr("exposed") : tr("iteration");
}

std::vector<HistoryModel::Level> CandidatesModel::levels() const {
    std::vector<Level> levels;
    if (!m_searcher.plan())
        return levels;
    const SearchHistory &history = m_searcher.history();
    const std::int64_t best = history.bestBaseline(m_searcher.plan()->objective);
    for (std::size_t b = 0; b < history.baselines.size(); ++b)
        if (const double value = m_searcher.valueOf(history.baselines[b].metrics); !std::isnan(value))
            levels.push_back({QString::fromStdString(history.baselines[b].builder), value,
                              static_cast<std::int64_t>(b) == best ? Level::Kind::Bar : Level::Kind::Reference});
    if (const auto tuned = m_searcher.bestTuned())
        levels.push_back({tr("tuned: %1").arg(candidateName(m_searcher, *tuned)),
                          m_searcher.valueOf(m_searcher.metricsOf(*tuned)), Level::Kind::Bar});
    if (m_searcher.boundSeconds() > 0)
        levels.push_back({tr("compute alone"), m_searcher.boundSeconds(), Level::Kind::Bound});
    return levels;
}

QStringList CandidatesModel::groups() const { // in the order of CandidateSource
    return {tr("usual rules"), tr("drawn at random"), tr("moves of earlier trials"), tr("ranked first"), tr("the method's own")};
}

std::size_t CandidatesModel::sourceOf(const SearchTrial &trial) const {
    return static_cast<std::size_t>(m_method ? m_method->sourceKind(trial.genes) : CandidateSource::Own);
}

} // namespace syncopate::ui
