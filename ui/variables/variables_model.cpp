// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/variables/variables_model.h"

#include "engine/strategy/policy.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/translation.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace syncopate::ui {

namespace {

QString shapeText(const Variable &variable) {
    QStringList sizes;
    for (const std::int64_t size : variable.shape)
        sizes.push_back(QString::number(size));
    return sizes.isEmpty() ? VariablesModel::tr("scalar") : sizes.join(QStringLiteral(" × "));
}

/// Whether two runs treat every variable alike, and get the same marks, as while bandwidth is dragged.
bool differInTimesAlone(const ShownRun &a, const ShownRun &b) {
    return a.simulation() && b.simulation() && a.simulation()->scenario.policy == b.simulation()->scenario.policy &&
           a.lintMarks() == b.lintMarks() &&
           std::ranges::equal(a.variables(), b.variables(), [](const VariableRow &x, const VariableRow &y) {
               return x.synchroniser == y.synchroniser && x.destination == y.destination && x.parts == y.parts &&
                      x.groups == y.groups;
           });
}

} // namespace

void VariablesModel::set(std::shared_ptr<const Job> job, std::shared_ptr<const ShownRun> a, std::shared_ptr<const ShownRun> b) {
    // A run of an older job says nothing about the present job's variables.
    const auto ofJob = [&job](std::shared_ptr<const ShownRun> run) {
        return run && run->recording().job == job ? std::move(run) : nullptr;
    };
    const bool sameJob = job == m_job;
    std::unordered_map<std::string_view, std::size_t> variableOf;
    if (job)
        for (std::size_t v = 0; v < job->variables.size(); ++v)
            variableOf.emplace(job->variables[v].name, v);
    if (!sameJob)
        beginResetModel();
    const auto before = std::exchange(m_runs, {ofJob(std::move(a)), ofJob(std::move(b))});
    for (std::size_t side = 0; side < m_runs.size(); ++side) {
        if (sameJob && m_runs[side] == before[side])
            continue;
        m_marks[side].assign(job ? job->variables.size() : 0, {});
        if (!m_runs[side])
            continue;
        const std::vector<LintMark> &marks = m_runs[side]->lintMarks();
        for (std::size_t m = 0; m < marks.size(); ++m)
            if (const auto found = variableOf.find(marks[m].variable); found != variableOf.end())
                m_marks[side][found->second].push_back(m);
    }
    if (sameJob) {
        announce(before);
        return;
    }
    m_job = std::move(job);
    m_layerOf.assign(m_job ? m_job->variables.size() : 0, 0);
    if (m_job)
        for (std::size_t l = 0; l < m_job->layers.size(); ++l)
            for (const std::int32_t v : m_job->layers[l].variables)
                m_layerOf[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(l);
    endResetModel();
}

void VariablesModel::announce(const std::array<std::shared_ptr<const ShownRun>, 2> &before) {
    if (rowCount() == 0 || m_runs == before)
        return;
    const auto changed = [this](int from, int to) { Q_EMIT dataChanged(index(0, from), index(rowCount() - 1, to)); };
    for (const std::size_t side : {0U, 1U}) {
        if (m_runs[side] == before[side])
            continue;
        const int first = side == 0 ? SynchroniserA : SynchroniserB;
        const bool timesAlone = m_runs[side] && before[side] && differInTimesAlone(*m_runs[side], *before[side]);
        changed(first + (timesAlone ? TimeA - SynchroniserA : 0), first + (timesAlone ? ExposedA : MarksA) - SynchroniserA);
    }
    changed(Delta, Delta);
}

int VariablesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_job ? 0 : static_cast<int>(m_job->variables.size());
}
int VariablesModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant VariablesModel::ofJob(std::size_t v, int column, bool forSorting) const {
    const Variable &variable = m_job->variables[v];
    switch (column) {
    case Name:
        return QString::fromStdString(variable.name);
    case Shape:
        return forSorting ? QVariant(static_cast<qlonglong>(variable.elementCount())) : QVariant(shapeText(variable));
    case Bytes:
        return forSorting ? QVariant(static_cast<qlonglong>(variable.sizeBytes()))
                          : QVariant(bytesText(static_cast<double>(variable.sizeBytes())));
    case LayerName:
        return forSorting ? QVariant(m_layerOf[v])
                          : QVariant(QString::fromStdString(m_job->layers[static_cast<std::size_t>(m_layerOf[v])].name));
    default:
        return {};
    }
}

