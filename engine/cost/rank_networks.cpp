// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/network_ranker.h"

namespace syncopate {

namespace {

ArgumentInfo count(const char *name, const char *usual, double max, const char *help) {
    return {.name = name,
            .kind = ArgumentKind::Integer,
            .usual = usual,
            .min = 1,
            .max = max,
            .choices = {},
            .unit = {},
            .help = help};
}

std::size_t countOf(const ArgumentValues &values, const char *name) { return static_cast<std::size_t>(values.number(name)); }

/// Eq. 5 and 6: h = LSTM(h, z_i) along the layers in both directions; Eq. 7 reads both final states.
class RnnNetwork final : public RankNetwork {
public:
    RnnNetwork(const ArgumentValues &values, Parameters<float> &parameters, Rng &rng)
        : m_hidden(countOf(values, "hidden")),
          m_lstm(parameters, "lstm", {m_hidden, m_hidden, countOf(values, "layers"), true}, rng) {}
    [[nodiscard]] Node encode(Tape<float> &tape, Node layers, const FeatureExtractor &domain) const override {
        return m_lstm.apply(tape, layers, domain.layerCount()).last;
    }
    [[nodiscard]] std::size_t hiddenWidth() const override { return m_hidden; }
    [[nodiscard]] std::size_t encodedWidth() const override { return m_lstm.lastWidth(); }

private:
    std::size_t m_hidden;
    Lstm<float> m_lstm;
};

/// Eq. 8: {z_i} = GAT({z_raw (+) z_pre}, E); Eq. 9: their mean.
class GatNetwork final : public RankNetwork {
public:
    GatNetwork(const ArgumentValues &values, Parameters<float> &parameters, Rng &rng) : m_hidden(countOf(values, "hidden")) {
        const std::size_t heads = countOf(values, "heads"), out = (m_hidden + heads - 1) / heads;
        m_encoded = heads * out;
        for (std::size_t layer = 0; layer < countOf(values, "layers"); ++layer)
            m_attention.emplace_back(parameters, "attention." + std::to_string(layer), layer == 0 ? m_hidden : m_encoded, out,
                                     heads, rng);
    }
    [[nodiscard]] Node encode(Tape<float> &tape, Node layers, const FeatureExtractor &domain) const override {
        for (const GraphAttention<float> &attention : m_attention)
            layers = attention.apply(tape, layers, domain.graph());
        return tape.meanBlocks(layers, domain.layerCount());
    }
    [[nodiscard]] std::size_t hiddenWidth() const override { return m_hidden; }
    [[nodiscard]] std::size_t encodedWidth() const override { return m_encoded; }

private:
    std::size_t m_hidden, m_encoded = 0;
    std::vector<GraphAttention<float>> m_attention;
};

template <class Network>
std::unique_ptr<RankNetwork> makeNetwork(const ArgumentValues &values, Parameters<float> &parameters, Rng &rng) {
    return std::make_unique<Network>(values, parameters, rng);
}

template <class Network>
std::unique_ptr<Ranker> makeRankerOf(const ArgumentValues &values, const RankerDomain &domain, std::uint64_t seed) {
    NetworkTraining training;
    training.epochs = countOf(values, "epochs");
    return std::make_unique<NetworkRanker>(domain, values, &makeNetwork<Network>, training, seed);
}

} // namespace

const ExpressionInfo &rankRnnInfo() {
    static const ExpressionInfo info{
        "rnn",
        "AutoSync's recurrent simulator: an LSTM in both directions over the job's layers, trained to rank trials",
        {count("hidden", "32", 512, "units of each direction"), count("layers", "1", 4, "stacked LSTMs"),
         count("epochs", "200", 10000, "passes over all trials")}};
    return info;
}

std::unique_ptr<Ranker> makeRankRnn(const ArgumentValues &values, const RankerDomain &domain, std::uint64_t seed) {
    return makeRankerOf<RnnNetwork>(values, domain, seed);
}

const ExpressionInfo &rankGatInfo() {
    static const ExpressionInfo info{
        "gat",
        "AutoSync's graph simulator: attention between layers and their inputs, trained to rank trials",
        {count("hidden", "32", 512, "columns of all heads together"), count("heads", "2", 16, "attention heads in parallel"),
         count("layers", "2", 4, "stacked attention layers"), count("epochs", "200", 10000, "passes over all trials")}};
    return info;
}

std::unique_ptr<Ranker> makeRankGat(const ArgumentValues &values, const RankerDomain &domain, std::uint64_t seed) {
    return makeRankerOf<GatNetwork>(values, domain, seed);
}

} // namespace syncopate
