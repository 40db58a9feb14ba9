// SPDX-License-Identifier: GPL-3.0-or-later
// Slow work of a view or a model: done on a thread, answered on the GUI thread. What is easy to get wrong is the answer that
// comes too late: to a question that was replaced or cancelled, or to an object that is gone. A Background numbers its
// questions and checks the number where the answer arrives, so that its users have neither numbers nor threads.
#pragma once

#include "ui/tasks/latest_worker.h"

#include <QObject>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace syncopate::ui {

/// Does the newest work on a thread of its own and delivers its answers, in their order, in the event loop of `context`, which
/// must live on the thread that uses this and must not go before it. To be a member of the context: the last one, so that
/// the thread has ended before the members that `deliver` uses go.
///
/// Work that a newer start() replaces is asked to stop once it has run for longer than `patience`. Without patience (0) its
/// answers are dropped from then on; with patience they are delivered until it is asked to stop, as an older picture is better
/// than none while a knob is dragged. Work must not throw.
template <class Answer> class Background final {
public:
    using Deliver = std::function<void(const Answer &)>;
    /// Called by the work, on its thread: with its answer, or with several ones as they come. Does nothing once stop is
    /// requested.
    using Post = std::function<void(Answer)>;
    using Work = std::function<void(const std::stop_token &, const Post &)>;

    Background(QObject *context, Deliver deliver, std::chrono::milliseconds patience = {})
        : m_context(context), m_delivery(std::make_shared<Delivery>()), m_worker(patience) {
        m_delivery->deliver = std::move(deliver);
        m_delivery->replacedToo = patience.count() > 0;
    }
    /// Stops what runs, waits for it and delivers nothing more.
    ~Background() { cancel(); }
    Background(const Background &) = delete;
    Background &operator=(const Background &) = delete;

    /// Replaces the work under way. `work` keeps what it needs by value and touches nothing of the GUI thread.
    void start(Work work) {
        const std::uint64_t number = ++m_delivery->newest;
        m_worker.post([context = m_context, delivery = m_delivery, number, work = std::move(work)](const std::stop_token &stop) {
            work(stop, [&](Answer answer) {
                if (stop.stop_requested())
                    return;
                QMetaObject::invokeMethod(
                    context, [delivery, number, answer = std::move(answer)] { delivery->take(number, answer); },
                    Qt::QueuedConnection);
            });
        });
    }
    /// Asks the work under way to stop and drops its answers, those too that were posted and not delivered yet.
    void cancel() {
        m_delivery->dropped = m_delivery->answered = m_delivery->newest;
        m_worker.cancel();
    }
    /// Asks work that was replaced to stop, however short it has been running.
    void dropOutdated() { m_worker.dropOutdated(); }

    /// The newest start() was neither answered, by one answer at least, nor cancelled.
    [[nodiscard]] bool isPending() const { return m_delivery->answered < m_delivery->newest; }

private:
    /// The side of the GUI thread: answers on their way keep it, and find in it whether they are still wanted.
    struct Delivery {
        Deliver deliver;
        bool replacedToo = false;
        std::uint64_t newest = 0;
        std::uint64_t answered = 0;
        std::uint64_t dropped = 0; ///< nothing up to this one is delivered

        void take(std::uint64_t number, const Answer &answer) {
            if (number <= dropped || (number < newest && !replacedToo))
                return;
            answered = number;
            deliver(answer);
        }
    };

    QObject *const m_context;
    const std::shared_ptr<Delivery> m_delivery;
    LatestWorker m_worker; ///< last: its thread ends before the rest goes
};

} // namespace syncopate::ui
