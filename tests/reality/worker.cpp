// SPDX-License-Identifier: GPL-3.0-or-later
// A worker of asynchronous SGD. At the start of a step it requests every variable; a layer's forward pass waits for its own
// variables; gradients are handed over as each layer's backward pass ends; the step is over when the server has applied them all.
// Computing is simulated by waiting for the time in a recorded step, as for a busy accelerator.
#include "arrival.h"
#include "clock.h"
#include "process_use.h"
#include "roles.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <fstream>
#include <mutex>
#include <numeric>
#include <pthread.h>
#include <random>
#include <stdexcept>
#include <sys/prctl.h>

namespace reality {

namespace {

/// Matches ready gradients with the calls that request them, whichever comes first.
class Gradients {
public:
    explicit Gradients(const JobSteps &job, std::uint32_t worker) : m_worker(worker), m_entries(job.variables.size()) {
        std::mt19937 generator(worker + 1);
        std::normal_distribution<float> normal(0, 0.001F);
        for (const Variable &variable : job.variables) {
            std::vector<float> values(variable.elements);
            // Random numbers for 4096 elements, repeated: the values do not matter.
            for (std::size_t index = 0; index < values.size(); ++index)
                values[index] = index < 4096 ? normal(generator) : values[index - 4096];
            m_values.emplace_back(values.data(), variable.bytes());
        }
        m_sender = std::thread([this] { send(); });
        m_sender.detach();
    }
    void ask(std::uint64_t step, std::size_t variable, ServerCall *call) {
        const std::scoped_lock lock(m_mutex);
        Entry &entry = m_entries[variable];
        entry.call = call;
        entry.askedStep = step;
        queueIfReady(variable);
    }
    void ready(std::uint64_t step, const std::vector<std::size_t> &variables) {
        const std::scoped_lock lock(m_mutex);
        for (const std::size_t variable : variables) {
            m_entries[variable].readyStep = step;
            m_entries[variable].readyAt = now();
            queueIfReady(variable);
        }
    }

private:
    struct Entry {
        ServerCall *call = nullptr;
        std::uint64_t askedStep = 0;
        std::uint64_t readyStep = 0; // steps count from 1
        std::int64_t readyAt = 0;
    };
    void queueIfReady(std::size_t variable) {
        if (const Entry &entry = m_entries[variable]; entry.call != nullptr && entry.readyStep == entry.askedStep) {
            m_queue.push_back(variable);
            m_wake.notify_one();
        }
    }
    void send() {
        while (true) {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return !m_queue.empty(); });
            const std::size_t variable = m_queue.front();
            m_queue.pop_front();
            const Entry entry = m_entries[variable];
            m_entries[variable].call = nullptr;
            lock.unlock();
            entry.call->reply(makeMessage({.worker = m_worker,
                                           .variable = static_cast<std::uint32_t>(variable),
                                           .isTensor = 1,
                                           .step = entry.readyStep,
                                           .readyAt = entry.readyAt,
                                           .payloadBytes = m_values[variable].size()},
                                          m_values[variable]));
        }
    }
    std::uint32_t m_worker;
    std::vector<Entry> m_entries;
    std::vector<grpc::Slice> m_values;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::size_t> m_queue;
    std::thread m_sender;
};

class Worker {
public:
    explicit Worker(const Options &options)
        : m_options(options), m_job(options.job), m_gradients(*new Gradients(options.job, options.worker)),
          m_server(*new RpcServer(options.address, options.flowControl, 1,
                                  [&gradients = m_gradients, count = options.job.variables.size()](
                                      const std::string &, const grpc::ByteBuffer &request, ServerCall *call) {
                                      Header header;
                                      if (parseMessage(request, header) && header.variable < count)
                                          gradients.ask(header.step, header.variable, call);
                                      else
                                          call->reply(makeMessage({.magic = 0}));
                                  })),
          m_stub(connect(options.serverAddress, options.flowControl, 20)) {
        for (const Variable &variable : m_job.variables)
            m_values.emplace_back(variable.elements);
        registerAtServer();
    }

