// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

namespace syncopate::cli {

/// While there is one, SIGINT (Ctrl-C) and SIGTERM (mpirun that ends its ranks, batch systems whose time is up) request a stop
/// instead of ending the process, so that what is finished can be kept. A second signal ends it; one that the process was started
/// to ignore stays ignored. One at a time.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption &) = delete;
    Interruption &operator=(const Interruption &) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::jthread m_watch;
};

} // namespace syncopate::cli
