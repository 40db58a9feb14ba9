// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/tune/pair_choice.h"
#include "engine/search/tune/point_search.h"
#include "engine/strategy/arguments.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate {

/// AutoByte's optimizer and its trigger (section III-C) over the pairs of a space: proposes the middle of the pairs that a
/// MetaNetwork predicts to be fastest within its error (PairChoice::Middle), and adapts the network to this job where its
/// predictions are off. It sees only metrics and speeds of settings that the job really had.
class MetaTuner {
public:
    static constexpr double minGain = 0.05;      ///< min predicted gain for which a running job is changed
    static constexpr double adaptFrom = 0.1;     ///< min relative error of a prediction for which the network is adapted
    static constexpr double maxPartitions = 4e3; ///< max pieces of the job; the training set has no more

    /// Estimates the number of pieces into which ByteScheduler cuts the job.
    [[nodiscard]] static double partitionCount(const Job &job, double partitionBytes);

    /// Whether the network knows these knobs: ByteScheduler's partition and credit alone, in this order.
    [[nodiscard]] static bool tunes(const TuneSpace &space);
    /// `network` null: the shipped one. Errors: it does not know the knobs; every pair cuts the job into too many partitions;
    /// those of shippedMetaNetwork().
    [[nodiscard]] static Result<MetaTuner> make(const TuneSpace &space, std::shared_ptr<const MetaNetwork> network = nullptr);

    /// The points of a space that it chooses from: 24 partitions by 16 credits at most, without those that cut the job into too
    /// many pieces, and each setting once.
    [[nodiscard]] static std::vector<TunePoint> candidatePoints(const TuneSpace &space);

    /// Reports the job's measured speed with those values (of the axes), and adapts the network if its prediction was off.
    void observe(const RuntimeMetrics &metrics, const std::vector<double> &values, double samplesPerSecond);
    struct Proposal {
        TunePoint point;
        std::vector<double> values; ///< of the axes
        double samplesPerSecond = 0;
        double gain = 0; ///< over the prediction for the present values, relative
    };
    /// The pair chosen by its prediction.
    [[nodiscard]] Proposal propose(const RuntimeMetrics &metrics, const std::vector<double> &present) const;
    /// The same among the pairs that are unlike every pair of `tried` (values of the axes); null without any.
    [[nodiscard]] std::optional<TunePoint> proposeUnlike(const RuntimeMetrics &metrics,
                                                         const std::vector<std::vector<double>> &tried) const;
    [[nodiscard]] const MetaOrigin &origin() const { return m_network.origin(); }
    [[nodiscard]] std::size_t candidates() const { return m_points.size(); }
    [[nodiscard]] std::size_t adaptations() const { return m_adaptations; }

private:
    explicit MetaTuner(MetaNetwork network) : m_network(std::move(network)) {}

    MetaNetwork m_network;
    std::vector<TunePoint> m_points;
    std::vector<std::vector<double>> m_values; ///< aligned with m_points
    std::vector<SchedulerSetting> m_settings;  ///< the same
    std::vector<MetaExample> m_seen;           ///< the newest last
    std::size_t m_adaptations = 0;
};

/// A tuner: judges the present setting, then some predictions, each unlike all before it.
class MetaSearch final : public PointSearch {
public:
    static constexpr std::size_t defaultTries = 3; ///< predictions that are judged
    [[nodiscard]] static Result<std::unique_ptr<PointSearch>> make(const Expression &expression, const TuneSpace &space,
                                                                   std::shared_ptr<const MetaNetwork> network);
    [[nodiscard]] static const ExpressionInfo &info();

    [[nodiscard]] std::size_t batchSize() const override { return 1; }
    [[nodiscard]] const MetaOrigin *network() const override { return &m_tuner.origin(); }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    void tell(const std::vector<SearchTrial> &batch) override;

private:
    MetaSearch(const TuneSpace &space, std::string text, MetaTuner tuner, RuntimeMetrics metrics, std::size_t tries);

    MetaTuner m_tuner;
    RuntimeMetrics m_metrics;
    std::size_t m_tries;
    bool m_hasBegun = false;
    std::vector<std::vector<double>> m_asked; ///< values of the predictions
};

} // namespace syncopate
