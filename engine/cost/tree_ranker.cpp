// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/tree_ranker.h"

#include "engine/base/json_writer.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <simdjson.h>
#include <xgboost/c_api.h>

namespace syncopate {

namespace {

constexpr std::size_t treeWidth = FeatureExtractor::globalWidth + 2 * FeatureExtractor::variableWidth;

struct FreeMatrix {
    void operator()(void *handle) const { XGDMatrixFree(handle); }
};
struct FreeBooster {
    void operator()(void *handle) const { XGBoosterFree(handle); }
};
using Rows = std::unique_ptr<void, FreeMatrix>;
using Booster = std::unique_ptr<void, FreeBooster>;

Result<void> succeeded(int status) {
    if (status == 0)
        return {};
    return internalError(std::string("XGBoost: ") + XGBGetLastError());
}

Result<Rows> rowsFrom(const Matrix<float> &matrix) {
    DMatrixHandle handle = nullptr;
    TRY(succeeded(XGDMatrixCreateFromMat(matrix.values.data(), matrix.rows, matrix.cols, -1e30F, &handle)));
    return Rows(handle);
}

Result<Booster> makeBooster(const Rows *rows) {
    BoosterHandle handle = nullptr;
    const DMatrixHandle known = rows ? rows->get() : nullptr;
    TRY(succeeded(XGBoosterCreate(rows ? &known : nullptr, rows ? 1 : 0, &handle)));
    Booster booster(handle);
    // A single thread sums in a fixed order and so grows the same trees on every machine.
    TRY(succeeded(XGBoosterSetParam(handle, "nthread", "1")));
    TRY(succeeded(XGBoosterSetParam(handle, "verbosity", "0")));
    return booster;
}

Result<Booster> readBooster(const std::string &model) {
    Booster booster = TRY(makeBooster(nullptr));
    if (XGBoosterLoadModelFromBuffer(booster.get(), model.data(), model.size()) != 0)
        return fail("XGBoost cannot read these trees", "load the file that this ranker saved");
    return booster;
}

Result<std::vector<float>> predict(const Booster &booster, const Rows &rows) {
    const char *settings = R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": false})";
    const bst_ulong *shape = nullptr;
    bst_ulong dimensions = 0;
    const float *values = nullptr;
    TRY(succeeded(XGBoosterPredictFromDMatrix(booster.get(), rows.get(), settings, &shape, &dimensions, &values)));
    std::size_t count = dimensions > 0 ? 1 : 0;
    for (bst_ulong d = 0; d < dimensions; ++d)
        count *= shape[d];
    return std::vector<float>(values, values + count);
}

/// Puts all rows into one group, within which they are ranked.
Result<void> setLabels(const Rows &rows, const std::vector<float> &labels) {
    const auto group = static_cast<unsigned>(labels.size());
    TRY(succeeded(XGDMatrixSetFloatInfo(rows.get(), "label", labels.data(), labels.size())));
    return succeeded(XGDMatrixSetUIntInfo(rows.get(), "group", &group, 1));
}

/// A booster for `rows` that continues from the trees in `first`, if any.
Result<Booster> startingFrom(const std::string &first, const Rows &rows) {
    if (first.empty())
        return makeBooster(&rows);
    // Predictions come from another booster, because a booster caches predictions without a margin.
    const std::vector<float> margin = TRY(predict(TRY(readBooster(first)), rows));
    TRY(succeeded(XGDMatrixSetFloatInfo(rows.get(), "base_margin", margin.data(), margin.size())));
    return readBooster(first);
}

Result<std::string> textOf(const Booster &booster) {
    bst_ulong size = 0;
    const char *model = nullptr;
    TRY(succeeded(XGBoosterSaveModelToBuffer(booster.get(), R"({"format": "json"})", &size, &model)));
    return std::string(model, size);
}

/// Labels of trials: their rank, where the slowest is 0 and equal times have equal ranks.
std::vector<float> ranksFromSlowest(std::span<const RankedTrial> trials) {
    std::vector<std::size_t> order(trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return trials[a].seconds > trials[b].seconds; });
    std::vector<float> ranks(trials.size(), 0);
    for (std::size_t i = 1; i < order.size(); ++i)
        ranks[order[i]] = ranks[order[i - 1]] + (trials[order[i]].seconds < trials[order[i - 1]].seconds ? 1 : 0);
    return ranks;
}

} // namespace

TreeRanker::TreeRanker(const RankerDomain &domain, const ArgumentValues &values, std::uint64_t seed)
    : m_domain(std::make_shared<const CostModel>(domain)),
      m_text(values.text()), m_settings{static_cast<int>(values.number("rounds")), static_cast<int>(values.number("depth"))},
      m_seed(seed) {}

