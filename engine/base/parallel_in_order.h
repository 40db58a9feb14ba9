// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace syncopate {

/// Works on a stream of items on several threads and delivers the results on this thread, in the items' order, each as soon as
/// all before it are delivered.
///
///   next()         std::optional<Item>; nullopt ends the stream. One call at a time, on any of the threads; it may block.
///   work(Item)     Made; as many calls at once as there are threads.
///   deliver(Made)  bool; false ends early: no further item is taken, and results under way are dropped.
///
/// At most `window` items are taken and not yet delivered, so that a slow one in front does not pile up results. What any of the
/// three throws is thrown here, after the threads have ended.
template <class Item, class Made, class Next, class Work, class Deliver>
void parallelInOrder(unsigned threads, std::size_t window, Next &&next, Work &&work, Deliver &&deliver) {
    std::mutex input; // held while an item is taken, so never while results are waited for
    std::mutex mutex; // of all below
    std::condition_variable ready, room;
    std::deque<std::optional<Made>> results; // [0] is the next to deliver
    std::size_t delivered = 0;
    bool ended = false;
    std::exception_ptr failure;

    const auto take = [&](std::size_t &index) -> std::optional<Item> {
        const std::scoped_lock taking(input);
        {
            std::unique_lock lock(mutex);
            room.wait(lock, [&] { return ended || results.size() < window; });
            if (ended)
                return std::nullopt;
        }
        std::optional<Item> item = next();
        const std::scoped_lock lock(mutex);
        if (!item)
            ended = true;
        index = delivered + results.size();
        if (item)
            results.emplace_back();
        ready.notify_one();
        return item;
    };
    const auto run = [&] {
        try {
            std::size_t index = 0;
            while (std::optional<Item> item = take(index)) {
                Made made = work(*std::move(item));
                const std::scoped_lock lock(mutex);
                if (index < delivered) // it ended early
                    return;
                results[index - delivered] = std::move(made);
                ready.notify_one();
            }
        } catch (...) {
            const std::scoped_lock lock(mutex);
            failure = std::current_exception();
            ended = true;
            ready.notify_one();
            room.notify_all();
        }
    };
    const auto deliverAll = [&] {
        std::unique_lock lock(mutex);
        for (;;) {
            ready.wait(lock, [&] { return failure || (results.empty() ? ended : results.front().has_value()); });
            if (failure || results.empty())
                return;
            Made made = *std::move(results.front());
            results.pop_front();
            ++delivered;
            room.notify_one();
            lock.unlock();
            if (!deliver(std::move(made)))
                return;
            lock.lock();
        }
    };
    {
        std::vector<std::jthread> workers;
        std::exception_ptr refused;
        try {
            for (unsigned t = 0; t < threads; ++t)
                workers.emplace_back(run);
            deliverAll();
        } catch (...) {
            refused = std::current_exception();
        }
        const std::scoped_lock lock(mutex);
        if (refused)
            failure = refused;
        ended = true;
        delivered += results.size(); // what is under way has no slot any more
        results.clear();
        room.notify_all();
    } // the threads join
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace syncopate
