// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/read_limits.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/ranks/rank_merge.h"
#include "engine/profile/torch/kineto.h"

#include <filesystem>
#include <fmt/format.h>

namespace syncopate {

namespace {

std::string versionOf(const NsightCapture &capture) {
    return capture.schema.empty() ? std::string("without a schema version") : "schema " + capture.schema;
}

Result<std::shared_ptr<const ImportedProfile>> import(NsightCapture capture, const std::string &path,
                                                      const ImportOptions &options, const std::stop_token &stop) {
    std::string missing;
    for (const std::string &table : capture.missing)
        missing += (missing.empty() ? "" : ", ") + table;
    const std::string fact = fmt::format("Nsight Systems export, {}; {} processes{}.", versionOf(capture),
                                         capture.processes.size(), missing.empty() ? "" : "; not in it: " + missing);
    const auto finish = [&](const std::shared_ptr<ImportedProfile> &profile) {
        profile->file = path;
        profile->job.name = std::filesystem::path(path).stem().string();
        profile->read.insert(profile->read.begin(), fact);
        profile->job.notes.push_back(fact);
        checkSizes(*profile); // must stay the first note
        makeNamesValid(*profile);
        return std::shared_ptr<const ImportedProfile>(profile);
    };
    for (NsightProcess &process : capture.processes)
        process.trace.advice =
            "record with nsys profile -t cuda,nvtx, and training steps inside torch.autograd.profiler.emit_nvtx()";
    if (capture.processes.size() == 1) {
        auto profile = TRY(analyseTrace(capture.processes.front().trace, path, options, stop));
        return finish(profile);
    }
    std::vector<kineto::RankFacts> ranks;
    const auto world = static_cast<std::int64_t>(capture.processes.size());
    for (std::int64_t rank = 0; rank < world; ++rank) {
        NsightProcess &process = capture.processes[static_cast<std::size_t>(rank)];
        process.trace.rank = rank;
        process.trace.worldSize = world;
        const std::string name = fmt::format("{}:process {}", path, process.globalPid >> 24 & 0xFFFFFF); // above: the machine
        kineto::RankFacts facts;
        TRY(inFile(analyseTrace(process.trace, name, options, stop, &facts), path));
        ranks.push_back(std::move(facts));
        process.trace = {};
    }
    const auto merged = TRY(kineto::mergeRanks(std::move(ranks)));
    auto profile = std::make_shared<ImportedProfile>(*merged);
    profile->inferred.insert(profile->inferred.begin(),
                             "Each process counts as a rank, in the order of the process ids: a capture does "
                             "not say which rank it is.");
    return finish(profile);
}

} // namespace

Result<std::shared_ptr<const ImportedProfile>> importNsight(const std::string &path, const ImportOptions &options,
                                                            std::stop_token stop, Progress *progress) {
    auto capture = TRY(readNsight(path, stop, progress, ReadLimits::of(options.limitBytes)));
    return withinMemory(path, recordLess, [&] { return import(std::move(capture), path, options, stop); });
}

Result<std::vector<OverlapFigures>> measureNsightOverlap(const std::string &path, std::stop_token stop, Progress *progress,
                                                         const ReadLimits &limits) {
    auto capture = TRY(readNsight(path, stop, progress, limits));
    std::vector<OverlapFigures> all;
    for (std::size_t p = 0; p < capture.processes.size(); ++p) {
        NsightProcess &process = capture.processes[p];
        if (capture.processes.size() > 1) // each is a rank, as in import()
            process.trace.rank = static_cast<std::int64_t>(p);
        const auto figures = TRY(measureTraceOverlap(process.trace, path, stop));
        all.insert(all.end(), figures.begin(), figures.end());
    }
    return all;
}

} // namespace syncopate