Result<Matrix<float>> TreeRanker::rowsOf(std::span<const std::shared_ptr<const Strategy>> strategies,
                                         const std::stop_token &stop) const {
    constexpr std::size_t width = FeatureExtractor::variableWidth;
    Matrix<float> rows(strategies.size(), treeWidth);
    for (std::size_t i = 0; i < strategies.size(); ++i) {
        if (stop.stop_requested())
            return cancelled();
        const StrategyFeatures features = TRY(m_domain.extract(*strategies[i]));
        float *row = rows.values.data() + i * treeWidth, *mean = row + features.globals.size(), *max = mean + width;
        std::copy(features.globals.begin(), features.globals.end(), row);
        const Matrix<float> &variables = features.variables;
        for (std::size_t v = 0; v < variables.rows; ++v)
            for (std::size_t c = 0; c < width; ++c) {
                mean[c] += variables(v, c) / static_cast<float>(variables.rows);
                max[c] = std::max(max[c], variables(v, c));
            }
    }
    return rows;
}

Result<std::vector<double>> TreeRanker::score(std::span<const std::shared_ptr<const Strategy>> strategies,
                                              const std::stop_token &stop) const {
    const Matrix<float> matrix = TRY(rowsOf(strategies, stop));
    if (m_model.empty() || strategies.empty())
        return std::vector<double>(strategies.size(), 0.0);
    const Rows rows = TRY(rowsFrom(matrix));
    const std::vector<float> predicted = TRY(predict(TRY(readBooster(m_model)), rows));
    std::vector<double> scores;
    scores.reserve(predicted.size());
    for (const float value : predicted)
        scores.push_back(-value); // trees rank the most relevant trial, the fastest, highest
    return scores;
}

Result<void> TreeRanker::learn(std::span<const RankedTrial> trials, const std::stop_token &stop) {
    std::vector<std::shared_ptr<const Strategy>> strategies;
    for (const RankedTrial &trial : trials)
        strategies.push_back(trial.strategy);
    const Matrix<float> matrix = TRY(rowsOf(strategies, stop));
    const std::vector<float> labels = ranksFromSlowest(trials);
    if (std::all_of(labels.begin(), labels.end(), [](float label) { return label == 0; }))
        return {};

    const Rows rows = TRY(rowsFrom(matrix));
    TRY(setLabels(rows, labels));
    const Booster booster = TRY(startingFrom(m_first, rows));
    const std::pair<const char *, std::string> parameters[] = {{"objective", "rank:pairwise"},
                                                               {"tree_method", "exact"},
                                                               {"eta", "0.1"},
                                                               {"max_depth", std::to_string(m_settings.depth)},
                                                               {"seed", std::to_string(m_seed & 0x7fffffff)}};
    for (const auto &[name, value] : parameters)
        TRY(succeeded(XGBoosterSetParam(booster.get(), name, value.c_str())));
    for (int round = 0; round < m_settings.rounds; ++round) {
        if (stop.stop_requested())
            return cancelled();
        TRY(succeeded(XGBoosterUpdateOneIter(booster.get(), round, rows.get())));
    }
    m_model = TRY(textOf(booster));
    return {};
}

std::string TreeRanker::save() const {
    JsonWriter json;
    json.beginObject().member("ranker", std::string_view(m_text));
    json.member("trees", std::string_view(m_model)).endObject(); // as text, which keeps XGBoost's own digits
    return json.take();
}

Result<void> TreeRanker::load(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    std::string_view ranker, trees;
    if (parser.parse(simdjson::padded_string(text)).get(root) || root["ranker"].get(ranker) || root["trees"].get(trees))
        return fail("these are not the weights of a ranker", "load the file that a ranker saved");
    if (ranker != m_text)
        return fail("the weights are of '" + std::string(ranker) + "', not of '" + m_text + "'",
                    "make the ranker that saved them");
    std::string model(trees);
    if (!model.empty()) {
        const Booster booster = TRY(readBooster(model));
        bst_ulong features = 0;
        TRY(succeeded(XGBoosterGetNumFeature(booster.get(), &features)));
        if (features != treeWidth)
            return fail("the trees read other features than this version has", "train them again");
    }
    m_first = m_model = std::move(model);
    return {};
}

const ExpressionInfo &treeRankerInfo() {
    static const ExpressionInfo info{"xgboost",
                                     "gradient-boosted trees over features of the whole strategy, trained to rank trials",
                                     {{"rounds", ArgumentKind::Integer, "100", 1, 2000, {}, {}, "trees that are grown"},
                                      {"depth", ArgumentKind::Integer, "4", 1, 12, {}, {}, "of a tree"}}};
    return info;
}

} // namespace syncopate
