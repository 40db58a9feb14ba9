// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/log_parts.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

/// The letters and digits of a text, in lower case, and where its words begin: after any other character, at the capital letter
/// of "Reduce" in "ncclReduce" and "NCCLReduce", and where digits begin or end.
struct PlainText {
    std::string letters;
    std::vector<bool> beginsWord; ///< per letter, and true behind the last one
};

PlainText plainText(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
    PlainText plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!std::isalnum(at(i)))
            continue;
        const int before = i > 0 ? at(i - 1) : 0;
        const bool isCapital = std::isupper(at(i)) && (std::islower(before) || (std::isupper(before) && std::islower(at(i + 1))));
        plain.beginsWord.push_back(!std::isalnum(before) || isCapital || !std::isdigit(before) != !std::isdigit(at(i)));
        plain.letters += static_cast<char>(std::tolower(at(i)));
    }
    plain.beginsWord.push_back(true);
    return plain;
}

/// Whether the text has the name: `isWord` as a word of its own, else at the beginning of a word or inside of one ("iallreduce",
/// "alltoallv"), but not in "small-reduce".
bool mentionsName(const PlainText &plain, std::string_view name, bool isWord) {
    for (std::size_t at = plain.letters.find(name); at != std::string::npos; at = plain.letters.find(name, at + 1)) {
        const auto begin = plain.beginsWord.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = begin + static_cast<std::ptrdiff_t>(name.size());
        if (isWord ? *begin && *end : *begin || std::find(begin, end, true) == end)
            return true;
    }
    return false;
}

/// Whether a file is called like vTrain's tables of all-reduces, AR_GPU8_1M_1024M_LUT.csv.
bool isVTrainTable(std::string_view file) {
    const PlainText plain = plainText(file);
    const auto isDigit = [&](std::size_t at) {
        return at < plain.letters.size() && std::isdigit(static_cast<unsigned char>(plain.letters[at]));
    };
    for (std::size_t at = plain.letters.find("argpu"); at != std::string::npos; at = plain.letters.find("argpu", at + 1))
        if (plain.beginsWord[at] && isDigit(at + 5))
            return true;
    return false;
}

} // namespace

std::optional<CollectiveKind> collectiveNamed(std::string_view text) {
    const PlainText plain = plainText(text);
    if (plain.letters == "permute") // the whole text: it is a word of many others
        return CollectiveKind::Permute;
    // "allreduce" and "reducescatter" contain "reduce", so longer names come first.
    constexpr std::array<std::pair<std::string_view, CollectiveKind>, 8> names{{{"collectivepermute", CollectiveKind::Permute},
                                                                                {"reducescatter", CollectiveKind::ReduceScatter},
                                                                                {"allreduce", CollectiveKind::AllReduce},
                                                                                {"allgather", CollectiveKind::AllGather},
                                                                                {"alltoall", CollectiveKind::AllToAll},
                                                                                {"broadcast", CollectiveKind::Broadcast},
                                                                                {"bcast", CollectiveKind::Broadcast},
                                                                                {"reduce", CollectiveKind::Reduce}}};
    for (const auto &[name, kind] : names)
        if (mentionsName(plain, name, kind == CollectiveKind::Reduce)) // "reduced" names none
            return kind;
    return std::nullopt;
}

std::optional<CollectiveKind> collectiveOfPath(std::string_view path) {
    if (isVTrainTable(path.substr(path.rfind('/') + 1)))
        return CollectiveKind::AllReduce;
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

void BusRatio::add(double algorithm, double bus) {
    constexpr double minBandwidth = 10;
    if (!(algorithm > minBandwidth))
        return;
    m_min = std::max(m_min, (bus - m_rounding) / (algorithm + m_rounding));
    m_max = std::min(m_max, (bus + m_rounding) / (algorithm - m_rounding));
}

std::optional<std::int32_t> BusRatio::ranks() const {
    if (!(m_max < 2)) // however many
        return std::nullopt;
    const double first = std::ceil(2 / (2 - m_min)), last = std::floor(2 / (2 - m_max));
    return first == last && first >= 2 && first <= maxCollectiveRanks ? std::optional(static_cast<std::int32_t>(first))
                                                                      : std::nullopt;
}

Result<CollectiveLog> finishCollectiveLog(CollectiveLog log, std::optional<CollectiveKind> kind,
                                          const std::optional<BusRatio> &bus) {
    if (log.samples.size() < 3)
        return fail(fmt::format("only {} are in it", counted(log.samples.size(), "measurement")), "measure at least three sizes",
                    log.source);
    if (!kind)
        return fail("neither the table nor the names of the file and its folders say which collective this is",
                    "name the file after it: allreduce, allgather, reduce_scatter, alltoall, broadcast or reduce", log.source);
    log.kind = *kind;
    std::stable_sort(log.samples.begin(), log.samples.end(),
                     [](const CollectiveSample &a, const CollectiveSample &b) { return a.sizeBytes < b.sizeBytes; });
    if (const auto ranks = bus ? bus->ranks() : std::nullopt; log.ranks == 0 && log.kind == CollectiveKind::AllReduce && ranks) {
        log.ranks = *ranks;
        log.notes.push_back(fmt::format("{} ranks follow from busbw / algbw.", log.ranks));
    }
    if (log.ranks == 0)
        log.notes.emplace_back("The log does not say how many ranks there were.");
    return log;
}

} // namespace syncopate
