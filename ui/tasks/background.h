// SPDX-License-Identifier: GPL-3.0-or-later
// Slow work of a view or a model: done on a thread, answered on the GUI thread. The case that is easy to get wrong is an answer
// that arrives too late: to a question that was replaced or cancelled, or for an object that is gone. A Background numbers its
// questions and checks the number when an answer arrives, so that its users handle neither numbers nor threads.
#pragma once

#include "ui/tasks/doorbell.h"
#include "ui/tasks/latest_worker.h"

#include <QObject>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace syncopate::ui {

/// Runs the newest work on a thread of its own and delivers its answers, in order, in the event loop of the thread that `context`
/// lives on, which is the one that uses this. Make it the last member of its owner, so that the thread has ended before the
/// members that `deliver` uses are destroyed.
///
/// Work that a newer start() replaces is asked to stop once it has run for longer than `patience`. With a patience of 0 its
/// answers are dropped from then on; otherwise they are delivered until it is asked to stop, since an outdated picture is better
/// than none while a knob is dragged. Work must not throw.
template <class Answer> class Background final {
public:
    using Deliver = std::function<void(const Answer &)>;
    /// Called by the work, on its thread, with its answer, or with several as they come. Does nothing once stop is
    /// requested.
    using Post = std::function<void(Answer)>;
    using Work = std::function<void(const std::stop_token &, const Post &)>;

    Background(QObject *context, Deliver deliver, std::chrono::milliseconds patience = {})
        : m_delivery(std::make_shared<Delivery>()), m_bell([delivery = m_delivery] { delivery->takeNext(); }),
          m_worker(patience) {
        m_bell.moveToThread(context->thread());
        m_delivery->deliver = std::move(deliver);
        m_delivery->replacedToo = patience.count() > 0;
    }
    /// Stops the running work, waits for it and delivers nothing more.
    ~Background() { cancel(); }
    Background(const Background &) = delete;
    Background &operator=(const Background &) = delete;

    /// Replaces the work in progress. `work` must own what it needs and must not touch the GUI thread's objects.
    void start(Work work) {
        const std::uint64_t number = ++m_delivery->newest;
        m_worker.post([this, number, work = std::move(work)](const std::stop_token &stop) {
            work(stop, [&](Answer answer) {
                if (stop.stop_requested())
                    return;
                m_delivery->post(number, std::move(answer));
                m_bell.ring();
            });
        });
    }
    /// Asks the running work to stop and drops its answers, including those posted but not delivered yet.
    void cancel() {
        m_delivery->dropped = m_delivery->answered = m_delivery->newest;
        m_worker.cancel();
    }
    /// Asks replaced work to stop, however short it has been running.
    void dropOutdated() { m_worker.dropOutdated(); }

    /// Whether the newest start() has neither delivered an answer nor been cancelled.
    [[nodiscard]] bool isPending() const { return m_delivery->answered < m_delivery->newest; }

private:
    /// Shared with the doorbell, since `deliver` may destroy the Background. All but `posted` belongs to the GUI thread.
    struct Delivery {
        Deliver deliver;
        bool replacedToo = false;
        std::uint64_t newest = 0;
        std::uint64_t answered = 0;
        std::uint64_t dropped = 0; ///< nothing up to this number is delivered
        std::mutex mutex;
        std::deque<std::pair<std::uint64_t, Answer>> posted; ///< behind `mutex`

        void post(std::uint64_t number, Answer answer) {
            const std::lock_guard lock(mutex);
            posted.emplace_back(number, std::move(answer));
        }
        void takeNext() {
            std::unique_lock lock(mutex);
            const auto [number, answer] = std::move(posted.front());
            posted.pop_front();
            lock.unlock();
            if (number <= dropped || (number < newest && !replacedToo))
                return;
            answered = number;
            deliver(answer);
        }
    };

    const std::shared_ptr<Delivery> m_delivery;
    Doorbell m_bell;
    LatestWorker m_worker; ///< last: its thread ends before the other members are destroyed
};

} // namespace syncopate::ui
