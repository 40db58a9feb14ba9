// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/history_model.h"
#include "ui/runs/searcher.h"

namespace syncopate::ui {

/// "trial 17", or a builder's expression.
[[nodiscard]] QString candidateName(const Searcher &searcher, CandidateId id);
/// A candidate in a few lines, for tooltips.
[[nodiscard]] QString candidateText(const Searcher &searcher, CandidateId id);

/// One row per baseline, tuned baseline and trial of a search, in that order.
class CandidatesModel final : public HistoryModel {
    Q_OBJECT
public:
    /// In the order of the columns.
    enum Column {
        Pin,
        Name,
        Iteration,
        Change,
        Confidence,
        Exposed,
        Samples,
        PsVariables,
        PsBytes,
        Servers,
        ServerBytes,
        Partitioned,
        Shards,
        Groups,
        Source
    };

    explicit CandidatesModel(Searcher &searcher, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] CandidateId candidateAt(int row) const;
    [[nodiscard]] RunId idOf(int row) const override { return candidateAt(row).row(); }
    [[nodiscard]] int rowOf(RunId id) const override;
    [[nodiscard]] QString describe(int row) const override;
    [[nodiscard]] bool canPin(RunId id) const override { return CandidateId::ofRow(id).kind != CandidateId::Kind::Tuned; }

    [[nodiscard]] std::size_t trials() const override { return static_cast<std::size_t>(m_trials); }
    [[nodiscard]] std::size_t budget() const override;
    [[nodiscard]] double valueOf(std::size_t trial) const override;
    [[nodiscard]] double hitRateAt(std::size_t trial) const override { return m_searcher.hitRates()[trial]; }
    /// The builders with their defaults, the best tuned one, and the compute alone.
    [[nodiscard]] std::vector<Level> levels() const override;
    [[nodiscard]] QString valueName() const override;
    /// By the source of trials.
    [[nodiscard]] QStringList groups() const override;
    [[nodiscard]] std::size_t groupOf(std::size_t trial) const override { return m_groups[trial]; }
    /// How the ranker did from batch to batch; empty if the search has no ranker.
    [[nodiscard]] const std::vector<SearchPhase> &phases() const { return m_searcher.history().phases; }

Q_SIGNALS:
    void phasesChanged();

private:
    [[nodiscard]] const CandidateMetrics &metricsOf(int row) const { return m_searcher.metricsOf(candidateAt(row)); }
    void declareColumns();
    void grow();
    void takeLevels();
    void groupTrials();
    [[nodiscard]] std::size_t sourceOf(const SearchTrial &trial) const; ///< into groups()
    void add(int &known, int present, int firstRow);

    Searcher &m_searcher;
    int m_baselines = 0, m_tuned = 0, m_trials = 0; ///< how much of the search the views have been told of
    std::shared_ptr<const SearchMethod> m_method;   ///< the one m_groups was made with
    std::vector<std::uint8_t> m_groups;             ///< by trial
};

} // namespace syncopate::ui
