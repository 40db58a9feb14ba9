// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace syncopate {

/// A cache of values that are costly to make, by the text from which each is made. Threads that ask for a value while another one
/// makes it wait for that one. Beyond `capacity` values the least recently used one is dropped, so values should be shared
/// pointers, or a Result of one.
template <class Value> class Memo {
public:
    explicit Memo(std::size_t capacity) : m_capacity(std::max<std::size_t>(1, capacity)) {}

    /// Returns the value of `key`, calling make() if there is none yet. An exception of make() reaches all threads that wait for
    /// the value.
    template <class Make> Value get(const std::string &key, Make &&make) {
        std::promise<Value> promise;
        bool isNew = false;
        const std::shared_future<Value> value = find(key, promise, isNew);
        if (isNew) {
            try {
                promise.set_value(make());
            } catch (...) {
                promise.set_exception(std::current_exception());
            }
        }
        return value.get();
    }

private:
    struct Entry {
        std::shared_future<Value> value;
        std::uint64_t usedAt = 0;
    };

    std::shared_future<Value> find(const std::string &key, std::promise<Value> &promise, bool &isNew) {
        const std::scoped_lock lock(m_mutex);
        const auto [entry, inserted] = m_entries.try_emplace(key);
        isNew = inserted;
        if (inserted)
            entry->second.value = promise.get_future().share();
        entry->second.usedAt = ++m_clock;
        const std::shared_future<Value> value = entry->second.value;
        if (m_entries.size() > m_capacity)
            m_entries.erase(std::min_element(m_entries.begin(), m_entries.end(),
                                             [](const auto &a, const auto &b) { return a.second.usedAt < b.second.usedAt; }));
        return value;
    }

    std::mutex m_mutex;
    std::map<std::string, Entry> m_entries; ///< few: capacity is small
    std::uint64_t m_clock = 0;
    std::size_t m_capacity;
};

} // namespace syncopate
