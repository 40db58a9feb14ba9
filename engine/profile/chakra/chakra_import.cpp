// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/chakra/chakra_recorded.h"
#include "engine/profile/chakra/chakra_timeline.h"
#include "engine/profile/chakra/chakra_times.h"
#include "engine/profile/finish_profile.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace syncopate {

namespace {

using Index = std::size_t;
using kineto::Phase;

class ChakraImport {
public:
    ChakraImport(ChakraStep step, std::string name) : m_step(std::move(step)), m_name(std::move(name)) {}

    Result<std::shared_ptr<const ImportedProfile>> import(const std::stop_token &stop) {
        m_layers = findChakraLayers(m_step);
        m_profile->job.layers = std::move(m_layers.layers);
        if (stop.stop_requested()) // each of these steps takes a part of a second where there are millions of nodes
            return cancelled(m_name);
        m_times = addChakraTimes(m_step, m_layers, *m_profile);
        addGradients();
        if (stop.stop_requested())
            return cancelled(m_name);
        addChakraTimeline(m_step, *m_profile);
        if (stop.stop_requested())
            return cancelled(m_name);
        if (auto recorded = recordChakra(m_step.trace, m_name)) // without collectives the step has nothing to plan
            m_profile->recorded = std::make_shared<const RecordedStep>(*std::move(recorded));
        if (stop.stop_requested())
            return cancelled(m_name);
        state();
        TRY(validateJob(m_profile->job, m_name));
        return std::shared_ptr<const ImportedProfile>(std::move(m_profile));
    }

private:
    /// Takes each all-reduce and reduce-scatter of the backward pass for the gradients of the layer whose backward op came last
    /// before it.
    void addGradients() {
        ImportedProfile &p = *m_profile;
        std::vector<std::pair<std::int32_t, std::int64_t>> buckets; // layer, bytes
        std::int32_t layer = static_cast<std::int32_t>(p.job.layers.size()) - 1;
        for (Index i = 0; i < m_step.trace.nodes.size(); ++i) {
            const ChakraNode &n = m_step.node(i);
            if (m_step.phase[i] == Phase::Backward && n.onHost && m_layers.ofNode[i] >= 0)
                layer = m_layers.ofNode[i];
            if (n.kind != ChakraNode::Kind::Collective || n.onHost == m_step.onDevice)
                continue;
            const bool gradient = m_step.phase[i] == Phase::Backward && (n.collective == 0 || n.collective == 7);
            if (!gradient) {
                ++m_otherCollectives;
                continue;
            }
            if (n.sizeBytes < 4) {
                ++m_sizeless;
                continue;
            }
            const std::int64_t bytes = std::min<std::int64_t>(n.sizeBytes, std::int64_t{1} << 50);
            buckets.emplace_back(layer, bytes);
            p.gradients.push_back({0, bytes / 4, DataType::Float32, chakraSeconds(m_step.start[i]),
                                   chakraSeconds(m_step.end[i] - m_step.start[i])});
        }
        for (Index b = buckets.size(); b-- > 0;) { // buckets come in reverse order of registration
            Variable variable;
            variable.name = fmt::format("bucket{}", b);
            variable.shape = {buckets[b].second / 4};
            p.job.layers[static_cast<Index>(buckets[b].first)].variables.push_back(
                static_cast<std::int32_t>(p.job.variables.size()));
            p.job.variables.push_back(std::move(variable));
            p.isBucketed = true;
        }
    }

    void state() {
        ImportedProfile &p = *m_profile;
        p.file = m_name;
        p.eventCount = m_step.trace.nodes.size();
        p.textBytes = m_step.trace.bytes;
        std::uint64_t host = 0, communication = 0;
        for (const ChakraNode &n : m_step.trace.nodes) {
            host += n.onHost ? 1 : 0;
            communication += n.communicates() ? 1 : 0;
        }
        p.read.push_back(fmt::format(
            "Chakra trace {}: {} nodes in {} bytes, {} on the host, {} of communication; {} data dependencies "
            "name nodes that are not in the file.",
            m_step.trace.version, m_step.trace.nodes.size(), m_step.trace.bytes, host, communication, m_step.trace.dangling));
        inferNotes();
        nameJob();
        makeNamesValid(p);
    }

