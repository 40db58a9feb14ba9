// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <optional>
#include <string>

namespace syncopate::cli {

/// The place of this process among the ranks, as mpirun or srun --mpi=pmix states it before the ranks have joined.
struct Launched {
    unsigned rank = 0, size = 1; ///< among all started processes; alone if neither started it
};
[[nodiscard]] Launched launched();

/// A message between ranks.
struct Message {
    unsigned rank = 0; ///< sender of a received message, receiver of a posted one
    std::string text;  ///< less than 2 GiB: MPI counts bytes in an int
};

/// The ranks that were started together, and messages between them. All calls must come from the thread that opened it.
class World {
public:
    World() = default;
    World(const World &) = delete;
    World &operator=(const World &) = delete;
    virtual ~World() = default;

    /// Joins the other ranks; returns when all are there. Errors: the program was built without MPI, or MPI reports one.
    [[nodiscard]] static Result<std::unique_ptr<World>> open();

    [[nodiscard]] virtual unsigned ranksHere() const = 0; ///< number of ranks on this machine, including this one
    /// Sends in the background. A receiver that is gone goes unnoticed.
    virtual void post(Message message) = 0;
    /// The next message that has arrived; nullopt if there is none. Large messages may be overtaken by later small ones of the
    /// same sender.
    [[nodiscard]] virtual std::optional<Message> take() = 0;
    /// Waits until all posted messages have arrived and all others close it, too. Without this call, or if something has not
    /// arrived after `seconds`, MPI is not finalised: that would wait for ranks that are gone.
    virtual void close(double seconds) = 0;
};

} // namespace syncopate::cli
