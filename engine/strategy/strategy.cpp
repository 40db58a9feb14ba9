// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/strategy.h"

#include "engine/strategy/strategy_file.h"

#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <unordered_map>

namespace syncopate {

std::string partName(std::string_view variableName, std::int64_t part) {
    const std::string_view op = variableName.substr(0, variableName.find(':'));
    const fmt::format_int number(part); // of a million parts, formatting all at once takes five times as long
    std::string name;
    name.reserve(op.size() + 8 + number.size());
    return name.append(op).append("/part_").append(number.data(), number.size()).append(":0");
}

std::int32_t NodeConfig::partitionAxis() const {
    for (std::size_t axis = 0; axis < partitions.size(); ++axis)
        if (partitions[axis] > 1)
            return static_cast<std::int32_t>(axis);
    return -1;
}

const Synchronizer &synchronizerOf(const NodeConfig &node) {
    return node.isPartitioned() ? node.parts.front().synchronizer : node.synchronizer;
}

std::string newStrategyId() {
    using namespace std::chrono;
    const auto sinceEpoch = system_clock::now().time_since_epoch();
    const std::time_t seconds = duration_cast<std::chrono::seconds>(sinceEpoch).count();
    const auto microseconds = duration_cast<std::chrono::microseconds>(sinceEpoch).count() % 1000000;
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}M{:06}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                       utc.tm_min, utc.tm_sec, microseconds);
}

namespace {

/// TensorFlow names outputs "x:0"; hand-written jobs often leave out the ":0".
std::string withoutOutput(const std::string &name) { return name.ends_with(":0") ? name.substr(0, name.size() - 2) : name; }

/// Old files split dimension 0 without stating the number of dimensions.
NodeConfig fullRank(NodeConfig node, const Variable &variable) {
    if (node.partitions.size() == 1 && variable.shape.size() > 1)
        node.partitions.resize(variable.shape.size(), 1);
    return node;
}

Result<void> checkParts(const NodeConfig &node, const Variable &variable, const std::string &file) {
    if (!node.isPartitioned())
        return {};
    const auto refuse = [&](std::string what) {
        return fail(fmt::format("variable '{}': {}", variable.name, what), "build the strategy for this job", file,
                    fmt::format("node_config of {}", variable.name));
    };
    if (node.partitions.size() != variable.shape.size())
        return refuse(fmt::format("partitioned along {} dimensions, has {}", node.partitions.size(), variable.shape.size()));
    const std::int32_t axis = node.partitionAxis();
    if (axis < 0)
        return refuse("has parts but is not partitioned along any dimension");
    const auto at = static_cast<std::size_t>(axis);
    if (node.partitions[at] > variable.shape[at])
        return refuse(fmt::format("{} parts of a dimension of {}", node.partitions[at], variable.shape[at]));
    if (node.parts.size() != static_cast<std::size_t>(node.partitions[at]))
        return refuse(fmt::format("{} parts are configured, the partitioner makes {}", node.parts.size(), node.partitions[at]));
    return {};
}

} // namespace

Result<Strategy> matchStrategy(const Strategy &strategy, const Job &job, const std::string &file) {
    std::unordered_map<std::string, std::size_t> exact;
    std::unordered_map<std::string, std::size_t> loose;
    for (std::size_t v = 0; v < job.variables.size(); ++v) {
        exact.emplace(job.variables[v].name, v);
        loose.emplace(withoutOutput(job.variables[v].name), v);
    }
    std::vector<const NodeConfig *> nodeOf(job.variables.size(), nullptr);
    for (std::size_t n = 0; n < strategy.nodes.size(); ++n) {
        const NodeConfig &node = strategy.nodes[n];
        const std::string place = fmt::format("node_config[{}]", n);
        auto known = exact.find(node.variableName);
        if (known == exact.end()) {
            known = loose.find(withoutOutput(node.variableName));
            if (known == loose.end())
                return fail(fmt::format("the job '{}' has no variable '{}'", job.name, node.variableName),
                            "use a strategy that was built for this job", file, place);
        }
        if (nodeOf[known->second] != nullptr)
            return fail(fmt::format("variable '{}' is configured twice", job.variables[known->second].name),
                        "keep one of the two", file, place);
        TRY(checkParts(fullRank(node, job.variables[known->second]), job.variables[known->second], file));
        nodeOf[known->second] = &node;
    }
    Strategy matched{strategy.id, strategy.path, {}, strategy.replicas};
    matched.nodes.reserve(job.variables.size());
    for (std::size_t v = 0; v < job.variables.size(); ++v) {
        if (nodeOf[v] == nullptr)
            return fail(fmt::format("variable '{}' is not configured", job.variables[v].name),
                        "use a strategy that was built for this job", file, "node_config");
        matched.nodes.push_back(fullRank(*nodeOf[v], job.variables[v]));
        matched.nodes.back().variableName = job.variables[v].name;
    }
    return matched;
}

} // namespace syncopate
