// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lint_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

void writeLint(JsonWriter &json, const std::vector<LintMark> &marks) {
    json.key("lint").beginArray();
    for (const LintMark &mark : marks)
        json.beginObject()
            .member("severity", nameOf(mark.severity))
            .member("rule", mark.rule)
            .member("variable", mark.variable)
            .member("text", mark.text)
            .member("remedy", mark.remedy)
            .endObject();
    json.endArray();
}

std::string lintReport(const std::vector<LintMark> &marks) {
    std::string text;
    for (auto mark = marks.begin(); mark != marks.end(); ++mark) {
        const auto sameRule = [&](const LintMark &other) { return other.rule == mark->rule; };
        if (std::any_of(marks.begin(), mark, sameRule))
            continue;
        const auto more = std::count_if(mark + 1, marks.end(), sameRule);
        text +=
            fmt::format("lint {}: {}{}{}; {} [{}]\n", nameOf(mark->severity), mark->variable.empty() ? "" : mark->variable + ": ",
                        mark->text, more > 0 ? fmt::format(" (and {} more like it)", more) : "", mark->remedy, mark->rule);
    }
    return text;
}

} // namespace syncopate::cli
