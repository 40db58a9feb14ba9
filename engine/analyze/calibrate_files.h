// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/calibrate.h"
#include "engine/profile/profile.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The content of files of measurements, recognised by content.
struct CalibrationFiles {
    std::vector<std::string> tables; ///< paths of tables of message costs
    std::vector<CollectiveLog> logs; ///< of collectives
    std::vector<std::shared_ptr<const ImportedProfile>> profiles;
    std::vector<Error> notRead; ///< unreadable files of a folder, and why
};
/// Reads tables of message costs, logs of collectives (files or folders of them) and profiles. Errors name the file.
[[nodiscard]] Result<CalibrationFiles> readCalibrationFiles(const std::vector<std::string> &files,
                                                            const std::stop_token &stop = {});

/// Two profiles of one model; null where there is none.
struct ProfilePair {
    std::shared_ptr<const ImportedProfile> alone, beside; ///< with less, and with more communication beside compute
};
/// Returns the profiles as a pair, null where there are none. Errors: one profile, or more than two.
[[nodiscard]] Result<ProfilePair> profilePair(const std::vector<std::shared_ptr<const ImportedProfile>> &profiles);

/// How logs of collectives are used.
struct LogUse {
    std::int32_t connections = 1; ///< between two nodes, in their collectives (calibrateCollectives())
    bool points = false;          ///< call keepPoints(), too
};
/// Sets the figures of `cluster` from all files read and from the pair. Errors: those of calibrate.h; nothing to calibrate from.
[[nodiscard]] Result<Calibration> calibrateCluster(Cluster cluster, CalibrationFiles files, const ProfilePair &pair,
                                                   const LogUse &use = {});

} // namespace syncopate
