// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/comm_policy.h"

#include "engine/strategy/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

/// A policy's name, what it ships with, and the keys it takes before `barrier` and `form`.
struct PolicyShape {
    const char *name;
    PolicyKind kind;
    bool barrier;
    std::vector<std::string> keys;
};

const std::vector<PolicyShape> &policyShapes() {
    static const std::vector<PolicyShape> shapes{
        {"fifo", PolicyKind::Fifo, true, {}},
        {"ddp", PolicyKind::Ddp, true, {"bucket_cap", "first_bucket", "concurrent"}},
        {"horovod", PolicyKind::Horovod, true, {"fusion", "cycle"}},
        {"p3", PolicyKind::P3, false, {"slice"}},
        {"tic", PolicyKind::Tic, false, {}},
        {"tac", PolicyKind::Tac, false, {}},
        {"reverse", PolicyKind::Reverse, false, {}},
        {"random", PolicyKind::Random, false, {"seed"}},
        {"bytescheduler", PolicyKind::Priority, false, {"partition", "credit"}},
        {"byteps", PolicyKind::BytePs, true, {"partition", "credit"}},
        {"http2", PolicyKind::Http2, false, {"window"}},
    };
    return shapes;
}

/// In the order of CollectiveAlgorithm.
const std::vector<std::string> &algorithmNames() {
    static const std::vector<std::string> names{"ring", "tree", "hd", "hierarchical", "rsag", "breduce"};
    return names;
}

// ByteScheduler's released defaults are 1,000,000 and 4,000,000 parameters; here float32.
constexpr double byteSchedulerPartition = 4e6;
constexpr double byteSchedulerCredit = 16e6;
constexpr double p3Slice = 160e3;                       // AutoByte section II, Table I
constexpr double bytePsPartition = 4096000;             // BYTEPS_PARTITION_BYTES
constexpr double bytePsCreditOff = 32.0 * 1073741824.0; // what BytePS's queue holds where no credit is set

/// The shortest size that reads back as exactly this number of bytes.
std::string sizeText(double bytes) {
    constexpr std::array<std::pair<const char *, double>, 6> units{
        {{"GiB", 1073741824.0}, {"GB", 1e9}, {"MiB", 1048576.0}, {"MB", 1e6}, {"KiB", 1024.0}, {"KB", 1e3}}};
    for (const auto &[unit, size] : units)
        if (bytes >= size && std::fmod(bytes, size) == 0)
            return fmt::format("{}{}", bytes / size, unit);
    return fmt::format("{}", bytes);
}

} // namespace

Result<CommPolicy> parsePolicy(std::string_view text) {
    const auto expression = TRY(parseExpression(text));
    const auto &shapes = policyShapes();
    const auto known =
        std::find_if(shapes.begin(), shapes.end(), [&](const PolicyShape &shape) { return expression.name == shape.name; });
    if (known == shapes.end()) {
        std::string names;
        for (const PolicyShape &shape : shapes)
            names += (names.empty() ? "" : ", ") + std::string(shape.name);
        return fail(fmt::format("there is no policy '{}'", expression.name), fmt::format("use one of {}", names), {}, "byte 0");
    }
    CommPolicy policy;
    policy.kind = known->kind;
    policy.barrier = known->barrier;
    std::vector<std::string> keys = known->keys;
    keys.insert(keys.end(), {"barrier", "form", "algorithm"});
    ArgumentReader arguments(expression, keys);
    switch (policy.kind) {
    case PolicyKind::Ddp:
        policy.bucketCapBytes = arguments.bytes("bucket_cap", policy.bucketCapBytes);
        policy.firstBucketBytes = arguments.bytes("first_bucket", policy.firstBucketBytes);
        policy.concurrent = arguments.integer("concurrent", policy.concurrent, 1);
        break;
    case PolicyKind::Priority:
        policy.partitionBytes = arguments.bytes("partition", byteSchedulerPartition);
        policy.creditBytes = arguments.bytes("credit", byteSchedulerCredit);
        break;
    case PolicyKind::Horovod:
        policy.fusionBytes = arguments.bytesOr("fusion", policy.fusionBytes, {"0", "off"}, 0);
        policy.cycleSeconds = arguments.seconds("cycle", policy.cycleSeconds);
        break;
    case PolicyKind::P3:
        policy.partitionBytes = policy.creditBytes = arguments.bytes("slice", p3Slice);
        break;
    case PolicyKind::Random:
        policy.seed = arguments.integer("seed", policy.seed, 0);
        break;
    case PolicyKind::BytePs:
        policy.partitionBytes = arguments.bytes("partition", bytePsPartition);
        policy.creditBytes = arguments.multipleOrBytes("credit", bytePsCreditOff, policy.partitionBytes, {"0", "off"});
        break;
    case PolicyKind::Http2:
        policy.windowBytes = arguments.bytesOr("window", policy.windowBytes, {"off"}, std::numeric_limits<double>::infinity());
        break;
    case PolicyKind::Fifo:
    case PolicyKind::Tic:
    case PolicyKind::Tac:
    case PolicyKind::Reverse:
        break;
    }
    policy.barrier = arguments.flag("barrier", policy.barrier);
    policy.form = arguments.choice("form", 0, {"analytic", "flows"}) == 1 ? CollectiveForm::Flows : CollectiveForm::Analytic;
    policy.algorithm = static_cast<CollectiveAlgorithm>(arguments.choice("algorithm", 0, algorithmNames()));
    if (arguments.error())
        return Unexpected(*arguments.error());
    return policy;
}

