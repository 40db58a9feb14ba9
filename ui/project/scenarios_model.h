// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/scenario_rows.h"
#include "ui/runs/runs_model.h"

#include <functional>
#include <vector>

namespace syncopate::ui {

/// Scenarios from several sources with every figure, and which of them are on the Pareto front. Names and notes of kept ones can
/// be edited.
class ScenariosModel final : public RunsModel {
    Q_OBJECT
public:
    enum Column {
        Front,
        Name,
        From,
        Iteration,
        Samples,
        Cost,
        Memory,
        Exposed,
        Nodes,
        What,
        JobName,
        ClusterName,
        KeptAt,
        Note,
        ColumnCount
    };

    /// `edit` receives an edited name or note: the scenario's number, the column, and the new text.
    explicit ScenariosModel(std::function<void(std::int64_t number, Column column, const QString &text)> edit,
                            QObject *parent = nullptr);

    /// If only figures differ, views keep their scroll position and selection.
    void set(std::vector<ScenarioRow> rows);
    /// Sets the price; 0 (unknown) shows node-seconds.
    void setPrice(double pricePerNodeHour);
    [[nodiscard]] bool hasPrice() const { return m_price > 0; }

    [[nodiscard]] const std::vector<ScenarioRow> &rows() const { return m_rows; }
    [[nodiscard]] bool isOnFront(int row) const { return m_front.has[static_cast<std::size_t>(row)]; }
    /// Whether the front compares peak memory beside time and cost.
    [[nodiscard]] bool weighsMemory() const { return m_front.weighsMemory; }
    /// Price of a step; its node-seconds if no price is known.
    [[nodiscard]] double costOf(int row) const;
    [[nodiscard]] QString costText(double cost) const;
    /// The compared rows' steps differ in samples, so the front compares single samples.
    [[nodiscard]] bool comparesSamples() const { return m_comparesSamples; }
    /// The compared samples are workers' steps, since the job does not state its batch.
    [[nodiscard]] bool countsSteps() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] RunId idOf(int row) const override;
    [[nodiscard]] int rowOf(RunId id) const override;
    [[nodiscard]] QString describe(int row) const override;
    [[nodiscard]] bool canPin(RunId /*id*/) const override { return false; }

private:
    [[nodiscard]] const ScenarioRow &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    void declareColumns();
    void addFigures(std::vector<RunsModel::Column> &columns);
    /// A text column, sorted alphabetically.
    using RowText = std::function<QString(const ScenarioRow &)>;
    [[nodiscard]] RunsModel::Column textColumn(const QString &name, const QString &definition, const char *filter, int width,
                                               RowText text);
    void rankTexts();
    void weigh();

    std::function<void(std::int64_t, Column, const QString &)> m_edit;
    std::vector<ScenarioRow> m_rows;
    std::vector<RowText> m_texts;             ///< of the text columns
    std::vector<std::vector<double>> m_ranks; ///< of the rows, per text column
    ParetoFront m_front;
    bool m_comparesSamples = false;
    double m_price = 0;
};

} // namespace syncopate::ui