    /// Runs steps until the time is over.
    void run() {
        prctl(PR_SET_TIMERSLACK, 1UL);
        const sched_param priority{.sched_priority = 10};
        m_realTime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
        std::mt19937_64 generator(m_options.seed);
        std::uniform_int_distribution<std::size_t> drawn(0, m_job.steps.size() - 1);
        std::vector<std::size_t> order(m_job.variables.size()); // in which a step requests the variables
        std::iota(order.begin(), order.end(), std::size_t{0});
        sleepUntil(m_options.startAt);
        for (std::uint64_t step = 1; now() < m_options.stopAt; ++step) {
            if (m_options.randomOrder)
                std::shuffle(order.begin(), order.end(), generator);
            runStep(step, m_job.steps[drawn(generator)], order);
        }
        const std::scoped_lock lock(m_mutex);
        if (!m_failure.empty())
            throw std::runtime_error(m_failure);
    }

    [[nodiscard]] const std::vector<StepRecord> &records() const { return m_records; }
    [[nodiscard]] bool realTime() const { return m_realTime; }
    /// How late each wait of the measured time ended, sorted.
    [[nodiscard]] std::vector<std::int64_t> sortedLateness() const {
        std::vector<std::int64_t> result = m_lateness;
        std::sort(result.begin(), result.end());
        return result;
    }

private:
    void registerAtServer() {
        Header header{.worker = m_options.worker, .payloadBytes = m_options.address.size()};
        bool answered = false;
        startCall(m_stub, "/ps/Register", makeMessage(header, m_options.address.data()), m_queue,
                  [&](const grpc::Status &status, const grpc::ByteBuffer &message) {
                      const std::scoped_lock lock(m_mutex);
                      if (Header reply; !status.ok() || !parseMessage(message, reply))
                          m_failure = "the server does not take this worker: " + status.error_message();
                      answered = true;
                      m_wake.notify_all();
                  });
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return answered; });
        if (!m_failure.empty())
            throw std::runtime_error(m_failure);
    }

    void pull(std::uint64_t step, std::size_t variable) {
        const Header header{.worker = m_options.worker, .variable = static_cast<std::uint32_t>(variable), .step = step};
        StepRecord::Pull &record = m_records.back().pulls[variable];
        record.started = now();
        startCall(m_stub, "/ps/RecvTensor", makeMessage(header), m_queue,
                  [this, variable, &record](const grpc::Status &status, const grpc::ByteBuffer &message) {
                      Header received;
                      const std::size_t bytes = m_job.variables[variable].bytes();
                      const bool good = status.ok() && parseMessage(message, received, m_values[variable].data(), bytes) &&
                                        received.variable == variable && received.payloadBytes == bytes;
                      record.parsed = now();
                      record.started = std::max(record.started, received.readyAt);
                      record.arrived = arrival::of(m_options.worker, variable);
                      const std::scoped_lock lock(m_mutex);
                      if (!good && m_failure.empty())
                          m_failure = "a variable did not arrive: " + status.error_message();
                      const std::size_t layer = m_job.variables[variable].layer;
                      m_arrivedAt[layer] = std::max(m_arrivedAt[layer], record.parsed);
                      if (--m_missing[layer] == 0 || !good)
                          m_wake.notify_all();
                  });
    }

    /// The server's part of the step: it requests the gradients and answers when all are applied.
    void startServersPart(std::uint64_t step) {
        startCall(m_stub, "/ps/RunStep", makeMessage({.worker = m_options.worker, .step = step}), m_queue,
                  [this](const grpc::Status &status, const grpc::ByteBuffer &message) {
                      std::vector<PushTimes> &push = m_records.back().push;
                      Header received;
                      const bool good =
                          status.ok() && parseMessage(message, received, push.data(), push.size() * sizeof(PushTimes));
                      const std::scoped_lock lock(m_mutex);
                      if (!good && m_failure.empty())
                          m_failure = "the server did not end the step: " + status.error_message();
                      m_stepApplied = true;
                      m_wake.notify_all();
                  });
    }

    /// Busy from `start` for `seconds`; returns the nominal end, however late the thread wakes up.
    std::int64_t compute(std::int64_t start, double seconds, StepRecord::Span &span) {
        const std::int64_t end = start + static_cast<std::int64_t>(1e9 * seconds);
        sleepUntil(end);
        const std::int64_t lateness = now() - end;
        if (m_records.back().started >= m_options.measureFrom)
            m_lateness.push_back(lateness);
        m_records.back().greatestLateness = std::max(m_records.back().greatestLateness, lateness);
        m_records.back().computeSeconds += seconds;
        span = {.started = start, .ended = end};
        return end;
    }

    void runStep(std::uint64_t step, const std::vector<JobSteps::Times> &times, const std::vector<std::size_t> &order) {
        const std::size_t layers = m_job.layers.size();
        StepRecord &record = m_records.emplace_back();
        record.started = now();
        record.pulls.resize(m_job.variables.size());
        record.push.resize(m_job.variables.size());
        record.forward.resize(layers);
        record.backward.resize(layers);
        {
            const std::scoped_lock lock(m_mutex);
            m_stepApplied = false;
            m_missing.clear();
            m_arrivedAt.assign(layers, 0);
            for (const JobSteps::Layer &layer : m_job.layers)
                m_missing.push_back(layer.variables.size());
        }
        startServersPart(step);
        for (const std::size_t variable : order)
            pull(step, variable);

        std::int64_t time = now();
        for (std::size_t layer = 0; layer < layers; ++layer) {
            time = waitFor(time, [&] { return m_missing[layer] == 0; });
            // A thread that woke up late may find values that came after the nominal end of the previous layer.
            time = compute(std::max(time, m_arrivedAt[layer]), times[layer].forwardSeconds, record.forward[layer]);
        }
        for (std::size_t layer = layers; layer-- > 0;) {
            time = compute(time, times[layer].backwardSeconds, record.backward[layer]);
            m_gradients.ready(step, m_job.layers[layer].variables);
        }
        waitFor(time, [&] { return m_stepApplied; });
        record.ended = now();
    }

    /// When work after a computation until `time` can start: at `time` if the condition holds by now, else at wake-up.
    template <typename Condition> std::int64_t waitFor(std::int64_t time, Condition holds) {
        std::unique_lock lock(m_mutex);
        const bool waits = !holds();
        if (!m_wake.wait_for(lock, std::chrono::seconds(30), [&] { return holds() || !m_failure.empty(); }))
            m_failure = "a step stood still for 30 s";
        if (!m_failure.empty())
            throw std::runtime_error(m_failure);
        return waits ? now() : time;
    }

    const Options &m_options;
    const JobSteps &m_job;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::string m_failure;
    std::vector<std::size_t> m_missing;    // variables per layer
    std::vector<std::int64_t> m_arrivedAt; // per layer, the last of its variables; settled once none is missing
    bool m_stepApplied = false;
    std::vector<std::vector<float>> m_values;
    std::vector<StepRecord> m_records;
    std::vector<std::int64_t> m_lateness;
    bool m_realTime = false;
    // Never destroyed, not even where the constructor throws: their threads run until the process ends.
    Gradients &m_gradients;
    RpcServer &m_server;
    ClientQueue m_queue;
    grpc::GenericStub m_stub;
};

