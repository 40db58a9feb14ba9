// SPDX-License-Identifier: GPL-3.0-or-later
// Sums computed by SQL equal sums over the engine's own arrays, and a statement can only read.
#include "engine/analyze/link_loads.h"
#include "engine/analyze/metrics.h"
#include "engine/base/rng.h"
#include "engine/base/rounding.h"
#include "engine/export/export.h"
#include "engine/query/query.h"
#include "engine/query/query_export.h"
#include "engine/query/query_sides.h"
#include "engine/session/load_scenario.h"
#include "engine/session/planned_work.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <numeric>
#include <thread>
#include <tuple>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

std::shared_ptr<const Run> simulated(const std::string &strategy, const std::string &policy) {
    ScenarioOptions options;
    options.job = "alexnet";
    options.cluster = "A2";
    options.strategy = strategy;
    options.policy = policy;
    const auto scenario = loadScenario(options, 1);
    Q_ASSERT(scenario);
    return *simulate(*scenario);
}

/// Two runs side by side: one with servers, one with collectives.
const QueryInput &twoRuns() {
    static const QueryInput input{
        {querySide("A", simulated("PSLoadBalancing", "fifo(barrier=off)")), querySide("B", simulated("AllReduce", "ddp"))}};
    return input;
}

/// Spans of every kind in lanes of different lengths, some of them empty; labels repeat.
std::shared_ptr<const Recording> randomRecording(std::uint64_t seed) {
    Rng rng(seed);
    auto recording = std::make_shared<Recording>();
    Timeline &timeline = recording->timeline;
    for (const char *label : {"b", "a", "", "b", "\xc3\xa4", "Z"})
        timeline.labels.emplace_back(label);
    for (int l = 0; l < 12; ++l) {
        Lane lane;
        lane.name = std::string("lane ") + static_cast<char>('a' + (l * 5) % 7);
        lane.worker = l % 4 - 1;
        lane.isCompute = l % 3 == 0;
        Nanoseconds at = 0;
        for (std::uint64_t i = l % 5 == 2 ? 0 : rng.next() % 200; i > 0; --i) {
            at += static_cast<Nanoseconds>(rng.next() % 50);
            lane.start.push_back(at);
            at += static_cast<Nanoseconds>(rng.next() % 100);
            lane.end.push_back(at);
            lane.category.push_back(static_cast<Category>(rng.next() % categoryCount));
            lane.label.push_back(static_cast<std::int32_t>(rng.next() % timeline.labels.size()));
            lane.variable.push_back(-1);
            lane.task.push_back(-1);
            lane.sizeBytes.push_back(static_cast<double>(rng.next() % 3));
        }
        timeline.duration = std::max(timeline.duration, at);
        timeline.lanes.push_back(std::move(lane));
    }
    timeline.iterationStart = {100, 2000};
    return recording;
}

/// `count` spans of seven labels in one lane.
std::shared_ptr<const Recording> longRecording(std::size_t count) {
    auto recording = std::make_shared<Recording>();
    Timeline &timeline = recording->timeline;
    Lane &lane = timeline.lanes.emplace_back();
    for (int l = 0; l < 7; ++l)
        timeline.labels.push_back(std::to_string(l));
    for (std::size_t i = 0; i < count; ++i) {
        lane.start.push_back(static_cast<Nanoseconds>(i));
        lane.end.push_back(static_cast<Nanoseconds>(i + 1));
        lane.label.push_back(static_cast<std::int32_t>(i % timeline.labels.size()));
    }
    lane.category.resize(count, Category::Forward);
    lane.variable.resize(count, -1);
    lane.task.resize(count, -1);
    lane.sizeBytes.resize(count, 0);
    return recording;
}

/// The rows; on failure prints the error.
std::vector<std::vector<QueryValue>> rowsOf(const QueryInput &input, const std::string &sql) {
    const auto result = runQuery(input, sql);
    if (!result) {
        qWarning("%s", result.error().toString().c_str());
        return {};
    }
    return result->rows;
}

std::int64_t integerOf(const QueryValue &value) { return std::get<std::int64_t>(value); }

