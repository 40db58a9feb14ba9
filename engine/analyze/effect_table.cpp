// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/effect_table.h"

#include "engine/analyze/fit_error.h"
#include "engine/analyze/published.h"
#include "engine/analyze/table_texts.h"
#include "engine/analyze/validation.h"
#include "engine/base/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace syncopate {

namespace {

struct NamedEffect {
    const char *name;
    bool NetworkEffects::*member;
};
constexpr std::array<NamedEffect, 7> namedEffects{{{"flow limit", &NetworkEffects::flowLimit},
                                                   {"latency pipelines", &NetworkEffects::latencyPipelines},
                                                   {"hosts", &NetworkEffects::hosts},
                                                   {"token buckets", &NetworkEffects::buckets},
                                                   {"channels", &NetworkEffects::channels},
                                                   {"servers per part", &NetworkEffects::serversPerPart},
                                                   {"interference", &NetworkEffects::interference}}};

EffectErrors errorsOf(std::string rows, std::vector<double> errors, std::vector<double> ranks) {
    const FitError error = fitError(std::move(errors));
    return {std::move(rows), error.median, error.worst, medianOrNaN(std::move(ranks))};
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
    for (const char *architecture : {"bsps", "bsar", "fsdp2"}) {
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
        return fail("effects are tabulated over published charts and runs with message costs (bsps, bsar, fsdp2)",
                    "give a folder such as tests/data/measured/published or tests/data/measured/sched", folder);
    return all;
}

std::vector<std::string> textsOf(const std::vector<EffectErrors> &all) {
    std::vector<std::string> texts;
    for (const EffectErrors &errors : all)
        texts.insert(texts.end(), {errors.rows, bitsOf(errors.median), bitsOf(errors.worst), bitsOf(errors.spearman)});
    return texts;
}

std::vector<EffectErrors> errorsIn(const std::vector<std::string> &texts) {
    std::vector<EffectErrors> all;
    for (std::size_t i = 0; i + 3 < texts.size(); i += 4)
        all.push_back({texts[i], numberOf(texts[i + 1]), numberOf(texts[i + 2]), numberOf(texts[i + 3])});
    return all;
}

} // namespace

Result<std::vector<EffectRow>> tabulateEffects(const std::string &folder, const Spread &spread) {
    const bool charts = isPublishedFolder(folder);
    std::vector<std::pair<std::string, NetworkEffects>> tried{{"none", {}}};
    for (const NamedEffect &effect : namedEffects) {
        tried.emplace_back(effect.name, NetworkEffects());
        tried.back().second.*effect.member = true;
    }
    tried.emplace_back("as used", charts ? effectsOfCharts : effectsOfRuns);
    const auto make = [&](std::size_t row, const std::stop_token &) {
        const NetworkEffects &effects = tried[row].second;
        return packResult((charts ? ofCharts(folder, effects) : ofRuns(folder, effects)).map(textsOf));
    };
    const auto parts = TRY(spreadOrMake(
        spread, [&] { return tableTexts(folder); }, tried.size(), make));
    std::vector<EffectRow> rows;
    for (std::size_t row = 0; row < parts.size(); ++row) {
        auto errors = errorsIn(TRY(unpackResult(parts[row])));
        rows.push_back({tried[row].first, std::move(errors)});
    }
    return rows;
}

} // namespace syncopate
