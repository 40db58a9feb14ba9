// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "engine/profile/byte_source.h"
#include "engine/profile/json_stream.h"
#include "engine/profile/profile.h"

#include <algorithm>
#include <filesystem>

namespace syncopate {

namespace {

constexpr std::size_t headBytes = std::size_t{1} << 16;

/// Which it is, by the first keys of the outermost object: a job file has "layers", a trace events and a header of its own.
bool looksLikeProfile(const std::string &head, bool compressed) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (compressed || first == std::string::npos || head[first] != '{')
        return true;                                         // the reader of profiles knows what to say about what is neither
    const std::string padded = head + std::string(64, '\0'); // as the scanner wants it
    JsonScanner scanner{padded.data() + first + 1, padded.data() + head.size()};
    for (bool more = true; more;) {
        std::string_view key;
        if (scanner.key(key) != Scan::Ok)
            return false;
        if (key == "layers")
            return false;
        for (const char *own :
             {"traceEvents", "schemaVersion", "deviceProperties", "distributedInfo", "baseTimeNanoseconds", "displayTimeUnit"}) {
            if (key == own)
                return true;
        }
        JsonScanner::Value value;
        if (const Scan read = scanner.value(value); read != Scan::Ok)
            return read == Scan::NeedMore && head.size() == headBytes; // a header that long is no job's
        if (scanner.another('}', more) != Scan::Ok)
            return false;
    }
    return false;
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
