// SPDX-License-Identifier: GPL-3.0-or-later
// Work on several threads that is delivered in order, and values shared between threads.
#include "engine/base/memo.h"
#include "engine/base/parallel_in_order.h"

#include <QtTest>
#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>

using namespace syncopate;

namespace {

/// The numbers from 0 to below `count`.
auto numbersBelow(int count) {
    return [count, n = 0]() mutable { return n < count ? std::optional(n++) : std::nullopt; };
}

} // namespace

class TestParallelInOrder : public QObject {
    Q_OBJECT

private slots:
    void deliversInOrder() {
        for (const unsigned threads : {1U, 2U, 7U}) {
            std::vector<int> got;
            parallelInOrder<int, int>(
                threads, 5, numbersBelow(1000), [](int n) { return n * n; },
                [&](int square) {
                    got.push_back(square);
                    return true;
                });
            QCOMPARE(got.size(), std::size_t{1000});
            for (int n = 0; n < 1000; ++n)
                QCOMPARE(got[static_cast<std::size_t>(n)], n * n);
        }
    }

    /// The first item waits until the other thread has filled the window; one more item would exceed it.
    void takesNoMoreThanTheWindow() {
        constexpr int window = 4;
        std::latch othersDone(window - 1);
        std::atomic<int> taken = 0, delivered = 0, ahead = 0;
        auto next = [&, numbers = numbersBelow(50)]() mutable {
            ahead = std::max(ahead.load(), taken.load() - delivered.load() + 1);
            ++taken;
            return numbers();
        };
        parallelInOrder<int, int>(
            2, window, next,
            [&](int n) {
                if (n == 0)
                    othersDone.wait();
                else if (n < window)
                    othersDone.count_down();
                return n;
            },
            [&](int) {
                ++delivered;
                return true;
            });
        QCOMPARE(delivered.load(), 50);
        // The item being delivered has left the window and is not counted yet.
        COMPARE_AT_MOST(ahead.load(), window + 1);
        COMPARE_AT_LEAST(ahead.load(), window);
    }

    /// A result is delivered while the source is still blocked, as with a pipe whose writer waits for the answer.
    void deliversBeforeTheNextItemIsThere() {
        std::mutex mutex;
        std::condition_variable answered;
        int delivered = 0, given = 0;
        parallelInOrder<int, int>(
            2, 8,
            [&]() -> std::optional<int> {
                std::unique_lock lock(mutex);
                answered.wait(lock, [&] { return delivered == given; });
                return given < 5 ? std::optional(given++) : std::nullopt;
            },
            [](int n) { return n; },
            [&](int) {
                const std::scoped_lock lock(mutex);
                ++delivered;
                answered.notify_all();
                return true;
            });
        QCOMPARE(delivered, 5);
    }

    void endsEarly() {
        int delivered = 0;
        std::atomic<int> worked = 0;
        parallelInOrder<int, int>(
            3, 4, numbersBelow(100000),
            [&](int n) {
                ++worked;
                return n;
            },
            [&](int) { return ++delivered < 10; });
        QCOMPARE(delivered, 10);
        COMPARE_AT_MOST(worked.load(), 10 + 4 + 3);
    }

    void whatIsThrownIsThrownHere_data() {
        QTest::addColumn<int>("where");
        QTest::newRow("next") << 0;
        QTest::newRow("work") << 1;
        QTest::newRow("deliver") << 2;
    }
    void whatIsThrownIsThrownHere() {
        QFETCH(int, where);
        const auto maybe = [where](int place, int n) {
            if (place == where && n == 20)
                throw std::runtime_error("20");
        };
        const auto run = [&] {
            parallelInOrder<int, int>(
                2, 4,
                [&, n = 0]() mutable {
                    maybe(0, n);
                    return std::optional(n++);
                },
                [&](int n) {
                    maybe(1, n);
                    return n;
                },
                [&](int n) {
                    maybe(2, n);
                    return true;
                });
        };
        QVERIFY_EXCEPTION_THROWN(run(), std::runtime_error);
    }

    void sharedValuesAreMadeOnce() {
        Memo<std::shared_ptr<const int>> memo(2);
        std::atomic<int> made = 0;
        const auto get = [&](const std::string &key) {
            return memo.get(key, [&] { return std::make_shared<const int>(++made); });
        };
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 8; ++t)
                threads.emplace_back([&] { (void)get("a"); });
        }
        QCOMPARE(made.load(), 1);
        QCOMPARE(*get("b"), 2);
        QCOMPARE(*get("a"), 1);
        QCOMPARE(*get("c"), 3); // replaces b, which was requested before a
        QCOMPARE(*get("a"), 1);
        QCOMPARE(*get("b"), 4);
    }
};

QTEST_GUILESS_MAIN(TestParallelInOrder)
#include "tests/checks.h"
#include "tst_parallel_in_order.moc"
