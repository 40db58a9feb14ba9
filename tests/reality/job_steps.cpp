// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_steps.h"

#include <cmath>
#include <fstream>
#include <simdjson.h>
#include <sstream>
#include <stdexcept>

namespace reality {

namespace {

void readJob(JobSteps &job, const std::string &path) {
    simdjson::dom::parser parser;
    const simdjson::dom::element root = parser.load(path);
    job.name = std::string(std::string_view(root["name"]));
    job.batchSize = static_cast<int>(std::int64_t(root["batch_size"]));
    for (const simdjson::dom::element layer : root["layers"].get_array()) {
        if (layer["parents"].error() == simdjson::SUCCESS)
            throw std::runtime_error(path + ": layers with parents; only chains of layers can be replayed");
        JobSteps::Layer &added = job.layers.emplace_back();
        added.name = std::string(std::string_view(layer["name"]));
        for (const simdjson::dom::element variable : layer["variables"].get_array()) {
            double elements = 1;
            for (const simdjson::dom::element dimension : variable["shape"].get_array())
                elements *= static_cast<double>(std::int64_t(dimension));
            if (std::string_view(variable["dtype"]) != "float32" || !(elements >= 1 && elements < 1e9))
                throw std::runtime_error(path + ": layer " + added.name + ": variables must be float32 and below 4 GB");
            added.variables.push_back(job.variables.size());
            job.variables.push_back({.name = std::string(std::string_view(variable["name"])),
                                     .layer = job.layers.size() - 1,
                                     .elements = static_cast<std::size_t>(elements)});
        }
    }
    if (job.variables.empty() || job.variables.size() > 100'000)
        throw std::runtime_error(path + ": no variables, or more than 100000");
}

void readSteps(JobSteps &job, const std::string &path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
        throw std::runtime_error(path + ": cannot be read, or is empty");
    for (int number = 2; std::getline(file, line); ++number) {
        std::istringstream fields(line);
        std::vector<double> values;
        for (std::string field; std::getline(fields, field, ',');) {
            char *end = nullptr;
            values.push_back(std::strtod(field.c_str(), &end));
            if (end == field.c_str() || *end != 0 || !(values.back() >= 0 && values.back() < 1000))
                throw std::runtime_error(path + ":" + std::to_string(number) + ": '" + field + "' is not a time in seconds");
        }
        if (values.size() != 2 * job.layers.size())
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + std::to_string(values.size()) + " times for " +
                                     std::to_string(job.layers.size()) + " layers; two each are needed");
        std::vector<JobSteps::Times> &step = job.steps.emplace_back();
        for (std::size_t layer = 0; layer < job.layers.size(); ++layer)
            step.push_back({.forwardSeconds = values[2 * layer], .backwardSeconds = values[2 * layer + 1]});
    }
    if (job.steps.empty())
        throw std::runtime_error(path + ": no steps");
}

} // namespace

JobSteps readJobSteps(const std::string &jobPath, const std::string &stepsPath) {
    JobSteps job;
    try {
        readJob(job, jobPath);
    } catch (const simdjson::simdjson_error &error) {
        throw std::runtime_error(jobPath + ": " + error.what());
    }
    readSteps(job, stepsPath);
    return job;
}

} // namespace reality