QVariant VariablesModel::ofSide(std::size_t side, std::size_t v, int column, bool forSorting) const {
    if (!m_runs[side] || !m_runs[side]->simulation() || v >= m_runs[side]->variables().size())
        return forSorting ? QVariant() : QVariant(QStringLiteral("–"));
    const VariableRow &row = m_runs[side]->variables()[v];
    switch (column) {
    case SynchroniserA:
        return QString::fromStdString(row.synchroniser);
    case WhereA:
        if (!row.destination.empty())
            return QString::fromStdString(row.destination);
        if (row.group < 0)
            return QString();
        return (policyFuses(side) ? tr("bucket %1") : tr("group %1"))
            .arg(forSorting ? QString::number(row.group).rightJustified(8) : QString::fromStdString(row.groups));
    case PartsA:
        return row.parts;
    case TimeA:
        return forSorting ? QVariant(row.communicationSeconds) : QVariant(secondsText(row.communicationSeconds));
    case ExposedA: {
        const double exposed = m_runs[side]->variableExposedSeconds()[v];
        return forSorting ? QVariant(exposed) : QVariant(secondsText(exposed));
    }
    default:
        return {};
    }
}

bool VariablesModel::policyFuses(std::size_t side) const {
    return m_runs[side]->simulation()->scenario.policy.kind().fuse != nullptr;
}

const LintMark *VariablesModel::ignoredIn(std::size_t side, std::size_t v) const {
    if (!m_runs[side] || !m_runs[side]->simulation() || v >= m_runs[side]->variables().size())
        return nullptr;
    const VariableRow &row = m_runs[side]->variables()[v];
    const char *rule = !row.destination.empty() ? "placement-ignored" : row.group >= 0 ? "groups-ignored" : "";
    for (const LintMark &mark : m_runs[side]->lintMarks())
        if (mark.rule == rule)
            return &mark;
    return nullptr;
}

QVariant VariablesModel::whereColour(std::size_t side, std::size_t v) const {
    const LintMark *mark = ignoredIn(side, v);
    // Buckets and servers set by the policy are in effect, though the strategy's are not.
    return mark && mark->rule == "groups-ignored" && !policyFuses(side)
               ? QVariant(QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text))
               : QVariant();
}

QString VariablesModel::whereTip(std::size_t side, std::size_t v) const {
    const LintMark *mark = ignoredIn(side, v);
    const QString text = ofSide(side, v, WhereA, false).toString();
    if (!mark)
        return plainTip(text);
    return plainTip(tr("%1\n%2; %3").arg(text, said(mark->text), said(mark->remedy)));
}

QVariant VariablesModel::marksOf(std::size_t side, std::size_t v, int role) const {
    if (v >= m_marks[side].size() || !m_runs[side])
        return {};
    const std::vector<std::size_t> &marks = m_marks[side][v];
    if (role == Qt::UserRole)
        return static_cast<int>(marks.size());
    QStringList rules;
    for (const std::size_t m : marks)
        rules += QString::fromStdString(m_runs[side]->lintMarks()[m].rule);
    return rules.join(QStringLiteral(", "));
}

QString VariablesModel::marksTip(std::size_t side, std::size_t v) const {
    if (v >= m_marks[side].size() || !m_runs[side])
        return {};
    QStringList lines;
    for (const std::size_t m : m_marks[side][v]) {
        const LintMark &mark = m_runs[side]->lintMarks()[m];
        lines += tr("%1: %2; %3").arg(worded({nameOf(mark.severity)}), said(mark.text), said(mark.remedy));
    }
    return plainTip(lines.join(QLatin1Char('\n')));
}

