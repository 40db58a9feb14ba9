// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/plan_settings.h"
#include "ui/session/session.h"

#include <QJsonObject>
#include <QWidget>
#include <memory>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace syncopate::ui {

class ArgumentSheet;

/// The inputs of a DAG and its costs: if they change, so does the planning task.
struct PlannedFrom {
    std::shared_ptr<const Job> job;
    std::shared_ptr<const Cluster> cluster;
    ClusterKnobs knobs{};
    std::shared_ptr<const TrainingDag> dag;
    std::shared_ptr<const MotifCosts> costs;
    PlannedCollectives collectives = PlannedCollectives::Recorded;
    bool operator==(const PlannedFrom &) const = default;
};
[[nodiscard]] inline PlannedFrom plannedFrom(const SessionState &state, const PlanSettings &settings) {
    return {state.job,    state.cluster,  static_cast<const ClusterKnobs &>(state),
            settings.dag, settings.costs, settings.collectives};
}

/// The settings of planning: which DAG, what motifs cost, how plans are found and their limits. DAGs and costs from files are
/// kept until another project is opened.
class PlanSheet final : public QWidget {
    Q_OBJECT
public:
    explicit PlanSheet(const Session &session, QWidget *parent = nullptr);

    /// Rows of the box of DAGs: the job's two, then the one read from a file; a further one opens a file.
    enum DagRow { RecordedDagRow, GradientsDagRow, FileDagRow };
    [[nodiscard]] ArgumentSheet &methodSheet() { return *m_method; }
    [[nodiscard]] QComboBox &dagBox() { return *m_dagBox; }
    [[nodiscard]] QComboBox &costsBox() { return *m_costsBox; }
    [[nodiscard]] QSpinBox &budgetBox() { return *m_budget; }
    [[nodiscard]] QSpinBox &seedBox() { return *m_seed; }
    [[nodiscard]] QLineEdit &memoryField() { return *m_memory; }

    /// The settings in the sheet.
    [[nodiscard]] PlanSettings planSettings() const;
    /// What is wrong with the fields, in one line; empty where nothing is.
    [[nodiscard]] QString problem() const;
    /// The sheet as a project keeps it, without DAGs and costs from files, which the sides' plans keep.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);
    /// Another project: a new sheet, with the DAG and costs that were read from files for one of the plans that `state` shows,
    /// B's rather than A's.
    void restore(const SessionState &state);

    void chooseDag(std::shared_ptr<const TrainingDag> dag, const QString &from);
    void chooseCosts(std::shared_ptr<const MotifCosts> costs, const QString &from);
    /// Offers the DAGs that the job has, and chooses the wanted one if no file is chosen.
    void showDagRows();

Q_SIGNALS:
    /// A setting that a project keeps has changed.
    void settingsChanged();
    /// The result of problem() may have changed.
    void checked();
    /// The DAG to plan, or what its motifs cost, has changed.
    void taskChanged();
    void fileWanted(const QString &title, const QString &filter);

private:
    /// A box of `usual` choices and one that opens a file; the file that was read stands between them.
    [[nodiscard]] QComboBox *makeFileBox(const QStringList &usual, const QString &open, const QString &name,
                                         const QString &toolTip, const QString &filter);
    void makeFields();
    void connectAll();
    void dagChosen(int row);
    /// Resets the sheet as if no DAG and no costs had been read.
    void forgetFiles();

    const Session &m_session;
    ArgumentSheet *m_method;
    QComboBox *m_dagBox, *m_costsBox;
    QSpinBox *m_budget, *m_seed;
    QLineEdit *m_memory;
    PlannedCollectives m_collectives = PlannedCollectives::Recorded; ///< as chosen; the profile may have none
    std::shared_ptr<const TrainingDag> m_dag;                        ///< read from a file; null: none yet
    std::shared_ptr<const MotifCosts> m_costs;                       ///< as above
    QJsonObject m_usual;                                             ///< settings() of a new sheet
};

} // namespace syncopate::ui
