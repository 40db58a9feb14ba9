// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the events of a step into layers with times; kineto_variables.cpp adds the variables.
#include "engine/profile/torch/kineto_analysis.h"

#include "engine/base/units.h"
#include "engine/profile/step_samples.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace syncopate::kineto {

namespace {

constexpr std::size_t maxUnownedLayers = 256; ///< if no variables mark the layers

/// Backward nodes of views: a linear layer's weight, for example, is read through a transpose.
bool isView(std::string_view name) {
    for (const char *view : {"TBackward", "TransposeBackward", "PermuteBackward", "ViewBackward", "ReshapeAliasBackward",
                             "ExpandBackward", "AsStridedBackward", "ToCopyBackward", "UnsafeViewBackward", "CloneBackward"}) {
        if (name.starts_with(view))
            return true;
    }
    return false;
}

/// "conv2d" from "aten::conv2d", "Convolution" from "ConvolutionBackward0".
std::string_view plainOpName(std::string_view name) {
    if (const std::size_t space = name.rfind("::"); space != std::string_view::npos)
        name.remove_prefix(space + 2);
    if (const std::size_t backward = name.rfind("Backward"); backward != std::string_view::npos && backward > 0)
        name = name.substr(0, backward);
    return name.empty() ? "layer" : name;
}

class JobBuilder {
public:
    JobBuilder(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures, std::int32_t step,
               std::vector<std::string> *inferred)
        : m_trace(trace), m_analysis(analysis), m_measure(measures[static_cast<std::size_t>(step)]), m_step(step),
          m_inferred(inferred) {
        m_job.batchSize = 0; // until it is found
    }

    /// Builds the layers with their times, but without names.
    const Job &buildLayers() {
        findNodes();
        groupNodes();
        findKinds();
        addTimes();
        return m_job;
    }

    /// Whether the layers are those of `job`, by name: names consist of the kind and its count so far.
    [[nodiscard]] bool hasLayersOf(const Job &job) const {
        return std::equal(m_kinds.begin(), m_kinds.end(), job.layers.begin(), job.layers.end(),
                          [](std::string_view kind, const Layer &layer) {
                              return kind == std::string_view(layer.name).substr(0, layer.name.rfind('_'));
                          });
    }

    BuiltJob build() {
        buildLayers();
        std::map<std::string_view, int> seen;
        for (std::size_t i = 0; i < m_kinds.size(); ++i)
            m_job.layers[i].name = fmt::format("{}_{}", m_kinds[i], ++seen[m_kinds[i]]);
        AddedVariables variables = addVariables(m_trace, m_analysis, m_step, m_starts, m_job, *m_inferred);
        for (std::size_t i = 1; i < m_job.layers.size(); ++i)
            m_job.layers[i].parents = {static_cast<std::int32_t>(i) - 1};
        m_inferred->emplace_back(
            "The layers form a chain in the order in which they ran: a profile does not say which op reads which.");
        return {std::move(m_job), std::move(variables)};
    }

private:
    struct BackwardNode {
        std::uint32_t event = 0;
        std::int32_t gradients = 0;
    };

    /// Sorts by key; of entries with equal keys the first stays.
    template <class T> static void sortByKey(std::vector<std::pair<std::int64_t, T>> &items) {
        const auto byKey = [](const auto &a, const auto &b) { return a.first < b.first; };
        if (!std::is_sorted(items.begin(), items.end(), byKey))
            std::stable_sort(items.begin(), items.end(), byKey);
        const auto same = [](const auto &a, const auto &b) { return a.first == b.first; };
        items.erase(std::unique(items.begin(), items.end(), same), items.end());
    }
    /// The backward node with that sequence number, or null.
    [[nodiscard]] BackwardNode *nodeOf(std::int64_t key) {
        const auto place = std::partition_point(m_nodes.begin(), m_nodes.end(), [&](const auto &n) { return n.first < key; });
        return place != m_nodes.end() && place->first == key ? &place->second : nullptr;
    }

