// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/bayes_search.h"

#include "engine/base/rng.h"
#include "engine/base/units.h"
#include "engine/search/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

constexpr std::array<double, 2> improvements{0.01, 0.1};
constexpr double parameterBytes = 4; ///< ByteScheduler counts parameters: here each is a float32
constexpr double million = 1e6, mebibyte = 1048576;
/// Horovod's first points: fusion in MiB, cycle in ms.
constexpr std::array<std::array<double, 2>, 4> horovodFirst{{{4, 5}, {32, 50}, {16, 25}, {8, 10}}};
constexpr std::size_t randomCandidates = 2000;

/// Refuses a space whose knobs are not exactly these two, in this order.
Result<void> needKnobs(const TuneSpace &space, std::string_view first, std::string_view second, std::string_view preset) {
    const auto &axes = space.axes();
    if (axes.size() != 2 || axes[0].of().id != first || axes[1].of().id != second)
        return fail(fmt::format("the preset {} tunes {} and {}", preset, first, second),
                    fmt::format("tune these with --knob {} --knob {}, or take preset=own", first, second));
    return {};
}

/// Whether every variable is all-reduced: ByteScheduler then tunes over a larger credit.
bool isAllReduce(const TuneSpace &space) {
    const auto scenario = makeScenario(space.recipe());
    return scenario && std::all_of(scenario->strategy->nodes.begin(), scenario->strategy->nodes.end(),
                                   [](const NodeConfig &node) { return node.synchronizer.kind == SynchronizerKind::AllReduce; });
}

Result<TuneSpace> releasedSpace(const TuneSpace &space, BayesSearch::Preset preset) {
    std::vector<TuneAxis> axes = space.axes();
    if (preset == BayesSearch::Preset::Own)
        return space;
    if (preset == BayesSearch::Preset::ByteScheduler) {
        TRY(needKnobs(space, "partition", "credit", "bytescheduler"));
        const double credits = isAllReduce(space) ? 4 : 1;
        axes[0] = TuneAxis{axes[0].dimension, 2 * million * parameterBytes, 32 * million * parameterBytes, Scale::Linear, {}};
        axes[1] = {
            axes[1].dimension, credits * million * parameterBytes, 16 * credits * million * parameterBytes, Scale::Linear, {}};
    } else {
        TRY(needKnobs(space, "fusion", "cycle", "horovod"));
        axes[0] = TuneAxis{axes[0].dimension, 0, 64 * mebibyte, Scale::Linear, {}};
        axes[1] = TuneAxis{axes[1].dimension, 1e-3, 0.1, Scale::Linear, {}};
    }
    return TuneSpace::make(space.recipe(), std::move(axes));
}

/// Subtracts the mean and, unless it is 0, divides by the standard deviation.
Eigen::VectorXd standardised(Eigen::VectorXd values) {
    values.array() -= values.mean();
    const double deviation = std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
    return deviation > 0 ? Eigen::VectorXd(values / deviation) : values;
}

} // namespace

BayesSearch::BayesSearch(TuneSpace space, std::string text, const Settings &settings, int iterationsPerPoint, std::uint64_t seed)
    : PointSearch(std::move(space), std::move(text),
                  fmt::format("Gaussian process, {}, expected improvement with xi {}, {} first points",
                              settings.kernel == GaussianKernel::Shape::Rbf ? "RBF" : "Matern 5/2", settings.xi,
                              settings.firstPoints),
                  iterationsPerPoint),
      m_settings(settings), m_seed(seed) {}

