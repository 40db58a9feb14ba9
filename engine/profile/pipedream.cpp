// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/pipedream.h"

#include "engine/base/units.h"
#include "engine/profile/lane_packer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <queue>
#include <unordered_map>
#include <vector>

namespace syncopate {

namespace {

constexpr std::string_view separator = " -- ";
constexpr std::size_t mostNodes = 1'000'000;
constexpr double longestStep = 3e7; ///< seconds

struct LayerNode {
    std::string id, description;
    std::int64_t number = 0; ///< of the id
    double forwardMilliseconds = 0, backwardMilliseconds = 0, parameterBytes = 0;
    std::vector<double> activationBytes;
    std::size_t line = 0;
    std::vector<std::size_t> parents;
    std::vector<std::size_t> children;

    [[nodiscard]] bool isInput() const { return description.starts_with("Input"); }
    /// "Conv2d" of "Conv2d(3, 64, kernel_size=(3, 3), ...)"
    [[nodiscard]] std::string type() const { return description.substr(0, description.find('(')); }
};

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0;;) {
        const std::size_t at = text.find(separator, from);
        parts.push_back(text.substr(from, at == std::string_view::npos ? at : at - from));
        if (at == std::string_view::npos)
            return parts;
        from = at + separator.size();
    }
}

std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t\r");
    return from == std::string_view::npos ? std::string_view() : text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

bool numberOf(std::string_view text, double &number) {
    text = trimmed(text);
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc() && end == text.data() + text.size() && std::isfinite(number) && number >= 0 && number < 1e15;
}

/// The integers in a description's argument list, "name=" ones left out: Conv2d(64, 128, kernel_size=(3, 3)) has 64 and 128.
std::vector<std::int64_t> positional(std::string_view description) {
    std::vector<std::int64_t> numbers;
    std::size_t at = description.find('(');
    while (at != std::string_view::npos && ++at < description.size()) {
        const std::string_view rest = trimmed(description.substr(at));
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (status != std::errc() || end == rest.data() + rest.size() || (*end != ',' && *end != ')') || number <= 0)
            break;
        numbers.push_back(number);
        at = description.find_first_of(",)", at);
        if (description[at] == ')')
            break;
    }
    return numbers;
}

/// The integer or pair behind "key=" in a description; empty = not there.
std::vector<std::int64_t> named(std::string_view description, std::string_view key) {
    std::vector<std::int64_t> numbers;
    std::size_t at = description.find(key);
    if (at == std::string_view::npos)
        return numbers;
    at += key.size();
    const bool tuple = at < description.size() && description[at] == '(';
    for (at += tuple ? 1 : 0; at < description.size() && numbers.size() < 4;) {
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(description.data() + at, description.data() + description.size(), number);
        if (status != std::errc())
            break;
        numbers.push_back(number);
        at = static_cast<std::size_t>(end - description.data());
        if (!tuple || at >= description.size() || description[at] != ',')
            break;
        at = description.find_first_not_of(" ,", at);
    }
    return numbers;
}

/// The shapes of a node's variables where its description tells them and they make up its parameters, else one of all of them.
std::vector<std::vector<std::int64_t>> shapesOf(const LayerNode &node) {
    const double count = node.parameterBytes / 4;
    if (count < 1)
        return {};
    std::vector<std::int64_t> weight;
    std::int64_t outputs = 0;
    const std::string type = node.type();
    const auto sizes = positional(node.description);
    if (type == "Conv2d" && sizes.size() >= 2) {
        const auto kernel = named(node.description, "kernel_size="), groups = named(node.description, "groups=");
        if (kernel.size() == 2 && kernel[0] > 0 && kernel[1] > 0)
            weight = {sizes[1], sizes[0] / std::max<std::int64_t>(1, groups.empty() ? 1 : groups[0]), kernel[0], kernel[1]};
        outputs = sizes[1];
    } else if (type == "Linear") {
        const auto in = named(node.description, "in_features="), out = named(node.description, "out_features=");
        if (in.size() == 1 && out.size() == 1 && in[0] > 0 && out[0] > 0)
            weight = {out[0], in[0]};
        outputs = out.empty() ? 0 : out[0];
    } else if (type.starts_with("BatchNorm") && !sizes.empty()) {
        weight = {sizes[0]};
        outputs = sizes[0];
    }
    double elements = 1;
    for (const std::int64_t dimension : weight)
        elements *= static_cast<double>(dimension);
    if (!weight.empty() && elements == count)
        return {weight};
    if (!weight.empty() && elements + static_cast<double>(outputs) == count)
        return {weight, {outputs}};
    return {{static_cast<std::int64_t>(count)}};
}

