// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
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

namespace detail {

/// State shared by the threads of parallelInOrder().
template <class Item, class Made> class OrderedResults {
public:
    explicit OrderedResults(std::size_t window) : m_window(window) {}

    /// Works on items until the stream ends or delivery stops.
    template <class Next, class Work> void run(Next &next, Work &work) {
        try {
            std::size_t index = 0;
            while (std::optional<Item> item = take(next, index)) {
                Made made = work(*std::move(item));
                const std::scoped_lock lock(m_mutex);
                if (index < m_delivered) // it ended early
                    return;
                m_results[index - m_delivered] = std::move(made);
                m_ready.notify_one();
            }
        } catch (...) {
            fail(std::current_exception());
        }
    }

    /// Delivers results in order. Returns when all are delivered, a thread has failed, or deliver() returns false.
    template <class Deliver> void deliverAll(Deliver &deliver) {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_ready.wait(lock, [&] { return m_failure || (m_results.empty() ? m_ended : m_results.front().has_value()); });
            if (m_failure || m_results.empty())
                return;
            Made made = *std::move(m_results.front());
            m_results.pop_front();
            ++m_delivered;
            m_room.notify_one();
            lock.unlock();
            if (!deliver(std::move(made)))
                return;
            lock.lock();
        }
    }

    void fail(std::exception_ptr failure) {
        const std::scoped_lock lock(m_mutex);
        m_failure = std::move(failure);
        m_ended = true;
        m_ready.notify_one();
        m_room.notify_all();
    }

    /// Makes each thread end after its present item.
    void end() {
        const std::scoped_lock lock(m_mutex);
        m_ended = true;
        m_delivered += m_results.size(); // results under way have no slot any more
        m_results.clear();
        m_room.notify_all();
    }

    /// Rethrows the exception of a thread, if any. Call after the threads have ended.
    void rethrow() const {
        if (m_failure)
            std::rethrow_exception(m_failure);
    }

private:
    /// The next item and its number in the stream, when there is room for its result; nullopt at the end.
    template <class Next> std::optional<Item> take(Next &next, std::size_t &index) {
        const std::scoped_lock taking(m_input);
        {
            std::unique_lock lock(m_mutex);
            m_room.wait(lock, [&] { return m_ended || m_results.size() < m_window; });
            if (m_ended)
                return std::nullopt;
        }
        std::optional<Item> item = next();
        const std::scoped_lock lock(m_mutex);
        if (!item)
            m_ended = true;
        index = m_delivered + m_results.size();
        if (item)
            m_results.emplace_back();
        m_ready.notify_one();
        return item;
    }

    std::size_t m_window;
    std::mutex m_input; // held while an item is taken, so never while results are waited for
    std::mutex m_mutex; // of all below
    std::condition_variable m_ready, m_room;
    std::deque<std::optional<Made>> m_results; // [0] is the next to deliver
    std::size_t m_delivered = 0;
    bool m_ended = false;
    std::exception_ptr m_failure;
};

} // namespace detail

/// The number of threads to work on: `asked`, or one per core where that is 0.
[[nodiscard]] inline unsigned threadsFor(unsigned asked = 0) {
    return asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
}

/// Works on a stream of items on several threads, and delivers the results on this thread in the items' order, each as soon as
/// all before it are delivered.
///
///   next()         std::optional<Item>; nullopt ends the stream. One call at a time, on any of the threads; it may block.
///   work(Item)     Made; as many calls at once as there are threads.
///   deliver(Made)  bool; false ends early: no further item is taken, and results under way are dropped.
///
/// `threads` and `window` are at least 1. At most `window` items are taken and not yet delivered, so that a slow one in front
/// does not pile up results. An exception of any of the three is rethrown here, after the threads have ended.
template <class Item, class Made, class Next, class Work, class Deliver>
void parallelInOrder(unsigned threads, std::size_t window, Next &&next, Work &&work, Deliver &&deliver) {
    detail::OrderedResults<Item, Made> results(window);
    {
        std::vector<std::jthread> workers;
        try {
            for (unsigned t = 0; t < threads; ++t)
                workers.emplace_back([&] { results.run(next, work); });
            results.deliverAll(deliver);
        } catch (...) {
            results.fail(std::current_exception());
        }
        results.end();
    } // the threads join
    results.rethrow();
}

} // namespace syncopate
