// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra_times.h"

#include "engine/profile/step_samples.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

using Index = std::size_t;
using kineto::Phase;

class TimesAdder {
public:
    TimesAdder(const ChakraStep &step, const ChakraLayers &layers, ImportedProfile &profile)
        : m_step(step), m_layers(layers), m_profile(profile) {}

    ChakraTimes add() {
        TimeRanges compute, communication;
        std::vector<Index> work;
        StepPart unplaced; // of backward ops without a layer
        for (Index i = 0; i < m_step.trace.nodes.size(); ++i) {
            const ChakraNode &n = m_step.node(i);
            if (!m_step.counts(n))
                continue;
            if (n.communicates()) {
                communication.emplace_back(m_step.start[i], m_step.end[i]);
                continue;
            }
            compute.emplace_back(m_step.start[i], m_step.end[i]);
            work.push_back(i);
            if (!n.onHost && m_step.launch[i] < 0) {
                ++m_times.unknownLaunches;
                continue;
            }
            *placeOf(i, unplaced).seconds += chakraSeconds(m_step.end[i] - m_step.start[i]);
        }
        compute = unite(std::move(compute));
        communication = unite(std::move(communication));
        if (knowsStarts())
            addHostWaits(std::move(work), communication, unplaced);
        if (unplaced.seconds > 0)
            shareBackward(unplaced);
        addStep(compute, communication);
        return m_times;
    }

private:
    /// A duration in the step, and the part of it in which the device waits for the host.
    struct StepPart {
        double seconds = 0, hostSeconds = 0;
    };
    struct Place {
        double *seconds = nullptr, *hostSeconds = nullptr;
    };

    /// Where the time of a compute node is added.
    Place placeOf(Index i, StepPart &unplaced) {
        Job &job = m_profile.job;
        if (m_step.phase[i] == Phase::Update)
            return {&job.updateSeconds, &job.updateHostSeconds};
        const std::int32_t number = m_layers.of(m_step, i);
        if (number < 0)
            return {&unplaced.seconds, &unplaced.hostSeconds};
        Layer &layer = job.layers[static_cast<Index>(number)];
        return m_step.phase[i] == Phase::Forward ? Place{&layer.forwardSeconds, &layer.forwardHostSeconds}
                                                 : Place{&layer.backwardSeconds, &layer.backwardHostSeconds};
    }

    /// Whether every node that counts has a start: without all of them idle time cannot be told.
    [[nodiscard]] bool knowsStarts() const {
        return std::all_of(m_step.trace.nodes.begin(), m_step.trace.nodes.end(),
                           [&](const ChakraNode &n) { return !m_step.counts(n) || m_step.knowsStart(n); });
    }

    /// Adds idle time (neither compute nor communication) to the layer whose work precedes it, as waiting for the host.
    void addHostWaits(std::vector<Index> work, const TimeRanges &communication, StepPart &unplaced) {
        std::stable_sort(work.begin(), work.end(), [&](Index a, Index b) { return m_step.start[a] < m_step.start[b]; });
        m_times.knowsHostWaits = true;
        std::optional<Place> last;
        Nanoseconds until = 0;
        for (const Index i : work) {
            if (last && m_step.start[i] > until) {
                const double idle = chakraSeconds(kineto::outside(communication, until, m_step.start[i]));
                *last->seconds += idle;
                *last->hostSeconds += idle;
                m_times.hostSeconds += idle;
            }
            until = std::max(until, m_step.end[i]);
            if (m_step.node(i).onHost || m_step.launch[i] >= 0)
                last = placeOf(i, unplaced);
        }
    }

    /// Shares the backward time of unpaired ops out to the layers.
    void shareBackward(const StepPart &unplaced) {
        auto &layers = m_profile.job.layers;
        const double forward = m_profile.job.forwardSeconds();
        for (Layer &layer : layers) {
            const double share = forward > 0 ? layer.forwardSeconds / forward : 1.0 / static_cast<double>(layers.size());
            layer.backwardSeconds += unplaced.seconds * share;
            layer.backwardHostSeconds += std::min(unplaced.hostSeconds, unplaced.seconds) * share;
        }
    }

    void addStep(const TimeRanges &compute, const TimeRanges &communication) {
        ImportedProfile &p = m_profile;
        ProfileStep step;
        step.name = "trace";
        for (const Nanoseconds end : m_step.end)
            step.endSeconds = std::max(step.endSeconds, chakraSeconds(end));
        for (const Layer &layer : p.job.layers) {
            step.forwardSeconds += layer.forwardSeconds - layer.forwardHostSeconds;
            step.backwardSeconds += layer.backwardSeconds - layer.backwardHostSeconds;
        }
        step.updateSeconds = p.job.updateSeconds - p.job.updateHostSeconds;
        step.communicationSeconds = chakraSeconds(lengthOf(communication));
        for (const auto &[from, to] : communication)
            step.exposedCommunicationSeconds += chakraSeconds(kineto::outside(compute, from, to));
        p.steps.push_back(std::move(step));
        p.samples.push_back(sampleOf(p.job));
    }

    const ChakraStep &m_step;
    const ChakraLayers &m_layers;
    ImportedProfile &m_profile;
    ChakraTimes m_times;
};

} // namespace

ChakraTimes addChakraTimes(const ChakraStep &step, const ChakraLayers &layers, ImportedProfile &profile) {
    return TimesAdder(step, layers, profile).add();
}

} // namespace syncopate
