// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QEvent>
#include <QString>
#include <QThread>
#include <chrono>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// One event on the GUI thread, from its delivery until its receiver returned.
struct Stay {
    double wallMilliseconds = 0;
    double cpuMilliseconds = 0; ///< of the GUI thread only: not affected by other programs on a busy machine
    QString what;               ///< receiver's class and name, and the kind of event
};

/// An application that times every event handled by its GUI thread. A test that calls a slot itself does so in an event to
/// `hands`, and the call is timed as one event; but events within apart() are timed separately. An event in which another event
/// loop runs (a context menu's) waits for the user and is not counted, but the events of that loop are.
class StayClock final : public QApplication {
public:
    using QApplication::QApplication;

    QObject hands;
    std::function<void(const Stay &)> onStay;

    /// For a test that sends the user's own events.
    template <class Call> void apart(Call call) {
        const bool before = std::exchange(m_apart, true);
        call();
        m_apart = before;
    }

    bool notify(QObject *receiver, QEvent *event) override {
        if (QThread::currentThread() != thread())
            return QApplication::notify(receiver, event); // not an event of the GUI thread
        const int level = thread()->loopLevel();
        const bool nested = !m_frames.empty() && level > m_frames.back().level;
        const bool counts = m_frames.empty() || (m_frames.back().hands && m_apart) || nested;
        if (nested)
            m_frames.back().waits = true;
        if (!counts)
            return QApplication::notify(receiver, event);
        const bool hand = receiver == &hands;
        const QEvent::Type type = event->type();
        const QString what =
            hand ? QStringLiteral("call")
                 : QStringLiteral("%1 %2").arg(QString::fromLatin1(receiver->metaObject()->className()), receiver->objectName());
        m_frames.push_back({level, hand, false, 0, 0});
        const auto wall = std::chrono::steady_clock::now();
        const double cpu = cpuNow();
        const bool result = QApplication::notify(receiver, event);
        const double wallTook = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall).count();
        const double cpuTook = cpuNow() - cpu;
        const Frame frame = m_frames.back();
        m_frames.pop_back();
        if (!m_frames.empty()) {
            m_frames.back().wallOfOthers += wallTook;
            m_frames.back().cpuOfOthers += cpuTook;
        }
        if (!frame.waits && onStay)
            onStay({wallTook - frame.wallOfOthers, cpuTook - frame.cpuOfOthers,
                    QStringLiteral("%1, event %2").arg(what.trimmed()).arg(static_cast<int>(type))});
        return result;
    }

private:
    struct Frame {
        int level;
        bool hands, waits;
        double wallOfOthers, cpuOfOthers; ///< separately timed events within this one
    };
    static double cpuNow() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
    }
    std::vector<Frame> m_frames;
    bool m_apart = false;
};

} // namespace syncopate::ui
