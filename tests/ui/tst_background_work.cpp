// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tasks/background.h"

#include <QCoreApplication>
#include <QTest>
#include <atomic>
#include <future>
#include <optional>
#include <thread>
#include <vector>

namespace syncopate::ui {

namespace {

/// Opens once, for any number of waiting threads: tests determine the order of events with gates, never by time.
class Gate final {
public:
    void open() { m_promise.set_value(); }
    void wait() const { m_future.wait(); }

private:
    std::promise<void> m_promise;
    std::shared_future<void> m_future{m_promise.get_future()};
};

/// The answers delivered, in order, and whether always on this thread.
struct Received {
    std::vector<int> answers;
    bool onThisThread = true;
    std::thread::id thisThread = std::this_thread::get_id();
    [[nodiscard]] auto taker() {
        return [this](int answer) {
            onThisThread = onThisThread && std::this_thread::get_id() == thisThread;
            answers.push_back(answer);
        };
    }
};

using IntBackground = Background<int>;
constexpr std::chrono::milliseconds forever = std::chrono::hours(24);

QByteArray shown(const std::vector<int> &got, const std::vector<int> &want) {
    const auto text = [](const std::vector<int> &numbers) {
        QByteArray line;
        for (const int number : numbers)
            line += ' ' + QByteArray::number(number);
        return line;
    };
    return "got" + text(got) + ", want" + text(want);
}

/// Waits until the thread has finished all work started so far, and all its answers have arrived.
void drain(IntBackground &background) {
    Gate done;
    background.start([&done](const std::stop_token &, const auto &) { done.open(); });
    done.wait();
    QCoreApplication::processEvents();
}

} // namespace

#define SAME(got, ...)                                                                                                           \
    do {                                                                                                                         \
        const std::vector<int> want __VA_ARGS__;                                                                                 \
        QVERIFY2((got) == want, shown(got, want).constData());                                                                   \
    } while (false)

class TestBackground final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersArriveInOrderOnTheThreadThatAsked() {
        Received received;
        QObject context;
        IntBackground background(&context, received.taker());
        QVERIFY(!background.isPending());
        background.start([](const std::stop_token &, const auto &post) {
            for (const int answer : {1, 2, 3})
                post(answer);
        });
        QVERIFY(background.isPending());
        QTRY_COMPARE(received.answers.size(), std::size_t{3});
        SAME(received.answers, {1, 2, 3});
        QVERIFY(received.onThisThread);
        QVERIFY(!background.isPending());
    }

    void newestWins() {
        Received received;
        QObject context;
        IntBackground background(&context, received.taker());
        Gate running, replaced;
        background.start([&](const std::stop_token &, const auto &post) {
            post(1); // posted before it is replaced, delivered after
            running.open();
            replaced.wait();
            post(2);
        });
        running.wait();
        background.start([](const std::stop_token &, const auto &post) { post(3); }); // replaced before it starts
        background.start([](const std::stop_token &, const auto &post) { post(4); });
        replaced.open();
        QTRY_VERIFY(!background.isPending());
        SAME(received.answers, {4});
    }

    void replacedWorkIsAskedToStopWithoutPatience() {
        Received received;
        QObject context;
        IntBackground background(&context, received.taker());
        Gate running;
        std::atomic<bool> stopped = false;
        background.start([&](const std::stop_token &stop, const auto &post) {
            running.open();
            while (!stop.stop_requested())
                std::this_thread::yield();
            stopped = true;
            post(1);
        });
        running.wait();
        background.start([](const std::stop_token &, const auto &post) { post(2); });
        QTRY_VERIFY(!background.isPending());
        QVERIFY(stopped);
        SAME(received.answers, {2});
    }

    void withPatienceReplacedWorkStillAnswers() {
        Received received;
        QObject context;
        IntBackground background(&context, received.taker(), forever);
        Gate running, replaced;
        std::atomic<bool> stopped = false;
        background.start([&](const std::stop_token &stop, const auto &post) {
            running.open();
            replaced.wait();
            stopped = stop.stop_requested();
            post(1);
        });
        running.wait();
        background.start([](const std::stop_token &, const auto &post) { post(2); });
        replaced.open();
        QTRY_VERIFY(!background.isPending());
        QVERIFY2(!stopped, "asked to stop though its patience has not run out");
        SAME(received.answers, {1, 2});
    }