    void findNodes() {
        for (const Node &node : ofStep(m_analysis.backward, m_step))
            m_nodes.emplace_back(node.key, BackwardNode{node.event, 0});
        sortByKey(m_nodes);
        for (const GradientReady &gradient : ofStep(m_analysis.gradients, m_step)) {
            ++m_gradients;
            if (BackwardNode *const node = nodeOf(gradient.key))
                ++node->gradients;
        }
        const auto forward = ofStep(m_analysis.forward, m_step);
        for (auto node = forward.rbegin(); node != forward.rend(); ++node) // the last op with a sequence number made the node
            m_forward.emplace_back(node->key, node->event);
        sortByKey(m_forward);
    }

    /// In forward order, a layer starts with each op that owns variables; ops without any join the layer before.
    void groupNodes() {
        bool pendingView = false;
        for (const auto &[key, node] : m_nodes) {
            const bool view = isView(m_trace.nameOf(m_trace.events[node.event]));
            const bool starts = m_gradients > 0 ? node.gradients > 0 : !view;
            if (m_starts.empty() || (starts && !pendingView))
                m_starts.push_back(key);
            pendingView = view && (node.gradients > 0 || pendingView);
        }
        if (m_starts.empty()) {
            m_starts.push_back(0);
            if (m_inferred)
                m_inferred->emplace_back("The autograd nodes have no sequence numbers: the step counts as one layer.");
        } else if (m_gradients > 0) {
            if (m_inferred)
                m_inferred->push_back(fmt::format(
                    "{} layers: one for each op whose backward node completes gradients ({} of them, {} autograd nodes); "
                    "ops without variables belong to the layer before them in forward order.",
                    m_starts.size(), m_gradients, m_nodes.size()));
        } else {
            const std::size_t before = m_starts.size();
            const std::size_t merge = (before + maxUnownedLayers - 1) / maxUnownedLayers;
            std::vector<std::int64_t> kept;
            for (std::size_t i = 0; i < before; i += merge)
                kept.push_back(m_starts[i]);
            m_starts = std::move(kept);
            if (m_inferred)
                m_inferred->push_back(
                    fmt::format("No AccumulateGrad was recorded, so nothing says which ops own variables: {} autograd nodes "
                                "make {} layers.",
                                m_nodes.size(), m_starts.size()));
        }
        m_job.layers.resize(m_starts.size());
    }

    void findKinds() {
        for (std::size_t i = 0; i < m_starts.size(); ++i) {
            std::string_view kind = "layer";
            // The outermost forward op that made the node: the last one whose number is not above the node's.
            auto forward =
                std::partition_point(m_forward.begin(), m_forward.end(), [&](const auto &f) { return f.first <= m_starts[i]; });
            if (forward != m_forward.begin()) {
                --forward;
                const bool within = i == 0 || forward->first > m_starts[i - 1];
                if (within)
                    kind = plainOpName(m_trace.nameOf(m_trace.events[forward->second]));
            }
            if (const BackwardNode *const node = nodeOf(m_starts[i]); kind == "layer" && node)
                kind = plainOpName(m_trace.nameOf(m_trace.events[node->event]));
            m_kinds.push_back(kind);
        }
    }

    /// Where a duration is added, and the part of it in which the device waits for the host.
    struct Place {
        double *seconds = nullptr, *hostSeconds = nullptr;
    };

    /// Where the duration of `work` is added.
    Place placeOf(const Work &work) {
        if (work.phase == Phase::Update)
            return updatePlace();
        const bool forward = work.phase == Phase::Forward;
        if (work.key >= 0)
            m_current = layerOf(m_starts, work.key);
        else if (!m_placed)
            m_current = forward ? 0 : m_job.layers.size() - 1;
        m_placed = true;
        Layer &layer = m_job.layers[m_current];
        return forward ? Place{&layer.forwardSeconds, &layer.forwardHostSeconds}
                       : Place{&layer.backwardSeconds, &layer.backwardHostSeconds};
    }
    Place updatePlace() { return {&m_job.updateSeconds, &m_job.updateHostSeconds}; }

