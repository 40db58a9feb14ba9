// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace syncopate {

enum class PolicyKind : std::uint8_t {
    Fifo,     ///< each message is sent when it is ready, one at a time per sender
    Ddp,      ///< PyTorch DDP: gradients in reverse order fused into buckets (reference section 6.4)
    Priority, ///< ByteScheduler: partition, priority by layer, credit
};

/// How explicit a collective is: one task with the closed-form cost, or every ring step as a flow on the links.
enum class CollectiveForm : std::uint8_t { Analytic, Flows };

/// When and in what pieces the traffic that a Strategy causes is sent.
struct CommPolicy {
    PolicyKind kind = PolicyKind::Fifo;
    double bucketCapBytes = 25.0 * 1024 * 1024;
    double firstBucketBytes = 1024.0 * 1024;
    std::int32_t concurrent = 1;               ///< collectives in flight at the same time
    double partitionBytes = 4.0 * 1024 * 1024; ///< Priority only
    double creditBytes = 16.0 * 1024 * 1024;   ///< Priority only: may go negative by one task, as ByteScheduler's
    bool barrier = true;                       ///< next forward waits for all communication, or for each layer's own
    CollectiveForm form = CollectiveForm::Analytic;
    bool operator==(const CommPolicy &) const = default;
};

/// `fifo`, `fifo(barrier=off)`, `ddp(bucket_cap=25MiB,first_bucket=1MiB,concurrent=1)`,
/// `bytescheduler(partition=4MB,credit=16MB)`; `form=flows|analytic` and `barrier=on|off` in any of them.
[[nodiscard]] Result<CommPolicy> parsePolicy(std::string_view expression);
[[nodiscard]] std::string formatPolicy(const CommPolicy &policy);

} // namespace syncopate
