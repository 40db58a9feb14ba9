// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/world.h"

#include <fmt/format.h>

namespace syncopate::cli {

Result<std::unique_ptr<World>> World::open() {
    return fail(fmt::format("one of {} ranks was started, and this program was built without MPI", launched().size),
                "install libopenmpi-dev and build it again, or start it alone");
}

} // namespace syncopate::cli
