// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/pipedream/pipedream.h"

#include "engine/base/rounding.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/lane_packer.h"
#include "engine/profile/pipedream/pipedream_graph.h"
#include "engine/profile/step_samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr double longestStep = 3e7; ///< seconds

/// Up to four integers from a description.
struct Numbers {
    std::array<std::int64_t, 4> value{};
    std::size_t count = 0;
};

/// The leading integers in a description's argument list, before any "name=": for Conv2d(64, 128, kernel_size=(3, 3)) these are
/// 64 and 128.
Numbers positional(std::string_view description) {
    Numbers numbers;
    std::size_t at = description.find('(');
    while (at != std::string_view::npos && ++at < description.size() && numbers.count < numbers.value.size()) {
        const std::string_view rest = trimmedField(description.substr(at));
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (status != std::errc() || end == rest.data() + rest.size() || (*end != ',' && *end != ')') || number <= 0)
            break;
        numbers.value[numbers.count++] = number;
        at = description.find_first_of(",)", at);
        if (description[at] == ')')
            break;
    }
    return numbers;
}

/// The integer or pair after "key=" in a description; empty = not there.
Numbers named(std::string_view description, std::string_view key) {
    Numbers numbers;
    std::size_t at = description.find(key);
    if (at == std::string_view::npos)
        return numbers;
    at += key.size();
    const bool tuple = at < description.size() && description[at] == '(';
    for (at += tuple ? 1 : 0; at < description.size() && numbers.count < numbers.value.size();) {
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(description.data() + at, description.data() + description.size(), number);
        if (status != std::errc())
            break;
        numbers.value[numbers.count++] = number;
        at = static_cast<std::size_t>(end - description.data());
        if (!tuple || at >= description.size() || description[at] != ',')
            break;
        at = description.find_first_not_of(" ,", at);
    }
    return numbers;
}

/// Shapes of a node's variables; empty = no such variable.
struct Shapes {
    std::vector<std::int64_t> weight, bias;
};

/// The shapes in a node's description if they add up to its parameters, else one variable of that size.
Shapes shapesOf(const LayerNode &node) {
    const double count = node.parameterBytes / 4;
    Shapes shapes;
    if (count < 1)
        return shapes;
    auto &weight = shapes.weight;
    std::int64_t outputs = 0;
    const std::string_view type = node.type();
    if (type == "Conv2d") {
        const Numbers sizes = positional(node.description), kernel = named(node.description, "kernel_size="),
                      groups = named(node.description, "groups=");
        outputs = sizes.value[1];
        if (sizes.count >= 2 && kernel.count == 2 && kernel.value[0] > 0 && kernel.value[1] > 0)
            weight = {outputs, sizes.value[0] / std::max<std::int64_t>(1, groups.value[0]), kernel.value[0], kernel.value[1]};
    } else if (type == "Linear") {
        const Numbers in = named(node.description, "in_features="), out = named(node.description, "out_features=");
        if (in.count == 1 && out.count == 1 && in.value[0] > 0 && out.value[0] > 0)
            weight = {out.value[0], in.value[0]};
        outputs = out.value[0];
    } else if (type.starts_with("BatchNorm")) {
        const Numbers sizes = positional(node.description);
        if (sizes.count > 0)
            weight = {sizes.value[0]};
        outputs = sizes.value[0];
    }
    double elements = 1;
    for (const std::int64_t dimension : weight)
        elements *= static_cast<double>(dimension);
    if (!weight.empty() && elements + static_cast<double>(outputs) == count && elements != count)
        shapes.bias = {outputs};
    else if (weight.empty() || elements != count)
        weight = {static_cast<std::int64_t>(count)};
    return shapes;
}

/// Builds the profile from a graph.
class ProfileBuilder {
public:
    ProfileBuilder(std::string name, const PipeDreamGraph &graph) : m_name(std::move(name)), m_graph(graph) {}

