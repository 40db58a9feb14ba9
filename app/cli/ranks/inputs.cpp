// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/inputs.h"

#include "app/cli/ranks/ranks.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job_file.h"
#include "engine/predict/setting.h"
#include "engine/strategy/comm_policy.h"

#include <fmt/format.h>

namespace syncopate::cli {

namespace {

std::string textOf(const CollectiveCurve &curve) {
    std::vector<std::string> texts{fmt::format("{} {}", static_cast<int>(curve.kind), curve.ranks), bitsOf(curve.measuredFrom),
                                   bitsOf(curve.measuredTo)};
    for (const CurveSegment &segment : curve.segments)
        for (const double number : {segment.fromBytes, segment.alphaSeconds, segment.secondsPerByte})
            texts.push_back(bitsOf(number));
    return packTexts(texts);
}

} // namespace

std::vector<std::string> inputTexts(const Scenario &scenario) {
    std::vector<std::string> texts{writeJobText(*scenario.job), writeResourceSpec(*scenario.cluster),
                                   formatPolicy(scenario.policy), formatBackground(scenario.background),
                                   fmt::format("{} {} {}", scenario.iterations, scenario.fold, nameOf(scenario.linkModel))};
    if (scenario.collectiveCurves)
        for (const CollectiveCurve &curve : *scenario.collectiveCurves)
            texts.push_back(textOf(curve));
    return texts;
}

} // namespace syncopate::cli
