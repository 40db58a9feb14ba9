// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/network_ranker.h"

#include "engine/base/json_writer.h"
#include "engine/base/parallel_in_order.h"
#include "engine/learn/adam.h"
#include "engine/learn/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <simdjson.h>
#include <thread>

namespace syncopate {

namespace {

constexpr std::size_t scoringBatch = 32;
constexpr float smallestDeviation = 1e-3F; ///< of a feature that varies between trials; others stay 0

enum RankerStandard : std::size_t { RowMean, RowScale, GlobalMean, GlobalScale };

Parameters<float> plainRankerStandard() {
    Parameters<float> standard;
    standard.addConstant("variables.mean", 1, FeatureExtractor::variableWidth, 0);
    standard.addConstant("variables.scale", 1, FeatureExtractor::variableWidth, 1);
    standard.addConstant("globals.mean", 1, FeatureExtractor::globalWidth, 0);
    standard.addConstant("globals.scale", 1, FeatureExtractor::globalWidth, 1);
    return standard;
}

/// A row of a matrix, scaled to length 1; zeros stay zeros.
std::vector<float> unitRow(const Matrix<float> &matrix, std::size_t i) {
    const auto row = matrix.values.begin() + static_cast<std::ptrdiff_t>(i * matrix.cols);
    std::vector<float> unit(row, row + static_cast<std::ptrdiff_t>(matrix.cols));
    const float length = std::sqrt(std::inner_product(unit.begin(), unit.end(), unit.begin(), 0.0F));
    for (float &value : unit)
        value = length > 0 ? value / length : 0;
    return unit;
}

} // namespace

NetworkRanker::NetworkRanker(const RankerDomain &domain, const ArgumentValues &values, MakeNetwork make,
                             const NetworkTraining &training, std::uint64_t seed)
    : m_domain(std::make_shared<const CostModel>(domain)), m_text(values.text()), m_training(training), m_seed(seed),
      m_standard(plainRankerStandard()), m_network([&] {
          Rng rng(seed);
          return make(values, m_weights, rng);
      }()),
      m_in([&] {
          Rng rng(seed + 1);
          return Dense<float>(m_weights, "in", FeatureExtractor::variableWidth, m_network->hiddenWidth(), rng);
      }()),
      m_between([&] {
          Rng rng(seed + 2);
          return Dense<float>(m_weights, "between", m_network->encodedWidth() + FeatureExtractor::globalWidth,
                              m_network->hiddenWidth(), rng);
      }()),
      m_out([&] {
          Rng rng(seed + 3);
          return Dense<float>(m_weights, "out", m_network->hiddenWidth(), 1, rng);
      }()) {
    m_first = m_weights;
}

NetworkRanker::~NetworkRanker() = default;

NetworkRanker::Encoded NetworkRanker::run(Tape<float> &tape, std::span<const StrategyFeatures *const> batch) const {
    constexpr std::size_t width = FeatureExtractor::variableWidth, globalWidth = FeatureExtractor::globalWidth;
    const std::size_t rows = batch.front()->variables.rows;
    Matrix<float> variables(rows * batch.size(), width), globals(batch.size(), globalWidth);
    for (std::size_t b = 0; b < batch.size(); ++b) {
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t c = 0; c < width; ++c)
                variables(row * batch.size() + b, c) =
                    (batch[b]->variables(row, c) - m_standard[RowMean](0, c)) * m_standard[RowScale](0, c);
        for (std::size_t c = 0; c < globalWidth; ++c)
            globals(b, c) = (batch[b]->globals[c] - m_standard[GlobalMean](0, c)) * m_standard[GlobalScale](0, c);
    }
    const auto each = tape.relu(m_in.apply(tape, tape.constant(std::move(variables))));
    const auto layers = tape.sumBlocks(each, m_domain.layerOfRow(), m_domain.layerCount());
    const auto embedding = m_network->encode(tape, layers, m_domain);
    const auto between = tape.relu(m_between.apply(tape, tape.besides(embedding, tape.constant(std::move(globals)))));
    return {m_out.apply(tape, between), embedding};
}

