// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/difference/difference_model.h"

#include "ui/runs/run_text.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Seconds in one trace; NaN if it has no such span.
double secondsIn(const DifferenceRow &row, std::size_t side) { return row.count[side] > 0 ? row.seconds[side] : none; }

double shareOfA(const DifferenceRow &row) { return row.isInBoth() && row.seconds[0] > 0 ? row.change() / row.seconds[0] : none; }

QString differenceText(double change) {
    return change == 0 ? QStringLiteral("0") : signedText(change, secondsText(std::abs(change)));
}

} // namespace

DifferenceModel::DifferenceModel(QObject *parent) : RunsModel(parent) { declareColumns(); }

const std::vector<DifferenceRow> &DifferenceModel::rows() const {
    return m_by == DifferenceBy::Op      ? m_difference->ops
           : m_by == DifferenceBy::Layer ? m_difference->layers
                                         : m_difference->streams;
}

void DifferenceModel::set(std::shared_ptr<const TraceDifference> difference, DifferenceBy by) {
    beginResetModel();
    m_difference = std::move(difference);
    m_by = by;
    m_nameRanks.assign(static_cast<std::size_t>(rowCount()), 0);
    std::vector<std::size_t> order(m_nameRanks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [this](std::size_t row) -> const std::string & { return rows()[row].name; });
    for (std::size_t place = 0; place < order.size(); ++place)
        m_nameRanks[order[place]] = static_cast<double>(place);
    endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_difference ? 0 : static_cast<int>(rows().size());
}

QString DifferenceModel::describe(int row) const {
    const DifferenceRow &own = at(row);
    return tr("%1\nA: %2, B: %3, difference %4")
        .arg(QString::fromStdString(own.name), own.count[0] > 0 ? secondsText(own.seconds[0]) : tr("not in it"),
             own.count[1] > 0 ? secondsText(own.seconds[1]) : tr("not in it"), differenceText(own.change()));
}

void DifferenceModel::declareColumns() {
    using Kind = FilterField::Kind;
    std::vector<Column> columns{
        {tr("Name"),
         tr("Name of the op, of the layer and its phase, or of the stream. Entries of the same name are compared."),
         {QStringLiteral("name"), Kind::Text},
         340,
         [this](int row) { return m_nameRanks[static_cast<std::size_t>(row)]; },
         [this](int row) { return QString::fromStdString(at(row).name); }}};
    for (const std::size_t side : {0U, 1U}) {
        const QString name = side == 0 ? QStringLiteral("A") : QStringLiteral("B");
        columns.push_back(figure(
            name, tr("Total length of its spans in %1: of one step of one rank (streams: of one step).").arg(name),
            {name.toLower(), Kind::Seconds}, 86, [this, side](int row) { return secondsIn(at(row), side); }, secondsText));
    }
    columns.push_back(figure(
        tr("B − A"), tr("How much longer it takes in B; an entry that is missing in one of them counts as 0 there."),
        {QStringLiteral("difference"), Kind::Seconds}, 92, [this](int row) { return at(row).change(); }, differenceText));
    columns.push_back(figure(
        tr("Size"), tr("Absolute difference, by which rows are sorted at first."), {QStringLiteral("size"), Kind::Seconds}, 86,
        [this](int row) { return std::abs(at(row).change()); }, secondsText));
    columns.push_back(figure(
        tr("Of A"), tr("The difference against the time in A; none for an entry that only one of them has."),
        {QStringLiteral("of_a"), Kind::Number}, 76, [this](int row) { return shareOfA(at(row)); }, changeText));
    columns.back().filterScale = 100;
    columns.push_back(figure(
        tr("Of the step"), tr("The difference against the length of a step of A."), {QStringLiteral("of_step"), Kind::Number}, 86,
        [this](int row) {
            const double step = m_difference->of[0].stepSeconds;
            return step > 0 ? at(row).change() / step : none;
        },
        changeText));
    columns.back().filterScale = 100;
    for (const std::size_t side : {0U, 1U}) {
        const QString name = side == 0 ? QStringLiteral("A") : QStringLiteral("B");
        columns.push_back(figure(
            tr("%1 spans").arg(name), tr("Spans of a step of a rank in %1.").arg(name),
            {name.toLower() + QStringLiteral("_spans"), Kind::Number}, 76, [this, side](int row) { return at(row).count[side]; },
            figureText));
    }
    setColumns(std::move(columns), false);
}

} // namespace syncopate::ui
