// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/cluster_choice.h"

#include "engine/cluster/cluster.h"
#include "engine/profile/profile.h"
#include "engine/session/recorded_cluster.h"
#include "ui/theme/plain_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

namespace syncopate::ui {

namespace {

constexpr int maxListWidth = 640;

QString withDescription(const QString &name, const QString &description) {
    return description.isEmpty() ? name : QStringLiteral("%1   –   %2").arg(name, description);
}

/// Describes the clusters of an opened list; the closed box shows their names alone.
class DescribingDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->text = withDescription(option->text, index.data(clusterDescriptionRole).toString());
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        if (index.data(Qt::AccessibleDescriptionRole).toString() != QLatin1String("separator")) { // how Qt marks them
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        painter->save();
        painter->setPen(option.palette.color(QPalette::Mid));
        painter->drawLine(option.rect.left() + 4, option.rect.center().y(), option.rect.right() - 4, option.rect.center().y());
        painter->restore();
    }
};

} // namespace

std::vector<ClusterChoice> clusterChoices(const ImportedProfile *profile) {
    std::vector<ClusterChoice> choices;
    if (profile && profile->platform.ranks > 0)
        choices.push_back({QString::fromLatin1(recordedClusterName),
                           QObject::tr("the machines on which the profile was recorded, as far as it names them")});
    for (const CatalogueCluster &cluster : catalogueClusters())
        choices.push_back({QString::fromStdString(cluster.name), QString::fromStdString(cluster.description)});
    return choices;
}

void showDescriptions(QComboBox &box) {
    box.setItemDelegate(new DescribingDelegate(&box));
    constexpr int margin = 24; // for the list's frame and scroll bar
    box.view()->setMinimumWidth(std::min(maxListWidth, box.view()->sizeHintForColumn(0) + margin));
    box.view()->setTextElideMode(Qt::ElideRight);
}

void insertCluster(QComboBox &box, int index, const ClusterChoice &cluster) {
    box.insertItem(index, cluster.name, cluster.name);
    box.setItemData(index, cluster.description, clusterDescriptionRole);
    box.setItemData(index, plainTip(cluster.description), Qt::ToolTipRole);
}

void fillClusterMenu(QMenu &menu, const std::vector<ClusterChoice> &clusters, const std::function<void(const QString &)> &chosen,
                     const std::function<void()> &fileWanted) {
    menu.clear();
    for (const ClusterChoice &cluster : clusters)
        menu.addAction(plainAction(withDescription(cluster.name, cluster.description)), &menu,
                       [chosen, name = cluster.name] { chosen(name); })
            ->setData(cluster.name);
    menu.addSeparator();
    menu.addAction(QObject::tr("Open a cluster file…"), &menu, fileWanted);
}

} // namespace syncopate::ui
