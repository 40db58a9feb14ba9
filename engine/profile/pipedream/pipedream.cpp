// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/pipedream/pipedream.h"

#include "engine/base/rounding.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/parse/string_table.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/lane_packer.h"
#include "engine/profile/step_samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr std::string_view separator = " -- ";
constexpr std::size_t mostNodes = 1'000'000;
constexpr std::size_t shortestNode = 128; ///< bytes of its line, about
constexpr double longestStep = 3e7;       ///< seconds

/// The views are into the file's text.
struct LayerNode {
    std::string_view id, description;
    std::int64_t number = 0; ///< of the id
    double forwardMilliseconds = 0, backwardMilliseconds = 0, parameterBytes = 0;
    std::array<double, 2> activationBytes{}; ///< the first ones
    std::size_t activations = 0;
    std::size_t line = 0;

    [[nodiscard]] bool isInput() const { return description.starts_with("Input"); }
    /// "Conv2d" of "Conv2d(3, 64, kernel_size=(3, 3), ...)"
    [[nodiscard]] std::string_view type() const { return description.substr(0, description.find('(')); }
};

/// What stands between the separators of a line: its first three parts, and how many there are (3 = three or more).
struct Parts {
    std::array<std::string_view, 3> part;
    std::size_t count = 0;
};

Parts split(std::string_view text) {
    Parts parts;
    std::size_t from = 0;
    // A dash is rarer than a space, so that is what is looked for.
    for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
        if (dash < from + 1 || text.substr(dash - 1, separator.size()) != separator)
            continue;
        parts.part[parts.count++] = text.substr(from, dash - 1 - from);
        if (parts.count == parts.part.size())
            return parts;
        from = dash - 1 + separator.size();
        dash = from - 1;
    }
    parts.part[parts.count++] = text.substr(from);
    return parts;
}

std::string_view trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

bool numberOf(std::string_view text, double &number) {
    text = trimmed(text);
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc() && end == text.data() + text.size() && std::isfinite(number) && number >= 0 && number < 1e15;
}

/// A few integers of a description.
struct Numbers {
    std::array<std::int64_t, 4> value{};
    std::size_t count = 0;
};

