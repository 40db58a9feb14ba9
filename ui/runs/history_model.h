// SPDX-License-Identifier: GPL-3.0-or-later
// The interface of a history plot to any kind of run: trials one after another with a figure to minimise, and the levels that
// they are compared with.
#pragma once

#include "ui/runs/runs_model.h"
#include "ui/theme/explained.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// Rows of a run whose trials come one after another. A trial's id is its number, from 0; other rows have negative ids. Trials
/// need not have rows: some runs keep only their figures.
class HistoryModel : public RunsModel {
    Q_OBJECT
public:
    /// A level that trials are compared with, drawn across the plot.
    struct Level {
        enum class Kind : std::uint8_t { Reference, Bar, Bound };
        QString name;
        double value = 0;
        Kind kind = Kind::Reference; ///< Bar: the best of its kind, to be beaten. Bound: nothing can go below it.
    };

    [[nodiscard]] virtual std::size_t trials() const = 0;
    [[nodiscard]] virtual std::size_t budget() const = 0; ///< trials in total; 0 = there is no run
    /// The figure to minimise; NaN where a trial has none.
    [[nodiscard]] virtual double valueOf(std::size_t trial) const = 0;
    /// Share, 0 to 1, of the trials up to this one that beat the bar, or otherwise count for rateName().
    [[nodiscard]] virtual double hitRateAt(std::size_t trial) const = 0;
    [[nodiscard]] virtual QString rateName() const { return tr("hit rate"); }
    [[nodiscard]] virtual QString rateMeaning() const { return explained("Hit rate"); } ///< a sentence
    /// The meaning of the step line.
    [[nodiscard]] virtual QString bestMeaning() const { return tr("The best %1 of the trials up to this one.").arg(valueName()); }
    [[nodiscard]] virtual QString trialName() const { return tr("trial"); } ///< on the axis
    /// Whether a trial can be put on a side.
    [[nodiscard]] virtual bool hasTrialRows() const { return true; }
    /// Describes a trial in a few lines.
    [[nodiscard]] virtual QString describeTrial(std::size_t trial) const { return describe(rowOf(static_cast<RunId>(trial))); }
    [[nodiscard]] virtual std::vector<Level> levels() const = 0;
    [[nodiscard]] virtual QString valueName() const = 0; ///< on the axis: "iteration"
    /// Groups of trials, shown in different colours, six at most; and the group of a trial.
    [[nodiscard]] virtual QStringList groups() const = 0;
    [[nodiscard]] virtual std::size_t groupOf(std::size_t trial) const = 0;

Q_SIGNALS:
    void levelsChanged();
    /// Existing trials changed groups, or groups changed names.
    void groupsChanged();
    /// There are more trials, or the budget changed; if trials have rows, rowsInserted() says so.
    void trialsAdded();

protected:
    using RunsModel::RunsModel;
};

} // namespace syncopate::ui