Result<NetworkRanker::Judged> NetworkRanker::judgeBatch(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                        bool embeddings, const std::stop_token &stop) const {
    std::vector<StrategyFeatures> features;
    std::array<const StrategyFeatures *, scoringBatch> batch{};
    features.reserve(strategies.size());
    for (const auto &strategy : strategies) {
        if (stop.stop_requested())
            return cancelled();
        features.push_back(TRY(m_domain.extract(*strategy)));
    }
    for (std::size_t i = 0; i < scoringBatch; ++i)
        batch[i] = &features[std::min(i, features.size() - 1)];
    Tape<float> tape(m_weights);
    const Encoded encoded = run(tape, batch);
    Judged judged;
    for (std::size_t i = 0; i < strategies.size(); ++i) {
        judged.scores.push_back(tape.value(encoded.score)(i, 0));
        if (embeddings)
            judged.embeddings.push_back(unitRow(tape.value(encoded.embedding), i));
    }
    return judged;
}

Result<NetworkRanker::Judged> NetworkRanker::judge(std::span<const std::shared_ptr<const Strategy>> strategies, bool embeddings,
                                                   const std::stop_token &stop) const {
    Judged all;
    std::size_t next = 0;
    std::optional<Error> error;
    const unsigned threads = threadsFor();
    parallelInOrder<std::size_t, Result<Judged>>(
        strategies.size() > scoringBatch ? threads : 1, threads * std::size_t{4},
        [&]() -> std::optional<std::size_t> {
            const std::size_t first = next;
            next += scoringBatch;
            return first < strategies.size() ? std::optional(first) : std::nullopt;
        },
        [&](std::size_t first) {
            return judgeBatch(strategies.subspan(first, std::min(scoringBatch, strategies.size() - first)), embeddings, stop);
        },
        [&](Result<Judged> judged) {
            if (!judged) {
                error = judged.error();
                return false;
            }
            all.scores.insert(all.scores.end(), judged->scores.begin(), judged->scores.end());
            std::move(judged->embeddings.begin(), judged->embeddings.end(), std::back_inserter(all.embeddings));
            return true;
        });
    if (error)
        return Unexpected(*error);
    return all;
}

Result<std::vector<double>> NetworkRanker::score(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                 const std::stop_token &stop) const {
    return TRY(judge(strategies, false, stop)).scores;
}

Result<std::vector<std::vector<float>>> NetworkRanker::embed(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                             const std::stop_token &stop) const {
    return TRY(judge(strategies, true, stop)).embeddings;
}

Result<std::vector<StrategyFeatures>> NetworkRanker::featuresOf(std::span<const RankedTrial> trials,
                                                                const std::stop_token &stop) const {
    std::vector<StrategyFeatures> features;
    features.reserve(trials.size());
    for (const RankedTrial &trial : trials) {
        if (stop.stop_requested())
            return cancelled();
        features.push_back(TRY(m_domain.extract(*trial.strategy)));
    }
    return features;
}

void NetworkRanker::standardise(const std::vector<StrategyFeatures> &features) {
    Moments rows(FeatureExtractor::variableWidth), globals(FeatureExtractor::globalWidth);
    for (const StrategyFeatures &strategy : features) {
        globals.take(strategy.globals.data());
        for (std::size_t row = 0; row < strategy.variables.rows; ++row)
            rows.take(strategy.variables.values.data() + row * strategy.variables.cols);
    }
    rows.write(m_standard[RowMean], m_standard[RowScale], smallestDeviation);
    globals.write(m_standard[GlobalMean], m_standard[GlobalScale], smallestDeviation);
}

/// One half of a training batch, with a thread and a tape of its own.
struct NetworkRanker::Half {
    std::vector<const StrategyFeatures *> batch;
    std::optional<Tape<float>> tape;
    Encoded encoded{};
    std::vector<Matrix<float>> gradients;
};

