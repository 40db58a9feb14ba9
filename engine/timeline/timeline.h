// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// What a span is, for colour and statistics. Compute first, communication after.
enum class Category : std::uint8_t { Forward, Backward, Update, AllReduce, Push, Pull, OtherCompute, OtherComm };
inline constexpr std::size_t categoryCount = 8;
[[nodiscard]] constexpr bool isCommunication(Category c) {
    return c == Category::AllReduce || c == Category::Push || c == Category::Pull || c == Category::OtherComm;
}
[[nodiscard]] const char *nameOf(Category category); ///< "forward", "all-reduce"

/// Times in integer nanoseconds from the timeline's start.
using Nanoseconds = std::int64_t;

[[nodiscard]] constexpr double secondsOf(Nanoseconds time) { return static_cast<double>(time) * 1e-9; }

/// One row of spans that do not overlap, in start order; columns of equal length.
struct Lane {
    std::string name;         ///< "worker 0 compute"
    std::int32_t worker = -1; ///< worker (class) that it belongs to, -1 for a server
    bool isCompute = false;   ///< the worker's compute stream
    std::vector<Nanoseconds> start;
    std::vector<Nanoseconds> end;
    /// On a simulated compute stream whose job says where its device waits for the host: the end of that wait after each span.
    /// The wait is neither compute nor exposed communication. Ascending; empty = no waits.
    std::vector<Nanoseconds> hostUntil;
    std::vector<Category> category;
    std::vector<std::int32_t> label;    ///< index into Timeline::labels
    std::vector<std::int32_t> variable; ///< index into the job's variables, -1 = none or several
    std::vector<std::int32_t> task;     ///< task of the run's graph, or the profile's event number
    std::vector<double> sizeBytes;      ///< 0 = no traffic
    [[nodiscard]] std::size_t size() const { return start.size(); }
};

/// A set of lanes with one clock: a simulated run or an imported profile. Immutable once made; shared by pointer.
struct Timeline {
    std::vector<Lane> lanes;
    std::vector<std::string> labels;
    Nanoseconds duration = 0;                ///< end of the last span
    std::vector<Nanoseconds> iterationStart; ///< start of each iteration, ascending
    /// Simulated: while no worker computes, compute streams wait for communication to begin. In a profile they wait for the host.
    bool waitsAreTraffic = false;
    [[nodiscard]] std::size_t spanCount() const;
};

/// Answers questions about one lane over a window without looking at every span: per-category busy prefix sums every
/// 32 spans. Build O(n), query O(log n). The lane must outlive it.
class LaneIndex {
public:
    explicit LaneIndex(const Lane &lane);
    /// The first span that ends after `time`.
    [[nodiscard]] std::size_t firstEndingAfter(Nanoseconds time) const;
    /// The span that covers `time`, or -1.
    [[nodiscard]] std::int64_t spanAt(Nanoseconds time) const;
    /// Busy nanoseconds of each category within [from, to).
    [[nodiscard]] std::array<Nanoseconds, categoryCount> busy(Nanoseconds from, Nanoseconds to) const;
    [[nodiscard]] const Lane &lane() const { return *m_lane; }

private:
    [[nodiscard]] std::array<Nanoseconds, categoryCount> busyBefore(Nanoseconds time) const;
    const Lane *m_lane;
    std::vector<std::array<Nanoseconds, categoryCount>> m_prefix; ///< busy before span 32*i
};

} // namespace syncopate
