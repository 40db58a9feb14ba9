// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/comm_policy.h"

#include "engine/strategy/expression.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

// ByteScheduler's released defaults are 1,000,000 and 4,000,000 parameters; here float32.
constexpr double byteSchedulerPartition = 4e6;
constexpr double byteSchedulerCredit = 16e6;

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
    const Result<Expression> expression = parseExpression(text);
    if (!expression)
        return Unexpected(expression.error());
    CommPolicy policy;
    std::vector<std::string> keys{"barrier", "form"};
    if (expression->name == "ddp") {
        policy.kind = PolicyKind::Ddp;
        keys.insert(keys.begin(), {"bucket_cap", "first_bucket", "concurrent"});
    } else if (expression->name == "bytescheduler") {
        policy.kind = PolicyKind::Priority;
        policy.barrier = false;
        policy.partitionBytes = byteSchedulerPartition;
        policy.creditBytes = byteSchedulerCredit;
        keys.insert(keys.begin(), {"partition", "credit"});
    } else if (expression->name != "fifo")
        return fail(fmt::format("there is no policy '{}'", expression->name), "use one of fifo, ddp, bytescheduler", {},
                    "byte 0");

    ArgumentReader arguments(*expression, keys);
    policy.bucketCapBytes = arguments.bytes("bucket_cap", policy.bucketCapBytes);
    policy.firstBucketBytes = arguments.bytes("first_bucket", policy.firstBucketBytes);
    policy.concurrent = arguments.integer("concurrent", policy.concurrent, 1);
    policy.partitionBytes = arguments.bytes("partition", policy.partitionBytes);
    policy.creditBytes = arguments.bytes("credit", policy.creditBytes);
    policy.barrier = arguments.flag("barrier", policy.barrier);
    policy.form = arguments.choice("form", 0, {"analytic", "flows"}) == 1 ? CollectiveForm::Flows : CollectiveForm::Analytic;
    if (arguments.error())
        return Unexpected(*arguments.error());
    return policy;
}

std::string formatPolicy(const CommPolicy &policy) {
    const char *barrier = policy.barrier ? "on" : "off";
    const char *form = policy.form == CollectiveForm::Flows ? ",form=flows" : "";
    switch (policy.kind) {
    case PolicyKind::Ddp:
        return fmt::format("ddp(bucket_cap={},first_bucket={},concurrent={},barrier={}{})", sizeText(policy.bucketCapBytes),
                           sizeText(policy.firstBucketBytes), policy.concurrent, barrier, form);
    case PolicyKind::Priority:
        return fmt::format("bytescheduler(partition={},credit={},barrier={}{})", sizeText(policy.partitionBytes),
                           sizeText(policy.creditBytes), barrier, form);
    case PolicyKind::Fifo:
        break;
    }
    return fmt::format("fifo(barrier={}{})", barrier, form);
}

} // namespace syncopate
