// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter server. As in TensorFlow, both directions are RecvTensor calls of the receiver: workers ask for variables, the
// server asks each worker for its gradients when that worker's step starts, so each pair of nodes has one connection per
// direction.
#include "arrival.h"
#include "clock.h"
#include "process_use.h"
#include "roles.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace reality {

namespace {

using Values = std::vector<float>;

/// The newest values. An update allocates new ones, so a value being sent does not change, and a requesting worker never waits
/// for an update.
class Parameter {
public:
    explicit Parameter(std::size_t elements) : m_values(std::make_shared<Values>(elements, 0.5F)) {}
    [[nodiscard]] std::shared_ptr<Values> values() {
        const std::scoped_lock lock(m_mutex);
        return m_values;
    }
    void apply(const Values &gradient) {
        const std::scoped_lock oneUpdate(m_updating);
        const std::shared_ptr<Values> old = values();
        auto updated = std::make_shared<Values>(old->size());
        constexpr float learningRate = 0.01F;
        for (std::size_t index = 0; index < updated->size(); ++index)
            (*updated)[index] = (*old)[index] - learningRate * gradient[index];
        const std::scoped_lock lock(m_mutex);
        m_values = std::move(updated);
    }

private:
    std::mutex m_updating;
    std::mutex m_mutex;
    std::shared_ptr<Values> m_values;
};

grpc::Slice sliceOf(const std::shared_ptr<Values> &values) {
    auto *owner = new std::shared_ptr<Values>(values);
    return {values->data(), values->size() * sizeof(float),
            [](void *kept) { delete static_cast<std::shared_ptr<Values> *>(kept); }, owner};
}

/// The server's part for one worker: requests gradients, and applies them on a separate thread.
class WorkerLink {
public:
    WorkerLink(const JobSteps &job, std::deque<Parameter> &parameters, std::uint32_t worker, const std::string &address,
               const FlowControl &flowControl)
        : m_job(job), m_parameters(parameters), m_worker(worker), m_stub(connect(address, flowControl, 20)),
          m_times(job.variables.size()), m_gradients(job.variables.size()), m_updates([this] { applyUpdates(); }) {
        m_updates.detach();
    }

    /// Replies when every gradient of the step is applied.
    void runStep(std::uint64_t step, ServerCall *call) {
        m_call = call;
        m_step = step;
        m_left = m_job.variables.size();
        // Gradients become ready from the last layer to the first.
        for (std::size_t variable = m_job.variables.size(); variable-- > 0;)
            ask(variable);
    }

private:
    void ask(std::size_t variable) {
        const Header header{.worker = m_worker, .variable = static_cast<std::uint32_t>(variable), .step = m_step};
        m_times[variable] = {.started = now()};
        startCall(m_stub, "/worker/RecvTensor", makeMessage(header), m_queue,
                  [this, variable](const grpc::Status &status, const grpc::ByteBuffer &message) {
                      Values &gradient = m_gradients[variable];
                      gradient.resize(m_job.variables[variable].elements);
                      Header received;
                      if (!status.ok() || !parseMessage(message, received, gradient.data(), gradient.size() * sizeof(float)) ||
                          received.variable != variable || received.step != m_step ||
                          received.payloadBytes != gradient.size() * sizeof(float))
                          return; // the worker has left, or will time out and report it
                      m_times[variable].parsed = now();
                      m_times[variable].started = std::max(m_times[variable].started, received.readyAt);
                      m_times[variable].arrived = arrival::of(m_worker, variable);
                      const std::scoped_lock lock(m_mutex);
                      m_ready.push_back(variable);
                      m_wake.notify_one();
                  });
    }

    void applyUpdates() {
        while (true) {
            std::size_t variable = 0;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, [this] { return !m_ready.empty(); });
                variable = m_ready.front();
                m_ready.pop_front();
            }
            m_times[variable].applyStarted = now();
            m_parameters[variable].apply(m_gradients[variable]);
            m_times[variable].applied = now();
            if (--m_left == 0)
                m_call->reply(makeMessage(
                    {.worker = m_worker, .step = m_step, .payloadBytes = m_times.size() * sizeof(PushTimes)}, m_times.data()));
        }
    }

    const JobSteps &m_job;
    std::deque<Parameter> &m_parameters;
    std::uint32_t m_worker;
    ClientQueue m_queue;
    grpc::GenericStub m_stub;
    ServerCall *m_call = nullptr;
    std::uint64_t m_step = 0;
    std::size_t m_left = 0; // only accessed by the updating thread while a step runs
    std::vector<PushTimes> m_times;
    std::vector<Values> m_gradients;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::size_t> m_ready;
    std::thread m_updates;
};

} // namespace

void runServer(const Options &options) {
    const JobSteps &job = options.job;
    std::deque<Parameter> parameters;
    for (const Variable &variable : job.variables)
        parameters.emplace_back(variable.elements);
    arrival::follow(options.workers, job.variables.size());

    std::mutex mutex;
    std::vector<std::unique_ptr<WorkerLink>> links(options.workers);
    const auto handle = [&](const std::string &method, const grpc::ByteBuffer &request, ServerCall *call) {
        Header header;
        std::array<char, 256> text{};
        if (!parseMessage(request, header, text.data(), text.size()) || header.worker >= links.size() ||
            header.variable >= parameters.size()) {
            call->reply(makeMessage({.magic = 0}));
            return;
        }
        if (method == "/ps/RecvTensor") {
            const std::shared_ptr<Values> values = parameters[header.variable].values();
            header.isTensor = 1;
            header.readyAt = now();
            header.payloadBytes = values->size() * sizeof(float);
            call->reply(makeMessage(header, sliceOf(values)));
        } else if (method == "/ps/RunStep" && links[header.worker] != nullptr) {
            links[header.worker]->runStep(header.step, call);
        } else if (method == "/ps/Register") {
            // Connecting blocks, so it has a thread of its own.
            std::thread([&, header, call, address = std::string(text.data(), header.payloadBytes)] {
                try {
                    auto link = std::make_unique<WorkerLink>(job, parameters, header.worker, address, options.flowControl);
                    {
                        const std::scoped_lock lock(mutex);
                        links[header.worker] = std::move(link);
                    }
                    call->reply(makeMessage({.worker = header.worker}));
                } catch (const std::exception &) {
                    call->reply(makeMessage({.magic = 0}));
                }
            }).detach();
        } else {
            call->reply(makeMessage({.magic = 0}));
        }
    };
    const RpcServer server(options.address, options.flowControl, 1, handle);
    sleepUntil(options.measureFrom);
    const ProcessUse before = ProcessUse::current();
    sleepUntil(options.stopAt);
    std::printf("{\"role\": \"server\", \"cpu_cores\": %.4f}\n", ProcessUse::current().coresSince(before));
    std::fflush(stdout);
    sleepUntil(options.stopAt + 20'000'000'000); // workers finish their last steps; the script then ends this process
}

} // namespace reality
