// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"
#include "ui/runs/tune_run.h"

#include <memory>
#include <optional>

namespace syncopate::ui {

/// One row for each origin of a setting: the policy's default, A's present one, the fastest of the map, and each tuner's choice
/// with its cost. A row's id is its number.
class TuneModel final : public RunsModel {
    Q_OBJECT
public:
    static constexpr int usualRow = 0, presentRow = 1, mapRow = 2, tunerRow = 3; ///< tuners from there on

    explicit TuneModel(QObject *parent = nullptr);

    /// Shows a run; null shows none. Pins stay while the rows are the same.
    void setRun(std::shared_ptr<const TuneRun> run);
    [[nodiscard]] const std::shared_ptr<const TuneRun> &run() const { return m_run; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] RunId idOf(int row) const override { return row; }
    [[nodiscard]] int rowOf(RunId id) const override { return id >= 0 && id < rowCount() ? static_cast<int>(id) : -1; }
    [[nodiscard]] QString describe(int row) const override;

    [[nodiscard]] QString nameOf(int row) const;
    /// The setting that a row is about; none if unknown.
    [[nodiscard]] std::optional<TuneStep> stepOf(int row) const;

private:
    [[nodiscard]] const TunerRun *tunerOf(int row) const;
    [[nodiscard]] double evaluationsOf(int row) const;
    [[nodiscard]] double iterationsOf(int row) const;
    [[nodiscard]] double wallOf(int row) const;
    [[nodiscard]] std::vector<Column> declareColumns() const;

    std::shared_ptr<const TuneRun> m_run;
};

} // namespace syncopate::ui
