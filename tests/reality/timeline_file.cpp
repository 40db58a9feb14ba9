// SPDX-License-Identifier: GPL-3.0-or-later
#include "roles.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace reality {

namespace {

constexpr int workerRow = 1; // pid 0 is timeline.py's "Allocators"
constexpr int serverRow = 3;

struct Operation {
    int row = 0;
    std::string name;
    std::string type;
    std::int64_t start = 0; // microseconds
    std::int64_t end = 0;
    std::vector<std::string> inputs;
    std::size_t bytes = 0; // of RecvTensor
};

std::string backwardName(const JobSteps &job, std::size_t layer) { return "gradients/" + job.layers[layer].name + "_grad"; }

std::vector<Operation> operationsOf(const JobSteps &job, const StepRecord &step, std::int64_t epochOffset) {
    const auto micros = [&](std::int64_t time) { return (time + epochOffset) / 1000; };
    std::vector<Operation> operations;
    for (std::size_t variable = 0; variable < job.variables.size(); ++variable) {
        const Variable &about = job.variables[variable];
        const std::string read = about.name + "/read", gradient = "gradients/" + about.name;
        const StepRecord::Pull &pull = step.pulls[variable];
        const PushTimes &push = step.push[variable];
        // The server has the variable available when it is requested: nothing is computed.
        operations.push_back(
            {serverRow, about.name, "VariableV2", micros(pull.started), micros(pull.started), {}, about.bytes()});
        operations.push_back(
            {workerRow, read, "RecvTensor", micros(pull.started), micros(pull.parsed), {about.name}, about.bytes()});
        operations.push_back({serverRow,
                              gradient,
                              "RecvTensor",
                              micros(push.started),
                              micros(push.parsed),
                              {backwardName(job, about.layer)},
                              about.bytes()});
        operations.push_back({serverRow,
                              "update_" + about.name,
                              "ApplyGradientDescent",
                              micros(push.applyStarted),
                              micros(push.applied),
                              {about.name, gradient},
                              0});
    }
    for (std::size_t layer = 0; layer < job.layers.size(); ++layer) {
        const JobSteps::Layer &about = job.layers[layer];
        Operation forward{
            workerRow, about.name, "Forward", micros(step.forward[layer].started), micros(step.forward[layer].ended), {}, 0};
        if (layer > 0)
            forward.inputs.push_back(job.layers[layer - 1].name);
        for (const std::size_t variable : about.variables)
            forward.inputs.push_back(job.variables[variable].name + "/read");
        operations.push_back(std::move(forward));
        operations.push_back({workerRow,
                              backwardName(job, layer),
                              "Backward",
                              micros(step.backward[layer].started),
                              micros(step.backward[layer].ended),
                              {layer + 1 < job.layers.size() ? backwardName(job, layer + 1) : about.name},
                              0});
    }
    std::stable_sort(operations.begin(), operations.end(),
                     [](const Operation &a, const Operation &b) { return a.start < b.start; });
    return operations;
}

/// timeline.py's lanes: the first whose last bar has ended.
int laneFor(std::vector<std::int64_t> &laneEnds, const Operation &operation) {
    const auto lane = std::find_if(laneEnds.begin(), laneEnds.end(), [&](std::int64_t end) { return end <= operation.start; });
    if (lane == laneEnds.end()) {
        laneEnds.push_back(operation.end);
        return static_cast<int>(laneEnds.size()) - 1;
    }
    *lane = operation.end;
    return static_cast<int>(lane - laneEnds.begin());
}

} // namespace

void writeTimeline(const std::string &path, const JobSteps &job, const StepRecord &step, std::int64_t epochOffset) {
    std::ofstream file(path);
    file << "{\"traceEvents\": [";
    const std::array<const char *, 5> rows = {
        "Allocators", "/job:worker/replica:0/task:0/device:CPU:0 Compute", "/job:worker/replica:0/task:0/device:CPU:0 Tensors",
        "/job:ps/replica:0/task:0/device:CPU:0 Compute", "/job:ps/replica:0/task:0/device:CPU:0 Tensors"};
    for (std::size_t row = 0; row < rows.size(); ++row)
        file << (row == 0 ? "\n" : ",\n") << R"({"name": "process_name", "ph": "M", "pid": )" << row << R"(, "args": {"name": ")"
             << rows[row] << "\"}}";
    std::array<std::vector<std::int64_t>, 5> laneEnds;
    for (const Operation &operation : operationsOf(job, step, epochOffset)) {
        const int lane = laneFor(laneEnds[static_cast<std::size_t>(operation.row)], operation);
        // timeline.py names every RecvTensor "RecvTensor" and omits its size; here "name", "input0" and "bytes" identify the
        // tensor.
        file << ",\n"
             << R"({"ph": "X", "cat": "Op", "name": ")" << operation.type << R"(", "pid": )" << operation.row << R"(, "tid": )"
             << lane << R"(, "ts": )" << operation.start << R"(, "dur": )" << operation.end - operation.start
             << R"(, "args": {"name": ")" << operation.name << R"(", "op": ")" << operation.type << '"';
        for (std::size_t input = 0; input < operation.inputs.size(); ++input)
            file << R"(, "input)" << input << R"(": ")" << operation.inputs[input] << '"';
        if (operation.bytes > 0)
            file << R"(, "bytes": )" << operation.bytes;
        file << "}}";
    }
    file << "\n]}\n";
    if (!file.flush())
        throw std::runtime_error(path + ": cannot be written");
}

} // namespace reality
