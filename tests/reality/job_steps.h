// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace reality {

struct Variable {
    std::string name;
    std::size_t layer = 0;
    std::size_t elements = 0; // float32
    [[nodiscard]] std::size_t bytes() const { return elements * sizeof(float); }
};

/// A chain of layers with their variables (docs/job-file.md) and the recorded steps that a worker draws from.
struct JobSteps {
    struct Layer {
        std::string name;
        std::vector<std::size_t> variables; // indices, in the order of the file
    };
    struct Times {
        double forwardSeconds = 0;
        double backwardSeconds = 0;
    };
    std::string name;
    int batchSize = 1;
    std::vector<Layer> layers;             // in forward order
    std::vector<Variable> variables;       // layer by layer
    std::vector<std::vector<Times>> steps; // [step][layer]
};

/// Reads JOB.job.json and JOB.steps.csv (record_steps.py). Throws std::runtime_error that names the error and its place.
[[nodiscard]] JobSteps readJobSteps(const std::string &jobPath, const std::string &stepsPath);

} // namespace reality
