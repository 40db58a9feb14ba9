// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/judge.h"

#include "engine/strategy/expression_table.h"
#include "engine/trial/command_judge.h"
#include "engine/trial/imported_judge.h"
#include "engine/trial/noisy_judge.h"
#include "engine/trial/simulated_judge.h"

namespace syncopate {

namespace {

using Made = Result<std::unique_ptr<Judge>>;

const ExpressionInfo &simulatedInfo() {
    static const ExpressionInfo info{"simulated", "the event simulation of each scenario", {}};
    return info;
}

Made makeSimulated(const Expression &expression) {
    TRY(ArgumentValues::read(expression, simulatedInfo()));
    return std::make_unique<SimulatedJudge>();
}

constexpr std::array<ExpressionKind<Made(const Expression &)>, 4> kinds{{{simulatedInfo, makeSimulated},
                                                                         {NoisyJudge::info, NoisyJudge::make},
                                                                         {CommandJudge::info, CommandJudge::make},
                                                                         {ImportedJudge::info, ImportedJudge::make}}};

} // namespace

const std::vector<ExpressionInfo> &judges() {
    static const std::vector<ExpressionInfo> all = infosOf(kinds);
    return all;
}

Result<std::unique_ptr<Judge>> makeJudge(std::string_view text) {
    const Expression expression = TRY(parseExpression(text));
    const auto *kind = TRY(findKind(expression, kinds, judges(), "judge"));
    return kind->make(expression);
}

} // namespace syncopate