    void inferNotes() {
        const ImportedProfile &p = *m_profile;
        auto &inferred = m_profile->inferred;
        inferred.emplace_back("The trace counts as one step. Durations are taken as microseconds.");
        inferred.push_back(
            m_step.startsAtZero()
                ? fmt::format("The timeline has the recorded starts. Nodes without one ({}) started at 0 on this clock: the "
                              "format does not write a start of 0, and nothing in the trace contradicts it.",
                              m_step.startless)
            : m_step.recorded
                ? std::string("The timeline has the recorded starts.")
                : std::string("The nodes have no start times: the timeline replays them, each as soon as its thread or "
                              "stream is free and its data is there."));
        inferred.push_back(
            fmt::format("{} layers: one for each forward op that owns parameters (by its name); their parents follow the "
                        "data dependencies.",
                        p.job.layers.size()));
        inferred.push_back(
            m_layers.paired > 0
                ? fmt::format("{} backward ops were paired with forward ops of their kind, last with first; kernels "
                              "belong to the op of the host that they depend on.",
                              m_layers.paired)
                : std::string("No backward op could be paired with a forward op: the backward time is shared out in "
                              "proportion to the layers' forward times."));
        if (m_times.unknownLaunches > 0)
            inferred.push_back(
                fmt::format("{} kernels depend on no op of the host: shown, but in no layer.", m_times.unknownLaunches));
        inferred.push_back(
            fmt::format("{} gradient collectives with {} elements (taken as float32) stand for the variables; {} have no "
                        "size, {} other collectives are left out of the job.",
                        p.job.variables.size(), p.job.parameterCount(), m_sizeless, m_otherCollectives));
        const char *const device = m_step.onDevice ? "the device" : "the CPU";
        inferred.push_back(
            m_times.knowsHostWaits
                ? fmt::format(
                      "{} in which {} neither computed nor communicated count to the layer before: waiting for the "
                      "host, a gap after that layer in a simulation. Starts and durations are whole microseconds, so gaps "
                      "of up to one between ops are rounding.",
                      formatSeconds(m_times.hostSeconds), device)
                : fmt::format("The job has the sum of its ops' times. Where {} waited for the host between them is not known: "
                              "{} no start time. A simulation of it shows no launch gaps.",
                              device, m_step.recorded ? "some ops have" : "the ops have"));
        if (!m_step.notAtZero.empty() && !m_times.knowsHostWaits)
            inferred.push_back(
                fmt::format("{} nodes have no start time. The format does not write a start of 0, but not all of them can have "
                            "started at 0: {}.",
                            m_step.startless, m_step.notAtZero));
        inferred.emplace_back("The batch size was not recorded.");
    }

    void nameJob() {
        ImportedProfile &p = *m_profile;
        std::string name = std::filesystem::path(m_name).filename().string();
        if (name.ends_with(".et"))
            name.resize(name.size() - 3);
        p.job.name = name.empty() ? "trace" : name;
        p.job.notes = p.inferred;
        p.job.notes.insert(p.job.notes.begin(), fmt::format("Measured: imported from a Chakra trace, {}.", p.job.name));
    }

    ChakraStep m_step;
    const std::string m_name;
    std::shared_ptr<ImportedProfile> m_profile = std::make_shared<ImportedProfile>();
    ChakraLayers m_layers; ///< in the order of the job's
    ChakraTimes m_times;
    std::uint64_t m_otherCollectives = 0, m_sizeless = 0;
};

} // namespace

Result<std::shared_ptr<const ImportedProfile>> importChakra(ByteSource &source, const std::string &name,
                                                            const ImportOptions &options, std::stop_token stop) {
    if (options.step > 0)
        return fail(fmt::format("there is no step {}", options.step), "a Chakra trace has one step, 0", name);
    return withinMemory(name, recordLess, [&]() -> Result<std::shared_ptr<const ImportedProfile>> {
        auto trace = TRY(inFile(readChakra(source, stop), name));
        auto step = TRY(chakraStepOf(std::move(trace), name, stop));
        return ChakraImport(std::move(step), name).import(stop);
    });
}

} // namespace syncopate