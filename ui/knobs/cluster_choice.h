// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

class QComboBox;
class QMenu;

namespace syncopate {
struct ImportedProfile;
}

namespace syncopate::ui {

/// A cluster to choose, as lists and menus name it.
struct ClusterChoice {
    QString name, description;
};
/// The profile's own machines, if it names any, then the clusters of the catalogue.
[[nodiscard]] std::vector<ClusterChoice> clusterChoices(const ImportedProfile *profile);

/// Item data of a box: the cluster's description, which the opened list shows behind its name.
inline constexpr int clusterDescriptionRole = Qt::UserRole + 1;
/// Makes the opened list of `box` show descriptions, and widens it to fit them.
void showDescriptions(QComboBox &box);
/// Adds an item with its description at `index`.
void insertCluster(QComboBox &box, int index, const ClusterChoice &cluster);

/// Replaces the entries of `menu` with clusters and their descriptions, and an entry that asks for a file.
void fillClusterMenu(QMenu &menu, const std::vector<ClusterChoice> &clusters, const std::function<void(const QString &)> &chosen,
                     const std::function<void()> &fileWanted);

} // namespace syncopate::ui
