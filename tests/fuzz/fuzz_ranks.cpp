// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/ranks/*
#include "engine/parse/archive.h"
#include "engine/profile/ranks/rank_merge.h"
#include "engine/profile/torch/kineto.h"

#include <cstdlib>

/// Any bytes yield an archive of ranks that form one profile, or an Error. Bytes that are not an archive are split at NULs into
/// traces, so that the alignment of ranks is reached despite the archive's checksums.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    std::vector<kineto::RankFacts> ranks;
    const auto take = [&](const std::string &name, std::unique_ptr<ByteSource> packed) -> Result<Walk> {
        auto source = ByteSource::unpack(std::move(packed));
        if (!source)
            return tl::unexpected(source.error());
        auto trace = readTraceEvents(**source);
        if (!trace)
            return tl::unexpected(trace.error());
        kineto::RankFacts facts;
        const auto profile = analyseTrace(*trace, name, {}, {}, &facts);
        if (!profile)
            return tl::unexpected(profile.error());
        ranks.push_back(std::move(facts));
        return {};
    };
    Result<Walk> read;
    if (looksLikeArchive(bytes)) {
        read = forEachMember(ByteSource::fromMemory(bytes), "fuzz", take);
    } else {
        for (std::size_t from = 0; from <= bytes.size() && ranks.size() < 16;) {
            const std::size_t to = std::min(bytes.find('\0', from), bytes.size());
            if (!(read = take("fuzz", ByteSource::fromMemory(bytes.substr(from, to - from)))))
                break;
            from = to + 1;
        }
    }
    if (!read)
        return read.error().what.empty() ? (std::abort(), 0) : 0;
    if (ranks.empty())
        return 0;
    const auto profile = kineto::mergeRanks(std::move(ranks));
    if (!profile)
        return profile.error().what.empty() ? (std::abort(), 0) : 0;
    if (!validateJob((*profile)->job))
        std::abort();
    for (const Lane &lane : (*profile)->timeline.lanes) {
        for (std::size_t i = 0; i < lane.size(); ++i) {
            if (lane.start[i] < 0 || lane.end[i] < lane.start[i] || (i > 0 && lane.start[i] < lane.end[i - 1]))
                std::abort();
        }
    }
    return 0;
}
