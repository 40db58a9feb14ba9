// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "engine/profile/profile.h"
#include "engine/profile/profile_formats.h"
#include "engine/profile/ranks/rank_set.h"

#include <algorithm>
#include <filesystem>

namespace syncopate {

namespace {

bool isCatalogueJob(const std::string &name) {
    return std::ranges::any_of(catalogueJobs(), [&](const CatalogueJob &job) { return job.name == name; });
}

} // namespace

Result<LoadedJob> loadJob(const std::string &nameOrPath, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    std::error_code status;
    const auto ownVariables = [&] {
        return fail("a list of variables is for profiles that lack their sizes, and this job has its own", "leave the list out",
                    nameOrPath);
    };
    if (isCatalogueJob(nameOrPath) ||
        (!std::filesystem::exists(nameOrPath, status) && nameOrPath.find_first_of("/\\.") == std::string::npos)) {
        auto job = TRY(catalogueJob(nameOrPath));
        if (!options.variables.empty())
            return ownVariables();
        return LoadedJob{std::make_shared<const Job>(std::move(job)), nullptr};
    }
    const bool holdsRanks = isFolder(nameOrPath);
    if (!holdsRanks && looksLikeJobFile(TRY(readFileHead(nameOrPath)))) {
        auto job = TRY(readJobFile(nameOrPath));
        if (!options.variables.empty())
            return ownVariables();
        return LoadedJob{std::make_shared<const Job>(std::move(job)), nullptr};
    }
    auto profile = TRY(importProfile(nameOrPath, options, std::move(stop), progress));
    return LoadedJob{std::shared_ptr<const Job>(profile, &profile->job), profile};
}

std::string lastingJobName(const std::string &nameOrPath) {
    std::error_code failed;
    if (isCatalogueJob(nameOrPath) || !std::filesystem::exists(nameOrPath, failed))
        return nameOrPath;
    const std::filesystem::path whole = std::filesystem::absolute(nameOrPath, failed);
    return failed ? nameOrPath : whole.lexically_normal().string();
}

} // namespace syncopate
