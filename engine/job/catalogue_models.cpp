// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue_models.h"

#include <fmt/format.h>
#include <utility>

namespace syncopate::catalogue {

namespace {

using Shape = std::vector<std::int64_t>;

class ModelBuilder {
public:
    ModelBuilder(std::string name, double batchSize, double sustainedFlopsPerSecond) : m_rate(sustainedFlopsPerSecond) {
        m_job.name = std::move(name);
        m_job.batchSize = batchSize;
    }

    /// A layer that does `flops` floating-point operations for one sample.
    std::int32_t layer(std::string name, double flops, std::vector<std::int32_t> parents,
                       const std::vector<std::pair<std::string, Shape>> &variables) {
        Layer layer;
        layer.name = std::move(name);
        layer.forwardSeconds = m_job.batchSize * flops / m_rate;
        layer.backwardSeconds = 2 * layer.forwardSeconds;
        layer.parents = std::move(parents);
        for (const auto &[variable, shape] : variables) {
            layer.variables.push_back(static_cast<std::int32_t>(m_job.variables.size()));
            m_job.variables.push_back({variable, shape, DataType::Float32, false, false});
        }
        m_job.layers.push_back(std::move(layer));
        return last();
    }
    /// The same after the layer before it.
    std::int32_t next(std::string name, double flops, const std::vector<std::pair<std::string, Shape>> &variables) {
        std::vector<std::int32_t> parents;
        if (!m_job.layers.empty())
            parents.push_back(last());
        return layer(std::move(name), flops, std::move(parents), variables);
    }
    [[nodiscard]] std::int32_t last() const { return static_cast<std::int32_t>(m_job.layers.size()) - 1; }