class PipeDreamReader {
public:
    explicit PipeDreamReader(std::string name) : m_name(std::move(name)) {}

    Result<std::shared_ptr<const ImportedProfile>> read(std::string_view text) {
        std::size_t number = 0;
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            if (const auto taken = takeLine(text.substr(from, end - from), ++number); !taken)
                return tl::unexpected(taken.error());
            from = end + 1;
        }
        if (m_nodes.empty())
            return fail("there is no node in it", "give the graph.txt that PipeDream's profiler wrote", m_name, "1");
        if (const auto tied = tieEdges(); !tied)
            return tl::unexpected(tied.error());
        const auto order = topological();
        if (!order)
            return tl::unexpected(order.error());
        return build(*order, text.size());
    }

private:
    [[nodiscard]] Unexpected wrong(std::string what, std::size_t line) const {
        return fail(std::move(what),
                    "write nodes as 'nodeN -- TYPE -- forward_compute_time=ms, backward_compute_time=ms, activation_size=bytes, "
                    "parameter_size=bytes' and edges as 'nodeA -- nodeB'",
                    m_name, std::to_string(line));
    }

    Result<void> takeLine(std::string_view line, std::size_t number) {
        const bool edge = !line.empty() && line.front() == '\t';
        line = trimmed(line);
        if (line.empty())
            return {};
        const auto parts = split(line);
        if (edge || parts.size() == 2) {
            if (parts.size() != 2)
                return wrong("this is neither a node nor an edge", number);
            m_edges.push_back({std::string(trimmed(parts[0])), std::string(trimmed(parts[1])), number});
            return {};
        }
        if (parts.size() < 3)
            return wrong("this is neither a node nor an edge", number);
        if (m_nodes.size() == mostNodes)
            return fail(fmt::format("there are more than {} nodes", mostNodes), "profile a smaller model", m_name,
                        std::to_string(number));
        LayerNode node;
        node.id = trimmed(parts[0]);
        node.description = trimmed(parts[1]);
        node.line = number;
        const std::size_t digits = node.id.find_first_of("0123456789");
        if (digits != std::string::npos)
            std::from_chars(node.id.data() + digits, node.id.data() + node.id.size(), node.number);
        bool forward = false, backward = false, parameters = false;
        const std::string_view fields = parts[2];
        for (std::size_t from = 0; from < fields.size();) {
            std::size_t end = fields.find(", ", from);
            end = end == std::string_view::npos ? fields.size() : end;
            const std::string_view field = fields.substr(from, end - from);
            const std::size_t equals = field.find('=');
            const std::string_view key = trimmed(field.substr(0, equals));
            const std::string_view value = equals == std::string_view::npos ? std::string_view() : field.substr(equals + 1);
            bool valid = true;
            if (key == "forward_compute_time")
                valid = forward = numberOf(value, node.forwardMilliseconds);
            else if (key == "backward_compute_time")
                valid = backward = numberOf(value, node.backwardMilliseconds);
            else if (key == "parameter_size")
                valid = parameters = numberOf(value, node.parameterBytes);
            else if (key == "activation_size")
                valid = takeActivations(value, node);
            if (!valid)
                return wrong(fmt::format("{} of {} is '{}'", key, node.id, value), number);
            from = end + 2;
        }
        if (!forward || !backward || !parameters)
            return wrong(fmt::format("{} lacks its times or its parameter size", node.id), number);
        if (!m_index.emplace(node.id, m_nodes.size()).second)
            return wrong(fmt::format("{} is there twice", node.id), number);
        m_nodes.push_back(std::move(node));
        return {};
    }

    /// "205520896.000", or "[6291456.0; 131072.0]" for a tuple.
    static bool takeActivations(std::string_view value, LayerNode &node) {
        value = trimmed(value);
        if (value.starts_with('[') && value.ends_with(']'))
            value = value.substr(1, value.size() - 2);
        for (std::size_t from = 0; from <= value.size();) {
            const std::size_t end = std::min(value.find(';', from), value.size());
            double bytes = 0;
            if (!numberOf(value.substr(from, end - from), bytes) || node.activationBytes.size() >= 64)
                return false;
            node.activationBytes.push_back(bytes);
            from = end + 1;
        }
        return true;
    }

    Result<void> tieEdges() {
        for (const Edge &edge : m_edges) {
            const auto from = m_index.find(edge.from), to = m_index.find(edge.to);
            if (from == m_index.end() || to == m_index.end())
                return wrong(fmt::format("the edge from {} to {} names a node that is not there", edge.from, edge.to), edge.line);
            m_nodes[to->second].parents.push_back(from->second);
            m_nodes[from->second].children.push_back(to->second);
        }
        return {};
    }

    /// Of the nodes whose parents are all done, the one with the lowest number comes next: the order in which they were traced.
    [[nodiscard]] Result<std::vector<std::size_t>> topological() const {
        using Entry = std::pair<std::int64_t, std::size_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
        std::vector<std::size_t> waiting;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            waiting.push_back(m_nodes[i].parents.size());
            if (waiting.back() == 0)
                ready.emplace(m_nodes[i].number, i);
        }
        std::vector<std::size_t> order;
        while (!ready.empty()) {
            const std::size_t node = ready.top().second;
            ready.pop();
            order.push_back(node);
            for (const std::size_t child : m_nodes[node].children) {
                if (--waiting[child] == 0)
                    ready.emplace(m_nodes[child].number, child);
            }
        }
        if (order.size() < m_nodes.size()) {
            const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](std::size_t w) { return w > 0; });
            const LayerNode &node = m_nodes[static_cast<std::size_t>(stuck - waiting.begin())];
            return wrong(fmt::format("{} waits for itself: the edges make a circle", node.id), node.line);
        }
        return order;
    }

    /// Samples a step: a linear layer's output is samples x features in float32; a recurrent layer's state is samples x hidden
    /// size.
    [[nodiscard]] double batchSize() const {
        double linear = 0, recurrent = 0;
        for (const LayerNode &node : m_nodes) {
            const std::string type = node.type();
            if (type == "Linear" && node.activationBytes.size() == 1) {
                const auto out = named(node.description, "out_features=");
                const double samples =
                    out.size() == 1 && out[0] > 0 ? node.activationBytes[0] / 4 / static_cast<double>(out[0]) : 0;
                if (linear > 0 && samples != linear)
                    linear = -1;
                else if (linear == 0)
                    linear = samples;
            } else if (type == "LSTM" && node.activationBytes.size() == 3) {
                const auto sizes = positional(node.description);
                if (sizes.size() >= 2) {
                    const double samples = node.activationBytes[1] / 4 / static_cast<double>(sizes[1]);
                    recurrent = recurrent > 0 ? std::min(recurrent, samples) : samples;
                }
            }
        }
        const double samples = recurrent > 0 ? recurrent : linear;
        return samples >= 1 && samples == std::floor(samples) && samples < 1e9 ? samples : 0;
    }

    Result<std::shared_ptr<const ImportedProfile>> build(const std::vector<std::size_t> &order, std::size_t bytes) {
        auto profile = std::make_shared<ImportedProfile>();
        profile->file = m_name;
        Job &job = profile->job;
        std::string name = std::filesystem::path(m_name).filename().string();
        for (const char *ending : {".txt", "_graph"}) {
            if (name.ends_with(ending))
                name.resize(name.size() - std::string_view(ending).size());
        }
        job.name = name.empty() ? "layers" : name;
        double loading = 0;
        std::size_t inputs = 0;
        std::vector<std::int32_t> layerOf(m_nodes.size(), -1);
        for (const std::size_t index : order) {
            const LayerNode &node = m_nodes[index];
            if (node.isInput()) {
                loading += node.forwardMilliseconds + node.backwardMilliseconds;
                ++inputs;
                continue;
            }
            layerOf[index] = static_cast<std::int32_t>(job.layers.size());
            Layer layer;
            layer.name = fmt::format("{}_{}", node.type(), node.number);
            layer.forwardSeconds = node.forwardMilliseconds * 1e-3;
            layer.backwardSeconds = node.backwardMilliseconds * 1e-3;
            for (const std::size_t parent : node.parents) {
                if (layerOf[parent] >= 0)
                    layer.parents.push_back(layerOf[parent]);
            }
            std::sort(layer.parents.begin(), layer.parents.end());
            layer.parents.erase(std::unique(layer.parents.begin(), layer.parents.end()), layer.parents.end());
            const auto shapes = shapesOf(node);
            for (std::size_t s = 0; s < shapes.size(); ++s) {
                Variable variable;
                variable.name = layer.name + (s == 0 ? "/weight" : "/bias");
                variable.shape = shapes[s];
                layer.variables.push_back(static_cast<std::int32_t>(job.variables.size()));
                job.variables.push_back(std::move(variable));
            }
            job.layers.push_back(std::move(layer));
        }
        if (job.layers.empty())
            return fail("all nodes are inputs", "profile the model's layers", m_name);
        if (const auto valid = validateJob(job, m_name); !valid)
            return tl::unexpected(valid.error());
        if (job.forwardSeconds() + job.backwardSeconds() > longestStep)
            return fail("the times add up to more than a year", "they are milliseconds; profile again", m_name);
        const double samples = batchSize();
        job.batchSize = samples > 0 ? samples : 1;
        ProfileStep step;
        step.name = "profiled step";
        step.forwardSeconds = job.forwardSeconds();
        step.backwardSeconds = job.backwardSeconds();
        step.endSeconds = step.forwardSeconds + step.backwardSeconds;
        profile->steps.push_back(step);
        StepSample sample;
        for (const Layer &layer : job.layers) {
            sample.forwardSeconds.push_back(layer.forwardSeconds);
            sample.backwardSeconds.push_back(layer.backwardSeconds);
        }
        profile->samples.push_back(std::move(sample));
        profile->textBytes = bytes;
        profile->eventCount = m_nodes.size();
        profile->read.push_back(
            fmt::format("{} nodes and {} edges in {} bytes of text (PipeDream layer profile): forward {}, backward "
                        "{}, parameters of {} bytes.",
                        m_nodes.size(), m_edges.size(), bytes, formatSeconds(job.forwardSeconds()),
                        formatSeconds(job.backwardSeconds()), job.parameterBytes()));
        auto &inferred = profile->inferred;
        if (inputs > 0)
            inferred.push_back(fmt::format("{} input nodes with {} of data loading are left out of compute.", inputs,
                                           formatSeconds(loading * 1e-3)));
        inferred.push_back(
            fmt::format("{} variables, taken as float32: shapes where a node's description tells them and they make up "
                        "its parameter_size, else one variable of that size.",
                        job.variables.size()));
        inferred.push_back(
            samples > 0 ? fmt::format("Batch size {}: by the bytes of the outputs of its linear or recurrent layers.", samples)
                        : std::string("The batch size cannot be told: throughput counts steps (1 sample a step)."));
        inferred.emplace_back(
            "The file has durations, not times: the timeline lays them end to end, forward in the order of the graph, "
            "backward in the reverse.");
        layTimeline(*profile);
        job.notes = inferred;
        job.notes.insert(job.notes.begin(), fmt::format("Measured: imported from a PipeDream layer profile, {}.", job.name));
        return std::shared_ptr<const ImportedProfile>(std::move(profile));
    }

    static void layTimeline(ImportedProfile &profile) {
        LanePacker packer;
        const std::size_t group = packer.addGroup("compute", 0, true);
        Nanoseconds at = 0;
        std::int32_t number = 0;
        const auto lay = [&](const Layer &layer, double seconds, Category category) {
            const Nanoseconds end = at + static_cast<Nanoseconds>(std::llround(seconds * 1e9));
            if (end > at)
                packer.add(group, at, end, category, layer.name, number++, 0);
            at = end;
        };
        const auto &layers = profile.job.layers;
        for (const Layer &layer : layers)
            lay(layer, layer.forwardSeconds, Category::Forward);
        for (std::size_t l = layers.size(); l-- > 0;)
            lay(layers[l], layers[l].backwardSeconds, Category::Backward);
        profile.timeline = packer.take();
        profile.timeline.iterationStart.push_back(0);
    }

    struct Edge {
        std::string from, to;
        std::size_t line;
    };
    std::string m_name;
    std::vector<LayerNode> m_nodes;
    std::vector<Edge> m_edges;
    std::unordered_map<std::string, std::size_t> m_index;
};

} // namespace

bool looksLikePipeDream(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return false;
    const std::string_view line = head.substr(first, head.find('\n', first) - first);
    return line.starts_with("node") && line.find(separator) != std::string_view::npos;
}

Result<std::shared_ptr<const ImportedProfile>> importPipeDream(std::string_view text, const std::string &name) {
    return PipeDreamReader(name).read(text);
}

} // namespace syncopate
