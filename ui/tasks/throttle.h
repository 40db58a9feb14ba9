// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace syncopate::ui {

/// Says when work on a thread is to tell how far it is: some 20 times a second, which the eye takes for live and the GUI thread
/// does not feel. For one thread at a time.
class Throttle final {
public:
    /// Whether the last time that this was true is long enough ago; with `atOnce` it is true.
    [[nodiscard]] bool isDue(bool atOnce = false) {
        constexpr auto interval = std::chrono::milliseconds(50);
        const auto now = std::chrono::steady_clock::now();
        if (!atOnce && now - m_last < interval)
            return false;
        m_last = now;
        return true;
    }

private:
    std::chrono::steady_clock::time_point m_last;
};

} // namespace syncopate::ui
