// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/settings/lint_settings.h"

#include "engine/base/units.h"
#include "engine/strategy/settings/settings_rules.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace syncopate {

const char *nameOf(SettingFault fault) {
    switch (fault) {
    case SettingFault::Refused:
        return "refused";
    case SettingFault::WrongUnit:
        return "wrong-unit";
    case SettingFault::Harmful:
        return "harmful";
    case SettingFault::Ignored:
        return "ignored";
    case SettingFault::Note:
        break;
    }
    return "note";
}

void SettingsRules::add(SettingFault fault, const std::string &setting, std::string text, std::string remedy) {
    const WrittenSetting *written = settings.find(setting);
    findings.marks.push_back({fault, setting, written != nullptr ? written->place : "", std::move(text), std::move(remedy)});
}

void SettingsRules::needs(const std::string &setting, bool met, const std::string &need) {
    if (settings.has(setting) && !met)
        add(SettingFault::Ignored, setting, "without " + need + " it changes nothing", "set " + need + ", or leave it out");
}

bool SettingsRules::inUnit(const std::string &setting, double min, const std::string &unit, const std::string &example) {
    const auto number = settings.number(setting);
    if (settings.has(setting) && !number) {
        const std::string value = settings.find(setting)->value;
        if (hasUnknown(value))
            add(SettingFault::Note, setting, fmt::format("'{}' is not known here", value.substr(0, 60)),
                "give a number to have it judged");
        else if (value == "auto" || value == "null" || value == "None")
            add(SettingFault::Note, setting, fmt::format("'{}' is filled in by the caller", value),
                "give a number to have it judged");
        else
            add(SettingFault::Refused, setting, fmt::format("'{}' is not a number", value.substr(0, 60)), "write " + unit);
        return false;
    }
    if (number && *number < 0) {
        add(SettingFault::Refused, setting, fmt::format("{} is negative", *number), "write " + unit);
        return false;
    }
    if (number && *number > 0 && *number < min) {
        add(SettingFault::WrongUnit, setting, fmt::format("{:g} counts {}", *number, unit), "write " + example);
        return true;
    }
    return number.has_value();
}

bool SettingsRules::countInUnit(const std::string &setting, double min, double max, const std::string &unit,
                                const std::string &example) {
    if (const auto number = settings.number(setting); number && *number >= 0) {
        constexpr double beyond = 9223372036854775808.0; // 64-bit numbers end before it
        const std::string &value = settings.find(setting)->value;
        const bool isWhole = std::ranges::all_of(value, [](unsigned char c) { return std::isdigit(c) != 0; });
        if (!isWhole || *number >= beyond) {
            const bool isMeant = *number >= min && *number <= max; // in this unit
            add(SettingFault::Refused, setting,
                fmt::format("'{}' is {}", value.substr(0, 60),
                            isWhole ? "more than a 64-bit number holds" : "not a whole number in digits"),
                isMeant ? fmt::format("write {:.0f}", *number) : "write " + example);
            return false;
        }
    }
    return inUnit(setting, min, unit, example);
}

double SettingsRules::priced(const std::string &setting, double usual, SettingsMeaning &meaning) const {
    const auto number = settings.number(setting);
    if (!number && settings.has(setting))
        meaning.leftOut.push_back(
            {setting, fmt::format("its value is not known here, and the default, {:.15g}, is taken", usual)});
    return number.value_or(usual);
}

double SettingsRules::perNode() const {
    double maxReplicas = 1;
    if (cluster != nullptr)
        for (const std::int32_t n : cluster->trainingNodes())
            maxReplicas = std::max(maxReplicas, static_cast<double>(cluster->nodes[static_cast<std::size_t>(n)].replicaCount()));
    return maxReplicas;
}

void SettingsRules::leaveOutType(const GradientType &type, SettingsMeaning &meaning) const {
    if (job != nullptr && !type.setting.empty() && type.bytes != elementBytes())
        meaning.leftOut.push_back(
            {type.setting, fmt::format("a gradient has the job's {:g} bytes a parameter, not {:g}", elementBytes(), type.bytes)});
}

double SettingsRules::elementBytes() const { return job == nullptr ? 4 : static_cast<double>(usualElementBytes(*job).bytes); }

SettingsFindings lintSettings(const WrittenSettings &settings, const Job *job, const Cluster *cluster) {
    SettingsRules rules{settings, job, cluster, {}};
    if (settings.hasAny("zero_optimization") || settings.has("train_batch_size") ||
        settings.has("train_micro_batch_size_per_gpu"))
        lintDeepSpeed(rules);
    lintArguments(rules);
    if (settings.hasAny("--xla_gpu"))
        lintXla(rules);
    if (hasHorovod(settings))
        lintHorovod(rules);
    if (settings.hasAny("BYTEPS_"))
        lintBytePs(rules);
    if (settings.hasAny("BYTESCHEDULER_"))
        lintByteScheduler(rules);
    lintServers(rules);
    lintNames(rules);
    std::stable_sort(rules.findings.marks.begin(), rules.findings.marks.end(),
                     [](const SettingMark &a, const SettingMark &b) { return a.fault < b.fault; });
    return std::move(rules.findings);
}

} // namespace syncopate
