// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/winner_text.h"

#include "engine/base/text.h"
#include "engine/base/units.h"

#include <cmath>
#include <fmt/format.h>

namespace syncopate::cli {

void writeExplained(JsonWriter &json, const WinnerReport &explained) {
    json.newLine().key("explained").beginObject().member("builder", explained.builder).key("common").beginArray();
    for (const CommonTrait &trait : explained.common) {
        json.newLine().beginObject().member("what", trait.what).member("winners", static_cast<std::uint64_t>(trait.winners));
        json.member("of", static_cast<std::uint64_t>(trait.of)).member("others", trait.others).endObject();
    }
    json.endArray().newLine().key("set_back").beginArray();
    for (const SetBack &piece : explained.pieces) {
        json.newLine().beginObject().member("what", piece.what).member("variables", piece.variables);
        json.member("iteration_seconds", piece.iterationSeconds);
        if (!piece.error.empty())
            json.member("error", piece.error);
        json.endObject();
    }
    json.endArray().newLine().key("elsewhere").beginArray();
    for (const Elsewhere &row : explained.elsewhere) {
        json.newLine().beginObject().member("strategy", row.name).member("worst_regret", row.worstRegret);
        json.key("iteration_seconds").beginObject();
        for (std::size_t c = 0; c < row.iterationSeconds.size(); ++c)
            json.member(elsewhereConditions()[c], row.iterationSeconds[c]);
        json.endObject().endObject();
    }
    json.endArray().endObject();
}

std::string explainedText(const WinnerReport &explained) {
    std::string text = explained.common.empty() ? "" : "\nwhat the best have in common\n";
    for (const CommonTrait &trait : explained.common)
        text += fmt::format("  {}\n", describe(trait));
    text += fmt::format("\nset back to {}{}\n", explained.builder,
                        explained.pieces.empty() ? ": nothing differs" : ", one at a time, the iteration takes");
    constexpr double shown = 5e-4; // of the iteration: the column's precision
    std::size_t little = 0;
    for (const SetBack &piece : explained.pieces) {
        const double change = piece.iterationSeconds / explained.winnerSeconds - 1;
        if (!piece.error.empty())
            text += fmt::format("{:>10} {:>10}  {}: {}\n", "-", "", piece.what, piece.error);
        else if (std::abs(change) >= shown)
            text += fmt::format("{:>10} {:>+8.1f} %  {}\n", formatSeconds(piece.iterationSeconds), 100 * change, piece.what);
        else
            ++little;
    }
    if (little > 0)
        text += counted(little, "other") + (little == 1 ? " changes" : " change") + " less than 0.05 %\n";
    text += explained.elsewhere.empty() ? "\nelsewhere: not known, as recorded times are of the cluster as it is\n"
                                        : "\nelsewhere, the most robust first\n";
    for (const Elsewhere &row : explained.elsewhere) {
        text += fmt::format("{:32} at worst {:.1f} % behind:", row.name, 100 * row.worstRegret);
        for (std::size_t c = 0; c < row.iterationSeconds.size(); ++c)
            text += fmt::format("{} {} {}", c == 0 ? "" : ",", formatSeconds(row.iterationSeconds[c]), elsewhereConditions()[c]);
        text += "\n";
    }
    return text;
}

} // namespace syncopate::cli
