// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rounding.h"
#include "engine/query/query_table.h"
#include "engine/timeline/timeline.h"

#include <cmath>
#include <functional>
#include <mutex>
#include <utility>

/// Shared by the cells of several tables.
namespace syncopate::query_cells {

inline QueryCell text(std::string_view text) { return text.empty() ? QueryCell() : QueryCell(text); }
inline QueryCell number(std::int64_t number) { return number; }
inline QueryCell unlessNone(std::int32_t number) {
    return number < 0 ? QueryCell() : QueryCell(static_cast<std::int64_t>(number));
}
inline QueryCell nanoseconds(double seconds) { return std::isfinite(seconds) ? QueryCell(toNanoseconds(seconds)) : QueryCell(); }
inline QueryCell positive(double number) { return number > 0 ? QueryCell(number) : QueryCell(); }

/// Whether a start at `start` is within an iteration.
inline bool startsIn(const std::pair<Nanoseconds, Nanoseconds> &iteration, Nanoseconds start) {
    return iteration.first <= start && start < iteration.second;
}

/// A value that is made when the first cell asks for it: most questions are about spans alone.
template <class Made> class Lazy {
public:
    explicit Lazy(std::function<Made()> make) : m_make(std::move(make)) {}
    const Made &get() {
        std::call_once(m_once, [this] { m_made = m_make(); });
        return m_made;
    }

private:
    std::once_flag m_once;
    std::function<Made()> m_make;
    Made m_made;
};

} // namespace syncopate::query_cells
