// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/meta_network.h"

#include "engine/base/json_writer.h"
#include "engine/learn/adam.h"
#include "engine/learn/moments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <numeric>
#include <simdjson.h>
#include <utility>

namespace syncopate {

namespace {

constexpr std::int64_t version = 3;
constexpr std::size_t steps = 16, stepWidth = 2, quantiles = 3, hidden = 32, dense = 128;
constexpr std::size_t fixedWidth = 2 * bandwidthLooks * quantiles + 12 + steps, pairWidth = 2;
constexpr double maxWeight = 1e4;     ///< limit for a file's weights: products of so few stay finite
constexpr float minDeviation = 1e-4F; ///< of an input that varies between examples; others stay 0
constexpr double adaptedError = 0.02; ///< relative error below which adapting ends
constexpr double minTime = 1e-7;      ///< shorter times count as this, that is as nothing
constexpr double minShare = 1e-3;     ///< of the bound: lower predictions are raised to it
constexpr int adaptingSteps = 100;
constexpr double adaptingRate = 1e-4; ///< also by how much Adam's first step moves every weight
constexpr const char *remedy = "load a file that `tune --train` wrote";

enum Standard : std::size_t { StepMean, StepScale, WideMean, WideScale };

Parameters<float> plainStandard() {
    Parameters<float> standard;
    standard.addConstant("layers.mean", 1, stepWidth, 0);
    standard.addConstant("layers.scale", 1, stepWidth, 1);
    standard.addConstant("inputs.mean", 1, fixedWidth + pairWidth, 0);
    standard.addConstant("inputs.scale", 1, fixedWidth + pairWidth, 1);
    return standard;
}

/// Adds the values up in `steps` bins of equal width, splitting values that cross a bin's border.
std::vector<double> binned(const std::vector<double> &values) {
    std::vector<double> bins(steps, 0);
    const double width = static_cast<double>(steps) / static_cast<double>(values.size()); // of one value, in bins
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double from = static_cast<double>(i) * width, to = from + width;
        for (auto bin = static_cast<std::size_t>(from); bin < steps && static_cast<double>(bin) < to; ++bin) {
            const double overlap = std::min(to, static_cast<double>(bin) + 1) - std::max(from, static_cast<double>(bin));
            bins[bin] += values[i] * std::max(0.0, overlap) / width;
        }
    }
    return bins;
}

/// The slowest, median and fastest worker of a look.
std::array<double, quantiles> quantilesOf(const Matrix<double> &series, std::size_t look) {
    const auto first = series.values.begin() + static_cast<std::ptrdiff_t>(look * series.cols);
    std::vector<double> values(first, first + static_cast<std::ptrdiff_t>(series.cols));
    std::sort(values.begin(), values.end());
    std::array<double, quantiles> found{};
    for (std::size_t q = 0; q < quantiles; ++q)
        found[q] = values[q * (values.size() - 1) / (quantiles - 1)];
    return found;
}

/// Appends the logarithms of the newest look's quantiles times `scale`, then those of each earlier look over the newest's, the
/// newest first.
void addSeries(const Matrix<double> &series, double scale, std::vector<float> &to) {
    const auto newest = quantilesOf(series, series.rows - 1);
    const double furthest = std::log(MetaNetwork::maxChange);
    for (const double value : newest)
        to.push_back(static_cast<float>(std::log(scale * value)));
    for (std::size_t back = 1; back < bandwidthLooks; ++back) {
        const auto before = quantilesOf(series, series.rows - 1 - std::min(back, series.rows - 1));
        for (std::size_t q = 0; q < quantiles; ++q)
            to.push_back(static_cast<float>(std::clamp(std::log(before[q] / newest[q]), -furthest, furthest)));
    }
}

/// Rounds to four digits, which keeps files small.
void roundAll(Parameters<float> &weights) {
    for (std::size_t p = 0; p < weights.count(); ++p)
        for (float &value : weights[p].values) {
            const std::string text = fmt::format("{:.4g}", value);
            std::from_chars(text.data(), text.data() + text.size(), value);
        }
}

bool isModerate(const Parameters<float> &weights) {
    for (std::size_t p = 0; p < weights.count(); ++p)
        for (const float value : weights[p].values)
            if (!(std::abs(value) <= maxWeight))
                return false;
    return true;
}

} // namespace