QVariant VariablesModel::cellTip(const QModelIndex &index) const {
    const auto v = static_cast<std::size_t>(index.row());
    switch (index.column()) {
    case MarksA:
        return marksTip(0, v);
    case MarksB:
        return marksTip(1, v);
    case WhereA:
        return whereTip(0, v);
    case WhereB:
        return whereTip(1, v);
    case Name:
    case LayerName:
        return plainTip(data(index, Qt::DisplayRole).toString());
    default:
        return {};
    }
}

namespace {

constexpr int noColumn = -1; ///< the table does not show the field

struct FieldOfColumn {
    const char *name;
    FilterField::Kind kind;
    int column; ///< VariablesModel::Column, or noColumn
};

constexpr auto fieldsOfColumns = [] {
    using Kind = FilterField::Kind;
    return std::to_array<FieldOfColumn>({
        {"name", Kind::Text, VariablesModel::Name},
        {"layer", Kind::Text, VariablesModel::LayerName},
        {"size", Kind::Bytes, VariablesModel::Bytes},
        {"sparse", Kind::Text, noColumn},
        {"a", Kind::Text, VariablesModel::SynchroniserA},
        {"a_where", Kind::Text, VariablesModel::WhereA},
        {"a_parts", Kind::Number, VariablesModel::PartsA},
        {"a_comm", Kind::Seconds, VariablesModel::TimeA},
        {"a_exposed", Kind::Seconds, VariablesModel::ExposedA},
        {"a_marks", Kind::Text, VariablesModel::MarksA},
        {"b", Kind::Text, VariablesModel::SynchroniserB},
        {"b_where", Kind::Text, VariablesModel::WhereB},
        {"b_parts", Kind::Number, VariablesModel::PartsB},
        {"b_comm", Kind::Seconds, VariablesModel::TimeB},
        {"b_exposed", Kind::Seconds, VariablesModel::ExposedB},
        {"b_marks", Kind::Text, VariablesModel::MarksB},
    });
}();

} // namespace

std::vector<FilterField> VariablesModel::filterFields() {
    std::vector<FilterField> fields;
    for (const FieldOfColumn &field : fieldsOfColumns)
        fields.push_back({QString::fromLatin1(field.name), field.kind});
    return fields;
}

FilterValue VariablesModel::filterValue(int row, std::size_t field) const {
    const int column = fieldsOfColumns[field].column;
    if (column == noColumn)
        return QString(m_job->variables[static_cast<std::size_t>(row)].sparse ? QStringLiteral("yes") : QStringLiteral("no"));
    const bool text = fieldsOfColumns[field].kind == FilterField::Kind::Text;
    if (!data(index(row, column), Qt::UserRole).isValid()) // shown as a dash
        return std::monostate();
    const QVariant value = data(index(row, column), text ? Qt::DisplayRole : Qt::UserRole);
    if (!value.isValid())
        return std::monostate();
    return text ? FilterValue(value.toString()) : FilterValue(value.toDouble());
}

VariablesProxy::VariablesProxy(VariablesModel &variables) : m_variables(variables) {
    setSourceModel(&variables);
    setSortRole(Qt::UserRole);
    setDynamicSortFilter(true);
}

void VariablesProxy::setExpression(FilterExpression expression) {
    m_expression = std::move(expression);
    invalidateFilter();
}

bool VariablesProxy::filterAcceptsRow(int row, const QModelIndex &) const {
    return m_expression.isEmpty() || m_expression.matches([&](std::size_t field) { return m_variables.filterValue(row, field); });
}

namespace {

bool isNumber(int column) {
    using enum VariablesModel::Column;
    return column == Bytes || column == PartsA || column == TimeA || column == ExposedA || column == PartsB || column == TimeB ||
           column == ExposedB || column == Delta;
}

} // namespace