    Job take(std::vector<std::string> notes) {
        m_job.notes = std::move(notes);
        m_job.notes.push_back(
            fmt::format("Assumed: forward seconds of a layer = batch size {} x FLOPs / {:.3g} TFLOP/s, backward = "
                        "2 x forward; an NVIDIA T4 in float32 peaks at 8.1 TFLOP/s.",
                        m_job.batchSize, m_rate / 1e12));
        m_job.notes.push_back("Assumed: the optimizer's time is within the sustained rate, so the update takes 0 s of its own; "
                              "all gradients are dense.");
        return std::move(m_job);
    }

private:
    Job m_job;
    double m_rate;
};

double convolutionFlops(std::int64_t kernel, std::int64_t in, std::int64_t out, std::int64_t side) {
    return 2.0 * static_cast<double>(kernel * kernel * in * out) * static_cast<double>(side * side);
}

double denseFlops(std::int64_t in, std::int64_t out, std::int64_t rows = 1) {
    return 2.0 * static_cast<double>(in * out) * static_cast<double>(rows);
}

} // namespace

Job resNet50() {
    // No ResNet-50 among AutoDist's published numbers: ResNet-101's efficiency, 61.9 images/s * 3 * 15.2 GFLOP = 2.8 TFLOP/s.
    ModelBuilder model("resnet50", 32, 2.8e12);
    // He et al. 2016, the Keras variant: biases in the convolutions, stride 2 in the first 1x1 convolution of a stage.
    const auto convolution = [&model](const std::string &name, const std::string &norm, std::int64_t kernel, std::int64_t in,
                                      std::int64_t out, std::int64_t side, std::vector<std::int32_t> parents) {
        return model.layer(name, convolutionFlops(kernel, in, out, side), std::move(parents),
                           {{name + "/kernel:0", {kernel, kernel, in, out}},
                            {name + "/bias:0", {out}},
                            {norm + "/gamma:0", {out}},
                            {norm + "/beta:0", {out}}});
    };
    std::vector<std::int32_t> input{convolution("conv1_conv", "conv1_bn", 7, 3, 64, 112, {})};
    const std::vector<int> blocksOfStage{3, 4, 6, 3};
    std::int64_t in = 64;
    std::int64_t width = 64;
    std::int64_t side = 56;
    for (std::size_t stage = 0; stage < blocksOfStage.size(); ++stage, width *= 2, side /= 2)
        for (int block = 1; block <= blocksOfStage[stage]; ++block) {
            const auto part = [&](int i, const char *kind) {
                return fmt::format("conv{}_block{}_{}_{}", stage + 2, block, i, kind);
            };
            // What is added at the end of the block: a projection in a stage's first block, else the block's own input.
            std::vector<std::int32_t> shortcut = input;
            if (block == 1)
                shortcut = {convolution(part(0, "conv"), part(0, "bn"), 1, in, 4 * width, side, input)};
            const std::int32_t reduced = convolution(part(1, "conv"), part(1, "bn"), 1, in, width, side, input);
            const std::int32_t middle = convolution(part(2, "conv"), part(2, "bn"), 3, width, width, side, {reduced});
            const std::int32_t expanded = convolution(part(3, "conv"), part(3, "bn"), 1, width, 4 * width, side, {middle});
            // An addition has no variables and next to no work, so it is not a layer: its readers read all its terms. The
            // earlier terms of a chain of additions are implied by the newest block's output.
            input = {expanded};
            if (block == 1)
                input.insert(input.begin(), shortcut.front());
            in = 4 * width;
        }
    model.layer("probs", denseFlops(2048, 1000), input, {{"probs/kernel:0", {2048, 1000}}, {"probs/bias:0", {1000}}});
    return model.take(
        {"Published: variables of Keras' ResNet50 (He et al. 2016), 25.6 million parameters, 224x224 ImageNet images; "
         "batch 32 a GPU as in AutoSync's Table 1.",
         "Assumed: ResNet-50 runs at the rate of ResNet-101 in AutoDist's documentation (61.9 images/s on one T4)."});
}

Job vgg16() {
    // 75.0 images/s * 3 * 30.9 GFLOP = 6.9 TFLOP/s: cuDNN's Winograd kernels do fewer operations than are counted here.
    ModelBuilder model("vgg16", 32, 6.95e12);
    const std::vector<std::pair<int, std::int64_t>> stages{{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}};
    std::int64_t in = 3;
    std::int64_t side = 224;
    for (std::size_t stage = 0; stage < stages.size(); ++stage, side /= 2)
        for (int i = 1; i <= stages[stage].first; ++i) {
            const std::string name = fmt::format("block{}_conv{}", stage + 1, i);
            const std::int64_t out = stages[stage].second;
            model.next(name, convolutionFlops(3, in, out, side),
                       {{name + "/kernel:0", {3, 3, in, out}}, {name + "/bias:0", {out}}});
            in = out;
        }
    const auto dense = [&model](const std::string &name, std::int64_t from, std::int64_t to) {
        model.next(name, denseFlops(from, to), {{name + "/kernel:0", {from, to}}, {name + "/bias:0", {to}}});
    };
    dense("fc1", 7 * 7 * 512, 4096);
    dense("fc2", 4096, 4096);
    dense("predictions", 4096, 1000);
    return model.take({"Published: variables of Keras' VGG16 (Simonyan and Zisserman 2015), 138.36 million parameters, 224x224 "
                       "ImageNet images; batch 32 a GPU as in AutoSync's Table 1.",
                       "Published: 75.0 images/s on one T4 (AutoDist's documentation), from which the sustained rate follows."});
}

Job bert(std::string name, std::int32_t blocks, std::int64_t hidden, std::int64_t batchSize) {
    constexpr std::int64_t vocabulary = 30522;
    constexpr std::int64_t positions = 512;
    constexpr std::int64_t tokens = 128;
    constexpr std::int64_t predicted = 20; // masked tokens of a sequence, max_predictions_per_seq
    const std::int64_t inner = 4 * hidden;
    // BERT-large: 11.08 sequences/s * 3 * 80.3 GFLOP = 2.67 TFLOP/s.
    ModelBuilder model(std::move(name), static_cast<double>(batchSize), 2.67e12);
    const auto dense = [](const std::string &prefix, std::int64_t in, std::int64_t out) {
        return std::vector<std::pair<std::string, Shape>>{{prefix + "/kernel:0", {in, out}}, {prefix + "/bias:0", {out}}};
    };
    const auto norm = [hidden](const std::string &prefix) {
        return std::vector<std::pair<std::string, Shape>>{{prefix + "/LayerNorm/beta:0", {hidden}},
                                                          {prefix + "/LayerNorm/gamma:0", {hidden}}};
    };
    const auto joined = [](std::vector<std::pair<std::string, Shape>> all,
                           const std::vector<std::pair<std::string, Shape>> &more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };

    const std::string embeddings = "bert/embeddings";
    // Look-ups, two additions and a normalisation: counted as 10 operations an element.
    const std::int32_t embedded = model.next(embeddings, 10.0 * static_cast<double>(tokens * hidden),
                                             joined({{embeddings + "/word_embeddings:0", {vocabulary, hidden}},
                                                     {embeddings + "/token_type_embeddings:0", {2, hidden}},
                                                     {embeddings + "/position_embeddings:0", {positions, hidden}}},
                                                    norm(embeddings)));
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
    return model.take(
        {fmt::format("Published: variables of google-research/bert with its pre-training heads (Devlin et al. 2019), {} encoder "
                     "layers of width {}; batch {} a GPU as in AutoSync's Table 1.",
                     blocks, hidden, batchSize),
         "Published: 11.08 sequences/s of BERT-large on one T4 (AutoDist's documentation), from which the sustained rate "
         "follows.",
         fmt::format("Assumed: {} tokens a sequence, {} of them predicted; the documentation does not state the length.", tokens,
                     predicted)});
}

} // namespace syncopate::catalogue
