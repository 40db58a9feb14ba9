// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

namespace syncopate::cli {

/// While an object exists, SIGINT (Ctrl-C) and SIGTERM (from mpirun ending its ranks, or a batch system at the time limit)
/// request a stop instead of ending the process, so that finished work can be kept. A second signal ends the process; a signal
/// that was ignored when the process started stays ignored. One object at a time.
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
