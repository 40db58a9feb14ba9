// SPDX-License-Identifier: GPL-3.0-or-later
// Judges, and their contract with the search: errors, concurrency, cancellation, determinism.
#include "engine/analyze/metrics.h"
#include "engine/search/search_methods.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"
#include "engine/trial/judge.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

SearchRequest request(std::uint64_t trials) {
    SearchRequest request;
    request.base.job = std::make_shared<const Job>(chainJob({{1e-3, 2e-3, 500'000}, {2e-3, 4e-3, 1'000'000}}));
    request.base.cluster = std::make_shared<const Cluster>(plainCluster(3, 1e9));
    request.trials = trials;
    request.threads = 8;
    return request;
}

Scenario scenarioOf(const SearchRequest &request, const char *builder) {
    Scenario scenario = request.base;
    scenario.strategy = std::make_shared<const Strategy>(*buildStrategy(builder, *scenario.job, *scenario.cluster));
    return scenario;
}

/// Counts its calls, the concurrent ones, and their maximum; fails on request.
class CountingJudge : public Judge {
public:
    explicit CountingJudge(unsigned concurrent) : m_concurrent(concurrent) {}
    std::string text() const override { return "counting()"; }
    unsigned maxConcurrent() const override { return m_concurrent; }
    bool isDeterministic() const override { return false; }
    Result<Verdict> judge(const Scenario &, std::stop_token) override {
        const int now = ++m_now;
        for (int max = maxAtOnce; now > max && !maxAtOnce.compare_exchange_weak(max, now);) {
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200)); // gives others time to enter
        --m_now;
        const int call = calls++;
        if (call % 3 == 2)
            return fail("the machine went away", "start it again");
        Verdict verdict;
        verdict.iterationSeconds = 1.0 + call;
        verdict.spreadSeconds = 0.25;
        return verdict;
    }
    std::atomic<int> calls{0}, maxAtOnce{0};

private:
    unsigned m_concurrent;
    std::atomic<int> m_now{0};
};

/// Gives no verdict until it is stopped.
class StuckJudge final : public Judge {
public:
    std::string text() const override { return "stuck()"; }
    bool isDeterministic() const override { return true; }
    Result<Verdict> judge(const Scenario &, std::stop_token stop) override {
        ++waiting;
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        stopped.wait(lock, stop, [] { return false; });
        return cancelled();
    }
    std::atomic<int> waiting{0};
};

} // namespace

class TestJudge : public QObject {
    Q_OBJECT

private slots:
    void simulatedIsTheSimulation() {
        const auto judge = makeJudge("simulated");
        VERIFY_VALUE(judge);
        QCOMPARE((*judge)->text(), std::string("simulated()"));
        QVERIFY((*judge)->isDeterministic());
        for (const char *builder : {"PS", "AllReduce", "PartitionedPS"}) {
            const Scenario scenario = scenarioOf(request(1), builder);
            const auto run = simulate(scenario);
            const auto verdict = (*judge)->judge(scenario, {}), again = (*judge)->judge(scenario, {});
            QVERIFY(run && verdict && again);
            QVERIFY(verdict->iterationSeconds == (*run)->iterationSeconds &&
                    again->iterationSeconds == verdict->iterationSeconds);
            QVERIFY(verdict->samplesPerSecond == (*run)->samplesPerSecond);
            QCOMPARE(verdict->spreadSeconds, 0.0);
            COMPARE_ABOVE(verdict->costSeconds, 0);
            QCOMPARE(verdict->assumptions, (*run)->assumptions);
            QCOMPARE(verdict->exposedSeconds, iterationStatistics(**run).exposedSeconds);
        }
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = (*judge)->judge(scenarioOf(request(1), "PS"), stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }

    void judgesAreExpressions() {
        for (const auto &[text, says] : {std::pair{"oracle()", "use one of: simulated, noisy, command, imported"},
                                         {"noisy(iterations=10, warmup=10)", "leave at least one to measure"},
                                         {"noisy(cv=101)", "cv is '101'"},
                                         {"command()", "command has no program"},
                                         {"command(\"\")", "command has no program"},
                                         {"command(\"run 'it\")", "unterminated quote"},
                                         {"command(run, jobs=0)", "jobs is '0'"},
                                         {"imported()", "imported has no file"},
                                         {"imported(\"/nowhere.csv\")", "/nowhere.csv"},
                                         {"simulated(noise=1)", "simulated takes no arguments"},
                                         {"simulated(", "an argument has no value"},
                                         {"", "starts with a name"}}) {
            const auto judge = makeJudge(text);
            QVERIFY2(!judge && judge.error().toString().find(says) != std::string::npos,
                     judge ? text : judge.error().toString().c_str());
        }
    }

    void failuresBecomeTrialsWithAnError() {
        const SearchRequest asked = request(60);
        CountingJudge judge(4);
        SearchObserver silent;
        const auto history = runSearch(asked, **makeSearchMethod("random", asked), judge, silent);
        VERIFY_VALUE(history);
        QCOMPARE(history->trials.size(), std::size_t(60));
        std::size_t failed = 0;
        for (const auto &trial : history->trials) {
            const bool error = !trial.error.empty();
            failed += error ? 1 : 0;
            QCOMPARE(std::isnan(trial.metrics.iterationSeconds), error);
            QCOMPARE(std::isnan(trial.metrics.spreadSeconds), error);
            COMPARE_ABOVE(trial.metrics.shards, 0); // known without a verdict
            QCOMPARE(trial.error, error ? std::string("the machine went away; start it again") : std::string());
        }
        for (const auto &baseline : history->baselines)
            failed += baseline.error.empty() ? 0 : 1;
        QCOMPARE(failed, (history->baselines.size() + 60) / 3);
        QCOMPARE(judge.calls.load(), 60 + static_cast<int>(history->baselines.size()));
    }

    void noMoreAtOnceThanTheJudgeAllows() {
        for (const unsigned allowed : {1u, 3u}) {
            const SearchRequest asked = request(200);
            CountingJudge judge(allowed);
            SearchObserver silent;
            QVERIFY(runSearch(asked, **makeSearchMethod("random", asked), judge, silent));
            COMPARE_AT_MOST(judge.maxAtOnce.load(), allowed);
        }
    }

    /// A resumed search keeps the verdicts of a non-deterministic judge; it does not ask again.
    void verdictsOfARunAreKept() {
        SearchRequest asked = request(20);
        CountingJudge judge(1);
        SearchObserver silent;
        const auto half = runSearch(asked, **makeSearchMethod("random", asked), judge, silent);
        asked.trials = 40;
        const int before = judge.calls;
        const auto whole = runSearch(asked, **makeSearchMethod("random", asked), judge, silent, *half);
        QCOMPARE(judge.calls - before, 20);
        for (std::size_t t = 0; t < 20; ++t) {
            QVERIFY(whole->trials[t].genes == half->trials[t].genes);
            QCOMPARE(whole->trials[t].error, half->trials[t].error);
            QVERIFY(!half->trials[t].error.empty() ||
                    whole->trials[t].metrics.iterationSeconds == half->trials[t].metrics.iterationSeconds);
        }
    }

    /// All threads are in the judge when the stop is requested: the search ends without waiting for a verdict.
    void stopsInTheMiddleOfVerdicts() {
        SearchRequest asked = request(1000);
        asked.threads = 4;
        StuckJudge judge;
        std::stop_source stop;
        std::jthread stopper([&] {
            while (judge.waiting < 4)
                std::this_thread::yield();
            stop.request_stop();
        });
        SearchObserver silent;
        const auto history = runSearch(asked, **makeSearchMethod("random", asked), judge, silent, {}, stop.get_token());
        VERIFY_VALUE(history);
        QVERIFY(history->stopped);
        QVERIFY(history->trials.empty() && history->baselines.empty());
        QCOMPARE(judge.waiting.load(), 4);
    }
};

QTEST_GUILESS_MAIN(TestJudge)
#include "tst_judge.moc"
