// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/why/analyst.h"

#include <QTableWidget>
#include <memory>

namespace syncopate::ui {

/// How compute, channels and collectives divide an iteration of a plan: on its critical path, and in the waits of the compute
/// stream (PlanShares).
class ShareTable final : public QTableWidget {
    Q_OBJECT
public:
    explicit ShareTable(QWidget *parent = nullptr);

    void fill(const std::shared_ptr<const WhyAnswer> &answer); ///< null: empties it
    enum Column { What, Path, Blocking, Sharing, Latency, Idle, ColumnCount };

private:
    void addRow(const QString &what, const PlanShare &share);
};

} // namespace syncopate::ui
