// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"

#include <cmath>
#include <cstdlib>

/// Any text yields a job whose times can be simulated, or an Error. Half of the inputs start with a catalogue name, so that the
/// suffix (`:64@V100`) is reached, too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    std::string expression;
    if (size > 0 && data[0] % 2 == 0) {
        expression = catalogueJobs()[data[0] / 2 % catalogueJobs().size()].name;
        ++data;
        --size;
    }
    expression.append(reinterpret_cast<const char *>(data), size);
    const auto job = catalogueJob(expression);
    if (!job)
        return job.error().what.empty() || job.error().remedy.empty() ? (std::abort(), 0) : 0;
    const double seconds = job->forwardSeconds() + job->backwardSeconds();
    if (!(seconds > 0) || !std::isfinite(seconds) || !(job->batchSize > 0) || job->layers.empty())
        std::abort();
    return 0;
}
