// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/judge.h"

#include "engine/trial/simulated_judge.h"

namespace syncopate {

const std::vector<ExpressionInfo> &judges() {
    static const std::vector<ExpressionInfo> all{{"simulated", "the event simulation of each scenario", {}}};
    return all;
}

Result<std::unique_ptr<Judge>> makeJudge(std::string_view text) {
    const Expression expression = TRY(parseExpression(text));
    const ExpressionInfo *info = TRY(findExpression(expression, judges(), "judge"));
    TRY(ArgumentValues::read(expression, *info));
    return std::make_unique<SimulatedJudge>();
}

} // namespace syncopate
