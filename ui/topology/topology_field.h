// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the panel: the lines of its form.
#pragma once

#include "ui/topology/topology_panel.h"

#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// One line of the form, for each selected node or for the cluster.
struct TopologyPanel::Field {
    const char *id, *name, *toolTip;
    bool ofNodes;
    /// The field's text for one node; fields of the cluster ignore which.
    std::function<QString(const Cluster &, std::size_t)> show;
    /// An error leaves the cluster unchanged.
    std::function<Result<void>(Cluster &, std::size_t, const QString &)> set;

    /// The text that all `nodes` (none selected: all nodes) have in common; null if they differ.
    [[nodiscard]] std::optional<QString> sharedText(const Cluster &cluster, const std::vector<std::size_t> &nodes) const;

    static std::vector<Field> perNode();
    static std::vector<Field> perCluster();
    /// perNode(), then perCluster().
    static const std::vector<Field> &all();
};

} // namespace syncopate::ui