struct MetaNetwork::Inputs {
    std::vector<float> layers;  ///< steps x stepWidth
    std::vector<float> fixed;   ///< fixedWidth
    std::vector<float> pairs;   ///< settings x pairWidth
    std::vector<double> shares; ///< measured speeds as shares of the bound; empty if nothing was measured
    [[nodiscard]] std::size_t count() const { return pairs.size() / pairWidth; }
};

MetaNetwork::MetaNetwork(std::uint64_t seed)
    : m_standard(plainStandard()), m_layers([&] {
          Rng rng(seed);
          return Lstm<float>(m_weights, "layers", {stepWidth, hidden, 2, false}, rng);
      }()),
      m_between([&] {
          Rng rng(seed + 1);
          return Dense<float>(m_weights, "dense.0", m_layers.lastWidth() + fixedWidth + pairWidth, dense, rng);
      }()),
      m_out([&] {
          Rng rng(seed + 2);
          return Dense<float>(m_weights, "dense.1", dense, 1, rng);
      }()) {}

MetaNetwork::Inputs MetaNetwork::inputsOf(const RuntimeMetrics &metrics, std::span<const SchedulerSetting> settings) {
    Inputs inputs;
    const std::size_t layers = metrics.backwardSeconds.rows, workers = metrics.workers();
    const auto count = static_cast<double>(workers);
    std::vector<double> mean(layers, 0), slowest(layers, 0), bytes(metrics.layerBytes.rbegin(), metrics.layerBytes.rend());
    for (std::size_t l = 0; l < layers; ++l)
        for (std::size_t w = 0; w < workers; ++w) {
            const double seconds = metrics.backwardSeconds(layers - 1 - l, w); // in the order of the backward pass
            mean[l] += seconds / count;
            slowest[l] = std::max(slowest[l], seconds);
        }
    const double backward = std::accumulate(mean.begin(), mean.end(), 0.0), compute = metrics.computeSeconds();
    const double others = std::accumulate(metrics.otherSeconds.begin(), metrics.otherSeconds.end(), 0.0) / count;
    const std::vector<double> means = binned(mean), worst = binned(slowest), sizes = binned(bytes);
    for (std::size_t s = 0; s < steps; ++s) {
        inputs.layers.push_back(static_cast<float>(backward > 0 ? static_cast<double>(steps) * means[s] / backward : 0));
        inputs.layers.push_back(static_cast<float>(means[s] > 0 ? std::log(worst[s] / means[s]) : 0));
    }
    // Times are relative to an iteration at the bound and bytes to the whole gradient: a job ten times as large on links ten
    // times as fast is the same job.
    const double seconds = metrics.batchSamples / metrics.boundSamplesPerSecond(), all = std::max(metrics.gradientBytes(), 1.0);
    addSeries(metrics.downBytesPerSecond, seconds / all, inputs.fixed);
    addSeries(metrics.upBytesPerSecond, seconds / all, inputs.fixed);
    const double meanCompute = backward + others;
    for (const double value :
         {std::log(count), std::log(static_cast<double>(layers)), compute / seconds, meanCompute / std::max(compute, minTime),
          others / std::max(meanCompute, minTime), metrics.largestVariableBytes / all, metrics.servedShare,
          1 - metrics.servedShare, std::log((1 + metrics.servers) / count), metrics.serversTrain ? 1.0 : 0.0,
          std::log(std::max(metrics.latencySeconds / seconds, minTime)),
          std::log(std::max(metrics.messageSeconds / seconds, minTime))})
        inputs.fixed.push_back(static_cast<float>(value));
    for (const double size : sizes)
        inputs.fixed.push_back(static_cast<float>(std::sqrt(size / all)));
    const double largest = std::max(metrics.largestVariableBytes, 1.0);
    for (const SchedulerSetting &setting : settings) { // larger partitions cut nothing, larger credits delay nothing
        inputs.pairs.push_back(static_cast<float>(std::log2(std::clamp(setting.partitionBytes, 1.0, largest) / all)));
        inputs.pairs.push_back(static_cast<float>(std::log2(std::clamp(setting.creditBytes, 1.0, all) / all)));
    }
    return inputs;
}

