// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "job_steps.h"
#include "rpc.h"

#include <cstdint>
#include <string>
#include <vector>

namespace reality {

struct Options {
    JobSteps job;
    FlowControl flowControl;
    std::string address; // own host:port
    std::string serverAddress;
    std::uint32_t worker = 0;
    std::uint32_t workers = 1;
    std::uint64_t seed = 1;
    bool randomOrder = false; // request the variables in random order, different in each step; else in the layers' order
    // In terms of now().
    std::int64_t startAt = 0;
    std::int64_t measureFrom = 0;
    std::int64_t stopAt = 0;
    std::string stepsOutput;       // CSV, one line per step
    std::string arrivalsOutput;    // CSV, one line per tensor of the steps of the timelines
    std::string turnsOutput;       // CSV, the order in which a step's variables arrived
    std::string timelineDirectory; // step_NNNN.json
    int timelineSteps = 0;         // how many of the first steps that start at or after measureFrom
};

/// The server's record of one gradient of one step; all now().
struct PushTimes {
    std::int64_t started = 0; // requested
    std::int64_t arrived = 0; // its last byte, 0 if unknown
    std::int64_t parsed = 0;
    std::int64_t applyStarted = 0;
    std::int64_t applied = 0;
};

/// The worker's record of one step; all now().
struct StepRecord {
    struct Pull {
        std::int64_t started = 0;
        std::int64_t arrived = 0;
        std::int64_t parsed = 0;
    };
    struct Span {
        std::int64_t started = 0;
        std::int64_t ended = 0;
    };
    std::int64_t started = 0;
    std::int64_t ended = 0;
    std::int64_t greatestLateness = 0;
    double computeSeconds = 0;
    std::vector<Pull> pulls;     // by variable
    std::vector<Span> forward;   // by layer
    std::vector<Span> backward;  // by layer
    std::vector<PushTimes> push; // by variable
};

/// Serve until stopAt; print one line of JSON (CPU use, late waits) to stdout. Throw std::runtime_error.
void runServer(const Options &options);
void runWorker(const Options &options);

/// Writes one step in the format of TensorFlow's timeline.py; `epochOffset` converts now() to a time since 1970.
void writeTimeline(const std::string &path, const JobSteps &job, const StepRecord &step, std::int64_t epochOffset);

} // namespace reality
