// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace syncopate {

/// The progress of a long task: written by the worker, polled by the view; no locks, no callbacks. Units are the worker's own
/// (bytes read, iterations simulated); total 0 = not known yet.
struct Progress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
};

} // namespace syncopate
