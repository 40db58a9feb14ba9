// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// When a tensor's bytes arrived, according to the kernel: the ground truth for recorded operations, which end only after gRPC
/// has parsed the tensor (Z. Li et al., "Throughput Prediction of Asynchronous SGD in TensorFlow", ICPE 2020, section 3.2.1, take
/// it from a packet capture).
///
/// gRPC reads its sockets with recvmsg; this program's recvmsg precedes the C library's, asks the kernel for the time stamp of
/// the last packet delivered, and follows the HTTP/2 frames to the last byte of each message. Connections must stay open while
/// they are followed: one on the descriptor of another that was closed would be read as its continuation.
namespace reality::arrival {

/// Allocates `workers` x `variables`; call once, before the first connection.
void follow(std::size_t workers, std::size_t variables);

/// now() when the last byte of the newest tensor message of (worker, variable) arrived; 0 if unknown.
[[nodiscard]] std::int64_t of(std::size_t worker, std::size_t variable);

/// Bytes of one tensor that arrived uninterrupted by another's: a stream's turn on its connection.
struct Turn {
    std::uint64_t step = 0;
    std::uint32_t variable = 0;
    std::int64_t ended = 0; // now()
    std::uint64_t bytes = 0;
};
/// From now on records turns, up to a million of them.
void keepTurns();
[[nodiscard]] std::vector<Turn> turns();

} // namespace reality::arrival
