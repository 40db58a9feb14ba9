// SPDX-License-Identifier: GPL-3.0-or-later
// async_ps server|worker --name value ...: measure.py starts it; see roles.h for what the options mean.
#include "roles.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <malloc.h>
#include <map>
#include <sched.h>
#include <stdexcept>

namespace {

reality::Options optionsFrom(const std::map<std::string, std::string> &given) {
    const auto text = [&](const std::string &name) {
        const auto found = given.find(name);
        return found == given.end() ? std::string() : found->second;
    };
    const auto number = [&](const std::string &name, long long fallback) {
        if (text(name).empty())
            return fallback;
        char *end = nullptr;
        const long long value = std::strtoll(text(name).c_str(), &end, 10);
        if (*end != 0 || value < 0)
            throw std::runtime_error("--" + name + ": '" + text(name) + "' is not a number of 0 or more");
        return value;
    };
    reality::Options options;
    options.job = reality::readJobSteps(text("job"), text("steps"));
    const std::string window = text("window");
    if (window == "probing")
        options.flowControl.probing = true;
    else
        options.flowControl.windowBytes = static_cast<int>(std::clamp(number("window", 65535), 1LL, 1LL << 30));
    options.address = text("address");
    options.serverAddress = text("server");
    options.worker = static_cast<std::uint32_t>(number("worker", 0));
    options.workers = static_cast<std::uint32_t>(number("workers", 1));
    options.seed = static_cast<std::uint64_t>(number("seed", 1));
    if (const std::string order = text("order"); order == "random")
        options.randomOrder = true;
    else if (!order.empty() && order != "layers")
        throw std::runtime_error("--order: '" + order + "' is neither layers nor random");
    options.startAt = number("start-at", 0);
    options.measureFrom = number("measure-from", 0);
    options.stopAt = number("stop-at", 0);
    options.stepsOutput = text("steps-output");
    options.arrivalsOutput = text("arrivals-output");
    options.turnsOutput = text("turns-output");
    options.timelineDirectory = text("timelines");
    options.timelineSteps = static_cast<int>(number("timeline-steps", 0));
    if (options.workers < 1 || options.workers > 1000 || options.worker >= options.workers)
        throw std::runtime_error("--worker must be below --workers, and that 1000 at most");
    return options;
}

} // namespace

int main(int argc, char **argv) {
    // Buffers of megabytes come and go with every tensor: keep them instead of requesting them from the kernel each time.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    // Real-time priority over other work on the machine, if allowed: for all threads, and above them the one that computes.
    const sched_param priority{.sched_priority = 5};
    sched_setscheduler(0, SCHED_RR, &priority);
    try {
        const std::string role = argc > 1 ? argv[1] : "";
        std::map<std::string, std::string> given;
        for (int index = 2; index + 1 < argc; index += 2)
            given[std::string(argv[index]).substr(2)] = argv[index + 1];
        const reality::Options options = optionsFrom(given);
        if (role == "server")
            reality::runServer(options);
        else if (role == "worker")
            reality::runWorker(options);
        else
            throw std::runtime_error("the first argument must be server or worker");
    } catch (const std::exception &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        std::fflush(stderr);
        std::_Exit(1);
    }
    std::_Exit(0); // threads of both roles never return
}