    void addTimes() {
        std::optional<Place> last;
        Nanoseconds idle = 0, busy = 0;
        const auto take = [&](const Work &work, Nanoseconds time) {
            last = placeOf(work);
            *last->seconds += secondsOf(time);
            busy += time;
        };
        const auto takeIdle = [&](const Work &before, Nanoseconds time) {
            const Place place = before.phase == Phase::Update ? updatePlace() : last ? *last : placeOf(before);
            *place.seconds += secondsOf(time);
            *place.hostSeconds += secondsOf(time);
            idle += time;
        };
        sweepStep(m_analysis, m_measure, communicationOf(m_analysis, m_step), m_step, take, takeIdle);
        shareForward();
        if (!m_inferred)
            return;
        const char *const who = m_analysis.onDevice ? "the device" : "the CPU";
        m_inferred->push_back(fmt::format(
            "The layers' times sum to {}: {} in which {} worked for the step, and {} in which it "
            "neither computed nor communicated: waiting for the host, which counts to the layer before "
            "it (the end of the step to the update) and is a gap after it in a simulation.",
            formatSeconds(secondsOf(busy + idle)), formatSeconds(secondsOf(busy)), who, formatSeconds(secondsOf(idle))));
        const Nanoseconds waiting = m_measure.end - m_measure.start - busy - idle;
        if (!m_analysis.collectives.empty())
            m_inferred->push_back(
                fmt::format("{} of the step in which {} only waited for communication are left out of the layers: "
                            "the simulated strategy puts its own there.",
                            formatSeconds(secondsOf(std::max<Nanoseconds>(0, waiting))), who));
    }

    /// Without sequence numbers on forward ops, nothing ties these to layers.
    void shareForward() {
        if (!m_forward.empty() || m_job.layers.size() < 2)
            return;
        const double forward = m_job.forwardSeconds(), backward = m_job.backwardSeconds();
        double host = 0;
        for (const Layer &layer : m_job.layers)
            host += layer.forwardHostSeconds;
        if (backward <= 0)
            return;
        for (Layer &layer : m_job.layers) {
            layer.forwardSeconds = forward * layer.backwardSeconds / backward;
            layer.forwardHostSeconds = host * layer.backwardSeconds / backward;
        }
        if (m_inferred)
            m_inferred->emplace_back(
                "The forward ops have no sequence numbers: the forward time is shared out in proportion to the "
                "layers' backward times.");
    }

    const TraceEvents &m_trace;
    const Analysis &m_analysis;
    const StepMeasure &m_measure;
    const std::int32_t m_step;
    std::vector<std::string> *m_inferred; ///< null = no notes wanted
    Job m_job;
    std::vector<std::pair<std::int64_t, BackwardNode>> m_nodes;    ///< by sequence number
    std::vector<std::pair<std::int64_t, std::uint32_t>> m_forward; ///< outermost forward ops by sequence number
    std::vector<std::int64_t> m_starts;                            ///< first sequence number of each layer
    std::vector<std::string_view> m_kinds;                         ///< per layer: its name without the count
    std::int32_t m_gradients = 0;
    std::size_t m_current = 0;
    bool m_placed = false;
};

} // namespace

BuiltJob buildJob(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures, std::int32_t step,
                  std::vector<std::string> &inferred) {
    return JobBuilder(trace, analysis, measures, step, &inferred).build();
}

std::vector<StepSample> sampleSteps(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures,
                                    const Job &job) {
    std::vector<StepSample> samples;
    for (std::size_t i = 0; i < measures.size() && !analysis.stop.stop_requested(); ++i) {
        if (!measures[i].complete)
            continue;
        const auto step = static_cast<std::int32_t>(i);
        JobBuilder builder(trace, analysis, measures, step, nullptr);
        const Job &own = builder.buildLayers();
        if (!builder.hasLayersOf(job))
            continue;
        samples.push_back(sampleOf(own));
        samples.back().step = step;
    }
    return samples;
}

} // namespace syncopate::kineto
