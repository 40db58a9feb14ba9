// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/numbers.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace syncopate {

/// The end of something that takes a fixed time: a task (TaskId), or a flow of the event loop (FlowId).
template <class What> struct TimedEnd {
    double seconds;
    What what;
    bool operator>(const TimedEnd &other) const { return seconds != other.seconds ? seconds > other.seconds : other.what < what; }
};

/// Items with the same delay end in the order in which they started: a queue for each delay, where a heap would cost O(log n).
/// Messages have few different latencies.
template <class What> class DelayLines {
public:
    void add(double seconds, double now, What what) {
        for (Line &line : m_lines)
            if (line.seconds == seconds) {
                line.waiting.push_back({now + seconds, what});
                return;
            }
        m_lines.push_back({seconds, {{now + seconds, what}}, 0});
    }

    /// The time at which the first item ends; infinity if none is under way.
    [[nodiscard]] double next() const {
        double next = infinity;
        for (const Line &line : m_lines)
            if (line.next < line.waiting.size())
                next = std::min(next, line.waiting[line.next].seconds);
        return next;
    }

    /// Calls `end` for each item that ends up to `momentEnd`. An item that starts meanwhile ends later, unless its delay is 0.
    template <class End> void drain(double momentEnd, End end) {
        for (Line &line : m_lines) {
            while (line.next < line.waiting.size() && line.waiting[line.next].seconds <= momentEnd)
                end(line.waiting[line.next++].what);
            if (line.next == line.waiting.size()) {
                line.waiting.clear();
                line.next = 0;
            }
        }
    }

    template <class Visit> void forEach(Visit visit) const {
        for (const Line &line : m_lines)
            for (std::size_t i = line.next; i < line.waiting.size(); ++i)
                visit(line.waiting[i].what);
    }

private:
    struct Line {
        double seconds = 0;
        std::vector<TimedEnd<What>> waiting; ///< from `next` on
        std::size_t next = 0;
    };
    std::vector<Line> m_lines;
};

} // namespace syncopate
