// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

// A user's additions to a timeline, as plain values: views show and change them, project files keep them. They refer to lanes by
// name, never by number, so they outlive the run on which they were made.

/// A remark on a moment, or on a stretch where toNanoseconds > fromNanoseconds. Times are relative to the start of the
/// iteration that is shown, of the run that the note is about.
struct Note {
    std::uint8_t side = 0; ///< 0 = A, 1 = B
    double fromNanoseconds = 0;
    double toNanoseconds = 0;
    std::string lane; ///< name of its lane, "" = all
    std::string text;
    bool operator==(const Note &) const = default;
};

/// How the lanes of one timeline are arranged, by their names ("worker 0 push"). Names of lanes that the run does not have
/// are kept: the lane may come back with the next strategy.
struct LaneArrangement {
    std::vector<std::string> pinned;    ///< stay on top, in this order
    std::vector<std::string> order;     ///< of all lanes; empty = as simulated. Lanes it does not name follow their neighbours
    std::vector<std::string> collapsed; ///< first lanes of workers whose other lanes are hidden
    /// First lanes of rows whose overlapping transfers ("push", "push 2", ...) are shown on a lane each, not as one strip.
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
