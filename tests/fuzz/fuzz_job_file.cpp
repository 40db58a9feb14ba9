// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/measured/*/jobs/*.job.json tests/damaged/job/*
#include "engine/job/job_file.h"

#include <cstdlib>

/// Any text yields a job or an Error, and a job that was read survives writing and reading back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto job = syncopate::readJobText(text);
    if (!job)
        return job.error().what.empty() ? (std::abort(), 0) : 0;
    const auto again = syncopate::readJobText(syncopate::writeJobText(*job));
    if (!again || again->layers != job->layers || again->variables != job->variables || again->notes != job->notes)
        std::abort();
    return 0;
}