Result<std::vector<MetaNetwork::Inputs>> MetaNetwork::readExamples(std::span<const MetaExample> examples) {
    std::vector<Inputs> all;
    for (const MetaExample &example : examples) {
        if (example.settings.empty() || example.settings.size() != example.samplesPerSecond.size())
            return fail(
                fmt::format("an example has {} settings and {} speeds", example.settings.size(), example.samplesPerSecond.size()),
                "measure every setting once");
        all.push_back(inputsOf(example.metrics, example.settings));
        for (const double speed : example.samplesPerSecond) {
            if (!std::isfinite(speed) || !(speed > 0))
                return fail(fmt::format("an example has a speed of {} samples/s", speed), "leave out settings that did not run");
            all.back().shares.push_back(speed / example.metrics.boundSamplesPerSecond());
        }
    }
    return all;
}

void MetaNetwork::standardise(std::span<const Inputs> examples) {
    Moments layers(stepWidth), wide(fixedWidth + pairWidth);
    for (const Inputs &example : examples) {
        for (std::size_t i = 0; i < steps; ++i)
            layers.take(example.layers.data() + i * stepWidth);
        std::vector<float> row = example.fixed;
        row.resize(fixedWidth + pairWidth);
        for (std::size_t i = 0; i < example.count(); ++i) {
            std::copy_n(example.pairs.begin() + static_cast<std::ptrdiff_t>(i * pairWidth), pairWidth,
                        row.begin() + static_cast<std::ptrdiff_t>(fixedWidth));
            wide.take(row.data());
        }
    }
    layers.write(m_standard[StepMean], m_standard[StepScale], minDeviation);
    wide.write(m_standard[WideMean], m_standard[WideScale], minDeviation);
    roundAll(m_standard);
}

MetaNetwork::Node MetaNetwork::run(Tape<float> &tape, std::span<const Inputs *const> examples) const {
    std::size_t rows = 0;
    for (const Inputs *example : examples)
        rows += example->count();
    Matrix<float> layers(steps * examples.size(), stepWidth), wide(rows, fixedWidth + pairWidth),
        selection(rows, examples.size());
    const auto standard = [&](Standard mean, Standard scale, std::size_t col, float value) {
        return (value - m_standard[mean](0, col)) * m_standard[scale](0, col);
    };
    std::size_t row = 0;
    for (std::size_t e = 0; e < examples.size(); ++e) {
        const Inputs &example = *examples[e];
        for (std::size_t i = 0; i < example.layers.size(); ++i)
            layers(i / stepWidth * examples.size() + e, i % stepWidth) =
                standard(StepMean, StepScale, i % stepWidth, example.layers[i]);
        for (std::size_t i = 0; i < example.count(); ++i, ++row) {
            selection(row, e) = 1;
            for (std::size_t c = 0; c < fixedWidth; ++c)
                wide(row, c) = standard(WideMean, WideScale, c, example.fixed[c]);
            for (std::size_t c = 0; c < pairWidth; ++c)
                wide(row, fixedWidth + c) = standard(WideMean, WideScale, fixedWidth + c, example.pairs[i * pairWidth + c]);
        }
    }
    const Node states = m_layers.apply(tape, tape.constant(std::move(layers)), steps).last;
    const Node repeated = tape.multiply(tape.constant(std::move(selection)), states); // each example's states, once per setting
    const Node all = tape.besides(repeated, tape.constant(std::move(wide)));
    return m_out.apply(tape, tape.relu(m_between.apply(tape, all)));
}