    /// `bytes`: size of the file's text.
    Result<std::shared_ptr<const ImportedProfile>> build(std::size_t bytes) {
        auto profile = std::make_shared<ImportedProfile>();
        profile->file = m_name;
        Job &job = profile->job;
        job.name = jobName();
        const Inputs inputs = addLayers(job);
        if (job.layers.empty())
            return fail("all nodes are inputs", "profile the model's layers", m_name);
        TRY(validateJob(job, m_name));
        if (job.forwardSeconds() + job.backwardSeconds() > longestStep)
            return fail("the times add up to more than a year", "they are milliseconds; profile again", m_name);
        const double samples = batchSize();
        job.batchSize = samples;
        addStep(*profile);
        profile->textBytes = bytes;
        profile->eventCount = m_graph.nodes.size();
        stateFacts(*profile, inputs, samples);
        layTimeline(*profile);
        job.notes = profile->inferred;
        job.notes.insert(job.notes.begin(), fmt::format("Measured: imported from a PipeDream layer profile, {}.", job.name));
        makeNamesValid(*profile); // for names that came from the file
        return std::shared_ptr<const ImportedProfile>(std::move(profile));
    }

private:
    /// Batch size: a linear layer outputs samples x features in float32, a recurrent layer's state is samples x hidden
    /// size.
    [[nodiscard]] double batchSize() const {
        double linear = 0, recurrent = 0;
        for (const LayerNode &node : m_graph.nodes) {
            const std::string_view type = node.type();
            if (type == "Linear" && node.activations == 1) {
                const auto out = named(node.description, "out_features=");
                const double samples =
                    out.count == 1 && out.value[0] > 0 ? node.activationBytes[0] / 4 / static_cast<double>(out.value[0]) : 0;
                if (linear > 0 && samples != linear)
                    linear = -1;
                else if (linear == 0)
                    linear = samples;
            } else if (type == "LSTM" && node.activations == 3) {
                const auto sizes = positional(node.description);
                if (sizes.count >= 2) {
                    const double samples = node.activationBytes[1] / 4 / static_cast<double>(sizes.value[1]);
                    recurrent = recurrent > 0 ? std::min(recurrent, samples) : samples;
                }
            }
        }
        const double samples = recurrent > 0 ? recurrent : linear;
        return samples >= 1 && samples == std::floor(samples) && samples < 1e9 ? samples : 0;
    }

    [[nodiscard]] std::string jobName() const {
        std::string name = std::filesystem::path(m_name).filename().string();
        for (const char *ending : {".txt", "_graph"}) {
            if (name.ends_with(ending))
                name.resize(name.size() - std::string_view(ending).size());
        }
        return name.empty() ? "layers" : name;
    }

    /// Nodes that load data: not layers.
    struct Inputs {
        std::size_t count = 0;
        double milliseconds = 0;
    };
    Inputs addLayers(Job &job) const {
        Inputs inputs;
        std::vector<std::int32_t> layerOf(m_graph.nodes.size(), -1);
        job.layers.reserve(m_graph.nodes.size());
        job.variables.reserve(m_graph.nodes.size());
        for (const std::size_t index : m_graph.order) {
            const LayerNode &node = m_graph.nodes[index];
            if (node.isInput()) {
                inputs.milliseconds += node.forwardMilliseconds + node.backwardMilliseconds;
                ++inputs.count;
                continue;
            }
            layerOf[index] = static_cast<std::int32_t>(job.layers.size());
            Layer layer;
            layer.name = fmt::format("{}_{}", node.type(), node.number);
            layer.forwardSeconds = node.forwardMilliseconds * 1e-3;
            layer.backwardSeconds = node.backwardMilliseconds * 1e-3;
            for (const std::uint32_t parent : m_graph.parents.of(index)) {
                if (layerOf[parent] >= 0)
                    layer.parents.push_back(layerOf[parent]);
            }
            std::sort(layer.parents.begin(), layer.parents.end());
            layer.parents.erase(std::unique(layer.parents.begin(), layer.parents.end()), layer.parents.end());
            auto [weight, bias] = shapesOf(node);
            addVariable(job, layer, "/weight", std::move(weight));
            addVariable(job, layer, "/bias", std::move(bias));
            job.layers.push_back(std::move(layer));
        }
        return inputs;
    }

