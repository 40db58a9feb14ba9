// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <iterator>
#include <system_error>
#include <thread>
#include <vector>

namespace syncopate::ui {

/// What `make(first, end)` returns for neighbouring parts of [0, count), one after the other in one vector. Parts are made at the
/// same time, on up to eight cores, one of them on this thread; where no thread can be started, they are made here. Returns when
/// all are done. `make` must be safe to call from several threads, and not throw.
template <class Make> [[nodiscard]] auto inParts(std::size_t count, const Make &make) {
    constexpr std::size_t maxThreads = 8; // starting more takes longer than they save
    const std::size_t cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
    const std::size_t parts = std::max<std::size_t>(1, std::min({maxThreads, cores, count}));
    const auto begin = [&](std::size_t part) { return count * part / parts; };
    std::vector<std::future<decltype(make(0, 0))>> others;
    try {
        for (std::size_t p = 1; p < parts; ++p)
            others.push_back(std::async(std::launch::async, std::cref(make), begin(p), begin(p + 1)));
    } catch (const std::system_error &) { // no thread is left
    }
    auto all = make(0, begin(1));
    for (auto &other : others)
        std::ranges::move(other.get(), std::back_inserter(all));
    if (const std::size_t made = others.size() + 1; made < parts)
        std::ranges::move(make(begin(made), count), std::back_inserter(all));
    return all;
}

} // namespace syncopate::ui
