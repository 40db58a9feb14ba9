// SPDX-License-Identifier: GPL-3.0-or-later
// BERT as in google-research/bert, the Transformer as in tensorflow/models, the LSTM language model on One Billion Words.
#include "engine/job/catalogue_models.h"

#include <fmt/format.h>

namespace syncopate::catalogue {

namespace {

NamedShapes dense(const std::string &prefix, std::int64_t in, std::int64_t out) {
    return {{prefix + "/kernel:0", {in, out}}, {prefix + "/bias:0", {out}}};
}

NamedShapes joined(NamedShapes all, const NamedShapes &more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// Look-ups and normalisations count as 10 operations per element.
double lookUpFlops(std::int64_t elements) { return 10.0 * static_cast<double>(elements); }

} // namespace

void bert(ModelBuilder &model, std::int32_t blocks, std::int64_t hidden, bool sparse) {
    constexpr std::int64_t vocabulary = 30522;
    constexpr std::int64_t positions = 512;
    constexpr std::int64_t tokens = bertTokens;
    constexpr std::int64_t predicted = bertPredicted;
    const std::int64_t inner = 4 * hidden;
    const auto norm = [hidden](const std::string &prefix) {
        return NamedShapes{{prefix + "/LayerNorm/beta:0", {hidden}}, {prefix + "/LayerNorm/gamma:0", {hidden}}};
    };

    const std::string embeddings = "bert/embeddings";
    const std::int32_t words = model.declare(embeddings + "/word_embeddings:0", {vocabulary, hidden}, sparse);
    const std::int32_t embedded = model.next(embeddings, lookUpFlops(tokens * hidden),
                                             joined({{embeddings + "/token_type_embeddings:0", {2, hidden}},
                                                     {embeddings + "/position_embeddings:0", {positions, hidden}}},
                                                    norm(embeddings)));
    model.own(embedded, {words});
    std::int32_t sequence = embedded;
    for (std::int32_t block = 0; block < blocks; ++block) {
        const std::string prefix = fmt::format("bert/encoder/layer_{}", block);
        const std::string self = prefix + "/attention/self";
        const std::string output = prefix + "/attention/output";
        // Three projections, then scores and weighted sums: 2 * tokens^2 * hidden operations each.
        model.layer(self, 3 * denseFlops(hidden, hidden, tokens) + 2 * denseFlops(tokens, hidden, tokens), {sequence},
                    joined(joined(dense(self + "/query", hidden, hidden), dense(self + "/key", hidden, hidden)),
                           dense(self + "/value", hidden, hidden)));
        const std::int32_t attended = model.layer(output, denseFlops(hidden, hidden, tokens), {sequence, model.last()},
                                                  joined(dense(output + "/dense", hidden, hidden), norm(output)));
        const std::int32_t widened = model.layer(prefix + "/intermediate", denseFlops(hidden, inner, tokens), {attended},
                                                 dense(prefix + "/intermediate/dense", hidden, inner));
        sequence = model.layer(prefix + "/output", denseFlops(inner, hidden, tokens), {attended, widened},
                               joined(dense(prefix + "/output/dense", inner, hidden), norm(prefix + "/output")));
    }
    const std::int32_t pooled =
        model.layer("bert/pooler", denseFlops(hidden, hidden), {sequence}, dense("bert/pooler/dense", hidden, hidden));
    const std::string transform = "cls/predictions/transform";
    const std::int32_t transformed = model.layer(transform, denseFlops(hidden, hidden, predicted), {sequence},
                                                 joined(dense(transform + "/dense", hidden, hidden), norm(transform)));
    // The output weights are the word embeddings, whose gradient is complete when the embedding layer's backward ends.
    model.layer("cls/predictions", denseFlops(hidden, vocabulary, predicted), {embedded, transformed},
                {{"cls/predictions/output_bias:0", {vocabulary}}});
    model.layer("cls/seq_relationship", denseFlops(hidden, 2), {pooled},
                {{"cls/seq_relationship/output_weights:0", {2, hidden}}, {"cls/seq_relationship/output_bias:0", {2}}});
}

void transformerBase(ModelBuilder &model) {
    // Vaswani et al. 2017, "base"; a sample is one source token and one target token. Projections have no biases.
    constexpr std::int64_t vocabulary = 33708;
    constexpr std::int64_t hidden = 512;
    constexpr std::int64_t inner = 2048;
    constexpr std::int64_t length = transformerLength;
    constexpr int blocks = 6;
    const std::string root = "model/Transformer/";
    const auto norm = [](const std::string &prefix) {
        return NamedShapes{{prefix + "/layer_normalization/layer_norm_scale:0", {hidden}},
                           {prefix + "/layer_normalization/layer_norm_bias:0", {hidden}}};
    };
    const std::int32_t embedded =
        model.next("embedding_shared_weights", lookUpFlops(2 * hidden),
                   {{root + "embedding_shared_weights/embedding_and_softmax/weights:0", {vocabulary, hidden}}});
    const auto attention = [&](const std::string &name, std::vector<std::int32_t> parents, const std::string &inside) {
        NamedShapes variables = norm(root + name);
        for (const char *projection : {"q", "k", "v", "output_transform"})
            variables.push_back({fmt::format("{}{}/{}/{}/kernel:0", root, name, inside, projection), {hidden, hidden}});
        return model.layer(name, 4 * denseFlops(hidden, hidden) + 2 * denseFlops(length, hidden), std::move(parents), variables);
    };
    const auto feedForward = [&](const std::string &name, std::int32_t parent) {
        const std::string prefix = root + name + "/feed_foward_network/"; // the release's spelling
        return model.layer(name, 2 * denseFlops(hidden, inner), {parent},
                           joined(norm(root + name), joined(dense(prefix + "filter_layer", hidden, inner),
                                                            dense(prefix + "output_layer", inner, hidden))));
    };
    std::int32_t source = embedded;
    for (int block = 0; block < blocks; ++block) {
        const std::string prefix = fmt::format("encoder_stack/layer_{}", block);
        source = attention(prefix + "/self_attention", {source}, "self_attention");
        source = feedForward(prefix + "/ffn", source);
    }
    source = model.layer("encoder_stack", lookUpFlops(hidden), {source}, norm(root + "encoder_stack"));
    std::int32_t target = embedded;
    for (int block = 0; block < blocks; ++block) {
        const std::string prefix = fmt::format("decoder_stack/layer_{}", block);
        target = attention(prefix + "/self_attention", {target}, "self_attention");
        target = attention(prefix + "/encdec_attention", {source, target}, "attention");
        target = feedForward(prefix + "/ffn", target);
    }
    target = model.layer("decoder_stack", lookUpFlops(hidden), {target}, norm(root + "decoder_stack"));
    // Logits use the shared weights again, whose gradient is complete when the embedding's backward ends.
    model.layer("logits", denseFlops(hidden, vocabulary), {embedded, target}, {});
}

void lm1b(ModelBuilder &model) {
    // Jozefowicz et al. 2016, LSTM-2048-512 with a sampled softmax; a sample is one sequence.
    constexpr std::int64_t vocabulary = 793471;
    constexpr std::int64_t hidden = 2048;
    constexpr std::int64_t projected = 512;
    constexpr std::int64_t sampled = 8192; // classes of the sampled softmax
    const std::int32_t words = model.declare("emb:0", {vocabulary, projected}, true);
    const std::int32_t softmaxWeights = model.declare("softmax_w:0", {vocabulary, projected}, true);
    const std::int32_t softmaxBiases = model.declare("softmax_b:0", {vocabulary}, true);
    model.own(model.next("embedding", lookUpFlops(lm1bSteps * projected), {}), {words});
    model.next("lstm", denseFlops(2 * projected, 4 * hidden, lm1bSteps) + denseFlops(hidden, projected, lm1bSteps),
               {{"W:0", {2 * projected, 4 * hidden}}, {"B:0", {4 * hidden}}, {"W_P:0", {hidden, projected}}});
    model.own(model.next("sampled_softmax", denseFlops(projected, sampled, lm1bSteps), {}), {softmaxWeights, softmaxBiases});
}

} // namespace syncopate::catalogue
