// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/scenarios_model.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <array>
#include <utility>

namespace syncopate::ui {

namespace {

QString sideText(const SideState &side) {
    const QString strategy = QString::fromStdString(strategyTitle(side));
    return side.hasScenario() ? QStringLiteral("%1 · %2").arg(strategy, QString::fromStdString(side.policy)) : strategy;
}

QString fileName(const std::string &source) { return QFileInfo(QString::fromStdString(source)).fileName(); }

} // namespace

ScenariosModel::ScenariosModel(std::function<void(std::vector<KeptScenario>, const QString &)> rename, QObject *parent)
    : QAbstractTableModel(parent), m_rename(std::move(rename)) {}

void ScenariosModel::set(std::vector<KeptScenario> scenarios) {
    beginResetModel();
    m_scenarios = std::move(scenarios);
    endResetModel();
}

int ScenariosModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_scenarios.size());
}
int ScenariosModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ScenariosModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid()) // as views ask when there is no current cell to copy
        return {};
    const KeptScenario &kept = m_scenarios[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return QVariant((index.column() == SecondsA || index.column() == SecondsB ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ToolTipRole)
        return {};
    const auto seconds = [&](Side side) {
        const auto &value = kept.iterationSeconds[indexOf(side)];
        return value ? secondsText(*value) : QStringLiteral("–");
    };
    if (role == Qt::ToolTipRole)
        return plainTip(data(index, Qt::DisplayRole).toString());
    switch (index.column()) {
    case Name:
        return QString::fromStdString(kept.name);
    case SideA:
        return sideText(kept.state.side(Side::A));
    case SecondsA:
        return seconds(Side::A);
    case SideB:
        return kept.state.compare ? sideText(kept.state.side(Side::B)) : QStringLiteral("–");
    case SecondsB:
        return kept.state.compare ? seconds(Side::B) : QStringLiteral("–");
    case JobName:
        return fileName(kept.state.source);
    case ClusterName:
        return fileName(kept.state.clusterSource) + (kept.state.clusterEdited ? tr(" (edited)") : QString());
    case KeptAt:
        return QLocale().toString(QDateTime::fromSecsSinceEpoch(kept.keptAt), QLocale::ShortFormat);
    case Note:
        return QString::fromStdString(kept.note);
    default:
        return {};
    }
}

QVariant ScenariosModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static const std::array<std::pair<const char *, const char *>, ColumnCount> headers{{
        {QT_TR_NOOP("Scenario"), QT_TR_NOOP("Its name; F2 changes it.")},
        {QT_TR_NOOP("A"), QT_TR_NOOP("Strategy and policy of A.")},
        {QT_TR_NOOP("A iteration"), QT_TR_NOOP("Iteration time of A when the scenario was kept.")},
        {QT_TR_NOOP("B"), QT_TR_NOOP("Strategy and policy of B.")},
        {QT_TR_NOOP("B iteration"), QT_TR_NOOP("Iteration time of B when the scenario was kept.")},
        {QT_TR_NOOP("Job"), QT_TR_NOOP("What is trained.")},
        {QT_TR_NOOP("Cluster"), QT_TR_NOOP("The machines that both sides share.")},
        {QT_TR_NOOP("Kept"), QT_TR_NOOP("When.")},
        {QT_TR_NOOP("Note"), QT_TR_NOOP("Anything; F2 changes it.")},
    }};
    const auto &[name, definition] = headers[static_cast<std::size_t>(section)];
    return role == Qt::DisplayRole ? tr(name) : role == Qt::ToolTipRole ? QVariant(plainTip(tr(definition))) : QVariant();
}

Qt::ItemFlags ScenariosModel::flags(const QModelIndex &index) const {
    const Qt::ItemFlags own = QAbstractTableModel::flags(index);
    return index.column() == Name || index.column() == Note ? own | Qt::ItemIsEditable : own;
}

bool ScenariosModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    std::vector<KeptScenario> next = m_scenarios;
    KeptScenario &kept = next[static_cast<std::size_t>(index.row())];
    const std::string text = value.toString().trimmed().toStdString();
    if (index.column() == Name && !text.empty())
        kept.name = text;
    else if (index.column() == Note)
        kept.note = text;
    if (next == m_scenarios)
        return false;
    m_rename(std::move(next), index.column() == Name ? tr("Rename a scenario") : tr("Edit a note"));
    return true;
}

} // namespace syncopate::ui
