// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/golden/autodist/bert_base__r_2x2gpu__*.pb tests/damaged/strategy/*
#include "engine/strategy/builders.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/lint.h"
#include "engine/strategy/strategy_file.h"

#include <cstdlib>

/// Parses the same bytes as a strategy on the wire, as JSON, as a policy and as a builder expression.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    Job job;
    job.variables.push_back({"w:0", {6, 4}, DataType::Float32, false, false});
    job.layers.push_back({"layer", 1, 1, {}, {0}});
    const auto check = [&job](const Strategy &strategy) {
        for (const LintMark &mark : lint(job, uniformCluster(2, 10), strategy))
            if (mark.text.empty() || mark.remedy.empty())
                std::abort();
    };
    if (const auto strategy = readStrategyProto(text)) {
        check(*strategy);
        const auto again = readStrategyProto(writeStrategyProto(*strategy));
        const auto fromJson = readStrategyJson(writeStrategyJson(*strategy));
        if (!again || *again != *strategy || !fromJson || *fromJson != *strategy)
            std::abort();
    }
    if (const auto strategy = readStrategyJson(text)) {
        const auto again = readStrategyProto(writeStrategyProto(*strategy));
        if (!again || *again != *strategy)
            std::abort();
    }
    if (const auto policy = parsePolicy(text)) {
        const auto again = parsePolicy(formatPolicy(*policy));
        if (!again || *again != *policy)
            std::abort();
    }
    if (const auto strategy = buildStrategy(text, job, uniformCluster(2, 10))) {
        check(*strategy);
        if (!matchStrategy(*strategy, job))
            std::abort();
    }
    return 0;
}