/// The first integers in a description's argument list, "name=" ones left out: Conv2d(64, 128, kernel_size=(3, 3)) has 64 and
/// 128.
Numbers positional(std::string_view description) {
    Numbers numbers;
    std::size_t at = description.find('(');
    while (at != std::string_view::npos && ++at < description.size() && numbers.count < numbers.value.size()) {
        const std::string_view rest = trimmed(description.substr(at));
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

/// The integer or pair behind "key=" in a description; none = not there.
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

/// Of a node's variables; empty = it has no such variable.
struct Shapes {
    std::vector<std::int64_t> weight, bias;
};

/// The shapes of a node's variables where its description tells them and they make up its parameters, else one of all of them.
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

/// For each node a list of nodes, one behind the other: of `pairs` of a node and an item, in their order.
class NodeLists {
public:
    NodeLists() = default;
    NodeLists(std::size_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>> &pairs)
        : m_from(nodes + 1), m_items(pairs.size()) {
        for (const auto &[node, item] : pairs)
            ++m_from[node + 1];
        for (std::size_t i = 1; i < m_from.size(); ++i)
            m_from[i] += m_from[i - 1];
        std::vector<std::size_t> next = m_from;
        for (const auto &[node, item] : pairs)
            m_items[next[node]++] = item;
    }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t node) const {
        return std::span(m_items).subspan(m_from[node], m_from[node + 1] - m_from[node]);
    }

private:
    std::vector<std::size_t> m_from;
    std::vector<std::uint32_t> m_items;
};

class PipeDreamReader {
public:
    explicit PipeDreamReader(std::string name) : m_name(std::move(name)) {}

    Result<std::shared_ptr<const ImportedProfile>> read(std::string_view text) {
        std::size_t number = 0;
        m_nodes.reserve(std::min(text.size() / shortestNode, mostNodes));
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            TRY(takeLine(text.substr(from, end - from), ++number));
            from = end + 1;
        }
        if (m_nodes.empty())
            return fail("there is no node in it", "give the graph.txt that PipeDream's profiler wrote", m_name, "1");
        TRY(tieEdges());
        const auto order = TRY(topological());
        return build(order, text.size());
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
        if (edge || parts.count == 2) {
            if (parts.count != 2)
                return wrong("this is neither a node nor an edge", number);
            m_edges.push_back({trimmed(parts.part[0]), trimmed(parts.part[1]), number});
            return {};
        }
        if (parts.count < 3)
            return wrong("this is neither a node nor an edge", number);
        if (m_nodes.size() == mostNodes)
            return fail(fmt::format("there are more than {} nodes", mostNodes), "profile a smaller model", m_name,
                        std::to_string(number));
        LayerNode node;
        node.id = trimmed(parts.part[0]);
        node.description = trimmed(parts.part[1]);
        node.line = number;
        const std::size_t digits = node.id.find_first_of("0123456789");
        if (digits != std::string_view::npos)
            std::from_chars(node.id.data() + digits, node.id.data() + node.id.size(), node.number);
        bool forward = false, backward = false, parameters = false;
        const std::string_view fields = parts.part[2];
        for (std::size_t from = 0; from < fields.size();) {
            std::size_t end = fields.find(',', from);
            while (end != std::string_view::npos && fields.substr(end + 1, 1) != " ")
                end = fields.find(',', end + 1);
            end = std::min(end, fields.size());
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
        if (m_ids.intern(node.id) < m_nodes.size())
            return wrong(fmt::format("{} is there twice", node.id), number);
        m_nodes.push_back(node);
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
            if (!numberOf(value.substr(from, end - from), bytes) || node.activations >= 64)
                return false;
            if (node.activations < node.activationBytes.size())
                node.activationBytes[node.activations] = bytes;
            ++node.activations;
            from = end + 1;
        }
        return true;
    }

    Result<void> tieEdges() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        pairs.reserve(m_edges.size());
        for (const Edge &edge : m_edges) {
            const std::uint32_t from = m_ids.intern(edge.from), to = m_ids.intern(edge.to);
            if (std::max(from, to) >= m_nodes.size())
                return wrong(fmt::format("the edge from {} to {} names a node that is not there", edge.from, edge.to), edge.line);
            pairs.emplace_back(from, to);
        }
        m_children = NodeLists(m_nodes.size(), pairs);
        for (auto &[from, to] : pairs)
            std::swap(from, to);
        m_parents = NodeLists(m_nodes.size(), pairs);
        return {};
    }

    /// Of the nodes whose parents are all done, the one with the lowest number comes next: the order in which they were traced.
    [[nodiscard]] Result<std::vector<std::size_t>> topological() const {
        using Entry = std::pair<std::int64_t, std::size_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
        std::vector<std::size_t> waiting;
        waiting.reserve(m_nodes.size());
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            waiting.push_back(m_parents.of(i).size());
            if (waiting.back() == 0)
                ready.emplace(m_nodes[i].number, i);
        }
        std::vector<std::size_t> order;
        order.reserve(m_nodes.size());
        while (!ready.empty()) {
            const std::size_t node = ready.top().second;
            ready.pop();
            order.push_back(node);
            for (const std::uint32_t child : m_children.of(node)) {
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

    Result<std::shared_ptr<const ImportedProfile>> build(const std::vector<std::size_t> &order, std::size_t bytes) {
        auto profile = std::make_shared<ImportedProfile>();
        profile->file = m_name;
        Job &job = profile->job;
        job.name = jobName();
        const Inputs inputs = addLayers(order, job);
        if (job.layers.empty())
            return fail("all nodes are inputs", "profile the model's layers", m_name);
        TRY(validateJob(job, m_name));
        if (job.forwardSeconds() + job.backwardSeconds() > longestStep)
            return fail("the times add up to more than a year", "they are milliseconds; profile again", m_name);
        const double samples = batchSize();
        job.batchSize = samples > 0 ? samples : 1;
        addStep(*profile);
        profile->textBytes = bytes;
        profile->eventCount = m_nodes.size();
        stateFacts(*profile, inputs, samples);
        layTimeline(*profile);
        job.notes = profile->inferred;
        job.notes.insert(job.notes.begin(), fmt::format("Measured: imported from a PipeDream layer profile, {}.", job.name));
        makeNamesValid(*profile); // the file's
        return std::shared_ptr<const ImportedProfile>(std::move(profile));
    }

    [[nodiscard]] std::string jobName() const {
        std::string name = std::filesystem::path(m_name).filename().string();
        for (const char *ending : {".txt", "_graph"}) {
            if (name.ends_with(ending))
                name.resize(name.size() - std::string_view(ending).size());
        }
        return name.empty() ? "layers" : name;
    }

    /// Nodes that load data, which are no layers.
    struct Inputs {
        std::size_t count = 0;
        double milliseconds = 0;
    };
    Inputs addLayers(const std::vector<std::size_t> &order, Job &job) {
        Inputs inputs;
        std::vector<std::int32_t> layerOf(m_nodes.size(), -1);
        job.layers.reserve(m_nodes.size());
        job.variables.reserve(m_nodes.size());
        for (const std::size_t index : order) {
            const LayerNode &node = m_nodes[index];
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
            for (const std::uint32_t parent : m_parents.of(index)) {
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

    /// None where the shape is empty.
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

    /// `samples` of a batch; 0: unknown.
    void stateFacts(ImportedProfile &profile, const Inputs &inputs, double samples) const {
        const Job &job = profile.job;
        profile.read.push_back(
            fmt::format("{} nodes and {} edges in {} bytes of text (PipeDream layer profile): forward {}, backward "
                        "{}, parameters of {} bytes.",
                        m_nodes.size(), m_edges.size(), profile.textBytes, formatSeconds(job.forwardSeconds()),
                        formatSeconds(job.backwardSeconds()), job.parameterBytes()));
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
                        : std::string("The batch size cannot be told: throughput counts steps (1 sample a step)."));
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

    struct Edge {
        std::string_view from, to;
        std::size_t line;
    };
    std::string m_name;
    std::vector<LayerNode> m_nodes;
    std::vector<Edge> m_edges;
    NodeLists m_parents, m_children;
    StringTable m_ids; ///< of nodes, numbered as these are
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
    if (!isValidUtf8(text)) // names are compared and written, so they are made valid before anything else
        return PipeDreamReader(name).read(validUtf8(text));
    return PipeDreamReader(name).read(text);
}

} // namespace syncopate
