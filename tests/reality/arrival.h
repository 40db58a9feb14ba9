// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// When the bytes of a tensor had arrived, as the kernel saw it: the truth that a recorded operation, which ends after gRPC has
/// parsed the tensor, is held against (papers/async-sgd-prediction, section 3.2.1 takes it from a packet capture).
///
/// gRPC reads its sockets by recvmsg; the program's own recvmsg stands in front of the C library's, asks the kernel for the
/// time stamp of the last packet it hands out, and follows the HTTP/2 frames to the last byte of each message.
namespace reality::arrival {

/// Makes room for `workers` x `variables`; before the first connection, once.
void follow(std::size_t workers, std::size_t variables);

/// now() at which the last byte of the newest tensor message of (worker, variable) arrived; 0 when unknown.
[[nodiscard]] std::int64_t of(std::size_t worker, std::size_t variable);

/// Bytes of one tensor that arrived without bytes of another between them: a stream's turn on its connection.
struct Turn {
    std::uint64_t step = 0;
    std::uint32_t variable = 0;
    std::int64_t ended = 0; // now()
    std::uint64_t bytes = 0;
};
/// From here on turns are kept, up to a million of them.
void keepTurns();
[[nodiscard]] std::vector<Turn> turns();

} // namespace reality::arrival
