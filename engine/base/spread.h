// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/packed_texts.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Makes one part of some work by its number: a text of any bytes, not empty, that depends on nothing else (packResult()). From
/// several threads at once. What was told to stop may be any text.
using MakePart = std::function<std::string(std::size_t part, const std::stop_token &stop)>;

/// What a spread work depends on, as texts: equal where processes have read the same.
using WorkTexts = std::function<std::vector<std::string>()>;

/// Makes `count` parts by `make`, in the order of their numbers, by as many threads and processes as there are; each process
/// calls it with the same work. Errors: the processes do not; of kind Cancelled where this one has made parts for another one,
/// which has them all.
using Spread =
    std::function<Result<std::vector<std::string>>(const WorkTexts &dependsOn, std::size_t count, const MakePart &make)>;

/// By `spread`, or where it is null one after the other on this thread, until a part is an error.
[[nodiscard]] inline Result<std::vector<std::string>> spreadOrMake(const Spread &spread, const WorkTexts &dependsOn,
                                                                   std::size_t count, const MakePart &make,
                                                                   const std::stop_token &stop = {}) {
    if (spread)
        return spread(dependsOn, count, make);
    std::vector<std::string> parts;
    for (std::size_t part = 0; part < count; ++part) {
        parts.push_back(make(part, stop));
        TRY(unpackResult(parts.back()));
    }
    return parts;
}

} // namespace syncopate
