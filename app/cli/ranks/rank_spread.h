// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/base/json_writer.h"
#include "engine/base/spread.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate::cli {

/// Work in numbered parts, distributed over all ranks. All ranks run the same command up to its parts; there rank 0 distributes
/// them, and the others make parts until it dismisses them. Once per command.
class RankSpread {
public:
    /// `common` and the name of the command must outlive it.
    RankSpread(const Common &common, std::string_view command) : m_ranks(common.ranks), m_command(command) {}

    /// For engine functions that distribute work; null if this process is alone. This object must outlive it.
    [[nodiscard]] Spread spread();
    /// This rank makes parts for rank 0, and prints nothing itself.
    [[nodiscard]] bool helps() const;
    /// The command's outcome if the work, or anything before it, failed: that error, as bad input. A helping rank that has
    /// not helped yet tells rank 0, which ends with it; later it ends quietly if cancelled, else as failed.
    [[nodiscard]] Outcome failed(const Error &error) const;
    /// Writes how many parts each rank was given, less those it was lost with, as a member of the open object; nothing if this
    /// process is alone.
    void write(JsonWriter &json, std::string_view key) const;

private:
    [[nodiscard]] Result<std::vector<std::string>> makeAll(const std::string &work, std::size_t count, const MakePart &make);

    Ranks *m_ranks;
    std::string_view m_command;
    std::vector<std::uint64_t> m_madeByRank;
    bool m_hasHelped = false;
};

} // namespace syncopate::cli
