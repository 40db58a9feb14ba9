// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/features.h"
#include "engine/learn/modules.h"

#include <memory>
#include <string>
#include <vector>

namespace syncopate {

/// The difference between RankRnn and RankGat: how the rows of a domain's layers become one vector per strategy.
class RankNetwork {
public:
    using Node = Tape<float>::Node;
    virtual ~RankNetwork() = default;
    /// `layers` has a block of B rows per layer, hiddenWidth() columns; returns B rows of encodedWidth() columns.
    [[nodiscard]] virtual Node encode(Tape<float> &tape, Node layers, const FeatureExtractor &domain) const = 0;
    [[nodiscard]] virtual std::size_t hiddenWidth() const = 0;
    [[nodiscard]] virtual std::size_t encodedWidth() const = 0;
};

/// How a network is trained. Epochs, decay (0.3 at 40 and 80 %) and clipping (0.25) are the supplement's, section 10; batch, rate
/// and weight decay those of AutoSync's released RankRNN.
struct NetworkTraining {
    std::size_t epochs = 200;
    std::size_t batch = 64;
    double rate = 2e-3;
    double weightDecay = 3e-4;
    double tie = 1e-3; ///< share of the longer time; times that differ by no more count as equal
};

/// A ranker by a network (supplement, sections 4 and 5): a first layer per variable, summed into layers; an encoder over the
/// layers in graph order or along its edges; an output network that also reads the global features. Trained to order pairs of
/// trials.
///
/// Scoring works on batches of a fixed size, padded, so that a strategy's score does not depend on how many others are scored
/// with it; training splits each batch in two, whatever the machine, so that weights do not depend on its cores.
class NetworkRanker final : public Ranker {
public:
    using MakeNetwork = std::unique_ptr<RankNetwork> (*)(const ArgumentValues &, Parameters<float> &, Rng &);
    /// `values` are the expression's; `make` builds the encoder on the ranker's weights.
    NetworkRanker(const RankerDomain &domain, const ArgumentValues &values, MakeNetwork make, const NetworkTraining &training,
                  std::uint64_t seed);
    ~NetworkRanker() override;

    [[nodiscard]] std::string text() const override { return m_text; }
    [[nodiscard]] Result<std::vector<double>> score(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                    const std::stop_token &stop) const override;
    [[nodiscard]] Result<std::vector<std::vector<float>>> embed(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                                const std::stop_token &stop) const override;
    [[nodiscard]] Result<void> learn(std::span<const RankedTrial> trials, const std::stop_token &stop) override;
    [[nodiscard]] std::string save() const override;
    [[nodiscard]] Result<void> load(std::string_view text) override;

private:
    struct Encoded {
        RankNetwork::Node score, embedding;
    };
    struct Judged {
        std::vector<double> scores;
        std::vector<std::vector<float>> embeddings;
    };
    struct Half;
    [[nodiscard]] Encoded run(Tape<float> &tape, std::span<const StrategyFeatures *const> batch) const;
    /// Judges 1 to scoringBatch strategies.
    [[nodiscard]] Result<Judged> judgeBatch(std::span<const std::shared_ptr<const Strategy>> strategies, bool embeddings,
                                            const std::stop_token &stop) const;
    [[nodiscard]] Result<Judged> judge(std::span<const std::shared_ptr<const Strategy>> strategies, bool embeddings,
                                       const std::stop_token &stop) const;
    [[nodiscard]] Result<std::vector<StrategyFeatures>> featuresOf(std::span<const RankedTrial> trials,
                                                                   const std::stop_token &stop) const;
    void standardise(const std::vector<StrategyFeatures> &features);
    /// One step's loss and gradients over the trials of `order`.
    void train(const std::vector<StrategyFeatures> &features, const std::vector<double> &seconds,
               std::span<const std::size_t> order, std::vector<Matrix<float>> &gradients) const;

    FeatureExtractor m_domain;
    std::string m_text;
    NetworkTraining m_training;
    std::uint64_t m_seed;
    Parameters<float> m_weights, m_first; ///< as trained, and the start of training
    Parameters<float> m_standard;         ///< mean and 1 / deviation of each feature
    bool m_loaded = false;                ///< m_standard belongs to loaded weights, so training keeps it
    std::unique_ptr<RankNetwork> m_network;
    Dense<float> m_in, m_between, m_out;
};

/// RankRnn (Eq. 4 to 7): LSTMs in both directions over the layers in graph order. "rnn(hidden=32, layers=1, epochs=200)".
[[nodiscard]] const ExpressionInfo &rankRnnInfo();
[[nodiscard]] std::unique_ptr<Ranker> makeRankRnn(const ArgumentValues &values, const RankerDomain &domain, std::uint64_t seed);
/// RankGat (Eq. 8 to 10): graph attention of each layer to itself, its parents and its children, averaged over the layers.
/// "gat(hidden=32, heads=2, layers=2, epochs=200)".
[[nodiscard]] const ExpressionInfo &rankGatInfo();
[[nodiscard]] std::unique_ptr<Ranker> makeRankGat(const ArgumentValues &values, const RankerDomain &domain, std::uint64_t seed);

} // namespace syncopate
