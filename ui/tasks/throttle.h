// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace syncopate::ui {

/// Says when work on a thread should report progress: about 20 times a second, which looks live and does not load the GUI thread.
/// For one thread at a time.
class Throttle final {
public:
    /// Whether enough time has passed since this last returned true; always true with `atOnce`.
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
