// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"
#include "ui/runs/searcher.h"

namespace syncopate::ui {

/// Which entry of a search: a trial by its number, or baseline i as -1 - i.
using CandidateId = RunId;

/// "trial 17", or a baseline's builder.
[[nodiscard]] QString candidateName(const SearchHistory &history, CandidateId id);
/// What a candidate is, in a few lines, for tooltips.
[[nodiscard]] QString candidateText(const Searcher &searcher, CandidateId id);

/// One row per baseline and trial of a search.
class CandidatesModel final : public RunsModel {
    Q_OBJECT
public:
    /// In the order of the columns.
    enum Column {
        Pin,
        Name,
        Iteration,
        Change,
        Exposed,
        Samples,
        PsVariables,
        PsBytes,
        Servers,
        ServerBytes,
        Partitioned,
        Shards,
        Groups
    };

    explicit CandidatesModel(Searcher &searcher, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] CandidateId idOf(int row) const override;
    [[nodiscard]] int rowOf(CandidateId id) const override;
    [[nodiscard]] QString describe(int row) const override;

private:
    [[nodiscard]] const CandidateMetrics &metricsOf(int row) const;
    void declareColumns();
    void grow();

    Searcher &m_searcher;
    // How much of the history the views know of: rows are trials after baselines, and all baselines come first.
    int m_baselines = 0, m_trials = 0;
};

} // namespace syncopate::ui
