// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/packed_texts.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Makes one part of a job, by its number: a text of any bytes, not empty, that depends on nothing else (packResult()). Called
/// from several threads at once. A stopped call may return any text.
using MakePart = std::function<std::string(std::size_t part, const std::stop_token &stop)>;

/// The inputs on which the parts depend, as texts: equal in all processes that have read the same.
using WorkTexts = std::function<std::vector<std::string>()>;

/// Makes `count` parts with `make`, spread over all threads and processes, and returns them in the order of their numbers; each
/// process calls it for the same job. Errors: the processes disagree on the inputs; of kind Cancelled in a process that has only
/// helped another one, which has all parts.
using Spread =
    std::function<Result<std::vector<std::string>>(const WorkTexts &dependsOn, std::size_t count, const MakePart &make)>;

/// Makes the parts with `spread`; without one, one after the other on this thread, until one is an error.
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
