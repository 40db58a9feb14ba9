// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/world.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace syncopate::cli {

namespace {

std::optional<unsigned> number(const char *variable) {
    const char *value = std::getenv(variable);
    if (value == nullptr)
        return std::nullopt;
    const std::string_view text(value);
    unsigned n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

} // namespace

Launched launched() {
    auto rank = number("OMPI_COMM_WORLD_RANK"), size = number("OMPI_COMM_WORLD_SIZE");
    if (!rank && std::getenv("PMIX_RANK") != nullptr) { // srun --mpi=pmix; a job step without it has no MPI
        rank = number("SLURM_PROCID");
        size = number("SLURM_STEP_NUM_TASKS");
    }
    return rank && size && *rank < *size ? Launched{*rank, *size} : Launched{};
}

} // namespace syncopate::cli
