// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/judge.h"

#include "engine/trial/command_judge.h"
#include "engine/trial/imported_judge.h"
#include "engine/trial/noisy_judge.h"
#include "engine/trial/simulated_judge.h"

#include <array>

namespace syncopate {

namespace {

using Made = Result<std::unique_ptr<Judge>>;

Made makeSimulated(const Expression &expression) {
    TRY(ArgumentValues::read(expression, judges().front()));
    return std::make_unique<SimulatedJudge>();
}

/// In the order of judges().
constexpr std::array<Made (*)(const Expression &), 4> makers{makeSimulated, NoisyJudge::make, CommandJudge::make,
                                                             ImportedJudge::make};

} // namespace

const std::vector<ExpressionInfo> &judges() {
    static const std::vector<ExpressionInfo> all{{"simulated", "the event simulation of each scenario", {}},
                                                 NoisyJudge::info(),
                                                 CommandJudge::info(),
                                                 ImportedJudge::info()};
    return all;
}

Result<std::unique_ptr<Judge>> makeJudge(std::string_view text) {
    const Expression expression = TRY(parseExpression(text));
    const ExpressionInfo *info = TRY(findExpression(expression, judges(), "judge"));
    return makers[static_cast<std::size_t>(info - judges().data())](expression);
}

} // namespace syncopate
