// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/conv_net.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate::catalogue {

namespace {

std::int64_t sideAfter(std::int64_t side, const Step &step) {
    return step.valid ? (side - step.height) / step.stride + 1 : (side + step.stride - 1) / step.stride;
}

} // namespace

FeatureMap ConvNet::apply(const FeatureMap &input, const Step &step, const std::string &scope) {
    FeatureMap output = input;
    output.side = sideAfter(input.side, step);
    if (step.kind != Step::Kind::Convolution)
        return output;
    const std::int32_t index = m_convolutions++;
    const Shape kernel{step.height, step.width, input.channels, step.out};
    NamedShapes variables;
    std::string name;
    if (m_naming == Naming::Keras) {
        const std::string number = index == 0 ? "" : fmt::format("_{}", index);
        name = "conv2d" + number;
        variables = {{name + "/kernel:0", kernel}, {"batch_normalization" + number + "/beta:0", {step.out}}};
    } else {
        name = fmt::format("{}conv{}", scope, index);
        variables = {
            {"v/cg/" + name + "/conv2d/kernel:0", kernel},
            {m_normalised ? fmt::format("v/cg/{}/batchnorm{}/beta:0", name, index) : "v/cg/" + name + "/biases:0", {step.out}}};
    }
    output.producers = {m_model.layer(name, convolutionFlops(step.height, step.width, input.channels, step.out, output.side),
                                      input.producers, variables)};
    output.channels = step.out;
    return output;
}

FeatureMap ConvNet::inception(const std::string &name, const FeatureMap &input, const std::vector<Column> &columns) {
    const std::string scope = fmt::format("{}{}/", name, std::count(m_modules.begin(), m_modules.end(), name));
    m_modules.push_back(name);
    FeatureMap output;
    output.channels = 0;
    std::vector<FeatureMap> before;
    for (const Column &column : columns) {
        std::vector<FeatureMap> outputs;
        for (std::size_t s = 0; s < column.size(); ++s)
            outputs.push_back(column[s].kind == Step::Kind::Share ? before[s]
                                                                  : apply(s == 0 ? input : outputs.back(), column[s], scope));
        const FeatureMap &last = outputs.back();
        output.producers.insert(output.producers.end(), last.producers.begin(), last.producers.end());
        output.channels += last.channels;
        output.side = last.side;
        before = std::move(outputs);
    }
    return output;
}

FeatureMap ConvNet::affine(const FeatureMap &input, std::int64_t out) {
    const std::int64_t in = input.channels * input.side * input.side;
    const std::string name = m_naming == Naming::Keras ? "predictions" : fmt::format("affine{}", m_affines++);
    const std::string prefix = m_naming == Naming::Keras ? name : "v/cg/" + name;
    const char *const weights = m_naming == Naming::Keras ? "/kernel:0" : "/weights:0";
    const char *const biases = m_naming == Naming::Keras ? "/bias:0" : "/biases:0";
    return {
        {m_model.layer(name, denseFlops(in, out), input.producers, {{prefix + weights, {in, out}}, {prefix + biases, {out}}})},
        out,
        1};
}

} // namespace syncopate::catalogue
