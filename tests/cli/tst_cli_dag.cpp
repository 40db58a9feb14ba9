// SPDX-License-Identifier: GPL-3.0-or-later
// Training DAGs in the commands of strategies: the played plans, and the refused options.
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <limits>
#include <map>
#include <utility>

using namespace syncopate::testing;

namespace {

const QString measuredDag = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/dags/a2a-prefetch.dag.json");
const QString measuredCosts = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/collectives.csv");

/// A step whose times follow from arithmetic: 4 MB among two processes are 2 * 1/2 * 4 MB = 32 ms at 1 Gbit/s (125 MB/s).
class Step {
public:
    Step() {
        write(dag(), "dag step processes 2\n"
                     "op forward  compute 10ms previous gradients\n"
                     "op backward compute 20ms after forward\n"
                     "op gradients all_reduce 4MB after forward\n");
        const QByteArray nodes = "nodes: [{address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}, {address: 10.0.0.2, "
                                 "gpus: [0], network_bandwidth: 1, ssh_config: c}]\nssh: {c: {username: me}}\n";
        write(cluster(), nodes + "latency_seconds: 0\n");
        write(named(), nodes + "channels:\n- {name: e0, bandwidth: 1}\n- {name: e1, bandwidth: 0.4}\n");
    }
    [[nodiscard]] QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString dag() const { return path("step.dag"); }
    [[nodiscard]] QString cluster() const { return path("two.yml"); }
    /// With the channels of the measured plans.
    [[nodiscard]] QString named() const { return path("named.yml"); }
    /// A command on the step, or on the measured DAG with its channels and costs.
    [[nodiscard]] QStringList of(const char *command, const QStringList &more = {}) const {
        return QStringList{QLatin1String(command), "--json", "--job", dag(), "--cluster", cluster()} + more;
    }
    [[nodiscard]] QStringList ofMeasured(const char *command, const QStringList &more = {}) const {
        return QStringList{QLatin1String(command), "--json", "--job", measuredDag, "--cluster", named(), "--costs",
                           measuredCosts} +
               more;
    }

private:
    static void write(const QString &path, const QByteArray &text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    const QTemporaryDir m_folder;
};

double seconds(const QJsonObject &json, const char *key = "iteration_seconds") {
    const QJsonValue value = json[QLatin1String(key)];
    return value.isDouble() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

class TestCliDag : public QObject {
    Q_OBJECT

private slots:
    /// The keys of every simulation, with the figures that follow by hand: 10 ms of forward, then backward beside 32 ms of
    /// all-reduce, which the next forward waits for.
    void simulatesAPlan() {
        const Step step;
        const ProcessResult answer = cli(step.of("simulate"));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject run = answer.json();
        COMPARE_CLOSE(seconds(run), 0.042);
        COMPARE_CLOSE(seconds(run, "compute_seconds"), 0.030);
        COMPARE_CLOSE(seconds(run, "communication_seconds"), 0.032);
        COMPARE_CLOSE(seconds(run, "exposed_communication_seconds"), 0.012);
        COMPARE_CLOSE(seconds(run, "overlap_ratio"), 20.0 / 32);
        COMPARE_CLOSE(seconds(run, "compute_idle_ratio"), 12.0 / 42);
        COMPARE_CLOSE(seconds(run, "lower_bound_seconds"), 0.042);
        COMPARE_CLOSE(seconds(run, "peak_memory_bytes"), 4e6);
        QVERIFY(run["samples_per_second"].isNull());
        QCOMPARE(run["workers"].toInt(), 2);
        QVERIFY(run["events"].toInt() > 0 && seconds(run, "wall_seconds") > 0);
        QCOMPARE(run["strategy"].toString(), QStringLiteral("fifo"));
        QCOMPARE(run["job"].toString(), QStringLiteral("step"));
        // Twice the bandwidth: 16 ms, hidden behind the backward.
        COMPARE_CLOSE(seconds(cli(step.of("simulate", {"--bandwidth", "2"})).json()), 0.030);
        // As text, without the unknown samples.
        QStringList text = step.of("simulate");
        text.removeOne(QStringLiteral("--json"));
        const QByteArray said = cli(text).out;
        QVERIFY2(said.contains("processes       2") && !said.contains("samples"), said.constData());
    }

    /// Notes on how a DAG was planned are no results: --quiet leaves them out, and JSON always has them.
    void quietLeavesNotesOut() {
        const Step step;
        const QByteArray note = "The DAG has 2 processes and the cluster 16 GPUs";
        for (const QStringList &command :
             {QStringList{"simulate"}, QStringList{"compare", "--a", "fifo", "--b", "syndicate"}, QStringList{"plan"},
              QStringList{"plan", "--curves", "all"}, QStringList{"search", "--method", "random", "--trials", "100"}}) {
            const QStringList all = command + QStringList{"--job", step.dag(), "--cluster", "B7"};
            const ProcessResult spoken = cli(all), quiet = cli(all + QStringList{"--quiet"});
            QVERIFY2(spoken.exitCode == 0 && spoken.out.contains(note), (spoken.out + spoken.err).constData());
            QVERIFY2(quiet.exitCode == 0 && !quiet.out.isEmpty() && !quiet.out.contains(note),
                     (quiet.out + quiet.err).constData());
            QVERIFY(cli(all + QStringList{"--quiet", "--json"}).out.contains(note));
        }
    }

    /// One engine: simulate, compare, search and query report the same of a planner as plan.
    void agreesWithPlan() {
        const Step step;
        const ProcessResult planned = cli(step.ofMeasured("plan", {"--seed", "3"}));
        QVERIFY2(planned.exitCode == 0, planned.err.constData());
        const QJsonObject methods = planned.json()["methods"].toObject();
        QCOMPARE(methods.size(), 8);
        for (const QString &method : methods.keys()) {
            const ProcessResult answer = cli(step.ofMeasured("simulate", {"--seed", "3", "--strategy", method}));
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            COMPARE_CLOSE(seconds(answer.json()), methods[method].toDouble());
        }
        const QJsonObject both = cli(step.ofMeasured("compare", {"--seed", "3", "--a", "fifo", "--b", "syndicate"})).json();
        COMPARE_CLOSE(seconds(both["a"].toObject()), methods["fifo"].toDouble());
        COMPARE_CLOSE(seconds(both["b"].toObject()), methods["syndicate"].toDouble());
        COMPARE_CLOSE(seconds(both, "delta_seconds"), methods["syndicate"].toDouble() - methods["fifo"].toDouble());
    }

    /// Costs of motifs apply to plans only: other jobs used to ignore them silently.
    void costsAreOfDagsOnly() {
        const Step step;
        const QStringList job{"--job", "alexnet", "--cluster", "A2"};
        const QList<QStringList> commands{
            QStringList{"simulate", "--strategy", "PS"} + job,
            QStringList{"compare", "--a", "PS", "--b", "AllReduce"} + job,
            QStringList{"sweep", "--strategy", "PS", "--knob", "bandwidth=1..2:2"} + job,
            QStringList{"why", "--strategy", "PS"} + job,
            QStringList{"search", "--trials", "1"} + job,
            QStringList{"query", "SELECT 1", "--strategy", "PS"} + job,
            QStringList{"query", QStringLiteral(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json"), "SELECT 1"},
            QStringList{"export", "--strategy", "PS", "--format", "chrome", "-o", step.path("out.json")} + job,
        };
        for (const QStringList &command : commands)
            for (const QStringList &costs : {QStringList{"--costs", measuredCosts}, QStringList{"--incast", "0.4"}}) {
                const ProcessResult answer = cli(command + costs);
                QCOMPARE(answer.exitCode, 2);
                QVERIFY2(answer.isOneError() && answer.err.startsWith("error: " + costs[0].toUtf8() + ": ") &&
                             answer.err.contains("no training DAG"),
                         (command[0].toUtf8() + ": " + answer.err).constData());
            }
        QVERIFY(!QFile::exists(step.path("out.json")));
    }

    /// Options about layers are refused by every command that takes them, where the job has none; plan ignored them.
    void layersAreOfOtherJobs() {
        const Step step;
        const QString out = step.path("out");
        const std::map<QString, QStringList> plays{{"plan", {}},
                                                   {"simulate", {}},
                                                   {"compare", {"--a", "fifo", "--b", "ho"}},
                                                   {"sweep", {"--knob", "bandwidth=1..2:2"}},
                                                   {"why", {}},
                                                   {"search", {"--trials", "1"}},
                                                   {"query", {"SELECT 1"}},
                                                   {"export", {"--format", "chrome", "-o", out}}};
        const std::map<QString, QStringList> needLayers{
            {"build", {"--builder", "PS", "-o", out}},    {"trial", {"--strategy", "PS"}},   {"tune", {}},
            {"lint", {"--settings", "bucket_cap_mb=25"}}, {"predict", {"--workers", "1-2"}}, {"import", {}}};
        const QList<QStringList> options{{"--variables", step.cluster()}, {"--measured", step.cluster()}, {"--batch-size", "8"}};
        int refused = 0;
        for (const QByteArray &line : cli({"--help"}).out.split('\n')) {
            if (!line.startsWith("  ") || line.startsWith("  -") || line.startsWith("   "))
                continue; // no command
            const QString command = QString::fromUtf8(line.simplified().split(' ').first());
            const QByteArray help = cli({command, "--help"}).out;
            for (const QStringList &option : options) {
                if (!help.contains("  " + option.first().toUtf8() + ' '))
                    continue;
                const bool playsDags = plays.contains(command);
                QVERIFY2(playsDags || needLayers.contains(command), qPrintable(command)); // a new one belongs into the tables
                QStringList arguments{command};
                arguments += (playsDags ? plays : needLayers).at(command);
                arguments +=
                    command == "import" || command == "predict" ? QStringList{step.dag()} : QStringList{"--job", step.dag()};
                arguments += command == "import" ? QStringList() : QStringList{"--cluster", step.cluster()};
                const ProcessResult answer = cli(arguments + option);
                const QByteArray told = arguments.join(' ').toUtf8() + ": " + answer.err;
                QVERIFY2(answer.exitCode == 2 && answer.isOneError(), told.constData());
                if (playsDags)
                    QVERIFY2(answer.err.contains(option.first().toUtf8() + " is about a job's layers") &&
                                 answer.err.contains("\"" + step.dag().toUtf8() + "\" is a training DAG, which has none"),
                             told.constData());
                ++refused;
            }
        }
        COMPARE_AT_LEAST(refused, 3 * static_cast<int>(plays.size())); // each of them has all three
        QVERIFY(!QFile::exists(out));
    }

    /// A Chakra trace is planned as it was recorded, without layers, and a profile's recorded step has times of its own.
    void recordedStepsHaveTimesOfTheirOwn() {
        const Step step;
        const QString trace = step.path("step.et");
        QCOMPARE(
            cli({"plan", "--job", step.dag(), "--cluster", step.cluster(), "--method", "fifo", "--format", "chakra", "-o", trace})
                .exitCode,
            0);
        const QString profile = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json");
        for (const auto &[job, option] : {std::pair{trace, QStringList{"--variables", trace}},
                                          {trace, {"--measured", trace}},
                                          {trace, {"--batch-size", "8"}},
                                          {profile, {"--measured", profile}},
                                          {profile, {"--batch-size", "8"}}}) {
            const QStringList plan{"plan", "--job", job, "--cluster", "A2", "--method", "fifo", "--evaluations", "1"};
            const ProcessResult answer = cli(plan + option);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.isOneError() && answer.err.contains(option.first().toUtf8() + " is about a job's layers") &&
                         answer.err.contains("the recorded step is planned"),
                     answer.err.constData());
        }
    }

    /// A DAG of the catalogue has as many processes as the cluster has GPUs.
    void playsTheCatalogue() {
        const ProcessResult answer =
            cli({"simulate", "--json", "--job", "syndicate:a2", "--cluster", "syndicate", "--workers", "64"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QCOMPARE(answer.json()["workers"].toInt(), 64);
    }

    /// The best plan that the search finds is plan's; its trials are the steps, and the figures derived from them add up; the
    /// plan file is played again as it was found.
    void searchesPlans() {
        const Step step;
        const QString file = step.path("best.plan.json");
        const QStringList budget{"--evaluations", "60"};
        const QJsonObject planned = cli(step.ofMeasured("plan", budget)).json();
        const ProcessResult answer = cli(step.ofMeasured("search", {"--trials", "60", "-o", file}));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject found = answer.json(), best = found["best"].toObject(), baselines = found["baselines"].toObject();
        COMPARE_CLOSE(seconds(best), seconds(planned));
        QCOMPARE(best["from"].toString(), QStringLiteral("syndicate"));
        QCOMPARE(baselines.keys(), (QStringList{"bs+", "fifo", "ho", "sched"}));
        double bar = std::numeric_limits<double>::infinity();
        for (const QString &name : baselines.keys()) {
            COMPARE_CLOSE(baselines[name].toDouble(), planned["methods"].toObject()[name].toDouble());
            bar = std::min(bar, baselines[name].toDouble());
        }
        const QJsonArray trials = found["trials"].toArray();
        COMPARE_ABOVE(trials.size(), 60);
        double least = std::numeric_limits<double>::infinity();
        int hits = 0;
        for (qsizetype t = 0; t < trials.size(); ++t) {
            const QJsonObject trial = trials[t].toObject();
            least = std::min(least, seconds(trial));
            hits += seconds(trial) < bar ? 1 : 0;
            QCOMPARE(trial["trial"].toInt(), static_cast<int>(t));
            COMPARE_CLOSE(seconds(trial, "best_so_far_seconds"), least);
            COMPARE_CLOSE(seconds(trial, "hit_rate"), static_cast<double>(hits) / static_cast<double>(t + 1));
        }
        COMPARE_CLOSE(seconds(found, "hit_rate"), static_cast<double>(hits) / static_cast<double>(trials.size()));
        COMPARE_CLOSE(seconds(found, "lower_bound_seconds"), seconds(planned, "lower_bound_seconds"));
        COMPARE_CLOSE(seconds(cli(step.ofMeasured("simulate", {"--strategy", file})).json()), seconds(best));
        const ProcessResult none = cli(step.of("search", {"--method", "bs+"}));
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.isOneError() && none.err.contains("--strategy bs+"), none.err.constData());
    }

    /// A curve has a plan for each value: 10 ms and the longer of backward and 32 ms over the bandwidth.
    void sweepsKnobs() {
        const Step step;
        const QString table = step.path("curve.csv");
        const ProcessResult answer = cli(step.of("sweep", {"--knob", "bandwidth=1..4:4", "-o", table}));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonArray points = answer.json()["points"].toArray();
        QCOMPARE(points.size(), 4);
        for (const auto &point : points) {
            const double gbits = seconds(point.toObject(), "bandwidth");
            COMPARE_CLOSE(seconds(point.toObject()), 0.010 + std::max(0.020, 0.032 / gbits));
            COMPARE_CLOSE(seconds(point.toObject(), "exposed_communication_seconds"), std::max(0.0, 0.032 / gbits - 0.020));
            QVERIFY(point.toObject()["samples_per_second"].isNull() && !point.toObject()["pareto_front"].toBool());
        }
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readLine() == "bandwidth_gbits,iteration_seconds,steps_per_second\n" && file.readLine().endsWith(",\n"),
                 "a curve without samples");
        // Two steps of latency: the ring's.
        const QJsonArray later = cli(step.of("sweep", {"--knob", "latency=0..10ms:2"})).json()["points"].toArray();
        COMPARE_CLOSE(seconds(later.last().toObject()), 0.042 + 2 * 0.010);
        // More processes of a catalogue DAG.
        const QJsonArray workers =
            cli({"sweep", "--json", "--job", "syndicate:a1", "--cluster", "syndicate", "--knob", "workers=16..32:2"})
                .json()["points"]
                .toArray();
        for (const auto &point : workers) {
            const QString count = QString::number(point.toObject()["workers"].toInt());
            COMPARE_CLOSE(
                seconds(point.toObject()),
                seconds(
                    cli({"simulate", "--json", "--job", "syndicate:a1", "--cluster", "syndicate", "--workers", count}).json()));
        }
        QCOMPARE(workers.size(), 2);
    }

    void refusesKnobsThatReachNoPlan() {
        const Step step;
        const QString file = step.path("fifo.plan.json");
        QCOMPARE(cli(step.ofMeasured("export", {"--strategy", "fifo", "--format", "json", "-o", file})).exitCode, 0);
        const auto refused = [](const QStringList &arguments, const char *why) {
            const ProcessResult answer = cli(arguments);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.isOneError() && answer.err.contains(why), answer.err.constData());
        };
        refused(step.of("sweep", {"--knob", "servers=1..2"}), "sweep bandwidth or latency");
        refused(step.of("sweep", {"--knob", "workers=2..4"}), "sweep bandwidth or latency");
        refused(step.of("sweep", {"--knob", "partition=1MiB..2MiB"}), "does not reach plans");
        refused(step.ofMeasured("sweep", {"--knob", "bandwidth=1..2"}), "named channels have figures of their own");
        refused(step.ofMeasured("sweep", {"--knob", "latency=0..1ms", "--strategy", file}), "channels of its own");
    }

    /// The explanation of plan --why, at the top of the object.
    void explains() {
        const Step step;
        const QJsonObject why = cli(step.ofMeasured("why", {"--strategy", "bs+"})).json();
        const QJsonObject planned =
            cli(step.ofMeasured("plan", {"--method", "bs+", "--why", "--evaluations", "1"})).json()["why"].toObject();
        for (const char *key :
             {"causes", "remedies", "sensitivities", "bounds", "collectives", "channels", "iteration_seconds"}) {
            QVERIFY2(why.contains(QLatin1String(key)), key);
            QCOMPARE(why[QLatin1String(key)], planned[QLatin1String(key)]);
        }
        COMPARE_ABOVE(why["remedies"].toArray().size(), 3);
        // For the small step, bandwidth is a remedy; its causes add up to the iteration.
        const QJsonObject small = cli(step.of("why")).json();
        double sum = 0;
        for (const auto &cause : small["causes"].toArray())
            sum += seconds(cause.toObject(), "seconds");
        COMPARE_CLOSE(sum, 0.042);
        QCOMPARE(small["sensitivities"].toArray().first().toObject()["knob"].toString(), QStringLiteral("bandwidth"));
    }

    /// Compute is 10 and 20 ms in every iteration, and the collective 32.
    void isAsked() {
        const Step step;
        const ProcessResult answer = cli(step.of("query") + QStringList{"SELECT compute, sum(duration_ns) AS ns FROM spans WHERE "
                                                                        "iteration = 2 GROUP BY compute ORDER BY compute"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonArray rows = answer.json()["rows"].toArray();
        QCOMPARE(rows.size(), 2);
        const auto cell = [&](qsizetype row) {
            const QJsonValue value = rows[row];
            return value.isArray() ? value.toArray().last().toDouble() : value.toObject()["ns"].toDouble();
        };
        COMPARE_CLOSE(cell(0), 32e6);
        COMPARE_CLOSE(cell(1), 30e6);
    }

    void isExported() {
        const Step step;
        for (const char *format : {"chrome", "svg", "json"}) {
            const QString file = step.path(format);
            const ProcessResult answer = cli(step.of("export", {"--format", QLatin1String(format), "-o", file}));
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly) && written.readAll().contains("gradients"));
        }
        const ProcessResult none = cli(step.of("export", {"-o", step.path("strategy.pb")}));
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.isOneError() && none.err.contains("plan --job"), none.err.constData());
        const QString trace = step.path("trace.json");
        QCOMPARE(cli(step.of("simulate", {"--trace", trace})).exitCode, 0);
        QFile written(trace);
        QVERIFY(written.open(QIODevice::ReadOnly) && written.readAll().contains("gradients"));
    }

    /// Options of strategies are refused by name, and commands that need layers name the ones that take a DAG.
    void refusesWhatIsOfStrategies() {
        const Step step;
        const QString log = step.cluster(); // any file
        const auto refused = [](const QStringList &arguments, const QByteArray &why) {
            const ProcessResult answer = cli(arguments);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.isOneError() && answer.err.contains(why), answer.err.constData());
        };
        for (const QStringList &option : {QStringList{"--policy", "ddp"},
                                          {"--iterations", "8"},
                                          {"--no-fold"},
                                          {"--servers", "1"},
                                          {"--curves", log},
                                          {"--background", "worker0.up:0.3@0-2s"},
                                          {"--sharing", "tcp"}})
            refused(step.of("simulate", option), option.first().toUtf8() + " is about strategies");
        refused(step.of("plan", {"--servers", "1"}), "--servers is about strategies");
        refused(step.of("simulate", {"--table", step.path("t.csv")}), "the table lists variables");
        refused(step.of("compare", {"--a", "fifo", "--b", "ho", "--policy-b", "ddp"}), "--policy-b is about strategies");
        for (const QStringList &option : {QStringList{"--judge", "noisy()"},
                                          {"--objective", "exposed"},
                                          {"--enough", "1"},
                                          {"--explain"},
                                          {"--project", step.path("p.syncopate")},
                                          {"--trials-out", step.path("trials")}})
            refused(step.of("search", option), option.first().toUtf8() + " is about strategies");
        refused(step.of("search", {"--parts", "2-4"}), "an option of random() is about strategies");
        refused(step.of("why", {"--scaling", "1-8"}), "--scaling is about strategies");
        refused(step.of("why", {"--threads", "2"}), "--threads is about strategies");
        refused(step.of("simulate", {"--strategy", "AllReduce"}), "syndicate");
        refused({"simulate", "--job", step.dag()}, "--cluster is required");
        for (const QString &job : {QStringLiteral("syndicate:a2"), step.dag()})
            refused({"trial", "--job", job, "--cluster", "A2", "--strategy", "PS"}, "is a training DAG");
        refused({"build", "--job", step.dag(), "--cluster", "A2", "--builder", "PS", "-o", step.path("s.pb")},
                "syncopate-cli plan --job");
        // A job of layers still needs its strategy.
        refused({"why", "--job", "alexnet", "--cluster", "A2"}, "--strategy is required");
        refused({"sweep", "--job", "alexnet", "--cluster", "A2", "--knob", "bandwidth=1..2"}, "--strategy is required");
    }
};

QTEST_APPLESS_MAIN(TestCliDag)
#include "tst_cli_dag.moc"
