// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/cost/meta_origin.h"
#include "engine/cost/runtime_metrics.h"
#include "engine/learn/modules.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The pair <S_p, S_c> that AutoByte tunes.
struct SchedulerSetting {
    double partitionBytes = 0;
    double creditBytes = 0; ///< no limit: infinite
};

/// Measured speeds of one job under one condition, with several settings.
struct MetaExample {
    RuntimeMetrics metrics;
    std::vector<SchedulerSetting> settings;
    std::vector<double> samplesPerSecond; ///< aligned with the settings
};

/// AutoByte's meta-network (section III-A): the speed of a job from its runtime metrics and a pair of settings, so that one
/// inference ranks every pair. Jobs differ in layers and clusters in workers, so both are brought to fixed sizes first:
///
///   T       backward times, resampled to 16 steps from the last layer to the first (share of the pass; slowest worker over the
///           mean), through a two-layer LSTM whose last states are read
///   B_d,B_u the last 8 looks, each reduced to three quantiles over the workers (slowest, median, fastest): logarithms of the
///           newest, and of how many times faster each was at the looks before it, so that a steady series has zeros. They go
///           to the dense layers, as the paper's LSTM reads T alone
///   static  workers, layers, compute, bytes and how they lie along the layers (the model's embedding), kind, number and speed of
///           servers (the architecture's), latency and cost of a message
///   pair    partition and credit, logarithms
///
/// Times count in iterations at the bound and bytes in whole gradients, so that jobs and links of different scales look alike.
/// All inputs together go through two dense layers to the speed as a share of
/// RuntimeMetrics::boundSamplesPerSecond(), trained by the squared error (Eq. 2). It is a value: copies adapt independently.
///
/// Trained on a few hundred conditions, a network has several times its own errors on others, and another network errs
/// differently. So several, each with a training set and first weights of its own, may be joined: the prediction is their mean,
/// at the cost of as many inferences (docs/tuning.md has the gain).
class MetaNetwork {
public:
    /// Untrained weights, drawn by `seed`.
    explicit MetaNetwork(std::uint64_t seed);

    /// Reads what save() wrote. Errors name `file`: larger than maxBytes, not a network, another version, or a weight that is
    /// missing, not a number or out of range; those of MetaOrigin::read().
    [[nodiscard]] static Result<MetaNetwork> load(std::string_view text, const std::string &file = {});
    static constexpr std::size_t maxBytes = std::size_t{4} << 20;
    /// Factor between an older look and the newest beyond which it counts as this: training has no larger changes.
    static constexpr double maxChange = 8;
    [[nodiscard]] std::string save() const;
    /// Its origin and errors, shown beside its predictions.
    [[nodiscard]] const MetaOrigin &origin() const { return m_origin; }
    void setOrigin(MetaOrigin origin) { m_origin = std::move(origin); }
    /// Of all members.
    [[nodiscard]] std::size_t weightCount() const;

    /// Adds the members of `other`; predictions become the mean over all. Errors: together they have more than maxMembers.
    [[nodiscard]] Result<void> join(MetaNetwork other);
    static constexpr std::size_t maxMembers = 8;
    /// 1: nothing was joined.
    [[nodiscard]] std::size_t members() const { return 1 + m_others.size(); }

    /// Predicted samples per second of each setting, above 0: the mean over the members. A member takes one LSTM pass, then
    /// O(settings).
    [[nodiscard]] std::vector<double> samplesPerSecond(const RuntimeMetrics &metrics,
                                                       std::span<const SchedulerSetting> settings) const;

    struct Training {
        std::size_t epochs = 300;
        std::size_t batch = 16; ///< examples, each with all its settings
        double rate = 3e-3;     ///< Adam's, less from 40 and 80 % of the epochs on (steppedDecay())
    };
    /// Trains from the present weights, on this thread, this network alone and none that has joined it; ends with weights of four
    /// digits, as they are saved. `progress` counts epochs. Errors: no example, one whose sizes do not fit or whose speeds are
    /// none, `stop` was requested.
    [[nodiscard]] Result<void> train(std::span<const MetaExample> examples, const Training &training, std::uint64_t seed,
                                     const std::stop_token &stop = {}, Progress *progress = nullptr);
    /// Transfer (section III-B): changes the dense layers alone until the measured examples are predicted within 2 %, in 100
    /// small steps at most, each member on its own. Deterministic.
    void adapt(std::span<const MetaExample> measured);

private:
    using Node = Tape<float>::Node;
    /// The inputs of an example, not yet standardised.
    struct Inputs;
    [[nodiscard]] static Inputs inputsOf(const RuntimeMetrics &metrics, std::span<const SchedulerSetting> settings);
    [[nodiscard]] static Result<std::vector<Inputs>> readExamples(std::span<const MetaExample> examples);
    void standardise(std::span<const Inputs> examples);
    /// The prediction of this network alone.
    [[nodiscard]] std::vector<double> ownSamplesPerSecond(const RuntimeMetrics &metrics,
                                                          std::span<const SchedulerSetting> settings) const;
    void adaptOwn(std::span<const MetaExample> measured);
    /// Shares of the bounds, a row for each setting of each example.
    [[nodiscard]] Node run(Tape<float> &tape, std::span<const Inputs *const> examples) const;
    /// One step's gradients; returns the largest relative error.
    double learn(std::span<const Inputs *const> examples, std::vector<Matrix<float>> &gradients) const;

    Parameters<float> m_weights;
    Parameters<float> m_standard; ///< mean and 1 / deviation of each input
    Lstm<float> m_layers;
    Dense<float> m_between, m_out;
    MetaOrigin m_origin;
    std::vector<MetaNetwork> m_others; ///< that have joined; these have none
};

/// The network that comes with the program, resources/meta_network.json, which is compiled in. Errors: the compiled-in file is
/// not a network.
[[nodiscard]] Result<MetaNetwork> shippedMetaNetwork();

} // namespace syncopate
