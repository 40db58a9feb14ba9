// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/throughput/curve_entry.h"

#include <QAbstractTableModel>

namespace syncopate::ui {

/// The points of one curve as a table: predicted, measured, the coarse models', and the cost of the samples. One row per number
/// of workers that is predicted or measured.
class PointsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Workers, Predicted, Interval, Measured, ErrorColumn, Cynthia, Queueing, Busiest, Cost, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void show(const CurveEntry &entry, const CurveOptions &options);

    [[nodiscard]] std::int32_t workersOf(int row) const { return m_rows[static_cast<std::size_t>(row)].workers; }
    [[nodiscard]] int rowOf(std::int32_t workers) const; ///< -1: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::int32_t workers = 0;
        const CurvePoint *point = nullptr; ///< of m_forecast
        double measured = 0;               ///< mean samples/s of the points measured with this number of workers, 0 = none
        int measuredCount = 0;
    };
    [[nodiscard]] QString text(const Row &row, int column) const;
    [[nodiscard]] static QString nameOf(int column);
    [[nodiscard]] static QString definitionOf(int column);
    [[nodiscard]] double costPerMillion(const Row &row) const;

    std::shared_ptr<const Forecast> m_forecast;
    CurveOptions m_options;
    std::vector<Row> m_rows;
};

/// "18.3", "0.0123", "1530": four significant digits.
[[nodiscard]] QString rateText(double perSecond);

} // namespace syncopate::ui
