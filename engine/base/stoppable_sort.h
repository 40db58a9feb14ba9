// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <stop_token>
#include <vector>

namespace syncopate {

/// Elements between two checks whether a long loop has been stopped: some milliseconds.
inline constexpr std::size_t stopInterval = std::size_t{1} << 15;

/// std::stable_sort that gives up soon after `stop` is requested and leaves the elements in any order. Needs memory for a second
/// copy, except for sorted input, as most traces' events are.
template <class T, class Less> void sortUnlessStopped(std::vector<T> &items, Less less, const std::stop_token &stop) {
    if (std::is_sorted(items.begin(), items.end(), less))
        return;
    const std::size_t size = items.size();
    const auto at = [](std::vector<T> &list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t from = 0; from < size; from += stopInterval) {
        if (stop.stop_requested())
            return;
        std::stable_sort(at(items, from), at(items, std::min(size, from + stopInterval)), less);
    }
    if (size <= stopInterval)
        return;
    std::vector<T> merged(size);
    for (std::size_t width = stopInterval; width < size; width *= 2) {
        for (std::size_t from = 0; from < size; from += 2 * width) {
            const std::size_t middle = std::min(size, from + width), end = std::min(size, from + 2 * width);
            std::size_t a = from, b = middle;
            for (std::size_t out = from; out < end; ++out) {
                if (out % stopInterval == 0 && stop.stop_requested())
                    return;
                const bool second = a == middle || (b != end && less(items[b], items[a]));
                merged[out] = std::move(second ? items[b++] : items[a++]);
            }
        }
        items.swap(merged);
    }
}

} // namespace syncopate
