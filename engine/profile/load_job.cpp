// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "engine/profile/byte_source.h"
#include "engine/profile/profile.h"

#include <algorithm>
#include <filesystem>

namespace syncopate {

namespace {

constexpr std::size_t headBytes = std::size_t{1} << 16;

/// A job file has "layers" where a trace has its events; a trace begins with its array, or names it or its header early.
bool looksLikeProfile(const std::string &head, bool compressed) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (compressed || first == std::string::npos || head[first] != '{')
        return true; // the reader of profiles knows what to say about what is neither
    const auto at = [&](const char *key) { return head.find(key); };
    const std::size_t layers = at("\"layers\"");
    const std::size_t trace = std::min({at("\"traceEvents\""), at("\"schemaVersion\""), at("\"deviceProperties\""),
                                        at("\"distributedInfo\""), at("\"baseTimeNanoseconds\""), at("\"displayTimeUnit\"")});
    return trace < layers;
}

} // namespace

Result<LoadedJob> loadJob(const std::string &nameOrPath, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    const auto &catalogue = catalogueJobs();
    const bool named =
        std::any_of(catalogue.begin(), catalogue.end(), [&](const CatalogueJob &job) { return job.name == nameOrPath; });
    std::error_code status;
    if (named || (!std::filesystem::exists(nameOrPath, status) && nameOrPath.find_first_of("/\\.") == std::string::npos)) {
        auto job = catalogueJob(nameOrPath);
        if (!job)
            return tl::unexpected(job.error());
        return LoadedJob{std::make_shared<const Job>(std::move(*job)), nullptr};
    }
    const auto source = ByteSource::openFile(nameOrPath);
    if (!source)
        return tl::unexpected(inFile(source.error(), nameOrPath));
    const auto head = readTextHead(nameOrPath, headBytes);
    if (!head)
        return tl::unexpected(head.error());
    if (!looksLikeProfile(*head, (*source)->isCompressed())) {
        auto job = readJobFile(nameOrPath);
        if (!job)
            return tl::unexpected(job.error());
        return LoadedJob{std::make_shared<const Job>(std::move(*job)), nullptr};
    }
    auto profile = importProfile(nameOrPath, options, std::move(stop), progress);
    if (!profile)
        return tl::unexpected(profile.error());
    return LoadedJob{std::shared_ptr<const Job>(*profile, &(*profile)->job), *profile};
}

} // namespace syncopate
