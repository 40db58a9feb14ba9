// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/log_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

std::optional<CollectiveKind> collectiveNamed(std::string_view text) {
    std::string plain;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (plain == "permute") // a separate word: it is part of others, such as "permuted"
        return CollectiveKind::Permute;
    // "allreduce" and "reducescatter" contain "reduce", so longer names come first. vTrain calls its files AR_GPU8_..
    constexpr std::array<std::pair<std::string_view, CollectiveKind>, 9> names{{{"collectivepermute", CollectiveKind::Permute},
                                                                                {"reducescatter", CollectiveKind::ReduceScatter},
                                                                                {"allreduce", CollectiveKind::AllReduce},
                                                                                {"allgather", CollectiveKind::AllGather},
                                                                                {"alltoall", CollectiveKind::AllToAll},
                                                                                {"broadcast", CollectiveKind::Broadcast},
                                                                                {"bcast", CollectiveKind::Broadcast},
                                                                                {"argpu", CollectiveKind::AllReduce},
                                                                                {"reduce", CollectiveKind::Reduce}}};
    for (const auto &[name, kind] : names)
        if (plain.find(name) != std::string::npos)
            return kind;
    return std::nullopt;
}

std::optional<CollectiveKind> collectiveOfPath(std::string_view path) {
    while (!path.empty()) {
        const std::size_t slash = path.rfind('/');
        if (const auto kind = collectiveNamed(slash == std::string_view::npos ? path : path.substr(slash + 1)))
            return kind;
        path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    }
    return std::nullopt;
}

bool isCollectiveSample(double sizeBytes, double seconds) {
    return sizeBytes >= 0 && sizeBytes <= maxCollectiveBytes && seconds >= 0 && seconds <= maxCollectiveSeconds;
}

Result<CollectiveLog> finishCollectiveLog(CollectiveLog log, std::optional<CollectiveKind> kind, double busFactor) {
    if (log.samples.size() < 3)
        return fail(fmt::format("only {} measured sizes are in it", log.samples.size()), "measure at least three sizes",
                    log.source);
    if (!kind)
        return fail("neither the table nor the file's name says which collective this is",
                    "name the file after it: allreduce, allgather, reduce_scatter, alltoall, broadcast or reduce", log.source);
    log.kind = *kind;
    std::stable_sort(log.samples.begin(), log.samples.end(),
                     [](const CollectiveSample &a, const CollectiveSample &b) { return a.sizeBytes < b.sizeBytes; });
    if (log.ranks == 0 && log.kind == CollectiveKind::AllReduce && busFactor > 0.99 && busFactor < 1.9999) {
        log.ranks = static_cast<std::int32_t>(std::lround(2 / (2 - busFactor)));
        log.notes.push_back(fmt::format("{} ranks follow from busbw / algbw.", log.ranks));
    }
    if (log.ranks == 0)
        log.notes.emplace_back("The log does not say how many ranks there were.");
    return log;
}

} // namespace syncopate