QVariant VariablesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid()) // views ask so when there is no current cell to copy
        return {};
    const int column = index.column();
    const auto v = static_cast<std::size_t>(index.row());
    if (role == Qt::TextAlignmentRole)
        return QVariant((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return cellTip(index);
    if (column == MarksA || column == MarksB)
        return role == Qt::DisplayRole || role == Qt::UserRole ? marksOf(column == MarksA ? 0 : 1, v, role) : QVariant();
    if ((column == WhereA || column == WhereB) && role == Qt::ForegroundRole)
        return whereColour(column == WhereA ? 0 : 1, v);
    return role == Qt::DisplayRole || role == Qt::UserRole ? valueOf(v, column, role == Qt::UserRole) : QVariant();
}

QVariant VariablesModel::valueOf(std::size_t variable, int column, bool forSorting) const {
    if (column < SynchroniserA)
        return ofJob(variable, column, forSorting);
    if (column < SynchroniserB)
        return ofSide(0, variable, column, forSorting);
    if (column < Delta)
        return ofSide(1, variable, column - SynchroniserB + SynchroniserA, forSorting);
    return deltaOf(variable, forSorting);
}

QVariant VariablesModel::deltaOf(std::size_t variable, bool forSorting) const {
    if (!m_runs[0] || !m_runs[1] || !m_runs[0]->simulation() || !m_runs[1]->simulation())
        return forSorting ? QVariant() : QVariant(QStringLiteral("–"));
    const double a = m_runs[0]->variableExposedSeconds()[variable], b = m_runs[1]->variableExposedSeconds()[variable];
    if (forSorting)
        return b - a;
    return sameSeconds(a, b) ? QStringLiteral("0") : signedText(b - a, secondsText(std::abs(b - a)));
}

QVariant VariablesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    struct Header {
        const char *name, *definition;
    };
    static const std::array<Header, ColumnCount> headers{{
        {QT_TR_NOOP("Variable"), ""},
        {QT_TR_NOOP("Shape"), ""},
        {QT_TR_NOOP("Size"), QT_TR_NOOP("Bytes of the variable, and of its gradient.")},
        {QT_TR_NOOP("Layer"), QT_TR_NOOP("The layer whose backward completes the gradient.")},
        {QT_TR_NOOP("A"), QT_TR_NOOP("How A keeps the variable the same on all workers.")},
        {QT_TR_NOOP("A where"),
         QT_TR_NOOP("The server that reduces it, its all-reduce group, or the policy's bucket; grey: the policy ignores it.")},
        {QT_TR_NOOP("A parts"), QT_TR_NOOP("Parts that it is synchronised in.")},
        {QT_TR_NOOP("A comm."),
         QT_TR_NOOP("Its traffic is under way (push and pull, or the all-reduce of its group), worker 0.")},
        {QT_TR_NOOP("A exposed"), QT_TR_NOOP("Its traffic is under way while the compute stream waits for communication.")},
        {QT_TR_NOOP("A marks"), QT_TR_NOOP("Known pitfalls of how A synchronises this variable.")},
        {QT_TR_NOOP("B"), QT_TR_NOOP("How B keeps the variable the same on all workers.")},
        {QT_TR_NOOP("B where"),
         QT_TR_NOOP("The server that reduces it, its all-reduce group, or the policy's bucket; grey: the policy ignores it.")},
        {QT_TR_NOOP("B parts"), QT_TR_NOOP("Parts that it is synchronised in.")},
        {QT_TR_NOOP("B comm."),
         QT_TR_NOOP("Its traffic is under way (push and pull, or the all-reduce of its group), worker 0.")},
        {QT_TR_NOOP("B exposed"), QT_TR_NOOP("Its traffic is under way while the compute stream waits for communication.")},
        {QT_TR_NOOP("B marks"), QT_TR_NOOP("Known pitfalls of how B synchronises this variable.")},
        {QT_TR_NOOP("Exposed B − A"), QT_TR_NOOP("Difference of the exposed times.")},
    }};
    const Header &header = headers[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(header.name);
    if (role == Qt::ToolTipRole && *header.definition)
        return plainTip(tr(header.definition));
    return {};
}

} // namespace syncopate::ui
