// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tasks/latest_worker.h"

#include <utility>

namespace syncopate::ui {

LatestWorker::LatestWorker(std::chrono::milliseconds patience)
    : m_patience(patience), m_thread([this](const std::stop_token &ending) { run(ending); }) {}

LatestWorker::~LatestWorker() {
    cancel();
    m_thread.request_stop();
}

void LatestWorker::post(Job job) {
    {
        const std::scoped_lock lock(m_mutex);
        m_next = std::move(job);
        if (m_running.stop_possible() && std::chrono::steady_clock::now() - m_runningSince > m_patience)
            m_running.request_stop();
    }
    m_wake.notify_one();
}

void LatestWorker::dropOutdated() {
    const std::scoped_lock lock(m_mutex);
    if (m_next)
        m_running.request_stop();
}

void LatestWorker::cancel() {
    const std::scoped_lock lock(m_mutex);
    m_next = nullptr;
    m_running.request_stop();
}

void LatestWorker::run(const std::stop_token &ending) {
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, ending, [this] { return static_cast<bool>(m_next); })) {
        const Job job = std::exchange(m_next, nullptr);
        m_running = std::stop_source();
        m_runningSince = std::chrono::steady_clock::now();
        const std::stop_token token = m_running.get_token();
        lock.unlock();
        job(token);
        lock.lock();
        m_running = std::stop_source(std::nostopstate);
    }
}

} // namespace syncopate::ui
