// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

// What a user adds to a timeline. Plain values: views show and change them, project files keep them. Nothing here names a
// span or lane by number, so it outlives the run that it was made on.

/// A remark on a moment, or on a stretch where toNanoseconds > fromNanoseconds. Times are relative to the start of the
/// iteration that is shown, of the run that the note is about.
struct Note {
    std::uint8_t side = 0; ///< 0 = A, 1 = B
    double fromNanoseconds = 0;
    double toNanoseconds = 0;
    std::string lane; ///< name of the lane that it is about, "" = all
    std::string text;
    bool operator==(const Note &) const = default;
};

/// How the lanes of one timeline are arranged, by their names ("worker 0 push"). Names of lanes that the run does not have
/// are kept: the lane may come back with the next strategy.
struct LaneArrangement {
    std::vector<std::string> pinned;    ///< stay on top, in this order
    std::vector<std::string> order;     ///< of all lanes; empty = as simulated. Lanes it does not name follow their neighbours
    std::vector<std::string> collapsed; ///< first lanes of workers whose other lanes are hidden
    /// First lanes of rows whose overlapping transfers ("push", "push 2", ...) are shown each on its lane, not as one strip.
    std::vector<std::string> expanded = {};
    bool operator==(const LaneArrangement &) const = default;
};

/// The stretch of time that is shown, relative nanoseconds as in Note.
struct ViewRange {
    double fromNanoseconds = 0;
    double toNanoseconds = 0;
    bool operator==(const ViewRange &) const = default;
};

} // namespace syncopate
