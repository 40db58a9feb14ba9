// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose layers have names of their own: Keras' ResNet, VGG and DenseNet, torchvision's AlexNet.
#include "engine/job/catalogue_models.h"
#include "engine/job/conv_net.h"

#include <fmt/format.h>

namespace syncopate::catalogue {

void resNet(ModelBuilder &model, const std::vector<std::int32_t> &blocksOfStage) {
    // He et al. 2016 in the Keras variant: convolutions have biases, and a stage's first 1x1 convolution has stride 2.
    const auto convolution = [&model](const std::string &name, const std::string &norm, std::int64_t kernel, std::int64_t in,
                                      std::int64_t out, std::int64_t side, std::vector<std::int32_t> parents) {
        return model.layer(name, convolutionFlops(kernel, kernel, in, out, side), std::move(parents),
                           {{name + "/kernel:0", {kernel, kernel, in, out}},
                            {name + "/bias:0", {out}},
                            {norm + "/gamma:0", {out}},
                            {norm + "/beta:0", {out}}});
    };
    std::vector<std::int32_t> input{convolution("conv1_conv", "conv1_bn", 7, 3, 64, 112, {})};
    std::int64_t in = 64;
    std::int64_t width = 64;
    std::int64_t side = 56;
    for (std::size_t stage = 0; stage < blocksOfStage.size(); ++stage, width *= 2, side /= 2)
        for (std::int32_t block = 1; block <= blocksOfStage[stage]; ++block) {
            const auto part = [&](int i, const char *kind) {
                return fmt::format("conv{}_block{}_{}_{}", stage + 2, block, i, kind);
            };
            // The shortcut at the end of the block: a projection in a stage's first block, else the block's own input.
            std::vector<std::int32_t> shortcut = input;
            if (block == 1)
                shortcut = {convolution(part(0, "conv"), part(0, "bn"), 1, in, 4 * width, side, input)};
            const std::int32_t reduced = convolution(part(1, "conv"), part(1, "bn"), 1, in, width, side, input);
            const std::int32_t middle = convolution(part(2, "conv"), part(2, "bn"), 3, width, width, side, {reduced});
            const std::int32_t expanded = convolution(part(3, "conv"), part(3, "bn"), 1, width, 4 * width, side, {middle});
            // Readers of an addition read all its terms. The earlier terms of a chain of additions are implied by the newest
            // block's output.
            input = {expanded};
            if (block == 1)
                input.insert(input.begin(), shortcut.front());
            in = 4 * width;
        }
    model.layer("probs", denseFlops(2048, 1000), input, {{"probs/kernel:0", {2048, 1000}}, {"probs/bias:0", {1000}}});
}

void vgg16(ModelBuilder &model) {
    const std::vector<std::pair<int, std::int64_t>> stages{{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}};
    std::int64_t in = 3;
    std::int64_t side = 224;
    for (std::size_t stage = 0; stage < stages.size(); ++stage, side /= 2)
        for (int i = 1; i <= stages[stage].first; ++i) {
            const std::string name = fmt::format("block{}_conv{}", stage + 1, i);
            const std::int64_t out = stages[stage].second;
            model.next(name, convolutionFlops(3, 3, in, out, side),
                       {{name + "/kernel:0", {3, 3, in, out}}, {name + "/bias:0", {out}}});
            in = out;
        }
    const auto dense = [&model](const std::string &name, std::int64_t from, std::int64_t to) {
        model.next(name, denseFlops(from, to), {{name + "/kernel:0", {from, to}}, {name + "/bias:0", {to}}});
    };
    dense("fc1", 7 * 7 * 512, 4096);
    dense("fc2", 4096, 4096);
    dense("predictions", 4096, 1000);
}

void denseNet121(ModelBuilder &model) {
    // Huang et al. 2017, growth rate 32. A normalisation and the convolution after it form one layer.
    constexpr std::int64_t growth = 32;
    const auto norm = [](const std::string &name, std::int64_t channels) {
        return NamedShapes{{name + "/gamma:0", {channels}}, {name + "/beta:0", {channels}}};
    };
    const auto convolution = [&model](const std::string &name, std::int64_t kernel, const FeatureMap &input, std::int64_t out,
                                      NamedShapes variables) {
        variables.push_back({name + "/kernel:0", {kernel, kernel, input.channels, out}});
        return model.layer(name, convolutionFlops(kernel, kernel, input.channels, out, input.side), input.producers, variables);
    };
    NamedShapes first = norm("conv1/bn", 64);
    first.insert(first.begin(), {"conv1/conv/kernel:0", {7, 7, 3, 64}});
    FeatureMap features{{model.layer("conv1/conv", convolutionFlops(7, 7, 3, 64, 112), {}, first)}, 64, 56};
    const std::vector<int> blocks{6, 12, 24, 16};
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
        for (int block = 1; block <= blocks[stage]; ++block) {
            const std::string prefix = fmt::format("conv{}_block{}", stage + 2, block);
            const std::int32_t narrow =
                convolution(prefix + "_1_conv", 1, features, 4 * growth, norm(prefix + "_0_bn", features.channels));
            const FeatureMap bottleneck{{narrow}, 4 * growth, features.side};
            features.producers.push_back(
                convolution(prefix + "_2_conv", 3, bottleneck, growth, norm(prefix + "_1_bn", 4 * growth)));
            features.channels += growth;
        }
        if (stage + 1 == blocks.size())
            break;
        const std::string transition = fmt::format("pool{}", stage + 2);
        features.producers = {
            convolution(transition + "_conv", 1, features, features.channels / 2, norm(transition + "_bn", features.channels))};
        features.channels /= 2;
        features.side /= 2;
    }
    // The last normalisation: 10 operations per element, as everywhere in the catalogue.
    const auto elements = static_cast<double>(features.channels * features.side * features.side);
    const std::int32_t normalised = model.layer("bn", 10 * elements, features.producers, norm("bn", features.channels));
    model.layer("fc1000", denseFlops(features.channels, 1000), {normalised},
                {{"fc1000/kernel:0", {features.channels, 1000}}, {"fc1000/bias:0", {1000}}});
}

void alexNet(ModelBuilder &model) {
    // Krizhevsky 2014 ("One weird trick"), in PyTorch's layout: output channels first.
    struct Convolution {
        int index;
        std::int64_t kernel, out, side;
    };
    std::int64_t in = 3;
    const std::vector<Convolution> convolutions{
        {0, 11, 64, 55}, {3, 5, 192, 27}, {6, 3, 384, 13}, {8, 3, 256, 13}, {10, 3, 256, 13}};
    for (const Convolution &c : convolutions) {
        const std::string name = fmt::format("features.{}", c.index);
        model.next(name, convolutionFlops(c.kernel, c.kernel, in, c.out, c.side),
                   {{name + ".weight", {c.out, in, c.kernel, c.kernel}}, {name + ".bias", {c.out}}});
        in = c.out;
    }
    in = 256 * 6 * 6;
    const std::vector<std::pair<int, std::int64_t>> dense{{1, 4096}, {4, 4096}, {6, 1000}};
    for (const auto &[index, out] : dense) {
        const std::string name = fmt::format("classifier.{}", index);
        model.next(name, denseFlops(in, out), {{name + ".weight", {out, in}}, {name + ".bias", {out}}});
        in = out;
    }
}

} // namespace syncopate::catalogue
