// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace syncopate {

/// The kind of a span, for colour and statistics: compute, communication, or neither: a host beside its devices, and copies.
enum class Category : std::uint8_t {
    Forward,
    Backward,
    Update,
    AllReduce,
    Push,
    Pull,
    OtherCompute,
    OtherComm,
    Host, ///< ops, calls and launches of a thread whose devices compute: neither compute nor communication
    Copy, ///< a device's copies and fills of memory (memcpy, memset), also from and to its host: neither, too
};
inline constexpr std::size_t categoryCount = 10;
[[nodiscard]] constexpr bool isCommunication(Category c) {
    return c == Category::AllReduce || c == Category::Push || c == Category::Pull || c == Category::OtherComm;
}
[[nodiscard]] constexpr bool isCompute(Category c) { return !isCommunication(c) && c != Category::Host && c != Category::Copy; }
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

/// Nanoseconds of each category.
using BusyTimes = std::array<Nanoseconds, categoryCount>;

/// Answers questions about one lane over a window without looking at every span: every 16 spans it keeps how long the categories
/// that the lane has were busy before. Build O(n), query O(log n). The lane must outlive it.
class LaneIndex {
public:
    explicit LaneIndex(const Lane &lane);
    /// The first span that ends after `time`.
    [[nodiscard]] std::size_t firstEndingAfter(Nanoseconds time) const;
    /// The span that covers `time`, or -1.
    [[nodiscard]] std::int64_t spanAt(Nanoseconds time) const;
    /// Busy nanoseconds of each category within [from, to).
    [[nodiscard]] BusyTimes busy(Nanoseconds from, Nanoseconds to) const;
    /// Numbers of the categories that the lane has, ascending.
    [[nodiscard]] const std::vector<std::size_t> &categories() const { return m_categories; }
    [[nodiscard]] const Lane &lane() const { return *m_lane; }

private:
    friend class BusyWalk;
    /// The place of a time: the first span that ends after it, and that span's block.
    struct Place {
        std::size_t block = 0, span = 0;
    };
    /// The place of a time that is not before the blocks up to `block`; `step` guesses how many blocks further it is.
    [[nodiscard]] Place placeOf(Nanoseconds time, std::size_t block = 0, std::size_t step = 0) const;
    /// Busy nanoseconds before a time, in the order of categories().
    void busyBefore(Nanoseconds time, const Place &place, BusyTimes &sums) const;
    [[nodiscard]] const Nanoseconds *row(std::size_t block) const { return m_rows.data() + block * (1 + m_categories.size()); }

    const Lane *m_lane;
    std::size_t m_blocks = 0; ///< of 16 spans, the last one of the rest
    std::vector<std::size_t> m_categories;
    std::array<std::uint8_t, categoryCount> m_placeOf{}; ///< of a category in m_categories
    /// A row for each block and one for the end: the end of the block's last span, and per category of the lane how long it was
    /// busy before the block.
    std::vector<Nanoseconds> m_rows;
};

/// Goes through a lane from one time to the next and tells the busy times between them: neighbours share their look-ups. A step
/// costs O(log of the spans that it passes), and less where it is as long as the one before. The index must outlive it.
class BusyWalk {
public:
    explicit BusyWalk(const LaneIndex &index) : m_index(&index) {}
    /// Begins at `time`, which is not before any that was told.
    void moveTo(Nanoseconds time) {
        if (time != m_time)
            go(time);
    }
    /// Calls `take` with the number of each of the lane's categories and its busy nanoseconds since the last time. `time` is not
    /// before that.
    template <class Take> void advanceTo(Nanoseconds time, Take take) {
        const BusyTimes &before = m_busy[m_now];
        go(time);
        const std::vector<std::size_t> &categories = m_index->categories();
        for (std::size_t c = 0; c < categories.size(); ++c)
            take(categories[c], m_busy[m_now][c] - before[c]);
    }
    /// First span that ends after the last time.
    [[nodiscard]] std::size_t span() const { return m_place.span; }

private:
    void go(Nanoseconds time);

    const LaneIndex *m_index;
    Nanoseconds m_time = std::numeric_limits<Nanoseconds>::min();
    LaneIndex::Place m_place;
    std::size_t m_step = 0;              ///< blocks from the time before to that one
    std::array<BusyTimes, 2> m_busy{{}}; ///< until that time and until the one before, in the order of the lane's categories
    std::size_t m_now = 0;
};

} // namespace syncopate