    void patienceEndsWhereItIsSaid() {
        Received received;
        QObject context;
        IntBackground background(&context, received.taker(), forever);
        Gate running;
        background.start([&](const std::stop_token &stop, const auto &post) {
            running.open();
            while (!stop.stop_requested())
                std::this_thread::yield();
            post(1);
        });
        running.wait();
        background.dropOutdated(); // nothing waits for it: it continues
        background.start([](const std::stop_token &, const auto &post) { post(2); });
        QVERIFY(background.isPending());
        background.dropOutdated();
        QTRY_VERIFY(!background.isPending());
        SAME(received.answers, {2});
    }

    void nothingAfterCancel_data() {
        QTest::addColumn<bool>("patient");
        QTest::newRow("without patience") << false;
        QTest::newRow("with patience") << true;
    }
    void nothingAfterCancel() {
        QFETCH(const bool, patient);
        Received received;
        QObject context;
        IntBackground background(&context, received.taker(), patient ? forever : std::chrono::milliseconds(0));
        Gate posted, cancelled;
        background.start([&](const std::stop_token &stop, const auto &post) {
            post(1);
            posted.open();
            cancelled.wait();
            if (!stop.stop_requested())
                post(2);
            post(3);
        });
        posted.wait();
        background.cancel(); // its first answer is on its way
        QVERIFY(!background.isPending());
        cancelled.open();
        drain(background);
        SAME(received.answers, {});
        background.start([](const std::stop_token &, const auto &post) { post(4); });
        QTRY_VERIFY(!background.isPending());
        SAME(received.answers, {4});
    }

    void nothingAfterDestruction() {
        Received received;
        QObject context;
        std::optional<IntBackground> background;
        background.emplace(&context, received.taker(), forever);
        Gate posted;
        std::atomic<bool> ended = false;
        background->start([&](const std::stop_token &stop, const auto &post) {
            post(1);
            posted.open();
            while (!stop.stop_requested()) // the destructor requests it
                std::this_thread::yield();
            post(2);
            ended = true;
        });
        posted.wait();
        background.reset();
        QVERIFY2(ended, "the destructor did not wait for the thread");
        QCoreApplication::processEvents();
        SAME(received.answers, {});
    }

    /// As for a member of its context: an answer in flight is discarded together with the context.
    void contextMayGoWithAnswersOnTheirWay() {
        Received received;
        struct Owner final : QObject {
            explicit Owner(Received &received) : background(this, received.taker()) {}
            IntBackground background;
        };
        auto owner = std::make_unique<Owner>(received);
        Gate posted;
        owner->background.start([&](const std::stop_token &, const auto &post) {
            post(1);
            posted.open();
        });
        posted.wait();
        owner.reset();
        QCoreApplication::processEvents();
        SAME(received.answers, {});
    }

    void answersMayAskAgain() {
        QObject context;
        std::vector<int> answers;
        std::function<void(int)> ask;
        IntBackground background(&context, [&](int answer) {
            answers.push_back(answer);
            if (answer < 3)
                ask(answer + 1);
        });
        ask = [&](int number) {
            background.start([number](const std::stop_token &, const auto &post) {
                post(number);
                post(number * 10); // answers a question that the first answer replaced
            });
        };
        ask(1);
        QTRY_COMPARE(answers.size(), std::size_t{4});
        SAME(answers, {1, 2, 3, 30});
    }

    void manyQuestionsLeaveOneAnswer() {
        Received received;
        QObject context;
        IntBackground background(&context, received.taker());
        constexpr int questions = 2000;
        for (int q = 1; q <= questions; ++q) {
            background.start([q](const std::stop_token &, const auto &post) { post(q); });
            if (q % 100 == 0)
                QCoreApplication::processEvents();
            if (q % 7 == 0)
                background.cancel();
        }
        QTRY_VERIFY(!background.isPending());
        QCOMPARE(received.answers.back(), questions);
        QVERIFY(std::is_sorted(received.answers.begin(), received.answers.end()));
        QVERIFY(received.onThisThread);
    }
};

} // namespace syncopate::ui

QTEST_GUILESS_MAIN(syncopate::ui::TestBackground)
#include "tst_background_work.moc"