void writeSteps(const Options &options, const std::vector<StepRecord> &records) {
    std::ofstream file(options.stepsOutput);
    file << "worker,start_seconds,end_seconds,compute_seconds,greatest_lateness_seconds\n";
    file.precision(9);
    for (const StepRecord &record : records)
        file << options.worker << ',' << 1e-9 * static_cast<double>(record.started - options.startAt) << ','
             << 1e-9 * static_cast<double>(record.ended - options.startAt) << ',' << record.computeSeconds << ','
             << 1e-9 * static_cast<double>(record.greatestLateness) << '\n';
    if (!file.flush())
        throw std::runtime_error(options.stepsOutput + ": cannot be written");
}

void writeProfile(const Options &options, const std::vector<StepRecord> &records) {
    std::ofstream arrivals(options.arrivalsOutput);
    arrivals << "step,direction,variable,bytes,start_us,arrived_us,end_us\n";
    std::ofstream turnsFile(options.turnsOutput);
    turnsFile << "step,variable,bytes,ended_us\n";
    const std::vector<arrival::Turn> turns = arrival::turns();
    const std::int64_t offset = epochOffset();
    constexpr int stepsWithDetails = 5;
    int written = 0;
    for (std::size_t index = 0; index < records.size(); ++index) {
        const StepRecord &record = records[index];
        if (record.started < options.measureFrom || written >= options.timelineSteps)
            continue;
        ++written;
        char name[32];
        std::snprintf(name, sizeof name, "/step_%04d.json", written);
        writeTimeline(options.timelineDirectory + name, options.job, record, offset);
        if (written > stepsWithDetails)
            continue;
        const auto since = [&](std::int64_t time) { return (time - record.started) / 1000; };
        for (std::size_t variable = 0; variable < options.job.variables.size(); ++variable) {
            const Variable &about = options.job.variables[variable];
            const StepRecord::Pull &pull = record.pulls[variable];
            const PushTimes &push = record.push[variable];
            arrivals << written << ",down," << about.name << ',' << about.bytes() << ',' << since(pull.started) << ','
                     << since(pull.arrived) << ',' << since(pull.parsed) << '\n'
                     << written << ",up," << about.name << ',' << about.bytes() << ',' << since(push.started) << ','
                     << since(push.arrived) << ',' << since(push.parsed) << '\n';
        }
        for (const arrival::Turn &turn : turns)
            if (turn.step == index + 1)
                turnsFile << written << ',' << options.job.variables[turn.variable].name << ',' << turn.bytes << ','
                          << since(turn.ended) << '\n';
    }
    if (!arrivals.flush() || !turnsFile.flush())
        throw std::runtime_error(options.arrivalsOutput + " or " + options.turnsOutput + ": cannot be written");
    if (written < options.timelineSteps)
        throw std::runtime_error("only " + std::to_string(written) + " steps for " + std::to_string(options.timelineSteps) +
                                 " timelines");
}

} // namespace

