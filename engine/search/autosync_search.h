// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/ranker.h"
#include "engine/search/decoded_batch.h"
#include "engine/search/random_sampler.h"
#include "engine/search/rule_space.h"
#include "engine/search/search.h"
#include "engine/search/search_method.h"
#include "engine/search/tried_strategies.h"
#include "engine/strategy/arguments.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// Algorithm 1 of AutoDist: a ranker scores many proposals and rejects those that it is trusted to reject; a few of the others
/// are chosen by score and diversity (AutoSync's supplement, Eq. 11) and judged; and the ranker learns from all trials.
///
/// Trust is measured, never assumed: before the ranker learns from a batch, it is asked how it would have ordered it. A learned
/// ranker chooses once it orders recent batches better than the predefined one, which chooses while it orders them better than a
/// coin. A bandit divides the trials among three sources by how often each has improved on the best: the ranker's choice, moves
/// of the best strategies without any ranking (its control), and new draws, which always get one trial in ten. Random+G's draws
/// cannot be moved: where they are the proposals, new draws are the control, too.
class AutosyncSearch final : public SearchMethod {
public:
    struct Settings {
        std::size_t simulator = 1; ///< into simulators()
        bool rules = true;         ///< proposals are rules (RuleSpace), else draws of AutoSync's sampler
        std::int32_t explore = 20; ///< proposals that are scored for each trial
        double diversity = 0.2;    ///< alpha of Eq. 11, against scores that are scaled to [0, 1]
        bool embedding = false;    ///< similarity by the ranker's vectors where it has them, else by equal choices
        bool operator==(const Settings &) const = default;
    };
    /// Names of the rankers to choose from, after "none", which is the same search without any: its control.
    [[nodiscard]] static const std::vector<std::string> &simulators();
    /// `request` has a job, and a cluster with reduction devices. `learned` is null where only the predefined ranker chooses;
    /// both are null where none does.
    AutosyncSearch(const SearchRequest &request, const Settings &settings, std::unique_ptr<Ranker> predefined,
                   std::unique_ptr<Ranker> learned);

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::size_t batchSize() const override { return 10; }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override;
    [[nodiscard]] std::string explain(const Genes &genes) const override;
    [[nodiscard]] std::string source(const Genes &genes) const override;
    [[nodiscard]] CandidateSource sourceKind(const Genes &genes) const override;
    void tell(const std::vector<SearchTrial> &batch) override;
    [[nodiscard]] Result<void> learn(const std::stop_token &stop) override;
    [[nodiscard]] std::vector<SearchPhase> phases() const override { return m_phases; }

private:
    enum Source : std::uint64_t { Usual, Ranked, Local, Random };
    static constexpr std::size_t sources = 4;
    using StrategyPointer = std::shared_ptr<const Strategy>;
    struct Proposal {
        Genes genes;
        StrategyPointer strategy;
        double score = 0;
    };
    struct Tried {
        double value;
        Genes genes;
    };
    /// A ranker, with its performance on recent batches.
    struct Judged {
        std::unique_ptr<Ranker> ranker;
        bool ready = false; ///< it can score: it needs no training, or has been trained
        std::vector<double> accuracies;
        std::vector<std::pair<double, double>> recent; ///< score and value of the trials of the last batches
        [[nodiscard]] double trust() const;
    };
    [[nodiscard]] Genes local(Rng &rng) const;
    [[nodiscard]] Genes fresh(Rng &rng) const;
    [[nodiscard]] Genes proposal(Rng &rng) const;
    [[nodiscard]] Judged *chooser();
    [[nodiscard]] std::array<std::size_t, sources> shares(std::size_t trials, bool ranks) const;
    [[nodiscard]] Result<std::vector<Proposal>> propose(std::size_t count, Rng &rng, const std::stop_token &stop) const;
    [[nodiscard]] Result<std::vector<Genes>> choose(Judged &by, std::size_t count, Rng &rng, const std::stop_token &stop);
    /// A candidate to be drawn: a usual rule at first, where there is one, or else a draw of the source.
    struct Slot {
        Source source;
        const Genes *usual = nullptr;
    };
    [[nodiscard]] Genes draw(const Slot &slot, bool isFirst, Rng &rng) const;
    void decodeAll(const std::vector<Genes> &all, const std::stop_token &stop);
    [[nodiscard]] Result<void> fill(const std::vector<Slot> &slots, Rng &rng, std::vector<Genes> &batch,
                                    std::unordered_set<StrategyFingerprint> &fingerprints, const std::stop_token &stop);
    [[nodiscard]] Result<void> measure(Judged &judged, const std::stop_token &stop, SearchPhase *phase);

    Scenario m_base;
    RuleSpace m_space;
    SamplerSettings m_sampler;
    SearchObjective m_objective;
    std::uint64_t m_seed;
    Settings m_settings;
    unsigned m_threads;
    std::vector<Genes> m_usual;
    Judged m_predefined, m_learned;
    std::vector<RankedTrial> m_trials; ///< all with a time
    std::size_t m_newTrials = 0;       ///< the last of them, not learned from yet
    std::vector<Tried> m_best;         ///< ascending, a few
    TriedStrategies m_tried;
    DecodedBatch m_decoded; ///< of ask(), until tell()
    struct Credit {
        double trials = 0, gains = 0;
    };
    std::array<Credit, sources> m_credits;
    std::vector<SearchPhase> m_phases;
    SearchPhase m_asked; ///< of the batch that was asked for last
};

[[nodiscard]] const ExpressionInfo &autosyncSearchInfo();
/// Errors as ArgumentValues::read().
[[nodiscard]] Result<AutosyncSearch::Settings> readAutosyncSearch(const Expression &expression);
/// Errors: those of makeRanker().
[[nodiscard]] Result<std::unique_ptr<SearchMethod>> makeAutosyncSearch(const SearchRequest &request,
                                                                       const AutosyncSearch::Settings &settings);

} // namespace syncopate
