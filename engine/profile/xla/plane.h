// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <cstddef>
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

/// What is told of a collective; Whole: from its start to its end.
enum class Part : std::uint8_t { Whole, Start, Update, Done };

/// What the text of an op tells. "%all-reduce.3 = f32[5,1024]{1,0} all-reduce(...)" has megabytes where it combines many arrays,
/// and a million events may refer to it: it is read once and not kept.
struct Op {
    static constexpr std::size_t maxNameBytes = 4096; ///< beyond which names are cut
    std::string name{};                               ///< "all-reduce.3"; a text that is not XLA's, whole
    /// By its name, else by its opcode: XLA calls ops that begin any other one asynchronously "async-start.3", and prints that
    /// one as "reduce-scatter-start" (openxla.org/xla/async_ops); updates may stand between start and done. Where it prints
    /// "async-start", the text does not say which it is.
    Category category = Category::OtherCompute;
    Part part = Part::Whole;
    std::string startName{};    ///< of a part of a collective: its start op's name, or that of the update op before it
    double resultBytes = 0;     ///< of a collective; 0 if not known
    bool isControlFlow = false; ///< a while, conditional or call
};
[[nodiscard]] Op opOf(std::string_view text);

/// A plane; ops may follow the events that refer to them.
struct Plane {
    std::string name;
    std::vector<Line> lines;
    std::unordered_map<std::int64_t, Op> ops;              ///< by metadata of events
    std::unordered_map<std::int64_t, std::int64_t> doneOf; ///< by metadata of a start op: that of the done op joined to it

    /// Null where the file does not name it.
    [[nodiscard]] const Op *find(std::int64_t metadata) const {
        const auto found = ops.find(metadata);
        return found == ops.end() ? nullptr : &found->second;
    }
};

/// What a line is for. Asynchronous: transfers from their start to their end, beside the ops that wait for them.
enum class Use : std::uint8_t { No, Compute, Asynchronous, Lane, Steps };
[[nodiscard]] Use useOf(const Plane &plane, const Line &line);

/// For each event of a line, whether it is a while, conditional or call around other events, which are the ones that compute and
/// communicate. O(n log n); meaningless once `stop` is requested.
[[nodiscard]] std::vector<bool> controlFlowIn(const Plane &plane, const Line &line, const std::stop_token &stop);

/// Makes one event of each asynchronous collective: its start op ("all-reduce-start.3"), which then lasts until the end of its
/// done op, or the event of the asynchronous line that spans both. The ops that it includes are left out. A start or a done op
/// without the other one, as where a recording begins or ends between them, stays as it is. Incomplete once
/// `stop` is requested. O(n log n).
void joinAsyncCollectives(Plane &plane, const std::stop_token &stop);

} // namespace syncopate::xplane