const ExpressionInfo &BayesSearch::info() {
    static const ExpressionInfo info{
        "bo",
        "Bayesian optimisation: a Gaussian process and expected improvement",
        {{"preset",
          ArgumentKind::Choice,
          "own",
          0,
          0,
          {"own", "bytescheduler", "horovod"},
          "",
          "As ByteScheduler or Horovod released it: their space, units, first points and number of points"},
         {"kernel", ArgumentKind::Choice, "matern", 0, 0, {"matern", "rbf"}, "", "Covariance, of preset=own: Matern 5/2 or RBF"},
         {"xi", ArgumentKind::Choice, "0.01", 0, 0, {"0.01", "0.1"}, "", "Improvement that is asked for, of preset=own"},
         {"first", ArgumentKind::Integer, "8", 1, 1000, {}, "points", "Points drawn before the first proposal, of preset=own"}}};
    return info;
}

Result<std::unique_ptr<PointSearch>> BayesSearch::make(const Expression &expression, const TuneSpace &space, std::uint64_t seed) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, info()));
    Settings settings;
    settings.preset = static_cast<Preset>(values.choice("preset"));
    settings.kernel = values.choice("kernel") == 1 ? GaussianKernel::Shape::Rbf : GaussianKernel::Shape::Matern52;
    settings.xi = improvements[values.choice("xi")];
    settings.firstPoints = static_cast<std::size_t>(values.number("first"));
    int iterations = 10;
    if (settings.preset == Preset::ByteScheduler) {
        settings = {settings.preset, GaussianKernel::Shape::Matern52, 0.1, 10, 14};
        iterations = 100;
    } else if (settings.preset == Preset::Horovod) {
        settings = {settings.preset, GaussianKernel::Shape::Rbf, 0.01, horovodFirst.size(), 20};
        iterations = 50;
    }
    auto own = TRY(releasedSpace(space, settings.preset));
    return std::unique_ptr<PointSearch>(new BayesSearch(std::move(own), values.text(), settings, iterations, seed));
}

TunePoint BayesSearch::firstPoint(std::size_t index) const {
    if (m_settings.preset == Preset::Horovod) {
        const std::array<double, 2> &first = horovodFirst[index];
        return space().pointOf({first[0] * mebibyte, first[1] * 1e-3});
    }
    Rng rng(Rng(m_seed).next() ^ index);
    TunePoint point;
    for (std::size_t d = 0; d < space().axes().size(); ++d) {
        point.push_back(rng.uniform(0, 1));
        if (m_settings.preset == Preset::Own)
            point[d] = (static_cast<double>(sliceOf(index, d)) + point[d]) / static_cast<double>(m_settings.firstPoints);
    }
    return point;
}

/// Latin hypercube: the first points use each of the `firstPoints` equal slices of each axis exactly once.
std::size_t BayesSearch::sliceOf(std::size_t index, std::size_t axis) const {
    std::vector<std::size_t> slices(m_settings.firstPoints);
    Rng shuffle(Rng(m_seed + 1).next() ^ axis);
    for (std::size_t i = 0; i < slices.size(); ++i) {
        slices[i] = i;
        std::swap(slices[i], slices[shuffle.next() % (i + 1)]);
    }
    return slices[index];
}

/// The coordinates that the process sees: for a preset in the original system's units, so that its length scale applies.
Eigen::VectorXd BayesSearch::featuresOf(const TunePoint &point) const {
    Eigen::VectorXd features(static_cast<Eigen::Index>(point.size()));
    const std::vector<double> values = space().valuesAt(point);
    for (std::size_t d = 0; d < point.size(); ++d)
        features[static_cast<Eigen::Index>(d)] = m_settings.preset == Preset::Own ? point[d]
                                                 : m_settings.preset == Preset::ByteScheduler
                                                     ? values[d] / (million * parameterBytes)
                                                     : values[d] / (d == 0 ? mebibyte : 1e-3);
    return features;
}

