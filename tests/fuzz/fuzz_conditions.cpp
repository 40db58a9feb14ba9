// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of conditions from any bytes: an error with a text, or conditions in chronological order.
#include "engine/search/tune/conditions.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    const auto schedule = parseConditions(std::string_view(reinterpret_cast<const char *>(data), size), "conditions.csv");
    if (!schedule)
        return schedule.error().what.empty() ? (std::abort(), 0) : 0;
    double last = -1;
    for (std::size_t i = 0; i < schedule->conditions.size(); ++i) {
        const Condition &condition = schedule->conditions[i];
        if (!(condition.from > last) || schedule->at(condition.from) != i || condition.describe().empty())
            std::abort();
        last = condition.from;
    }
    return 0;
}
