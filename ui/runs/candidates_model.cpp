// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/candidates_model.h"

#include "ui/theme/format.h"

#include <cmath>
#include <limits>

namespace syncopate::ui {

namespace {

QString percentText(double share) {
    if (std::abs(share) < 5e-7)
        return QStringLiteral("0");
    return signedText(share, QStringLiteral("%1 %").arg(std::abs(share) * 100, 0, 'f', 1));
}

double changeOf(const CandidateMetrics &metrics, const Searcher &searcher) {
    const double baseline = searcher.tally().bestBaseline();
    return std::isfinite(baseline) && baseline > 0 ? searcher.valueOf(metrics) / baseline - 1
                                                   : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

QString candidateName(const SearchHistory &history, CandidateId id) {
    return id >= 0 ? CandidatesModel::tr("trial %1").arg(id)
                   : QString::fromStdString(history.baselines[static_cast<std::size_t>(-1 - id)].builder);
}

QString candidateText(const Searcher &searcher, CandidateId id) {
    const SearchHistory &history = searcher.history();
    const auto index = static_cast<std::size_t>(id < 0 ? -1 - id : id);
    const CandidateMetrics &m = id < 0 ? history.baselines[index].metrics : history.trials[index].metrics;
    const std::string &error = id < 0 ? history.baselines[index].error : history.trials[index].error;
    QStringList lines;
    if (!error.empty())
        return CandidatesModel::tr("%1: cannot be simulated: %2").arg(candidateName(history, id), QString::fromStdString(error));
    lines << CandidatesModel::tr("%1: %2 an iteration, %3 exposed")
                 .arg(candidateName(history, id), secondsText(m.iterationSeconds), secondsText(m.exposedSeconds));
    if (const double change = changeOf(m, searcher); !std::isnan(change))
        lines << CandidatesModel::tr("%1 against the best baseline").arg(percentText(change));
    lines << CandidatesModel::tr("%1 variables (%2) on %3 servers, at most %4 on one")
                 .arg(m.psVariables)
                 .arg(bytesText(m.psBytes))
                 .arg(m.servers)
                 .arg(bytesText(m.largestServerBytes));
    lines << CandidatesModel::tr("%1 partitioned, %2 shards, %3 all-reduce groups")
                 .arg(m.partitionedVariables)
                 .arg(m.shards)
                 .arg(m.groups);
    return lines.join(QLatin1Char('\n'));
}

CandidatesModel::CandidatesModel(Searcher &searcher, QObject *parent) : RunsModel(parent), m_searcher(searcher) {
    declareColumns();
    connect(&searcher, &Searcher::cleared, this, [this] {
        beginResetModel();
        m_baselines = m_trials = 0;
        clearPins();
        endResetModel();
    });
    connect(&searcher, &Searcher::progressed, this, &CandidatesModel::grow);
}

void CandidatesModel::declareColumns() {
    using Kind = FilterField::Kind;
    const auto of = [this](auto CandidateMetrics::*figure) {
        return [this, figure](int row) { return static_cast<double>(metricsOf(row).*figure); };
    };
    const auto whole = [](double value) { return QString::number(value, 'f', 0); };
    const auto samples = [](double value) { return QString::number(value, 'f', value < 100 ? 1 : 0); };
    const auto count = [&](const QString &name, const QString &definition, const char *filter, int width, auto figureOf) {
        return figure(name, definition, {QLatin1String(filter), Kind::Number}, width, of(figureOf), whole);
    };
    RunsModel::Column name{tr("Candidate"),
                           tr("A builder's strategy, or the number of a trial."),
                           {QStringLiteral("candidate"), Kind::Text},
                           158,
                           [this](int row) { return static_cast<double>(idOf(row)); },
                           [this](int row) { return candidateName(m_searcher.history(), idOf(row)); }};
    RunsModel::Column change = figure(
        tr("vs baseline"), tr("The objective against the best builder's; below zero is a hit."),
        {QStringLiteral("change"), Kind::Number}, 88, [this](int row) { return changeOf(metricsOf(row), m_searcher); },
        percentText);
    change.filterScale = 100;
    setColumns({name,
                figure(tr("Iteration"), tr("Simulated time of a steady iteration, in seconds."),
                       {QStringLiteral("iteration"), Kind::Seconds}, 78, of(&CandidateMetrics::iterationSeconds), secondsText),
                change,
                figure(tr("Exposed"), tr("Worker 0 communicates while its compute stream waits, in seconds of an iteration."),
                       {QStringLiteral("exposed"), Kind::Seconds}, 76, of(&CandidateMetrics::exposedSeconds), secondsText),
                figure(tr("Samples/s"), tr("Samples of all workers per second."), {QStringLiteral("samples"), Kind::Number}, 78,
                       of(&CandidateMetrics::samplesPerSecond), samples),
                count(tr("PS vars"), tr("Variables kept on parameter servers; the others are all-reduced."), "ps", 64,
                      &CandidateMetrics::psVariables),
                figure(tr("PS size"), tr("Bytes of the variables on parameter servers."),
                       {QStringLiteral("ps_size"), Kind::Bytes}, 78, of(&CandidateMetrics::psBytes), bytesText),
                count(tr("Servers"), tr("Parameter servers that hold a variable or a part of one."), "servers", 64,
                      &CandidateMetrics::servers),
                figure(tr("Most on one"), tr("Bytes of the variables on the server that holds most."),
                       {QStringLiteral("most"), Kind::Bytes}, 92, of(&CandidateMetrics::largestServerBytes), bytesText),
                count(tr("Partitioned"), tr("Variables in more than one part."), "partitioned", 80,
                      &CandidateMetrics::partitionedVariables),
                count(tr("Shards"), tr("Parts in all, a whole variable being one."), "shards", 60, &CandidateMetrics::shards),
                count(tr("Groups"), tr("All-reduce groups: what is in one is reduced together."), "groups", 60,
                      &CandidateMetrics::groups)});
}

void CandidatesModel::grow() {
    const auto baselines = static_cast<int>(m_searcher.history().baselines.size());
    const auto trials = static_cast<int>(m_searcher.history().trials.size());
    if (baselines > m_baselines) {
        beginInsertRows({}, m_baselines, baselines - 1);
        m_baselines = baselines;
        endInsertRows();
        Q_EMIT dataChanged(index(0, Change), index(baselines - 1, Change)); // against the best of more baselines
    }
    if (trials > m_trials) {
        beginInsertRows({}, m_baselines + m_trials, m_baselines + trials - 1);
        m_trials = trials;
        endInsertRows();
    }
}

int CandidatesModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_baselines + m_trials; }

CandidateId CandidatesModel::idOf(int row) const { return row < m_baselines ? -1 - row : row - m_baselines; }

int CandidatesModel::rowOf(CandidateId id) const {
    const std::int64_t row = id < 0 ? -1 - id : id + m_baselines;
    return (id < 0 ? row < m_baselines : id < m_trials) ? static_cast<int>(row) : -1;
}

QString CandidatesModel::describe(int row) const { return candidateText(m_searcher, idOf(row)); }

const CandidateMetrics &CandidatesModel::metricsOf(int row) const {
    const SearchHistory &history = m_searcher.history();
    return row < m_baselines ? history.baselines[static_cast<std::size_t>(row)].metrics
                             : history.trials[static_cast<std::size_t>(row - m_baselines)].metrics;
}

} // namespace syncopate::ui
