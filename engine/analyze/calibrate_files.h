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
    std::vector<std::string> tables; ///< of message costs: their paths
    std::vector<CollectiveLog> logs; ///< of collectives
    std::vector<std::shared_ptr<const ImportedProfile>> profiles;
    std::vector<Error> notRead; ///< files among those of a folder, and why
};
/// Reads tables of message costs, logs of collectives (files or folders of them) and profiles. Errors name the file.
[[nodiscard]] Result<CalibrationFiles> readCalibrationFiles(const std::vector<std::string> &files,
                                                            const std::stop_token &stop = {});

/// Two profiles of one model; null where there is none.
struct ProfilePair {
    std::shared_ptr<const ImportedProfile> alone, beside; ///< with less, and with more communication beside compute
};
/// The profiles as a pair, or none where there are none. An error where there are one, or more than two.
[[nodiscard]] Result<ProfilePair> profilePair(const std::vector<std::shared_ptr<const ImportedProfile>> &profiles);

/// What logs of collectives are taken for.
struct LogUse {
    std::int32_t connections = 1; ///< between two nodes, in their collectives (calibrateCollectives())
    bool points = false;          ///< keepPoints(), too
};
/// Sets the figures of `cluster` from everything that was read and from the pair. Errors: those of calibrate.h; nothing to
/// calibrate from.
[[nodiscard]] Result<Calibration> calibrateCluster(Cluster cluster, CalibrationFiles files, const ProfilePair &pair,
                                                   const LogUse &use = {});

} // namespace syncopate