void runWorker(const Options &options) {
    arrival::follow(options.workers, options.job.variables.size());
    if (options.timelineSteps > 0)
        arrival::keepTurns();
    auto *worker = new Worker(options); // its threads run until the process ends
    std::string failure;
    std::thread steps([&] {
        try {
            worker->run();
        } catch (const std::exception &error) {
            failure = error.what();
        }
    });
    sleepUntil(options.measureFrom);
    const ProcessUse before = ProcessUse::current();
    sleepUntil(options.stopAt);
    const double cores = ProcessUse::current().coresSince(before);
    steps.join();
    if (!failure.empty())
        throw std::runtime_error(failure);
    writeSteps(options, worker->records());
    if (options.timelineSteps > 0)
        writeProfile(options, worker->records());
    const std::vector<std::int64_t> lateness = worker->sortedLateness();
    const auto quantile = [&](double share) {
        return lateness.empty()
                   ? 0.0
                   : 1e-9 * static_cast<double>(
                                lateness[static_cast<std::size_t>(share * static_cast<double>(lateness.size() - 1))]);
    };
    std::printf(
        "{\"role\": \"worker\", \"cpu_cores\": %.4f, \"waits\": %zu, \"late_seconds_median\": %.6f, \"late_seconds_p99\": %.6f, "
        "\"late_seconds_max\": %.6f, \"real_time_priority\": %s}\n",
        cores, lateness.size(), quantile(0.5), quantile(0.99), quantile(1), worker->realTime() ? "true" : "false");
    std::fflush(stdout);
}

} // namespace reality
