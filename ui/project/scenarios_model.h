// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/project_file.h"

#include <QAbstractTableModel>
#include <functional>
#include <vector>

namespace syncopate::ui {

/// One row per kept scenario: what A and B do in it and how long that took. Names and notes can be edited.
class ScenariosModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, SideA, SecondsA, SideB, SecondsB, JobName, ClusterName, KeptAt, Note, ColumnCount };

    /// `rename` is told of an edited name or note: the scenarios as they should be, and what to call that.
    explicit ScenariosModel(std::function<void(std::vector<KeptScenario>, const QString &)> rename, QObject *parent = nullptr);

    void set(std::vector<KeptScenario> scenarios);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

private:
    std::function<void(std::vector<KeptScenario>, const QString &)> m_rename;
    std::vector<KeptScenario> m_scenarios;
};

} // namespace syncopate::ui