std::size_t MetaNetwork::weightCount() const {
    return std::accumulate(m_others.begin(), m_others.end(), m_weights.scalarCount(),
                           [](std::size_t count, const MetaNetwork &other) { return count + other.weightCount(); });
}

Result<void> MetaNetwork::join(MetaNetwork other) {
    if (members() + other.members() > maxMembers)
        return fail(fmt::format("a network has at most {} members", maxMembers), remedy);
    std::vector<MetaNetwork> more = std::exchange(other.m_others, {});
    m_others.push_back(std::move(other));
    std::move(more.begin(), more.end(), std::back_inserter(m_others));
    return {};
}

std::vector<double> MetaNetwork::samplesPerSecond(const RuntimeMetrics &metrics,
                                                  std::span<const SchedulerSetting> settings) const {
    if (settings.empty())
        return {};
    std::vector<double> speeds = ownSamplesPerSecond(metrics, settings);
    for (const MetaNetwork &other : m_others) {
        const std::vector<double> more = other.ownSamplesPerSecond(metrics, settings);
        std::transform(speeds.begin(), speeds.end(), more.begin(), speeds.begin(), std::plus<>());
    }
    for (double &speed : speeds)
        speed /= static_cast<double>(members());
    return speeds;
}

std::vector<double> MetaNetwork::ownSamplesPerSecond(const RuntimeMetrics &metrics,
                                                     std::span<const SchedulerSetting> settings) const {
    const Inputs inputs = inputsOf(metrics, settings);
    const Inputs *const only = &inputs;
    Tape<float> tape(m_weights);
    const Matrix<float> &shares = tape.value(run(tape, {&only, 1}));
    const double bound = metrics.boundSamplesPerSecond();
    std::vector<double> speeds;
    speeds.reserve(settings.size());
    for (const float share : shares.values)
        speeds.push_back(bound * std::max<double>(minShare, share));
    return speeds;
}

double MetaNetwork::learn(std::span<const Inputs *const> examples, std::vector<Matrix<float>> &gradients) const {
    std::vector<double> predicted, measured;
    Tape<float> tape(m_weights, Tape<float>::Keep::Derivatives);
    const Node output = run(tape, examples);
    for (const float share : tape.value(output).values)
        predicted.push_back(share);
    for (const Inputs *example : examples)
        measured.insert(measured.end(), example->shares.begin(), example->shares.end());
    const PairwiseLoss loss = squaredLoss(predicted, measured);
    Matrix<float> seed(predicted.size(), 1);
    double worst = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        seed(i, 0) = static_cast<float>(loss.gradient[i]);
        worst = std::max(worst, std::abs(predicted[i] / measured[i] - 1));
    }
    gradients = m_weights.zeros();
    tape.backward(output, seed, gradients);
    return worst;
}

Result<void> MetaNetwork::train(std::span<const MetaExample> examples, const Training &training, std::uint64_t seed,
                                const std::stop_token &stop, Progress *progress) {
    if (examples.empty())
        return fail("there is nothing to learn from", "give one example or more");
    const std::vector<Inputs> inputs = TRY(readExamples(examples));
    standardise(inputs);
    std::vector<const Inputs *> order;
    for (const Inputs &example : inputs)
        order.push_back(&example);
    Adam<float> adam(m_weights, {training.rate, 0, 1});
    std::vector<Matrix<float>> gradients;
    Rng rng(seed);
    if (progress)
        progress->total = training.epochs;
    for (std::size_t epoch = 0; epoch < training.epochs; ++epoch) {
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[static_cast<std::size_t>(rng.next() % i)]);
        for (std::size_t first = 0; first < order.size(); first += training.batch) {
            if (stop.stop_requested())
                return cancelled();
            learn(std::span(order).subspan(first, std::min(training.batch, order.size() - first)), gradients);
            adam.step(m_weights, gradients, steppedDecay(epoch, training.epochs));
        }
        if (progress)
            progress->done = epoch + 1;
    }
    roundAll(m_weights);
    return {};
}

