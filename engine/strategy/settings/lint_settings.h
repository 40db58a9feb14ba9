// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/settings/launcher_settings_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace syncopate {

/// What is wrong with a setting.
enum class SettingFault : std::uint8_t {
    Refused,   ///< the system stops, or computes something else
    WrongUnit, ///< the number is right in another unit than the setting's
    Harmful,   ///< costs time
    Ignored,   ///< changes nothing
    Note,      ///< is worth knowing
};
[[nodiscard]] const char *nameOf(SettingFault fault); ///< "refused", "wrong-unit", "harmful", "ignored", "note"

/// Something found in a launcher's settings.
struct SettingMark {
    SettingFault fault = SettingFault::Note;
    std::string setting; ///< its name, as WrittenSettings has it
    std::string place;   ///< its line, where it has one
    std::string text;    ///< what is wrong
    std::string remedy;  ///< what to do
};

/// A setting that a prediction does not follow.
struct LeftOut {
    std::string setting;
    std::string text; ///< what is simulated in its place
};

/// What some settings mean for the communication of a job, as far as it can be simulated.
struct SettingsMeaning {
    std::string system;        ///< "DeepSpeed", "Megatron-LM", "XLA", "Horovod", "BytePS", "ByteScheduler"
    std::string policy;        ///< the settings, as a text for --policy
    std::string defaultPolicy; ///< the same with the system's defaults
    bool servers = false;      ///< parameter servers, else all-reduce
    std::vector<LeftOut> leftOut{};
};

/// Everything found in a launcher's settings.
struct SettingsFindings {
    std::vector<SettingMark> marks;        ///< the worst first, else in the order of the rules
    std::vector<SettingsMeaning> meanings; ///< of each system found
};

/// Finds settings that are ignored, in a wrong unit, refused or harmful, by the systems' own rules and defaults
/// (docs/settings-lint.md has each rule). `job` and `cluster` may be null; with them sizes are checked against the model's, and
/// counts against the machines.
[[nodiscard]] SettingsFindings lintSettings(const WrittenSettings &settings, const Job *job, const Cluster *cluster);

} // namespace syncopate