const char *policyName(PolicyKind kind) {
    for (const PolicyShape &shape : policyShapes())
        if (shape.kind == kind)
            return shape.name;
    return "";
}

std::string formatPolicy(const CommPolicy &policy) {
    std::string settings;
    switch (policy.kind) {
    case PolicyKind::Ddp:
        settings = fmt::format("bucket_cap={},first_bucket={},concurrent={},", sizeText(policy.bucketCapBytes),
                               sizeText(policy.firstBucketBytes), policy.concurrent);
        break;
    case PolicyKind::Priority:
        settings = fmt::format("partition={},credit={},", sizeText(policy.partitionBytes), sizeText(policy.creditBytes));
        break;
    case PolicyKind::Horovod:
        settings = fmt::format("fusion={},cycle={}s,", sizeText(policy.fusionBytes), policy.cycleSeconds);
        if (policy.cycleSeconds < 1 && (policy.cycleSeconds * 1e3) * 1e-3 == policy.cycleSeconds)
            settings = fmt::format("fusion={},cycle={}ms,", sizeText(policy.fusionBytes), policy.cycleSeconds * 1e3);
        break;
    case PolicyKind::P3:
        settings = fmt::format("slice={},", sizeText(policy.partitionBytes));
        break;
    case PolicyKind::Random:
        settings = fmt::format("seed={},", policy.seed);
        break;
    case PolicyKind::BytePs: {
        // A bare number would be read as a number of partitions.
        const bool off = policy.creditBytes == bytePsCreditOff;
        const std::string credit = sizeText(policy.creditBytes);
        const bool bare = credit.find_first_not_of("0123456789.e+-") == std::string::npos;
        settings = fmt::format("partition={},credit={}{},", sizeText(policy.partitionBytes), off ? "off" : credit,
                               !off && bare ? "B" : "");
        break;
    }
    case PolicyKind::Http2:
        settings = fmt::format("window={},", std::isinf(policy.windowBytes) ? "off" : sizeText(policy.windowBytes));
        break;
    case PolicyKind::Fifo:
    case PolicyKind::Tic:
    case PolicyKind::Tac:
    case PolicyKind::Reverse:
        break;
    }
    const char *name = policyName(policy.kind);
    const char *form = policy.form == CollectiveForm::Flows ? ",form=flows" : "";
    std::string algorithm;
    if (policy.algorithm != CollectiveAlgorithm::Ring)
        algorithm = ",algorithm=" + algorithmNames()[static_cast<std::size_t>(policy.algorithm)];
    return fmt::format("{}({}barrier={}{}{})", name, settings, policy.barrier ? "on" : "off", form, algorithm);
}

} // namespace syncopate
