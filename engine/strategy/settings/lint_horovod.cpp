// SPDX-License-Identifier: GPL-3.0-or-later
// Checks Horovod's settings (horovod/common): its environment, and horovodrun's arguments and config file, which set that
// environment (horovod/runner/common/util/config_parser.py).
#include "engine/strategy/settings/settings_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

constexpr double bytesPerMiB = 1048576;
constexpr double maxFusionMiB = 65536; ///< more are meant as bytes

/// A setting by its names. Arguments win over the config file, and both over the environment.
struct HorovodKnob {
    const char *variable, *argument, *key;
};
constexpr HorovodKnob fusionKnob{"HOROVOD_FUSION_THRESHOLD", "--fusion-threshold-mb", "params.fusion_threshold_mb"};
constexpr HorovodKnob cycleKnob{"HOROVOD_CYCLE_TIME", "--cycle-time-ms", "params.cycle_time_ms"};
constexpr HorovodKnob hierarchicalKnob{"HOROVOD_HIERARCHICAL_ALLREDUCE", "--hierarchical-allreduce",
                                       "params.hierarchical_allreduce"};
constexpr HorovodKnob autotuneKnob{"HOROVOD_AUTOTUNE", "--autotune", "autotune.enabled"};
constexpr HorovodKnob timelineKnob{"HOROVOD_TIMELINE", "--timeline-filename", "timeline.filename"};
constexpr HorovodKnob markKnob{"HOROVOD_TIMELINE_MARK_CYCLES", "--timeline-mark-cycles", "timeline.mark_cycles"};

/// The name by which it is set; the variable's where it is not.
std::string writtenName(const HorovodKnob &knob, const WrittenSettings &settings) {
    for (const char *name : {knob.argument, knob.key})
        if (settings.has(name))
            return name;
    return knob.variable;
}

/// The name of the knob in the place, environment, arguments or config file, where `name` stands.
std::string neighbourName(const HorovodKnob &knob, std::string_view name) {
    return name.starts_with("--") ? knob.argument : name.starts_with("HOROVOD_") ? knob.variable : knob.key;
}

/// Bytes of the fusion buffer.
double lintFusion(SettingsRules &rules, SettingsMeaning &meaning) {
    const WrittenSettings &settings = rules.settings;
    const std::string fusion = writtenName(fusionKnob, settings);
    const bool countsBytes = fusion == fusionKnob.variable;
    const bool isNumber = countsBytes ? rules.countInUnit(fusion, 65536, 1e12, "bytes; --fusion-threshold-mb counts MiB",
                                                          "134217728 for 128 MiB, Horovod's default")
                                      : rules.inUnit(fusion, 0, "MiB", "128, Horovod's default");
    const double given = settings.number(fusion).value_or(0);
    if (isNumber && given == 0)
        rules.add(SettingFault::Harmful, fusion, "0 sends every tensor alone", "leave it out: 128 MiB");
    if (isNumber && !countsBytes && given > maxFusionMiB)
        rules.add(SettingFault::WrongUnit, fusion,
                  fmt::format("{:.15g} counts MiB; HOROVOD_FUSION_THRESHOLD counts bytes", given),
                  fmt::format("write {:.15g}", std::max(1.0, std::round(given / bytesPerMiB))));
    const double unit = countsBytes ? 1 : bytesPerMiB;
    return std::max(0.0, rules.priced(fusion, 128 * bytesPerMiB / unit, meaning)) * unit;
}

/// Milliseconds.
double lintCycle(SettingsRules &rules, SettingsMeaning &meaning) {
    const std::string cycle = writtenName(cycleKnob, rules.settings);
    if (rules.inUnit(cycle, 0.05, "milliseconds", "1, Horovod's default") && *rules.settings.number(cycle) > 50)
        rules.add(SettingFault::Harmful, cycle,
                  fmt::format("gradients wait {:g} ms for the next cycle", *rules.settings.number(cycle)), "leave it out: 1 ms");
    return std::max(0.0, rules.priced(cycle, 1, meaning));
}

void lintTuning(SettingsRules &rules, SettingsMeaning &meaning) {
    const WrittenSettings &settings = rules.settings;
    const std::string autotune = writtenName(autotuneKnob, settings);
    const bool tunes = settings.flag(autotune);
    constexpr std::array<std::string_view, 3> families{"HOROVOD_AUTOTUNE_", "--autotune-", "autotune."};
    for (const auto &[name, written] : settings.all())
        if (name != autotuneKnob.key && std::any_of(families.begin(), families.end(),
                                                    [&name = name](std::string_view family) { return name.starts_with(family); }))
            rules.needs(name, tunes, neighbourName(autotuneKnob, name) + (name.starts_with("HOROVOD_") ? "=1" : ""));
    if (!tunes)
        return;
    meaning.leftOut.push_back({autotune, "sizes that are not set change while training"});
    for (const HorovodKnob &knob : {fusionKnob, cycleKnob})
        if (const std::string fixed = writtenName(knob, settings); settings.has(fixed))
            rules.add(SettingFault::Note, fixed, "set values are not tuned", "leave it out for " + autotune + " to choose it");
}

} // namespace

bool hasHorovod(const WrittenSettings &settings) {
    constexpr std::array knobs{fusionKnob, cycleKnob, hierarchicalKnob, autotuneKnob, timelineKnob, markKnob};
    return settings.hasAny("HOROVOD_") || settings.mentions("horovodrun") ||
           std::any_of(knobs.begin(), knobs.end(),
                       [&](const HorovodKnob &knob) { return settings.has(knob.key) || settings.has(knob.argument); });
}

void lintHorovod(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    SettingsMeaning meaning{"Horovod", {}, "horovod", false, {}};
    const double fusionBytes = lintFusion(rules, meaning), milliseconds = lintCycle(rules, meaning);
    lintTuning(rules, meaning);
    const std::string mark = writtenName(markKnob, settings);
    if (settings.flag(mark))
        rules.needs(mark, settings.has(writtenName(timelineKnob, settings)), neighbourName(timelineKnob, mark));
    if (settings.flag("HOROVOD_TORUS_ALLREDUCE"))
        meaning.leftOut.push_back({"HOROVOD_TORUS_ALLREDUCE", "rings of rings are simulated as one ring"});
    meaning.policy = fmt::format(
        "horovod(fusion={},cycle={}ms{})", fusionBytes < 1 ? "off" : fmt::format("{:.0f}B", std::min(fusionBytes, 1e15)),
        std::min(milliseconds, 1e6), settings.flag(writtenName(hierarchicalKnob, settings)) ? ",algorithm=hierarchical" : "");
    rules.findings.meanings.push_back(std::move(meaning));
}

} // namespace syncopate
