// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/scenarios_model.h"

#include "engine/job/batch.h"
#include "engine/predict/throughput.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/rate_unit.h"

#include <QCollator>
#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr double noPrice = 3600; ///< of a node-hour: makes a step cost its node-seconds

QString sourceText(const ScenarioRow &row) {
    const QString side = row.side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
    switch (row.source) {
    case RowSource::Kept:
        return ScenariosModel::tr("kept, %1").arg(side);
    case RowSource::Search:
        return ScenariosModel::tr("search");
    case RowSource::Sweep:
        break;
    }
    return ScenariosModel::tr("sweep, %1").arg(side);
}

double samplesOfStep(const ScenarioRow &row) { return row.figures.samplesPerSecond * row.figures.iterationSeconds; }

} // namespace

ScenariosModel::ScenariosModel(std::function<void(std::int64_t, Column, const QString &)> edit, QObject *parent)
    : RunsModel(parent), m_edit(std::move(edit)) {
    declareColumns();
}

RunsModel::Column ScenariosModel::textColumn(const QString &name, const QString &definition, const char *filter, int width,
                                             RowText text) {
    const std::size_t column = m_texts.size();
    m_texts.push_back(text);
    return {name,
            definition,
            {QString::fromLatin1(filter)},
            width,
            [this, column](int row) { return m_ranks[column][static_cast<std::size_t>(row)]; },
            [this, text = std::move(text)](int row) { return text(at(row)); }};
}

void ScenariosModel::rankTexts() {
    QCollator collator(QLocale(QLocale::English)); // the C locale's does not sort numerically
    collator.setNumericMode(true);                 // "10 Gbit/s" before "100 Gbit/s"
    m_ranks.assign(m_texts.size(), std::vector<double>(m_rows.size()));
    for (std::size_t column = 0; column < m_texts.size(); ++column) {
        std::map<QString, double> rankOf; // most texts occur in many rows, and collating is slow
        for (const ScenarioRow &row : m_rows)
            rankOf.try_emplace(m_texts[column](row), 0);
        std::vector<std::map<QString, double>::iterator> order;
        for (auto text = rankOf.begin(); text != rankOf.end(); ++text)
            order.push_back(text);
        std::ranges::stable_sort(order, [&](const auto &a, const auto &b) { return collator.compare(a->first, b->first) < 0; });
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i]->second = static_cast<double>(i);
        for (std::size_t r = 0; r < m_rows.size(); ++r)
            m_ranks[column][r] = rankOf.at(m_texts[column](m_rows[r]));
    }
}

void ScenariosModel::addFigures(std::vector<RunsModel::Column> &columns) {
    using Kind = FilterField::Kind;
    const auto figureOf = [this](double ScenarioFigures::*value) {
        return [this, value](int row) { return at(row).figures.*value; };
    };
    columns.push_back(
        figure(tr("Iteration"), tr("Time of a steady iteration, in seconds; of a kept scenario, the time when it was kept."),
               {QStringLiteral("iteration"), Kind::Seconds}, 76, figureOf(&ScenarioFigures::iterationSeconds), secondsText));
    columns.push_back(figure(
        tr("Samples/s"), tr("Samples of all workers per second.") + QLatin1Char('\n') + unknownBatchText(),
        {QStringLiteral("samples"), Kind::Number}, 76,
        [this](int row) { return samplesOnly(at(row).statesBatch, at(row).figures.samplesPerSecond); }, samplesText));
    columns.push_back(figure(
        tr("Cost/step"),
        tr("Nodes, servers among them, times the iteration, at the price per node and hour; node-seconds where no price is set."),
        {QStringLiteral("cost"), Kind::Number}, 84, [this](int row) { return costOf(row); },
        [this](double cost) { return costText(cost); }));
    columns.push_back(figure(
        tr("Peak memory"),
        tr("Bytes on the device that needs the most: parameters, two values of optimiser state (Adam) for each that it updates "
           "itself, gradients until they are applied or sent to their server, and buckets, compressed and gathered gradients in "
           "flight. Without activations and the workspaces of ops and libraries. –: unknown, as for measured steps."),
        {QStringLiteral("memory"), Kind::Bytes}, 84, figureOf(&ScenarioFigures::peakMemoryBytes), bytesText));
    columns.push_back(
        figure(tr("Exposed"), tr("Time of an iteration in which a worker's compute waits for communication, in seconds."),
               {QStringLiteral("exposed"), Kind::Seconds}, 76, figureOf(&ScenarioFigures::exposedSeconds), secondsText));
    columns.push_back(figure(tr("Nodes"), tr("Nodes of the cluster, dedicated servers included."),
                             {QStringLiteral("nodes"), Kind::Number}, 48, figureOf(&ScenarioFigures::nodes),
                             [](double nodes) { return QLocale().toString(nodes, 'f', 0); }));
}

