// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/recorded_step.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

/// Indices at which the step's work is split: where a collective starts or is waited for, and where a phase starts.
std::vector<std::size_t> beginsOf(const std::vector<StepWork> &work, const std::vector<StepCollective> &collectives) {
    std::vector<std::size_t> begins{0};
    for (const StepCollective &collective : collectives) {
        begins.push_back(collective.from);
        begins.push_back(collective.to);
    }
    for (const StepPhase phase : {StepPhase::Backward, StepPhase::Update}) {
        const auto first = std::find_if(work.begin(), work.end(), [&](const StepWork &each) { return each.phase == phase; });
        begins.push_back(static_cast<std::size_t>(first - work.begin()));
    }
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    if (begins.back() == work.size())
        begins.pop_back();
    return begins;
}

} // namespace

RecordedStep assembleStep(const std::vector<StepWork> &work, std::vector<StepCollective> collectives) {
    constexpr const char *names[] = {"forward", "backward", "update"};
    const std::vector<std::size_t> begins = beginsOf(work, collectives);
    const auto pieceOf = [&](std::size_t i) {
        return static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), i) - begins.begin()) - 1;
    };
    RecordedStep step;
    for (std::size_t piece = 0; piece < begins.size(); ++piece) {
        const StepPhase phase = work[begins[piece]].phase;
        RecordedOp op{.name = fmt::format("{} {}", names[static_cast<std::size_t>(phase)], piece)};
        op.backward = phase == StepPhase::Backward;
        const std::size_t end = piece + 1 < begins.size() ? begins[piece + 1] : work.size();
        for (std::size_t i = begins[piece]; i < end; ++i)
            op.seconds += work[i].seconds;
        step.ops.push_back(std::move(op));
    }
    for (std::size_t c = 0; c < collectives.size(); ++c) {
        RecordedOp &op = collectives[c].op;
        op.name = fmt::format("{} {}", op.collective, c);
        if (collectives[c].from > 0)
            op.parents.push_back(static_cast<std::int32_t>(pieceOf(collectives[c].from - 1)));
        for (const std::size_t before : collectives[c].after)
            op.parents.push_back(static_cast<std::int32_t>(begins.size() + before));
        const auto self = static_cast<std::int32_t>(step.ops.size());
        if (collectives[c].to < work.size())
            step.ops[pieceOf(collectives[c].to)].parents.push_back(self);
        else
            step.ops.front().previousParents.push_back(self);
        step.ops.push_back(std::move(op));
    }
    return step;
}

} // namespace syncopate
