// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <optional>
#include <string>

namespace syncopate::cli {

/// What mpirun or srun says of this process, before it has joined the others.
struct Launched {
    unsigned rank = 0, size = 1; ///< of all that were started; alone where neither started it
};
[[nodiscard]] Launched launched();

/// A message between ranks.
struct Message {
    unsigned rank = 0; ///< sender of what is taken, receiver of what is posted
    std::string text;
};

/// The ranks that were started together, and messages between them. All calls come from the thread that opened it.
class World {
public:
    World() = default;
    World(const World &) = delete;
    World &operator=(const World &) = delete;
    virtual ~World() = default;

    /// Joins the others; returns when all are there. Errors: the program was built without MPI, or MPI has one.
    [[nodiscard]] static Result<std::unique_ptr<World>> open();

    [[nodiscard]] virtual unsigned ranksHere() const = 0; ///< ranks on this machine, this one included
    /// Sends in the background. A receiver that is gone is not noticed.
    virtual void post(Message message) = 0;
    /// A message that has arrived; of one sender large ones may come after later small ones.
    [[nodiscard]] virtual std::optional<Message> take() = 0;
    /// Waits until all that was posted has arrived and all others close it, too. Without it, or where something has not arrived
    /// in `seconds`, the world is left as it is: those who are gone cannot be waited for.
    virtual void close(double seconds) = 0;
};

} // namespace syncopate::cli
