// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/settings_report.h"

#include "engine/base/input_file.h"

#include <algorithm>
#include <filesystem>

namespace syncopate {

namespace {

Result<WrittenSettings> readSettings(const std::string &fileOrText) {
    if (std::error_code ignored; std::filesystem::exists(fileOrText, ignored))
        return WrittenSettings::parse(TRY(readInputFile(fileOrText)), fileOrText);
    if (fileOrText.find_first_of("= \t\n{") == std::string::npos && !fileOrText.starts_with('-'))
        return fail("there is no such file", "check the path, or write settings as NAME=VALUE", fileOrText);
    return WrittenSettings::parse(fileOrText, "--settings");
}

} // namespace

Result<SettingsReport> reportSettings(const std::string &fileOrText, const std::optional<ScenarioRecipe> &recipe,
                                      const std::stop_token &stop) {
    const auto settings = TRY(readSettings(fileOrText));
    if (!recipe)
        return SettingsReport{lintSettings(settings, nullptr, nullptr), {}};
    const Cluster cluster = withKnobs(*recipe->cluster, recipe->knobs);
    SettingsReport report{lintSettings(settings, recipe->job.get(), &cluster), {}};
    const auto judge = TRY(makeJudge("simulated()"));
    std::vector<SettingMark> &marks = report.found.marks;
    for (const SettingsMeaning &meaning : report.found.meanings) {
        const auto cost = costOfSettings(meaning, *recipe, *judge, stop);
        if (stop.stop_requested())
            return cancelled();
        if (!cost) { // e.g. 100 million partitions: a finding, not a failure
            marks.push_back(
                {SettingFault::Note, meaning.system, "", "cannot be simulated: " + cost.error().what, cost.error().remedy});
            continue;
        }
        for (SettingMark &mark : marksOfCost(*cost))
            marks.push_back(std::move(mark));
        report.costs.push_back(*cost);
    }
    std::stable_sort(marks.begin(), marks.end(), [](const SettingMark &a, const SettingMark &b) { return a.fault < b.fault; });
    return report;
}

} // namespace syncopate