std::int64_t one(const QueryInput &input, const std::string &sql) {
    const auto rows = rowsOf(input, sql);
    return rows.size() == 1 ? integerOf(rows[0][0]) : -1;
}

} // namespace

class TestQuery : public QObject {
    Q_OBJECT

private slots:
    void sumsAreThoseOfTheSpans() {
        for (const QuerySide &side : twoRuns().sides) {
            std::map<std::string, std::pair<std::int64_t, std::int64_t>> want; // count, ns
            double bytes = 0;
            for (const Lane &lane : side.recording->timeline.lanes)
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    auto &[count, ns] = want[nameOf(lane.category[i])];
                    ++count;
                    ns += lane.end[i] - lane.start[i];
                    bytes += lane.sizeBytes[i];
                }
            const auto rows =
                rowsOf(twoRuns(), "SELECT category, count(*), sum(duration_ns), sum(size_bytes) FROM spans WHERE side = '" +
                                      side.name + "' GROUP BY category");
            QCOMPARE(rows.size(), want.size());
            double gotBytes = 0;
            for (const auto &row : rows) {
                const auto &[count, ns] = want.at(std::get<std::string>(row[0]));
                QCOMPARE(integerOf(row[1]), count);
                QCOMPARE(integerOf(row[2]), ns);
                if (const auto *some = std::get_if<double>(&row[3]))
                    gotBytes += *some;
            }
            COMPARE_CLOSE(gotBytes, bytes);
        }
    }

    /// Grouping and sorting by ranks equals the same with maps, for each ranked column and for pairs of them.
    void groupsAreWhatMapsGroup() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const QueryInput input{{querySide("A", randomRecording(seed)), querySide("B", randomRecording(seed + 100))}};
            for (const std::string &columns :
                 {std::string("lane"), std::string("name"), std::string("category"), std::string("worker"),
                  std::string("compute"), std::string("iteration"), std::string("side"), std::string("name, lane"),
                  std::string("side, category, worker"), std::string("lane, name, iteration, compute")}) {
                std::map<std::string, std::pair<std::int64_t, std::int64_t>> want;
                for (const auto &row : rowsOf(input, "SELECT duration_ns, " + columns + " FROM spans")) {
                    std::string key;
                    for (std::size_t c = 1; c < row.size(); ++c)
                        key += std::to_string(row[c].index()) + textOf(row[c]) + '\n';
                    ++want[key].first;
                    want[key].second += integerOf(row[0]);
                }
                const auto rows =
                    rowsOf(input, "SELECT sum(duration_ns), count(*), " + columns + " FROM spans GROUP BY " + columns);
                QCOMPARE(rows.size(), want.size());
                for (const auto &row : rows) {
                    std::string key;
                    for (std::size_t c = 2; c < row.size(); ++c)
                        key += std::to_string(row[c].index()) + textOf(row[c]) + '\n';
                    QVERIFY2(want.contains(key), (columns + ": " + key).c_str());
                    QCOMPARE(integerOf(row[0]), want[key].second);
                    QCOMPARE(integerOf(row[1]), want[key].first);
                }
            }
        }
    }

    /// ORDER BY on ranked columns equals SQLite's own sorter, which "+" forces it to use.
    void orderIsSqlites() {
        const QueryInput input{{querySide("A", randomRecording(7))}};
        for (const char *order : {"name", "lane, name", "worker, category", "iteration, compute, name", "name DESC, lane"}) {
            std::string own;
            for (const char c : std::string(order))
                own += c;
            const std::string select = "SELECT name, lane, worker, category, iteration, compute FROM spans ORDER BY ";
            const auto got = rowsOf(input, select + order + ", span_id");
            std::string plus = "+" + own;
            for (std::size_t at = 0; (at = plus.find(", ", at)) != std::string::npos; at += 3)
                plus.replace(at, 2, ", +");
            QVERIFY(!got.empty());
            QVERIFY2(got == rowsOf(input, select + plus + ", +span_id"), order);
            QVERIFY2(rowsOf(input, "SELECT DISTINCT name, lane FROM spans ORDER BY name, lane") ==
                         rowsOf(input, "SELECT DISTINCT +name, +lane FROM spans ORDER BY 1, 2"),
                     order);
        }
    }

    /// Groups are in the order that was asked for, also where it falls: SQLite does not sort them again.
    void groupsAreInOrder() {
        const QueryInput input{{querySide("A", randomRecording(7))}};
        for (const auto &[columns, order, sorted] : {std::tuple("name", "name DESC", "1 DESC"),
                                                     {"name", "name", "1"},
                                                     {"name, lane", "name DESC, lane", "1 DESC, 2"},
                                                     {"name, lane", "name, lane DESC", "1, 2 DESC"},
                                                     {"name, lane", "lane, name", "2, 1"},
                                                     {"worker, category", "worker DESC, category DESC", "1 DESC, 2 DESC"}}) {
            const std::string select =
                std::string("SELECT ") + columns + ", count(*), sum(duration_ns) FROM spans GROUP BY " + columns;
            const auto got = rowsOf(input, select + " ORDER BY " + order);
            QVERIFY(got.size() > 2);
            QVERIFY2(got == rowsOf(input, "SELECT * FROM (" + select + " LIMIT -1 OFFSET 0) ORDER BY " + sorted), order);
        }
        const std::string last = textOf(rowsOf(input, "SELECT max(name) FROM spans")[0][0]);
        QCOMPARE(textOf(rowsOf(input, "SELECT name FROM spans GROUP BY name ORDER BY name DESC LIMIT 1")[0][0]), last);
    }

    /// Cells that are sorted with their rows, or read once for a run of equal ones, belong to their rows.
    void orderedCellsAreThoseOfTheirRows() {
        const QueryInput input{{querySide("A", randomRecording(3)), querySide("B", randomRecording(4))}};
        const std::string columns =
            "span_id, start_ns, end_ns, duration_ns, size_bytes, category, name, lane, worker, iteration, side";
        for (const std::string &order : {std::string("name"), std::string("lane, name"), std::string("category, worker, side")}) {
            const std::string select = "SELECT " + columns + " FROM spans ";
            const auto got = rowsOf(input, select + "ORDER BY " + order);
            auto want = rowsOf(input, select);
            QVERIFY(!want.empty());
            const auto keys = rowsOf(input, "SELECT span_id, " + order + " FROM spans");
            std::vector<std::size_t> place(want.size());
            std::iota(place.begin(), place.end(), std::size_t{0});
            std::stable_sort(place.begin(), place.end(), [&](std::size_t a, std::size_t b) {
                return std::vector(keys[a].begin() + 1, keys[a].end()) < std::vector(keys[b].begin() + 1, keys[b].end());
            });
            QCOMPARE(got.size(), want.size());
            for (std::size_t row = 0; row < got.size(); ++row)
                QVERIFY2(got[row] == want[place[row]], (order + ", row " + std::to_string(row)).c_str());
        }
        // The same cells if rows are skipped, and if two cursors use one order.
        QCOMPARE(one(input, "SELECT count(*) FROM (SELECT name, sum(end_ns - start_ns) AS a, sum(duration_ns) AS b FROM spans "
                            "WHERE size_bytes > 1 AND compute GROUP BY name) WHERE a <> b"),
                 0);
        QCOMPARE(one(input, "SELECT count(*) FROM (SELECT name, sum(duration_ns) AS a FROM spans GROUP BY name) AS g JOIN "
                            "(SELECT name, sum(duration_ns) AS b FROM spans GROUP BY name) AS h USING (name) WHERE a <> b"),
                 0);
    }

    /// The product of distinct ranks exceeds the range of one pass: one pass per column.
    void manyRanksTogether() {
        constexpr int lanes = 1100;
        auto recording = std::make_shared<Recording>();
        std::map<std::string, std::int64_t> want;
        for (int l = 0; l < lanes; ++l) {
            recording->timeline.labels.push_back("n" + std::to_string(l));
            Lane &lane = recording->timeline.lanes.emplace_back();
            lane.name = "l" + std::to_string(l * 7 % lanes);
            for (int i = 0; i < 3; ++i) {
                lane.start.push_back(10 * i);
                lane.end.push_back(10 * i + l % 9);
                lane.category.push_back(Category::Forward);
                lane.label.push_back((l * 31 + i / 2) % lanes);
                lane.variable.push_back(-1);
                lane.task.push_back(-1);
                lane.sizeBytes.push_back(0);
            }
        }
        const QueryInput input{{querySide("A", recording)}};
        for (const auto &row : rowsOf(input, "SELECT lane || name, duration_ns FROM spans"))
            want[std::get<std::string>(row[0])] += integerOf(row[1]);
        const auto rows = rowsOf(input, "SELECT lane || name, sum(duration_ns) FROM spans GROUP BY lane, name");
        QCOMPARE(rows.size(), want.size());
        for (const auto &row : rows)
            QCOMPARE(integerOf(row[1]), want.at(std::get<std::string>(row[0])));
    }

    void keysJoin() {
        const auto rows =
            rowsOf(twoRuns(), "SELECT s.side, t.side, s.start_ns, t.start_ns, s.iteration, t.iteration FROM spans s "
                              "JOIN tasks t USING (task_id)");
        std::size_t withTask = 0;
        for (const QuerySide &side : twoRuns().sides)
            withTask += side.recording->timeline.spanCount();
        QCOMPARE(rows.size(), withTask);
        for (const auto &row : rows) {
            QCOMPARE(std::get<std::string>(row[0]), std::get<std::string>(row[1]));
            COMPARE_AT_MOST(std::abs(integerOf(row[2]) - integerOf(row[3])), 1);
            QCOMPARE(integerOf(row[4]), integerOf(row[5]));
        }
        QCOMPARE(one(twoRuns(),
                     "SELECT count(*) FROM spans JOIN variables v USING (variable_id) WHERE spans.variable <> v.name OR "
                     "spans.side <> v.side"),
                 0);
        COMPARE_ABOVE(one(twoRuns(), "SELECT count(*) FROM spans JOIN variables USING (variable_id)"), 0);
        for (const auto &row : rowsOf(twoRuns(), "SELECT span_id, side, lane, start_ns FROM spans WHERE span_id % 97 = 0")) {
            const auto span = spanOfKey(twoRuns(), integerOf(row[0]));
            QVERIFY(span);
            const QuerySide &side = twoRuns().sides[span->side];
            const Lane &lane = side.recording->timeline.lanes[span->span.lane];
            QCOMPARE(side.name, std::get<std::string>(row[1]));
            QCOMPARE(lane.name, std::get<std::string>(row[2]));
            QCOMPARE(lane.start[span->span.span], integerOf(row[3]));
        }
        QVERIFY(!spanOfKey(twoRuns(), -1) && !spanOfKey(twoRuns(), std::numeric_limits<std::int64_t>::max()));
        for (const char *key : {"5", "5.0", "'5'"})
            QCOMPARE(one(twoRuns(), std::string("SELECT span_id FROM spans WHERE span_id = ") + key), 5);
        for (const char *key : {"-1", "1e300", "5.5", "'x'", "NULL", "x'00'"})
            QCOMPARE(one(twoRuns(), std::string("SELECT count(*) FROM spans WHERE span_id = ") + key), 0);
    }

    void variablesAndLinksAreTheEngines() {
        const QuerySide &side = twoRuns().sides[0];
        const auto wanted = variableRows(*side.run);
        const auto rows =
            rowsOf(twoRuns(), "SELECT name, size_bytes, synchroniser, parts, communication_ns FROM variables WHERE side = 'A'");
        QCOMPARE(rows.size(), wanted.size());
        for (std::size_t v = 0; v < wanted.size(); ++v) {
            const Variable &variable = side.recording->job->variables[v];
            QCOMPARE(std::get<std::string>(rows[v][0]), variable.name);
            QCOMPARE(integerOf(rows[v][1]), variable.sizeBytes());
            QCOMPARE(std::get<std::string>(rows[v][2]), wanted[v].synchroniser);
            QCOMPARE(integerOf(rows[v][3]), wanted[v].parts);
            QCOMPARE(integerOf(rows[v][4]), toNanoseconds(wanted[v].communicationSeconds));
        }
        const LinkLoads loads(*side.run);
        const double from = side.run->windowStartSeconds, to = from + side.run->iterationSeconds;
        const auto links = rowsOf(twoRuns(), "SELECT carried_bytes, utilisation, name FROM links WHERE side = 'A'");
        QCOMPARE(links.size(), side.run->graph.links.size());
        for (std::size_t l = 0; l < links.size(); ++l) {
            constexpr double rounding = 2e-9; // seconds: an iteration is queried in whole nanoseconds
            COMPARE_WITHIN(std::get<double>(links[l][0]), loads.bytes(LinkId(l), from, to),
                           rounding * side.run->graph.links[l].bytesPerSecond);
            COMPARE_WITHIN(std::get<double>(links[l][1]), loads.share(LinkId(l), from, to), 1e-7);
        }
        const auto steps = rowsOf(twoRuns(), "SELECT start_ns FROM steps WHERE side = 'B'");
        QCOMPARE(steps.size(), twoRuns().sides[1].recording->timeline.iterationStart.size());
        QCOMPARE(integerOf(steps[1][0]), twoRuns().sides[1].recording->timeline.iterationStart[1]);
    }

    /// The motifs of a plan have bytes, not the seconds that its graph has in their place, and its links have no figures: in the
    /// graph they carry a second of a motif per second.
    void aPlansTrafficIsInBytes() {
        PlannedWork work;
        work.dag = dagOf({computeOp("step", 0.001, {}, {1_op}), commOp("sum", CollectiveKind::AllReduce, 6e6, {0_op})}, 4);
        const Motif first{CollectiveKind::AllReduce, {0, 2}, {}, {}, {}}, second{CollectiveKind::AllReduce, {1, 2}, {}, {}, {}};
        work.plan = planOf(work.dag, {{"nccl", {"rdma"}, 1e9, 0}}, {{1_op, first, 0_channel}, {1_op, second, 0_channel}},
                           {{{0_motif, 0}, {1_motif, 0}}});
        const auto job = std::make_shared<const Job>(chainJob({{0.002, 0.004, 5'000'000}}));
        const auto run = plannedRun(work, job, uniformCluster(4, 10));
        VERIFY_VALUE(run);
        const QueryInput input{{QuerySide{"A", *run, run->get()}}};
        // Each half of 6 MB goes round a ring of four in two passes of three steps, a quarter in each: 2 * 3 * 0.75 MB.
        const auto tasks = rowsOf(input, "SELECT kind, size_bytes, duration_ns FROM tasks WHERE duration_ns > 0");
        std::size_t motifs = 0;
        for (const auto &row : tasks) {
            if (std::get<std::string>(row[0]) != "all-reduce") {
                QVERIFY(std::holds_alternative<std::monostate>(row[1]));
                continue;
            }
            ++motifs;
            COMPARE_CLOSE(std::get<double>(row[1]), 4.5e6);
        }
        COMPARE_ABOVE(motifs, std::size_t{1});
        QCOMPARE(motifs, (*run)->timeline.iterationStart.size() * 2);
        QCOMPARE(
            one(input, "SELECT count(*) FROM spans JOIN tasks USING (task_id) WHERE spans.size_bytes IS NOT tasks.size_bytes"),
            0);
        const auto links = rowsOf(input, "SELECT name, bytes_per_second, nodes, direction, kind, utilisation FROM links");
        QCOMPARE(links.size(), std::size_t{1});
        QCOMPARE(std::get<std::string>(links[0][0]), std::string("rdma"));
        for (std::size_t c = 1; c < links[0].size(); ++c)
            QVERIFY(std::holds_alternative<std::monostate>(links[0][c]));
    }

    void jsonOfValuesIsRead() {
        QCOMPARE(one(twoRuns(), "SELECT sum(value) FROM json_each('[1, 2, 39]')"), 42);
        QCOMPARE(one(twoRuns(), "SELECT count(*) FROM json_tree('{\"a\": [1]}')"), 3); // the object, the list, the number
        QCOMPARE(one(twoRuns(), "SELECT count(DISTINCT category) FROM spans WHERE category IN (SELECT value FROM "
                                "json_each('[\"forward\", \"backward\"]'))"),
                 2);
    }

    void trialsAreTheSearchs() {
        auto search = std::make_shared<SearchState>();
        for (std::uint64_t t = 0; t < 4; ++t) {
            SearchTrial &trial = search->history.trials.emplace_back();
            trial.trial = t;
            if (t == 1) {
                trial.error = "no room";
                continue;
            }
            trial.metrics.iterationSeconds = t == 0 ? 0.25 : 0.125;
            trial.metrics.confidence = t == 0 ? 0.003 : 0;
            trial.metrics.shards = 7;
        }
        search->history.trials[3].metrics.confidence = std::numeric_limits<double>::infinity(); // not steady
        const QueryInput input{{}, search};
        const auto rows = rowsOf(input, "SELECT trial, iteration_ns, best_so_far_ns, shards, error FROM trials");
        QCOMPARE(rows.size(), std::size_t{4});
        QCOMPARE(integerOf(rows[0][1]), 250'000'000);
        QVERIFY(std::holds_alternative<std::monostate>(rows[1][1]));
        QCOMPARE(std::get<std::string>(rows[1][4]), "no room");
        QCOMPARE(integerOf(rows[2][2]), 125'000'000);
        QVERIFY(std::holds_alternative<std::monostate>(rows[2][4]));
        const auto sure = rowsOf(input, "SELECT confidence FROM trials");
        QCOMPARE(std::get<double>(sure[0][0]), 0.003);
        QCOMPARE(std::get<double>(sure[2][0]), 0.0);
        for (const std::size_t unknown : {1, 3})
            QVERIFY(std::holds_alternative<std::monostate>(sure[unknown][0]));
        QCOMPARE(one(input, "SELECT count(*) FROM trials WHERE confidence <= 0.005"), 2);
    }

    /// Every example query works: on a simulation, on a measured run, and on nothing.
    void examplesAnswer() {
        const QueryInput measured{{querySide("A", randomRecording(3))}}, nothing;
        for (const QueryExample &example : queryExamples())
            for (const QueryInput *input : {&twoRuns(), &measured, &nothing}) {
                const auto result = runQuery(*input, example.sql);
                QVERIFY2(result, result ? "" : (example.title + (": " + result.error().toString())).c_str());
            }
        for (const auto &table : queryTables({}))
            QCOMPARE(one({}, "SELECT count(*) FROM " + table->name()), 0);
    }

    /// Sums of the examples are of one iteration, not of all that were unrolled.
    void examplesAreOfOneIteration() {
        const auto rows = rowsOf(twoRuns(), queryExamples()[0].sql);
        std::size_t compared = 0;
        for (const QuerySide &side : twoRuns().sides) {
            COMPARE_AT_LEAST(side.recording->timeline.iterationStart.size(), std::size_t{3});
            const auto [from, to] = lastIteration(*side.recording);
            const AreaStatistics want = areaStatistics(side.recording->timeline, from, to, 0);
            for (const auto &[category, seconds] :
                 {std::pair{"forward", want.forwardSeconds}, {"backward", want.backwardSeconds}})
                for (const auto &row : rows)
                    if (std::get<std::string>(row[0]) == side.name && std::get<std::string>(row[1]) == category) {
                        COMPARE_CLOSE(std::get<double>(row[3]), 1e3 * seconds, 1e-9, side.name + category);
                        ++compared;
                    }
        }
        QCOMPARE(compared, std::size_t{4});
        COMPARE_ABOVE(one(twoRuns(), "SELECT count(*) FROM tasks WHERE last_iteration"), 0);
        COMPARE_BELOW(one(twoRuns(), "SELECT count(*) FROM tasks WHERE last_iteration"),
                      one(twoRuns(), "SELECT count(*) FROM tasks") / 2);
        // A recording without a step is queried as a whole.
        const QueryInput recorded{{querySide("A", randomRecording(3))}};
        QCOMPARE(one(recorded, "SELECT count(*) FROM spans WHERE last_iteration"),
                 one(recorded, "SELECT count(*) FROM spans WHERE start_ns < (SELECT max(end_ns) FROM spans)"));
    }

    void onlyOneSelectIsAllowed_data() {
        QTest::addColumn<QString>("sql");
        for (const char *sql : {"",
                                "  ;  ",
                                "-- nothing",
                                "DELETE FROM spans",
                                "INSERT INTO spans(name) VALUES('x')",
                                "UPDATE spans SET name = 'x'",
                                "DROP TABLE spans",
                                "CREATE TABLE t(x)",
                                "CREATE TEMP TABLE t AS SELECT * FROM spans",
                                "CREATE VIEW v AS SELECT 1",
                                "CREATE VIRTUAL TABLE t USING fts5(x)",
                                "ATTACH DATABASE '/tmp/x' AS y",
                                "ATTACH ':memory:' AS y",
                                "DETACH main",
                                "PRAGMA table_info(spans)",
                                "PRAGMA temp_store_directory = '/tmp'",
                                "VACUUM INTO '/tmp/x'",
                                "BEGIN",
                                "COMMIT",
                                "ANALYZE",
                                "REINDEX",
                                "SELECT 1; SELECT 2",
                                "SELECT 1; DROP TABLE spans",
                                "SELECT load_extension('/tmp/x.so')",
                                "SELECT * FROM pragma_database_list",
                                "SELECT * FROM sqlite_master",
                                "SELECT count(*) FROM sqlite_schema",
                                "SELECT name FROM dbstat",
                                "SELECT sql FROM sqlite_stmt",
                                "SELECT fts3_tokenizer('x')",
                                "SELECT readfile('/etc/passwd')",
                                "SELECT writefile('/tmp/x', 'y')",
                                "SELECT edit('x')",
                                "SELECT * FROM fsdir('/')",
                                "SELECT * FROM nowhere",
                                "SELECT nothing FROM spans",
                                "SELECT * FROM spans WHERE",
                                "WITH x AS (DELETE FROM spans RETURNING 1) SELECT * FROM x",
                                "EXPLAIN DELETE FROM spans",
                                "EXPLAIN SELECT 1",
                                "EXPLAIN QUERY PLAN SELECT 1"})
            QTest::newRow(sql) << QString::fromLatin1(sql);
    }
    void onlyOneSelectIsAllowed() {
        QFETCH(QString, sql);
        const auto result = runQuery(twoRuns(), sql.toStdString());
        QVERIFY(!result);
        QVERIFY2(!result.error().what.empty() && !result.error().remedy.empty(), result.error().toString().c_str());
        QVERIFY(result.error().kind == ErrorKind::Input);
    }

    void errorsNameThePlace() {
        const auto wrong = runQuery(twoRuns(), "SELECT category,\n  bogus FROM spans");
        QVERIFY(!wrong);
        QVERIFY2(wrong.error().what.find("bogus") != std::string::npos, wrong.error().what.c_str());
        QCOMPARE(wrong.error().place, "character 20");
        const std::string withNul("SELECT 1\0; DROP", 15);
        QVERIFY(!runQuery(twoRuns(), withNul));
    }

    void whatTakesTooMuchIsEnded() {
        QueryLimits limits;
        limits.maxSeconds = 0.2;
        const std::string endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        const auto slow = runQuery(twoRuns(), endless, limits);
        QVERIFY(!slow && slow.error().what.find("longer than") != std::string::npos);
        QVERIFY(slow.error().kind == ErrorKind::Unavailable);
        limits.maxSeconds = 0;
        limits.maxBytes = 32 << 20;
        for (const std::string &sql :
             {std::string(
                  "WITH RECURSIVE n(i, z) AS (SELECT 1, zeroblob(100000) UNION ALL SELECT i + 1, zeroblob(100000) FROM n) "
                  "SELECT i FROM n ORDER BY z"),
              std::string("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(zeroblob(1000)) FROM n")}) {
            limits.maxRows = std::size_t{1} << 40;
            const auto large = runQuery(twoRuns(), sql, limits);
            QVERIFY(!large);
            QVERIFY2(large.error().what.find("memory") != std::string::npos, large.error().what.c_str());
        }
        QVERIFY(!runQuery(twoRuns(), "SELECT zeroblob(2000000000)"));
        const auto formatted = runQuery(twoRuns(), "SELECT printf('%2000000d', 1)"); // SQLite's answer, docs/query.md has it
        VERIFY_VALUE(formatted);
        QVERIFY(std::holds_alternative<std::monostate>(formatted->rows[0][0]));
    }

    /// Rows are sorted outside of SQLite, which then neither counts their memory nor checks the time.
    void orderIsBounded() {
        const QueryInput input{{querySide("A", longRecording(1 << 20))}};
        const std::string sql = "SELECT name, count(*) FROM spans GROUP BY name";
        QueryLimits limits;
        limits.maxBytes = 8 << 20; // the order takes 4 MiB, sorting slightly more than 8
        const auto large = runQuery(input, sql, limits);
        QVERIFY(!large && large.error().what.find("memory") != std::string::npos);
        limits.maxBytes = 32 << 20;
        QVERIFY(runQuery(input, sql, limits));
        limits.maxBytes = 10 << 20; // one at a time; the first one's rows leave too little for the second
        QVERIFY(runQuery(input, sql, limits));
        QVERIFY(!runQuery(input, sql + " UNION ALL SELECT category, count(*) FROM spans GROUP BY category", limits));
        limits.maxSeconds = 1e-4; // the first check comes after a thousand instructions, or 65,536 rows
        const auto slow = runQuery(input, sql, limits);
        QVERIFY(!slow && slow.error().what.find("longer than") != std::string::npos);
    }

    void aStopEndsIt() {
        std::stop_source stop;
        std::jthread later([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            stop.request_stop();
        });
        QueryLimits limits;
        limits.maxSeconds = 0;
        const auto result =
            runQuery(twoRuns(), "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", limits,
                     stop.get_token());
        QVERIFY(!result && result.error().isCancelled());
    }

    void furtherRowsAreLeftOut() {
        QueryLimits limits;
        limits.maxRows = 10;
        const auto cut = runQuery(twoRuns(), "SELECT span_id FROM spans", limits);
        QVERIFY(cut && cut->isCut);
        QCOMPARE(cut->rows.size(), std::size_t{10});
        QCOMPARE(integerOf(cut->rows[9][0]), 9);
        const auto whole = runQuery(twoRuns(), "SELECT span_id FROM spans LIMIT 10", limits);
        QVERIFY(whole && !whole->isCut);
    }

    void resultsAreWritten() {
        const auto result =
            runQuery({}, "SELECT 1 AS n, 0.1 AS r, 'a\"b' || char(10) || char(27) AS t, NULL AS gap, x'00ff' AS b");
        QVERIFY(result);
        const std::string escaped = "a\"b\\n\\x1b";
        QCOMPARE(tableOf(*result).rows[0], (std::vector<std::string>{"1", "0.1", escaped, "", "(2 bytes)"}));
        QCOMPARE(writeTable(tableOf(*result), TableFormat::Csv), "n,r,t,gap,b\n1,0.1,\"a\"\"b\\n\\x1b\",,(2 bytes)\n");
        const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(queryResultJson(*result))).object();
        const QJsonArray row = json["rows"].toArray()[0].toArray();
        QCOMPARE(row[0].toInt(), 1);
        QCOMPARE(row[1].toDouble(), 0.1);
        QCOMPARE(row[2].toString().toStdString(), escaped);
        QVERIFY(row[3].isNull());
        QVERIFY(json.contains("is_cut") && !json["is_cut"].toBool());
        QCOMPARE(alignedText(tableOf(*runQuery({}, "SELECT 'x' AS name, 5 AS n UNION ALL SELECT 'long', 123"))),
                 "name    n\nx       5\nlong  123\n");
        // Cells are cut by characters, however many bytes these have: 31 u with dots fit whole, of 100 there are 30, an
        // ellipsis, 29.
        const QString fits(31, QChar(0xfc)), wide(100, QChar(0xfc));
        const Table table{{{"t", false}}, {{fits.toStdString()}, {wide.toStdString()}, {std::string(61, 'x')}}};
        const QString cut = QString(30, QChar(0xfc)) + QChar(0x2026) + QString(29, QChar(0xfc));
        const QString plain = QString(30, QLatin1Char('x')) + QChar(0x2026) + QString(29, QLatin1Char('x'));
        QCOMPARE(QString::fromStdString(alignedText(table)), QStringLiteral("t\n%1\n%2\n%3\n").arg(fits, cut, plain));
    }
};

QTEST_GUILESS_MAIN(TestQuery)
#include "tst_query.moc"
