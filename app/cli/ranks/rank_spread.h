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

/// Work of numbered parts, made by all ranks. All ranks run the same command as far as its parts: there rank 0 has them made, and
/// the others make parts for it until it lets them go. Once in a command.
class RankSpread {
public:
    /// `common` and the name of the command outlive it.
    RankSpread(const Common &common, std::string_view command) : m_ranks(common.ranks), m_command(command) {}

    /// For engine functions that spread their work; null where this process is alone. This object outlives it.
    [[nodiscard]] Spread spread();
    /// This rank makes parts for rank 0, and says nothing itself.
    [[nodiscard]] bool helps() const;
    /// How the command ends where the work or what comes before it ended with an error: with that. A rank that helps ends quietly
    /// when it has helped; what it could not read rank 0 says.
    [[nodiscard]] Outcome failed(const Error &error) const;
    /// How many parts each rank made; empty where this process is alone.
    [[nodiscard]] const std::vector<std::uint64_t> &madeByRank() const { return m_madeByRank; }
    /// madeByRank() as a member of the open object, where there is any.
    void write(JsonWriter &json, std::string_view key) const;

private:
    [[nodiscard]] Result<std::vector<std::string>> makeAll(const std::string &work, std::size_t count, const MakePart &make);

    Ranks *m_ranks;
    std::string_view m_command;
    std::vector<std::uint64_t> m_madeByRank;
    bool m_hasHelped = false;
};

} // namespace syncopate::cli
