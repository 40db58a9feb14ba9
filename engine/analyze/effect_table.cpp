// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/effect_table.h"

#include "engine/analyze/fit_error.h"
#include "engine/analyze/published.h"
#include "engine/analyze/validation.h"
#include "engine/base/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace syncopate {

namespace {

struct NamedEffect {
    const char *name;
    bool NetworkEffects::*member;
};
constexpr std::array<NamedEffect, 7> named{{{"flow limit", &NetworkEffects::flowLimit},
                                            {"latency pipelines", &NetworkEffects::latencyPipelines},
                                            {"hosts", &NetworkEffects::hosts},
                                            {"token buckets", &NetworkEffects::buckets},
                                            {"channels", &NetworkEffects::channels},
                                            {"servers per part", &NetworkEffects::serversPerPart},
                                            {"interference", &NetworkEffects::interference}}};

EffectErrors errorsOf(std::string rows, std::vector<double> errors, std::vector<double> ranks) {
    const FitError error = fitError(std::move(errors));
    return {std::move(rows), error.median, error.worst,
            ranks.empty() ? std::numeric_limits<double>::quiet_NaN() : median(std::move(ranks))};
}

Result<std::vector<EffectErrors>> ofCharts(const std::string &folder, const NetworkEffects &effects) {
    const auto validation = TRY(validatePublished(folder, effects));
    std::vector<EffectErrors> all;
    for (const char *chart : {"AutoDist", "ByteScheduler"}) {
        std::vector<double> errors, ranks;
        for (const PublishedRow &row : validation.rows)
            if (!row.calibrated && row.chart == chart)
                errors.push_back(std::abs(row.error()));
        for (const PublishedRanking &ranking : validation.rankings)
            if (!std::isnan(ranking.spearman) && ranking.chart == chart)
                ranks.push_back(ranking.spearman);
        if (!errors.empty())
            all.push_back(errorsOf(chart, std::move(errors), std::move(ranks)));
    }
    return all;
}

Result<std::vector<EffectErrors>> ofRuns(const std::string &folder, const NetworkEffects &effects) {
    const auto validation = TRY(validateFolder(folder, effects));
    std::vector<EffectErrors> all;
    for (const char *architecture : {"bsps", "bsar"}) {
        std::vector<double> errors, ranks;
        for (const ValidationRow &row : validation.rows)
            if (row.architecture == architecture)
                errors.push_back(std::abs(row.error()));
        for (const ValidationGrid &grid : validation.grids)
            if (!std::isnan(grid.spearman) && grid.first.architecture == architecture)
                ranks.push_back(grid.spearman);
        if (!errors.empty())
            all.push_back(errorsOf(architecture, std::move(errors), std::move(ranks)));
    }
    if (all.empty())
        return fail("effects are tabulated over published charts and ByteScheduler's runs (bsps, bsar)",
                    "give a folder as tests/data/measured/published or tests/data/measured/sched", folder);
    return all;
}

} // namespace

Result<std::vector<EffectRow>> tabulateEffects(const std::string &folder) {
    const bool charts = isPublishedFolder(folder);
    const auto errorsWith = [&](const NetworkEffects &effects) {
        return charts ? ofCharts(folder, effects) : ofRuns(folder, effects);
    };
    std::vector<EffectRow> rows;
    rows.push_back({"none", TRY(errorsWith({}))});
    for (const NamedEffect &effect : named) {
        NetworkEffects alone;
        alone.*effect.member = true;
        rows.push_back({effect.name, TRY(errorsWith(alone))});
    }
    rows.push_back({"as used", TRY(errorsWith(charts ? effectsOfCharts : effectsOfRuns))});
    return rows;
}

} // namespace syncopate
