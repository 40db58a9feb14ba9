// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace syncopate::xplane {

struct Event {
    std::int64_t metadata = 0, offset = 0, duration = 0; ///< ps
    bool isLeftOut = false;                              ///< a count without a time, or a part of another event
};

struct Line {
    std::string name, displayName;
    std::int64_t timestamp = 0; ///< ns
    std::int64_t id = 0;
    std::vector<Event> events;
};

/// A plane; names may follow the events that refer to them.
struct Plane {
    std::string name;
    std::vector<Line> lines;
    std::unordered_map<std::int64_t, std::string> names;   ///< by metadata of events
    std::unordered_map<std::int64_t, std::int64_t> doneOf; ///< by metadata of a start op: that of the done op joined to it
};

/// What a line is for. Asynchronous: transfers from their start to their end, beside the ops that wait for them.
enum class Use : std::uint8_t { No, Compute, Asynchronous, Lane, Steps };
[[nodiscard]] Use useOf(const Plane &plane, const Line &line);

/// "all-reduce.3" from "%all-reduce.3 = f32[5,1024]{1,0} all-reduce(...)"; other names stay whole.
[[nodiscard]] std::string_view shortName(std::string_view name);

/// Makes one event of each asynchronous collective: its start op ("all-reduce-start.3"), which then lasts until the end of its
/// done op, or the event of the asynchronous line that spans both. The ops that it includes are left out. A start or a done op
/// without the other one, as where a recording begins or ends between them, stays as it is. Incomplete once
/// `stop` is requested. O(n log n).
void joinAsyncCollectives(Plane &plane, const std::stop_token &stop);

} // namespace syncopate::xplane
