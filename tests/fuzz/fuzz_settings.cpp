// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers' settings from any bytes: an error with a text, or findings with texts.
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/settings/lint_settings.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    const auto settings = WrittenSettings::parse(std::string_view(reinterpret_cast<const char *>(data), size), "settings");
    if (!settings)
        return settings.error().what.empty() ? (std::abort(), 0) : 0;
    const Cluster cluster = uniformCluster(3, 10);
    for (const bool known : {false, true}) {
        const SettingsFindings findings = lintSettings(*settings, nullptr, known ? &cluster : nullptr);
        for (const SettingMark &mark : findings.marks)
            if (mark.text.empty() || mark.remedy.empty() || mark.setting.empty())
                std::abort();
        for (const SettingsMeaning &meaning : findings.meanings)
            if (!parsePolicy(meaning.policy) || !parsePolicy(meaning.defaultPolicy))
                std::abort();
    }
    return 0;
}
