// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/numbers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate {

/// When something that takes a fixed time ends: a task, or a message of a ring.
struct TimedEnd {
    double seconds;
    std::int32_t task;
    bool operator>(const TimedEnd &other) const { return seconds != other.seconds ? seconds > other.seconds : task > other.task; }
};

/// What ends after one and the same time ends in the order in which it started: a queue for each time, where a heap would cost
/// O(log n). Messages have few different latencies.
class DelayLines {
public:
    void add(double seconds, double now, std::int32_t task) {
        for (Line &line : m_lines)
            if (line.seconds == seconds) {
                line.waiting.push_back({now + seconds, task});
                return;
            }
        m_lines.push_back({seconds, {{now + seconds, task}}, 0});
    }

    /// When the first one ends; infinity where none is under way.
    [[nodiscard]] double next() const {
        double next = infinity;
        for (const Line &line : m_lines)
            if (line.next < line.waiting.size())
                next = std::min(next, line.waiting[line.next].seconds);
        return next;
    }

    /// Gives what ends up to `momentEnd` to `end`, one after the other. What starts meanwhile ends later, if it takes any time at
    /// all.
    template <class End> void drain(double momentEnd, End end) {
        for (Line &line : m_lines) {
            while (line.next < line.waiting.size() && line.waiting[line.next].seconds <= momentEnd)
                end(line.waiting[line.next++].task);
            if (line.next == line.waiting.size()) {
                line.waiting.clear();
                line.next = 0;
            }
        }
    }

    template <class Visit> void forEach(Visit visit) const {
        for (const Line &line : m_lines)
            for (std::size_t i = line.next; i < line.waiting.size(); ++i)
                visit(line.waiting[i].task);
    }

private:
    struct Line {
        double seconds = 0;
        std::vector<TimedEnd> waiting; ///< from `next` on
        std::size_t next = 0;
    };
    std::vector<Line> m_lines;
};

} // namespace syncopate
