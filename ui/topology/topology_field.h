// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the panel: the lines of its form.
#pragma once

#include "ui/topology/topology_panel.h"

#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// One line of the form: of each selected node, or of the cluster.
struct TopologyPanel::Field {
    const char *id, *name, *toolTip;
    bool ofNodes;
    /// What the field shows of one node (or -1: of the cluster).
    std::function<QString(const Cluster &, std::size_t)> show;
    /// The error keeps the cluster as it is.
    std::function<Result<void>(Cluster &, std::size_t, const QString &)> set;

    /// What `nodes` have in common, the only node of a selection or all of the cluster; null: they differ.
    [[nodiscard]] std::optional<QString> sharedText(const Cluster &cluster, const std::vector<std::size_t> &nodes) const;

    static std::vector<Field> perNode();
    static std::vector<Field> perCluster();
    /// perNode(), then perCluster().
    static const std::vector<Field> &all();
};

} // namespace syncopate::ui