void NetworkRanker::train(const std::vector<StrategyFeatures> &features, const std::vector<double> &seconds,
                          std::span<const std::size_t> order, std::vector<Matrix<float>> &gradients) const {
    std::array<Half, 2> halves;
    for (std::size_t i = 0; i < order.size(); ++i)
        halves[i * 2 < order.size() ? 0 : 1].batch.push_back(&features[order[i]]);
    const auto both = [&](const auto &work) {
        std::jthread second([&] { work(halves[1]); });
        work(halves[0]);
    };
    both([&](Half &half) {
        half.tape.emplace(m_weights, Tape<float>::Keep::Derivatives);
        half.encoded = run(*half.tape, half.batch);
    });
    std::vector<double> scores, times;
    for (const Half &half : halves)
        for (const float score : half.tape->value(half.encoded.score).values)
            scores.push_back(score);
    for (const std::size_t trial : order)
        times.push_back(seconds[trial]);
    const PairwiseLoss loss = pairwiseRankingLoss(scores, times, m_training.tie);
    both([&](Half &half) {
        const std::size_t first = &half == halves.data() ? 0 : halves[0].batch.size();
        Matrix<float> seed(half.batch.size(), 1);
        for (std::size_t i = 0; i < half.batch.size(); ++i)
            seed(i, 0) = static_cast<float>(loss.gradient[first + i]);
        half.gradients = m_weights.zeros();
        half.tape->backward(half.encoded.score, seed, half.gradients);
    });
    for (std::size_t p = 0; p < gradients.size(); ++p)
        for (std::size_t i = 0; i < gradients[p].values.size(); ++i)
            gradients[p].values[i] = halves[0].gradients[p].values[i] + halves[1].gradients[p].values[i];
}

Result<void> NetworkRanker::learn(std::span<const RankedTrial> trials, const std::stop_token &stop) {
    const std::vector<StrategyFeatures> features = TRY(featuresOf(trials, stop));
    std::vector<double> seconds;
    for (const RankedTrial &trial : trials)
        seconds.push_back(trial.seconds);
    if (seconds.size() < 2)
        return {};
    const auto [fastest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
    if (*slowest - *fastest <= m_training.tie * *slowest) // then all pairs are ties for the loss
        return {};
    Parameters<float> kept = m_weights, keptStandard = m_standard;
    m_weights = m_first;
    if (!m_loaded)
        standardise(features);
    Adam<float> adam(m_weights, {m_training.rate, m_training.weightDecay, 0.25});
    std::vector<Matrix<float>> gradients = m_weights.zeros();
    std::vector<std::size_t> order(trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(m_seed);
    // Batches of equal size, so that no batch is left with a trial or two.
    const std::size_t batches = (order.size() + m_training.batch - 1) / m_training.batch;
    for (std::size_t epoch = 0; epoch < m_training.epochs; ++epoch) {
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[static_cast<std::size_t>(rng.next() % i)]);
        for (std::size_t b = 0; b < batches; ++b) {
            if (stop.stop_requested()) {
                m_weights = std::move(kept);
                m_standard = std::move(keptStandard);
                return cancelled();
            }
            const std::size_t first = b * order.size() / batches, end = (b + 1) * order.size() / batches;
            train(features, seconds, std::span(order).subspan(first, end - first), gradients);
            adam.step(m_weights, gradients, steppedDecay(epoch, m_training.epochs));
        }
    }
    return {};
}

std::string NetworkRanker::save() const {
    JsonWriter json;
    json.beginObject().member("ranker", std::string_view(m_text));
    json.key("features");
    m_standard.write(json);
    json.key("weights");
    m_weights.write(json);
    json.endObject();
    return json.take();
}

Result<void> NetworkRanker::load(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element root, features, weights;
    std::string_view ranker;
    if (parser.parse(simdjson::padded_string(text)).get(root) || root["ranker"].get(ranker) || root["features"].get(features) ||
        root["weights"].get(weights))
        return fail("these are not the weights of a ranker", "load the file that a ranker saved");
    if (ranker != m_text)
        return fail("the weights are of '" + std::string(ranker) + "', not of '" + m_text + "'",
                    "make the ranker that saved them");
    Parameters<float> standard = m_standard, read = m_weights;
    TRY(standard.read(simdjson::minify(features)));
    TRY(read.read(simdjson::minify(weights)));
    m_standard = std::move(standard);
    m_first = m_weights = std::move(read);
    m_loaded = true;
    return {};
}

} // namespace syncopate