    /// Adds a variable unless its shape is empty.
    static void addVariable(Job &job, Layer &layer, const char *name, std::vector<std::int64_t> shape) {
        if (shape.empty())
            return;
        Variable variable;
        variable.name.reserve(layer.name.size() + 8);
        variable.name.append(layer.name).append(name);
        variable.shape = std::move(shape);
        layer.variables.push_back(static_cast<std::int32_t>(job.variables.size()));
        job.variables.push_back(std::move(variable));
    }

    static void addStep(ImportedProfile &profile) {
        const Job &job = profile.job;
        ProfileStep step;
        step.name = "profiled step";
        step.forwardSeconds = job.forwardSeconds();
        step.backwardSeconds = job.backwardSeconds();
        step.endSeconds = step.forwardSeconds + step.backwardSeconds;
        profile.steps.push_back(step);
        profile.samples.push_back(sampleOf(job));
    }

    /// `samples`: batch size; 0 = unknown.
    void stateFacts(ImportedProfile &profile, const Inputs &inputs, double samples) const {
        const Job &job = profile.job;
        profile.read.push_back(fmt::format("{} nodes and {} edges in {} of text (PipeDream layer profile): forward {}, backward "
                                           "{}, parameters of {}.",
                                           m_graph.nodes.size(), m_graph.edges,
                                           formatBytes(static_cast<double>(profile.textBytes)),
                                           formatSeconds(job.forwardSeconds()), formatSeconds(job.backwardSeconds()),
                                           formatBytes(static_cast<double>(job.parameterBytes()))));
        auto &inferred = profile.inferred;
        if (inputs.count > 0)
            inferred.push_back(fmt::format("{} input nodes with {} of data loading are left out of compute.", inputs.count,
                                           formatSeconds(inputs.milliseconds * 1e-3)));
        inferred.push_back(
            fmt::format("{} variables, taken as float32: shapes where a node's description tells them and they make up "
                        "its parameter_size, else one variable of that size.",
                        job.variables.size()));
        inferred.push_back(
            samples > 0 ? fmt::format("Batch size {}: by the bytes of the outputs of its linear or recurrent layers.", samples)
                        : std::string("The batch size was not recorded."));
        inferred.emplace_back(
            "The file has durations, not times: the timeline lays them end to end, forward in the order of the graph, "
            "backward in the reverse.");
    }

    static void layTimeline(ImportedProfile &profile) {
        LanePacker packer;
        const std::size_t group = packer.addGroup("compute", 0, true);
        Nanoseconds at = 0;
        std::int32_t number = 0;
        const auto &layers = profile.job.layers;
        std::vector<std::int32_t> labels(layers.size(), -1);
        const auto lay = [&](std::size_t l, double seconds, Category category) {
            const Nanoseconds end = at + toNanoseconds(seconds);
            if (end > at) {
                if (labels[l] < 0)
                    labels[l] = packer.label(layers[l].name);
                packer.add(group, at, end, category, labels[l], number++, 0);
            }
            at = end;
        };
        for (std::size_t l = 0; l < layers.size(); ++l)
            lay(l, layers[l].forwardSeconds, Category::Forward);
        for (std::size_t l = layers.size(); l-- > 0;)
            lay(l, layers[l].backwardSeconds, Category::Backward);
        profile.timeline = packer.take();
        profile.timeline.iterationStart.push_back(0);
    }

    std::string m_name;
    const PipeDreamGraph &m_graph;
};

} // namespace

Result<std::shared_ptr<const ImportedProfile>> importPipeDream(std::string_view text, const std::string &name) {
    if (!isValidUtf8(text)) // names are compared and written, so the text is made valid first
        return importPipeDream(validUtf8(text), name);
    const auto graph = TRY(readPipeDreamGraph(text, name));
    return ProfileBuilder(name, graph).build(text.size());
}

} // namespace syncopate