void MetaNetwork::adapt(std::span<const MetaExample> measured) {
    adaptOwn(measured);
    for (MetaNetwork &other : m_others)
        other.adaptOwn(measured);
}

void MetaNetwork::adaptOwn(std::span<const MetaExample> measured) {
    const auto inputs = readExamples(measured);
    if (!inputs || inputs->empty())
        return;
    std::vector<const Inputs *> all;
    for (const Inputs &example : *inputs)
        all.push_back(&example);
    Adam<float> adam(m_weights, {adaptingRate, 0, 1});
    std::vector<Matrix<float>> gradients;
    for (int step = 0; step < adaptingSteps && learn(all, gradients) > adaptedError; ++step) {
        for (std::size_t p = 0; p < m_weights.count(); ++p)
            if (!m_between.owns(p) && !m_out.owns(p))
                std::fill(gradients[p].values.begin(), gradients[p].values.end(), 0.0F);
        adam.step(m_weights, gradients, 1);
    }
}

std::string MetaNetwork::save() const {
    JsonWriter json;
    json.beginObject().member("format", "syncopate meta-network").member("version", version).newLine();
    m_origin.write(json);
    json.newLine().key("members").beginArray();
    const auto write = [&](const MetaNetwork &member) {
        json.newLine().beginObject().key("standard");
        member.m_standard.write(json);
        json.newLine().key("weights");
        member.m_weights.write(json);
        json.endObject();
    };
    write(*this);
    std::for_each(m_others.begin(), m_others.end(), write);
    json.endArray().endObject().newLine();
    return json.take();
}

Result<MetaNetwork> MetaNetwork::load(std::string_view text, const std::string &file) {
    if (text.size() > maxBytes)
        return fail(fmt::format("a network has at most {} bytes, and this file has {}", maxBytes, text.size()), remedy, file);
    simdjson::dom::parser parser;
    simdjson::dom::element root, standard, weights;
    std::string_view format;
    std::int64_t found = 0;
    if (parser.parse(simdjson::padded_string(text)).get(root) || root["format"].get(format) ||
        format != "syncopate meta-network" || root["version"].get(found))
        return fail("this is not a meta-network", remedy, file);
    if (found != version)
        return fail(fmt::format("the network has version {}, and this program reads version {}", found, version),
                    "train it anew with `tune --train`", file);
    simdjson::dom::array members;
    if (root["members"].get(members) || members.size() == 0 || members.size() > maxMembers)
        return fail(fmt::format("the network has no members, or more than {}", maxMembers), remedy, file);
    std::vector<MetaNetwork> networks;
    for (const simdjson::dom::element &member : members) {
        if (member["standard"].get(standard) || member["weights"].get(weights))
            return fail("the network lacks its standard or its weights", remedy, file);
        MetaNetwork &network = networks.emplace_back(0);
        TRY(inFile(network.m_standard.read(simdjson::minify(standard)), file));
        TRY(inFile(network.m_weights.read(simdjson::minify(weights)), file));
        if (!isModerate(network.m_standard) || !isModerate(network.m_weights))
            return fail(fmt::format("the network has a weight beyond {}", maxWeight), remedy, file);
    }
    MetaNetwork network = std::move(networks.front());
    std::move(networks.begin() + 1, networks.end(), std::back_inserter(network.m_others));
    network.m_origin = TRY(inFile(MetaOrigin::read(root), file));
    return network;
}

} // namespace syncopate
