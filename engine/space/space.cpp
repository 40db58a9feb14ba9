// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/space/space.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

Result<std::size_t> Space::indexOf(std::string_view id) const {
    const auto found = std::find_if(begin(), end(), [&](const Dimension &dimension) { return dimension.id == id; });
    if (found != end())
        return static_cast<std::size_t>(found - begin());
    std::string ids;
    for (const Dimension &dimension : m_dimensions)
        ids += (ids.empty() ? "" : ", ") + dimension.id;
    return fail(fmt::format("there is no knob '{}'", id), fmt::format("use one of {}", ids));
}

namespace {

constexpr double mostBytes = 9007199254740992; ///< 2^53, as in policies
constexpr double mostSeconds = 1e6;            ///< as in policies

void addClusterDimensions(std::vector<Dimension> &all) {
    all.push_back({"bandwidth",
                   "Bandwidth",
                   "Bandwidth of every node's network card, each direction, Gbit/s (10⁹ bit/s).",
                   Unit::GbitsPerSecond,
                   0.1,
                   400,
                   1e-6,
                   1e6,
                   Scale::Logarithmic,
                   false,
                   &ClusterKnobs::bandwidthGbits,
                   {}});
    all.push_back({"latency",
                   "Latency",
                   "Per message between nodes, one way.",
                   Unit::Seconds,
                   1e-7,
                   1e-2,
                   0,
                   maxLatencySeconds,
                   Scale::Logarithmic,
                   false,
                   &ClusterKnobs::latencySeconds,
                   {}});
    all.push_back({"workers",
                   "Workers",
                   "Model replicas in all (GPUs).",
                   Unit::Count,
                   1,
                   512,
                   1,
                   100000,
                   Scale::Logarithmic,
                   true,
                   &ClusterKnobs::workers,
                   {}});
    all.push_back({"servers",
                   "Servers",
                   "Dedicated parameter servers: nodes that only serve. 0: the workers' nodes serve.",
                   Unit::Count,
                   0,
                   16,
                   0,
                   10000,
                   Scale::Linear,
                   true,
                   &ClusterKnobs::servers,
                   {}});
}

std::string descriptionOf(const PolicyKnob &knob, const std::vector<const Policy *> &policies) {
    std::string names;
    for (std::size_t i = 0; i < policies.size(); ++i)
        names += (i == 0 ? "" : i + 1 == policies.size() ? " and " : ", ") + policies[i]->name;
    return fmt::format("{} {}: {}.", policies.size() == 1 ? "Policy" : "Policies", names, knob.about);
}

Dimension dimensionOf(const PolicyParameter &parameter) {
    Dimension dimension;
    dimension.id = parameter.knob->id;
    dimension.name = parameter.knob->label;
    dimension.min = parameter.knob->min;
    dimension.max = parameter.knob->max;
    switch (parameter.unit) {
    case ParameterUnit::Bytes:
    case ParameterUnit::BytesOrCount:
        dimension.unit = Unit::Bytes;
        dimension.lowest = !parameter.words.empty() && parameter.meaning == 0 ? 0 : 1; // 0 where the policy has a word for it
        dimension.highest = mostBytes;
        if (std::isinf(parameter.meaning)) {
            dimension.highest = parameter.meaning;
            dimension.unlimited = parameter.words;
        }
        break;
    case ParameterUnit::Seconds:
        dimension.unit = Unit::Seconds;
        dimension.lowest = 0;
        dimension.highest = mostSeconds;
        break;
    case ParameterUnit::Integer:
        dimension.unit = Unit::Count;
        dimension.scale = Scale::Linear;
        dimension.integer = true;
        dimension.lowest = parameter.min;
        dimension.highest = 1e6;
        break;
    case ParameterUnit::Choice:
        dimension.unit = Unit::Count;
        dimension.scale = Scale::Linear;
        dimension.integer = true;
        dimension.lowest = 0;
        dimension.highest = static_cast<double>(parameter.words.size()) - 1;
        break;
    case ParameterUnit::Elements:
        dimension.unit = Unit::Count;
        dimension.integer = true;
        dimension.lowest = !parameter.words.empty() && parameter.meaning == 0 ? 0 : parameter.min;
        dimension.highest = mostBytes;
        break;
    }
    return dimension;
}

/// One dimension for each knob of the policies' parameters; policies whose parameters mean the same share it.
void addPolicyDimensions(std::vector<Dimension> &all) {
    for (const Policy *policy : policies())
        for (const PolicyParameter &parameter : policy->parameters) {
            if (!parameter.knob)
                continue;
            auto known = std::find_if(all.begin(), all.end(), [&](const Dimension &d) { return d.id == parameter.knob->id; });
            if (known == all.end())
                known = all.insert(all.end(), dimensionOf(parameter));
            known->policies.push_back(policy);
            known->description = descriptionOf(*parameter.knob, known->policies);
        }
}

} // namespace

const Space &scenarioSpace() {
    static const Space space = [] {
        std::vector<Dimension> all;
        addClusterDimensions(all);
        addPolicyDimensions(all);
        return Space(std::move(all));
    }();
    return space;
}

} // namespace syncopate