void ScenariosModel::declareColumns() {
    using Kind = FilterField::Kind;
    std::vector<RunsModel::Column> columns;
    columns.push_back(figure(
        tr("Front"),
        tr("◆: on the Pareto front. No other row of this job is at least as fast and as cheap per sample, needs no more memory "
           "where all rows state it, and is better in one of these."),
        {QStringLiteral("front"), Kind::Number}, 44, [this](int row) { return isOnFront(row) ? 1.0 : 0.0; },
        [](double isOn) { return isOn > 0 ? QStringLiteral("◆") : QString(); }));
    columns.push_back(textColumn(tr("Scenario"), tr("Its name; F2 renames a kept scenario."), "name", 170,
                                 [](const ScenarioRow &row) { return row.name; }));
    columns.push_back(textColumn(tr("From"),
                                 tr("Kept (Ctrl+D), best or pinned trial of the search, or point of the sweep; and its side."),
                                 "from", 68, sourceText));
    addFigures(columns);
    columns.push_back(textColumn(tr("Strategy · policy"), tr("The strategy and policy that are simulated."), "what", 170,
                                 [](const ScenarioRow &row) { return row.what; }));
    columns.push_back(
        textColumn(tr("Job"), tr("The job that is trained."), "job", 110, [](const ScenarioRow &row) { return row.job; }));
    columns.push_back(textColumn(tr("Cluster"), tr("The cluster that it is trained on."), "cluster", 100,
                                 [](const ScenarioRow &row) { return row.cluster; }));
    columns.push_back(figure(
        tr("Kept"), tr("When it was kept."), {QStringLiteral("kept"), Kind::Number}, 110,
        [this](int row) {
            return at(row).source == RowSource::Kept ? static_cast<double>(at(row).keptAt)
                                                     : std::numeric_limits<double>::quiet_NaN();
        },
        [](double at) {
            return QLocale().toString(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(at)), QLocale::ShortFormat);
        }));
    columns.push_back(textColumn(tr("Note"), tr("A text of your own; F2 edits a kept scenario's."), "note", 160,
                                 [](const ScenarioRow &row) { return row.note; }));
    setColumns(std::move(columns), false);
}

void ScenariosModel::weigh() {
    std::vector<Objectives> objectives;
    double min = std::numeric_limits<double>::infinity(), max = 0;
    for (const ScenarioRow &row : m_rows) {
        objectives.push_back(row.objectives());
        if (std::isnan(objectives.back().cost))
            continue;
        min = std::min(min, samplesOfStep(row));
        max = std::max(max, samplesOfStep(row));
    }
    m_front = paretoFront(objectives);
    m_comparesSamples = max > min * (1 + 1e-6);
}

bool ScenariosModel::countsSteps() const {
    return std::ranges::any_of(m_rows, [](const ScenarioRow &row) { return row.ofPresentJob && !row.statesBatch; });
}

void ScenariosModel::set(std::vector<ScenarioRow> rows) {
    if (!m_rows.empty() && std::ranges::equal(m_rows, rows, &ScenarioRow::isSame)) {
        m_rows = std::move(rows);
        weigh();
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    rankTexts();
    weigh();
    endResetModel();
}

void ScenariosModel::setPrice(double pricePerNodeHour) {
    m_price = pricePerNodeHour;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, Cost), index(rowCount() - 1, Cost));
}

double ScenariosModel::costOf(int row) const {
    const ScenarioFigures &figures = at(row).figures;
    return costPerStep(figures.iterationSeconds, figures.nodes, m_price > 0 ? m_price : noPrice);
}

QString ScenariosModel::costText(double cost) const {
    const QString digits = QLocale().toString(cost, 'g', 3);
    return m_price > 0 ? digits : tr("%1 node·s").arg(digits);
}

int ScenariosModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

QVariant ScenariosModel::data(const QModelIndex &index, int role) const {
    return RunsModel::data(index, role == Qt::EditRole ? static_cast<int>(Qt::DisplayRole) : role);
}

Qt::ItemFlags ScenariosModel::flags(const QModelIndex &index) const {
    const Qt::ItemFlags own = RunsModel::flags(index);
    const bool isText = index.column() == Name || index.column() == Note;
    return index.isValid() && isText && at(index.row()).source == RowSource::Kept ? own | Qt::ItemIsEditable : own;
}

bool ScenariosModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid) || !(flags(index) & Qt::ItemIsEditable))
        return false;
    const QString text = value.toString().trimmed();
    const ScenarioRow &row = at(index.row());
    const auto column = static_cast<Column>(index.column());
    if (text == (column == Name ? row.name : row.note) || (column == Name && text.isEmpty()))
        return false;
    m_edit(row.number, column, text);
    return true;
}

RunId ScenariosModel::idOf(int row) const {
    constexpr RunId apart = RunId{1} << 40; // beyond the numbers of any one source, in either direction
    const ScenarioRow &own = at(row);
    return apart * static_cast<RunId>(own.source) + 2 * own.number + static_cast<RunId>(own.side);
}

int ScenariosModel::rowOf(RunId id) const {
    for (int row = 0; row < rowCount(); ++row)
        if (idOf(row) == id)
            return row;
    return -1;
}

QString ScenariosModel::describe(int row) const {
    const ScenarioRow &own = at(row);
    QStringList lines{QStringLiteral("%1 (%2)").arg(own.name, sourceText(own)), own.what};
    if (!own.figures.error.empty())
        lines << tr("cannot be simulated: %1").arg(QString::fromStdString(own.figures.error));
    else if (!std::isnan(own.figures.iterationSeconds))
        lines << tr("%1 an iteration").arg(secondsText(own.figures.iterationSeconds));
    if (const double cost = costOf(row); !std::isnan(cost))
        lines << tr("%1 a step on %n nodes", nullptr, static_cast<int>(own.figures.nodes)).arg(costText(cost));
    if (!own.ofPresentJob)
        lines << tr("of another job: not weighed against this one's rows");
    else if (isOnFront(row))
        lines << tr("on the Pareto front");
    else if (own.figures.error.empty() && std::isnan(own.objectives().cost))
        lines << tr("not weighed: its throughput or its number of nodes is not known");
    if (!own.note.isEmpty())
        lines << own.note;
    return lines.join(QLatin1Char('\n'));
}

} // namespace syncopate::ui
