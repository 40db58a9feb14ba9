// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/rank_spread.h"

#include "app/cli/output.h"
#include "app/cli/ranks/places.h"
#include "app/cli/ranks/ranks.h"
#include "engine/base/parallel_in_order.h"

#include <fmt/format.h>
#include <optional>
#include <utility>

namespace syncopate::cli {

namespace {

/// The other ranks' part: makes parts for rank 0 until dismissed.
Result<std::vector<std::string>> helpFirst(Ranks &ranks, const std::string &work, std::size_t count, const MakePart &make) {
    const auto answer = [&](const std::string &question, const std::stop_token &stop) {
        const auto part = wholeNumberIn(question);
        return part && *part < count ? make(static_cast<std::size_t>(*part), stop) : std::string();
    };
    TRY(ranks.help(work, ranks.threadsHere(0), answer));
    return cancelled();
}

} // namespace

Spread RankSpread::spread() {
    if (m_ranks == nullptr)
        return {};
    return [this](const WorkTexts &dependsOn, std::size_t count, const MakePart &make) -> Result<std::vector<std::string>> {
        const std::string work = workText(m_command, dependsOn());
        if (!helps())
            return makeAll(work, count, make);
        m_hasHelped = true;
        return helpFirst(*m_ranks, work, count, make);
    };
}

Result<std::vector<std::string>> RankSpread::makeAll(const std::string &work, std::size_t count, const MakePart &make) {
    Places places(TRY(m_ranks->begin(work)), m_ranks->threadsHere(0));
    const auto makeOne = [&](std::size_t part) {
        const unsigned rank = places.take({}).value_or(0);
        const auto answer = rank == 0 ? Result<std::string>() : m_ranks->ask(rank, fmt::format("{}", part), {});
        if (rank != 0 && !answer) // the rank is lost, and so is its slot
            return make(part, {});
        std::string made = rank == 0 || answer->empty() ? make(part, {}) : *answer;
        places.giveBack(rank);
        return made;
    };
    std::vector<std::string> parts;
    std::size_t taken = 0;
    const auto next = [&] { return taken < count ? std::optional(taken++) : std::nullopt; };
    const auto deliver = [&parts](std::string &&part) {
        parts.push_back(std::move(part));
        return true;
    };
    parallelInOrder<std::size_t, std::string>(places.size(), count, next, makeOne, deliver);
    m_madeByRank = places.done();
    return parts;
}

void RankSpread::write(JsonWriter &json, std::string_view key) const {
    if (m_madeByRank.empty())
        return;
    json.newLine().key(key).beginArray();
    for (const std::uint64_t made : m_madeByRank)
        json.value(made);
    json.endArray();
}

bool RankSpread::helps() const { return m_ranks != nullptr && !m_ranks->isFirst(); }

Outcome RankSpread::failed(const Error &error) const {
    if (!helps())
        return badInput(error);
    if (!m_hasHelped) {
        m_ranks->refuse(error);
        return {};
    }
    return error.isCancelled() ? Outcome() : failedRunning(error);
}

} // namespace syncopate::cli
