// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/calibrate_files.h"

#include "engine/collective/inspector_log.h"
#include "engine/parse/byte_source.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t headBytes = 4096; ///< read to recognise a file

/// Whether a log's reader explains a damaged file better than a profile's.
bool looksLikeLog(std::string_view head) {
    if (isInspectorLog(head))
        return true;
    for (const char *sign : {"# OSU", "busbw", "size(B),", "nccl_version", "nccl-tests"})
        if (head.find(sign) != std::string_view::npos)
            return true;
    return false;
}

/// Whether a file is text, but not JSON: a profile reader's error about it would be about JSON alone.
bool isProse(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] != '{' && head[first] != '[' &&
           std::all_of(head.begin(), head.end(), [](unsigned char c) { return c >= ' ' || c == '\t' || c == '\r' || c == '\n'; });
}

/// Reads a table, a log or a folder of logs, or a profile.
Result<void> readInput(const std::string &path, CalibrationFiles &inputs, std::vector<std::string> &processLogs,
                       const std::stop_token &stop) {
    std::error_code error;
    const bool folder = std::filesystem::is_directory(path, error);
    const std::string head = folder ? std::string() : readTextHead(path, headBytes).value_or(""); // reading reports errors
    if (isMessageTable(head)) {
        inputs.tables.push_back(path);
        return {};
    }
    if (isInspectorLog(head)) {
        processLogs.push_back(path);
        return {};
    }
    CollectiveLogs read = readCollectiveLogFiles(TRY(filesBelow(path)));
    if (!read.logs.empty()) {
        std::move(read.logs.begin(), read.logs.end(), std::back_inserter(inputs.logs));
        std::move(read.notRead.begin(), read.notRead.end(), std::back_inserter(inputs.notRead));
        return {};
    }
    if (looksLikeLog(head) && !read.notRead.empty())
        return Unexpected(read.notRead.front());
    auto profile = importProfiles({path}, {}, stop);
    if (!profile && profile.error().kind == ErrorKind::Input && isProse(head))
        return fail("this is neither a table of message costs nor a log of collectives nor a profile",
                    fmt::format("give CSV with seconds_per_message, two profiles, or {}", readCollectiveLogKinds), path);
    inputs.profiles.push_back(TRY(std::move(profile)));
    return {};
}

} // namespace

Result<CalibrationFiles> readCalibrationFiles(const std::vector<std::string> &files, const std::stop_token &stop) {
    CalibrationFiles inputs;
    std::vector<std::string> processLogs; // logs of the processes of one job are joined
    for (const std::string &file : files)
        TRY(readInput(file, inputs, processLogs, stop));
    CollectiveLogs read = readCollectiveLogFiles(processLogs);
    if (read.logs.empty() && !read.notRead.empty())
        return Unexpected(read.notRead.front());
    std::move(read.logs.begin(), read.logs.end(), std::back_inserter(inputs.logs));
    std::move(read.notRead.begin(), read.notRead.end(), std::back_inserter(inputs.notRead));
    return inputs;
}

Result<ProfilePair> profilePair(const std::vector<std::shared_ptr<const ImportedProfile>> &profiles) {
    if (profiles.empty())
        return ProfilePair{};
    if (profiles.size() != 2)
        return fail(fmt::format("{} profile{} given", profiles.size(), profiles.size() == 1 ? " is" : "s are"),
                    "give two of one model, one with and one without communication", profiles.front()->file);
    const bool firstCommunicates = communicatingShare(*profiles[0]) > communicatingShare(*profiles[1]);
    return ProfilePair{profiles[firstCommunicates ? 1 : 0], profiles[firstCommunicates ? 0 : 1]};
}

Result<Calibration> calibrateCluster(Cluster cluster, CalibrationFiles files, const ProfilePair &pair, const LogUse &use) {
    if (files.tables.empty() && files.logs.empty() && !pair.alone)
        return fail("nothing to calibrate from is given", "give a table of message costs, logs of collectives, or two profiles");
    Calibration calibration;
    calibration.cluster = std::move(cluster);
    for (const Error &error : files.notRead)
        calibration.notes.push_back("Not read: " + error.toString());
    for (const std::string &table : files.tables)
        TRY(calibrateMessages(calibration, TRY(readMessageRows(table)), table));
    if (use.points)
        TRY(keepPoints(calibration, files.logs));
    if (!files.logs.empty())
        TRY(calibrateCollectives(calibration, std::move(files.logs), use.connections, use.points));
    if (pair.alone)
        TRY(calibrateSlowdown(calibration, *pair.alone, *pair.beside));
    return calibration;
}

} // namespace syncopate