/// Objective values, larger is better. A point that cannot be judged counts as the worst of the others.
Eigen::VectorXd BayesSearch::scores() const {
    double worst = 0;
    for (const double seconds : m_seconds)
        worst = std::isfinite(seconds) ? std::max(worst, seconds) : worst;
    Eigen::VectorXd scores(static_cast<Eigen::Index>(m_seconds.size()));
    for (std::size_t i = 0; i < m_seconds.size(); ++i) {
        const double seconds = std::isfinite(m_seconds[i]) ? m_seconds[i] : worst > 0 ? worst : 1;
        scores[static_cast<Eigen::Index>(i)] = m_settings.preset == Preset::Own       ? -std::log(seconds)
                                               : m_settings.preset == Preset::Horovod ? 1 / seconds
                                                                                      : -seconds;
    }
    if (m_settings.preset == Preset::ByteScheduler)
        return scores.array() - scores.mean();
    return standardised(scores);
}

GaussianFitOptions BayesSearch::fitOptions() const {
    GaussianFitOptions options{.shape = m_settings.kernel};
    if (m_settings.preset == Preset::Own) {
        options.noiseVariance = 1e-4;
        options.fitNoise = true;
        options.minLengthScale = 0.05;
        options.maxLengthScale = 5;
        return options;
    }
    options.oneLengthScale = true;
    if (m_settings.preset == Preset::ByteScheduler)
        options.fitSignal = false;
    else
        options.noiseVariance = 0.8;
    return options;
}

/// The candidate with the largest expected improvement, or a random one if the process cannot be fitted. Errors:
/// cancelled.
Result<TunePoint> BayesSearch::proposal(const std::stop_token &stop) const {
    Rng rng(Rng(m_seed + 2).next() ^ m_points.size());
    const auto drawn = [&] {
        TunePoint point;
        for (std::size_t d = 0; d < space().axes().size(); ++d)
            point.push_back(rng.uniform(0, 1));
        return point;
    };
    Eigen::MatrixXd features(static_cast<Eigen::Index>(m_points.size()), static_cast<Eigen::Index>(space().axes().size()));
    for (std::size_t i = 0; i < m_points.size(); ++i)
        features.row(static_cast<Eigen::Index>(i)) = featuresOf(m_points[i]).transpose();
    const Eigen::VectorXd scores = this->scores();
    const auto process = fitGaussianProcess(features, scores, fitOptions(), stop);
    if (!process && process.error().isCancelled())
        return cancelled();
    if (!process)
        return drawn();
    const double best = scores.maxCoeff();
    const auto gain = [&](const TunePoint &point) {
        return expectedImprovement(process->predict(featuresOf(point)), best, m_settings.xi);
    };
    TunePoint chosen = drawn();
    double maxGain = gain(chosen);
    for (std::size_t i = 1; i < randomCandidates; ++i) {
        if (stop.stop_requested())
            return cancelled();
        TunePoint point = drawn();
        if (const double here = gain(point); here > maxGain) {
            maxGain = here;
            chosen = std::move(point);
        }
    }
    for (double step = 0.05; step > 1e-3; step /= 2)
        for (std::size_t d = 0; d < chosen.size(); ++d)
            for (const double direction : {step, -step}) {
                TunePoint tried = chosen;
                tried[d] = std::clamp(tried[d] + direction, 0.0, 1.0);
                if (const double here = gain(tried); here > maxGain) {
                    maxGain = here;
                    chosen = std::move(tried);
                }
            }
    return chosen;
}

Result<std::vector<Genes>> BayesSearch::ask(std::uint64_t first, std::stop_token stop) {
    if (first >= m_settings.maxPoints)
        return std::vector<Genes>();
    if (m_points.size() < m_settings.firstPoints)
        return std::vector<Genes>{{{}, firstPoint(m_points.size())}};
    TunePoint point = TRY(proposal(stop));
    return std::vector<Genes>{{{}, std::move(point)}};
}

void BayesSearch::tell(const std::vector<SearchTrial> &batch) {
    for (const SearchTrial &trial : batch) {
        m_points.push_back(trial.genes.real);
        m_seconds.push_back(objectiveOf(trial.metrics, SearchObjective::IterationTime));
    }
}

} // namespace syncopate
