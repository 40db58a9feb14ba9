// SPDX-License-Identifier: GPL-3.0-or-later
// `search` of the command line: docs/command-line.md, on the built program.
#include "engine/simulate/steady_state.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <limits>

using namespace syncopate::testing;

namespace {

QStringList search(const QStringList &more) {
    return QStringList{"search", "--job", "resnet50", "--cluster", "B7", "--bandwidth", "10", "--trials", "20"} + more;
}

} // namespace

class TestCliSearch : public QObject {
    Q_OBJECT

private slots:
    void jsonKeepsTheContract() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("best.pb"));
        const ProcessResult answer = cli(search({"--json", "--seed", "3", "-o", file}));
        QCOMPARE(answer.exitCode, 0);
        const QJsonObject result = answer.json();
        const QJsonObject baselines = result["baselines"].toObject();
        QCOMPARE(baselines.size(), 8);
        double baseline = std::numeric_limits<double>::infinity();
        for (const QJsonValue &seconds : baselines)
            baseline = std::min(baseline, seconds.toDouble());
        const QJsonArray trials = result["trials"].toArray();
        QCOMPARE(trials.size(), 20);
        double best = std::numeric_limits<double>::infinity();
        int hits = 0;
        for (int t = 0; t < 20; ++t) {
            const QJsonObject trial = trials[t].toObject();
            QCOMPARE(trial["trial"].toInt(-1), t);
            COMPARE_AT_MOST(trial["confidence"].toDouble(1), syncopate::meanConfidence); // unrolled until they are steady
            best = std::min(best, trial["iteration_seconds"].toDouble());
            hits += trial["iteration_seconds"].toDouble() < baseline ? 1 : 0;
            QCOMPARE(trial["best_so_far_seconds"].toDouble(), best);
            QCOMPARE(trial["hit_rate"].toDouble(), hits / (t + 1.0));
        }
        const QJsonObject found = result["best"].toObject();
        QCOMPARE(found["iteration_seconds"].toDouble(), std::min(best, baseline));
        QVERIFY(found["strategy"].isObject());
        // The file agrees with the figures: simulated again, it takes as long.
        const ProcessResult again =
            cli({"simulate", "--job", "resnet50", "--cluster", "B7", "--bandwidth", "10", "--strategy", file, "--json"});
        QCOMPARE(again.json()["iteration_seconds"].toDouble(), found["iteration_seconds"].toDouble());
        const ProcessResult compared = cli(
            {"simulate", "--job", "resnet50", "--cluster", "B7", "--bandwidth", "10", "--strategy", "PartitionedPS", "--json"});
        QCOMPARE(compared.json()["iteration_seconds"].toDouble(), baselines["PartitionedPS"].toDouble());
    }

    /// A search ends when its trials are used up, or when compute alone leaves too little to gain.
    void jsonSaysWhatEndedIt() {
        QJsonObject result = cli(search({"--json", "--enough", "0"})).json();
        QCOMPARE(result["ended_by"].toString(), QStringLiteral("budget"));
        QVERIFY(!result["stopped_early"].toBool());
        result = cli(search({"--json", "--enough", "100", "--method", "rules()"})).json(); // batches of ten
        QCOMPARE(result["ended_by"].toString(), QStringLiteral("bound"));
        QVERIFY(result["stopped_early"].toBool());
    }

    /// The rule behind the best strategy is in the text and in the JSON; strategies drawn variable by variable have none.
    void bestRuleIsTold() {
        const QStringList by{"search", "--job", "vgg16", "--cluster", "B5", "--trials", "20", "--method"};
        const ProcessResult answer = cli(by + QStringList{"rules()", "--json"});
        QCOMPARE(answer.exitCode, 0);
        const QString rule = answer.json()["best"].toObject()["explanation"].toString();
        QVERIFY2(rule.contains(QStringLiteral(" server")), qPrintable(rule));
        QVERIFY(cli(by + QStringList{"rules()"}).out.contains("its rule: " + rule.toUtf8()));
        QVERIFY(!cli(by + QStringList{"random()", "--json"}).json()["best"].toObject().contains(QStringLiteral("explanation")));
    }

    /// --explain uses the search's scenario: unchanged, the winner takes as long as the search says; with half the bandwidth, as
    /// long as a simulation of its file says.
    void winnersAreExplained() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("best.json"));
        const ProcessResult answer = cli(search({"--json", "--method", "rules()", "--explain", "-o", file}));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject result = answer.json(), explained = result["explained"].toObject();
        QVERIFY(!explained["builder"].toString().isEmpty());
        QVERIFY(explained["common"].isArray());
        for (const QJsonValue &each : explained["common"].toArray()) {
            const QJsonObject trait = each.toObject();
            COMPARE_AT_LEAST(10 * trait["winners"].toInt(), 7 * trait["of"].toInt());
            QVERIFY(!trait["what"].toString().isEmpty());
        }
        const QJsonArray pieces = explained["set_back"].toArray();
        QVERIFY(!pieces.isEmpty());
        for (const QJsonValue &piece : pieces)
            QVERIFY2(piece["iteration_seconds"].toDouble() > 0 && piece["variables"].toInt() > 0, answer.out.constData());
        const QString winner = result["best"].toObject()["from"].toString();
        QJsonObject row;
        for (const QJsonValue &each : explained["elsewhere"].toArray())
            if (each["strategy"].toString() == winner)
                row = each["iteration_seconds"].toObject();
        QCOMPARE(row["as it is"].toDouble(), result["best"].toObject()["iteration_seconds"].toDouble());
        const ProcessResult half =
            cli({"simulate", "--job", "resnet50", "--cluster", "B7", "--bandwidth", "5", "--strategy", file, "--json"});
        QCOMPARE(row["links at half"].toDouble(), half.json()["iteration_seconds"].toDouble());
        const ProcessResult text = cli(search({"--method", "rules()", "--explain"}));
        QVERIFY(text.out.contains("set back to") && text.out.contains("elsewhere, the most robust first"));
    }

    /// Reductions that AutoDist's format cannot express are refused before the search, and taken for a JSON file.
    void formatsAreCheckedFirst() {
        QTemporaryDir folder;
        const QStringList asked = search({"--quiet", "--method", "rules(reductions=on)", "-o"});
        const ProcessResult refused = cli(asked + QStringList{folder.filePath(QStringLiteral("best.pb"))});
        QVERIFY2(refused.exitCode == 2 && refused.isOneError() && refused.err.contains("best.pb: reductions=on"),
                 refused.err.constData());
        const ProcessResult taken = cli(asked + QStringList{folder.filePath(QStringLiteral("best.json"))});
        QVERIFY2(taken.exitCode == 0, taken.err.constData());
    }

    /// Recorded times do not follow the cluster: --explain does not rank by them elsewhere.
    void recordedTimesSayNothingOfElsewhere() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("times.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("strategy,seconds\nPS,0.3\nAllReduce,0.2\n");
        file.close();
        const ProcessResult answer = cli(search({"--explain", "--judge", "imported(\"" + file.fileName() + "\")"}));
        QVERIFY2(answer.exitCode == 0 && answer.out.contains("elsewhere: not known") && !answer.out.contains("links at half"),
                 (answer.out + answer.err).constData());
    }

    /// A project refers to a folder of ranks by a path that holds wherever the project is opened.
    void projectsFindTheirProfileFromAnywhere() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("ranks")));
        QVERIFY(QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json"),
                            folder.filePath(QStringLiteral("ranks/rank0.json"))));
        const QString project = folder.filePath(QStringLiteral("p.syncopate"));
        const ProcessResult searched =
            runProgram(QStringLiteral("bash"), {"-c",
                                                "cd \"$1\" && \"$0\" search --job ranks --cluster A2 --trials 1 --project "
                                                "p.syncopate --quiet",
                                                QStringLiteral(SYNCOPATE_CLI), folder.path()});
        QVERIFY2(searched.exitCode == 0, searched.err.constData());
        const ProcessResult written =
            cli({"export", "--project", project, "--format", "json", "-o", folder.filePath(QStringLiteral("s.json"))});
        QVERIFY2(written.exitCode == 0 && !(written.out + written.err).contains("is not shown"),
                 (written.out + written.err).constData());
    }

    void threadsChangeNothingAndSeedsDo() {
        const auto trials = [](const QStringList &more) {
            return cli(search(QStringList{"--json"} + more)).json()["trials"].toArray();
        };
        const QJsonArray once = trials({"--threads", "1"});
        QVERIFY(!once.isEmpty());
        QCOMPARE(trials({"--threads", "3"}), once);
        QVERIFY(trials({"--seed", "2"}) != once);
    }

    void settingsReachTheSampler() {
        const auto trials = [](const QStringList &more) {
            return cli(search(QStringList{"--json"} + more)).json()["trials"].toArray();
        };
        const QJsonArray served = trials({"--synchronisers", "ps"});
        QCOMPARE(served.size(), 20);
        for (const QJsonValue &trial : served)
            QCOMPARE(trial["groups"].toInt(-1), 0);
        const QJsonArray reduced = trials({"--synchronisers", "allreduce", "--groups", "4", "--whole-up-to", "1GB"});
        QCOMPARE(reduced.size(), 20);
        for (const QJsonValue &trial : reduced) {
            QCOMPARE(trial["servers"].toInt(-1), 0);
            COMPARE_AT_LEAST(trial["groups"].toInt(), 1);
            COMPARE_AT_MOST(trial["groups"].toInt(), 4);
            QCOMPARE(trial["shards"].toInt(), 53 * 4 + 2); // none split: 53 convolutions with bias and batch norm, one dense
        }
    }

    /// Options and arguments of the expression are equivalent.
    void optionsAreFoldedIntoTheMethod() {
        const auto of = [](const QStringList &more) { return cli(search(QStringList{"--json", "--seed", "4"} + more)).json(); };
        const QJsonObject options = of({"--parts", "3-9", "--no-merge", "--synchronisers", "ps", "--balance-slack", "4KiB"});
        QCOMPARE(options["method"].toString(), QStringLiteral("random(parts=3..9,slack=4KiB,merge=off,synchronisers=ps)"));
        QCOMPARE(options["judge"].toString(), QStringLiteral("simulated()"));
        const QJsonObject expression = of({"--method", options["method"].toString(), "--judge", "simulated"});
        QCOMPARE(expression["trials"].toArray(), options["trials"].toArray());
        const QJsonObject both =
            of({"--method", "random(synchronisers=ps, parts=2..5, merge=off)", "--parts", "3-9", "--balance-slack", "4KiB"});
        QCOMPARE(both["method"], options["method"]);
        QCOMPARE(both["trials"].toArray(), options["trials"].toArray());
        QCOMPARE(of({})["method"].toString(), QStringLiteral("random()"));
        QVERIFY(of({})["trials"].toArray() != options["trials"].toArray());
    }

    /// A strategy judged alone has the same figures as in a search's baselines and in a simulation.
    void aTrialIsWhatASearchSees() {
        const QStringList scenario{"--job", "resnet50", "--cluster", "B7", "--bandwidth", "10", "--json"};
        const QJsonObject trial =
            cli(QStringList{"trial", "--strategy", "PartitionedPS", "--judge", "simulated()"} + scenario).json();
        const QJsonObject run = cli(QStringList{"simulate", "--strategy", "PartitionedPS"} + scenario).json();
        for (const char *figure :
             {"iteration_seconds", "exposed_communication_seconds", "communication_seconds", "samples_per_second"}) {
            QVERIFY2(trial[figure].isDouble(), figure);
            QVERIFY2(trial[figure].toDouble() == run[figure].toDouble(), figure);
        }
        QCOMPARE(trial["spread_seconds"].toDouble(-1), 0.0);
        QCOMPARE(trial["judge"].toString(), QStringLiteral("simulated()"));
        QVERIFY(trial["deterministic"].toBool());
        COMPARE_ABOVE(trial["cost_seconds"].toDouble(), 0);
        QVERIFY(!trial["assumptions"].toArray().isEmpty());
        QCOMPARE(cli(search({"--json"})).json()["baselines"].toObject()["PartitionedPS"].toDouble(),
                 trial["iteration_seconds"].toDouble());
        const ProcessResult text = cli({"trial", "--strategy", "PS", "--job", "resnet50", "--cluster", "B7"});
        QCOMPARE(text.exitCode, 0);
        QVERIFY2(text.out.contains("judged by") && text.out.contains("simulated()"), text.out.constData());
        for (const auto &[arguments, says] :
             {std::pair{QStringList{"--strategy", "PS", "--judge", "oracle()"}, "use one of: simulated"},
              {QStringList{"--strategy", "Ps", "--judge", "simulated()"}, "no builder 'Ps'"},
              {QStringList{"--judge", "simulated()"}, "--strategy"}}) {
            const ProcessResult bad = cli(QStringList{"trial", "--job", "resnet50", "--cluster", "B7"} + arguments);
            QCOMPARE(bad.exitCode, 2);
            QVERIFY2(bad.err.startsWith("error: ") && bad.err.count('\n') == 1 && bad.err.contains(says), bad.err.constData());
        }
    }

    void theCatalogueDeclaresArguments() {
        const QJsonArray methods = cli({"catalog", "methods", "--json"}).json()["methods"].toArray();
        QStringList names;
        for (const QJsonValue &method : methods)
            names += method.toObject()["name"].toString();
        for (const char *name : {"random", "rules", "anneal", "autosync", "released"})
            QVERIFY2(names.contains(QLatin1String(name)), qPrintable(names.join(' ')));
        QCOMPARE(names.front(), QStringLiteral("random"));
        const QJsonArray arguments = methods[0].toObject()["arguments"].toArray();
        QCOMPARE(arguments.size(), 9);
        const QJsonObject parts = arguments[2].toObject();
        QCOMPARE(parts["name"].toString(), QStringLiteral("parts"));
        QCOMPARE(parts["default"].toString(), QStringLiteral("2..40"));
        QCOMPARE(parts["max"].toInt(), 1000);
        const QByteArray judges = cli({"catalog", "judges"}).out;
        QVERIFY2(judges.contains("simulated") && judges.contains("command(\"program\""), judges.constData());
    }

    void textNamesTheBest() {
        const ProcessResult answer = cli(search({}));
        QCOMPARE(answer.exitCode, 0);
        for (const char *part : {"PartitionedAR", "best: ", "hit rate", "20 trials", "c_lb", "c_am", "seed 1"})
            QVERIFY2(answer.out.contains(part), part);
    }

    /// Times that no machine takes, from a program that measures wrongly: three digits and a power of ten in every table, and
    /// "inf" where even their sum has no number, never a row of 300 digits.
    void hugeTimesAreShort() {
        static const QRegularExpression digits(QStringLiteral("[0-9]{20}"));
        const auto judged = [](const char *command, const char *prints, const QStringList &more = {}) {
            const QString judge = QStringLiteral("command(\"sh -c 'echo %1'\")").arg(QLatin1String(prints));
            return cli(QStringList{command, "--job", "alexnet", "--cluster", "A2", "--judge", judge} + more);
        };
        for (const auto &[prints, shown] : {std::pair{"1e300", "1.00e+300 s"}, {"1e308 1e308", "inf s"}}) {
            const QStringList one{"--strategy", "PS"};
            const ProcessResult trial = judged("trial", prints, one);
            QVERIFY2(trial.exitCode == 0 && trial.out.contains(shown), (trial.err + trial.out).constData());
            QVERIFY2(!digits.match(QString::fromUtf8(trial.out)).hasMatch(), trial.out.constData());
            const ProcessResult json = judged("trial", prints, one + QStringList{"--json"});
            QVERIFY2(!digits.match(QString::fromUtf8(json.out)).hasMatch(), json.out.constData());
            QVERIFY(json.json().contains("iteration_seconds")); // infinity is null: no JSON has a number for it
        }
        const ProcessResult search = judged("search", "1e300", {"--trials", "2"});
        QVERIFY2(search.exitCode == 0 && search.out.contains("1.00e+300 s"), (search.err + search.out).constData());
        QVERIFY2(!digits.match(QString::fromUtf8(search.out)).hasMatch(), search.out.constData());
        QVERIFY2(!search.out.contains("nan"), search.out.constData()); // such a program does not tell what is exposed
        const ProcessResult none = judged("trial", "nan", {"--strategy", "PS"});
        QVERIFY2(none.exitCode != 0 && none.isOneError() && none.err.contains("'nan', which is not a time"),
                 none.err.constData());
    }

    /// Programs judge no tuned builders, so no trial beats them.
    void noTrialBeatsBuildersThatWereNotTuned() {
        const QStringList judged{
            "search", "--job", "alexnet", "--cluster", "A2", "--trials", "2", "--judge", "command(\"sh -c 'echo 1'\")"};
        const ProcessResult json = cli(judged + QStringList{"--json"});
        QVERIFY2(json.exitCode == 0, json.err.constData());
        QVERIFY(json.json()["baselines_tuned"].toObject().isEmpty());
        QVERIFY2(json.json()["hit_rate_tuned"].isNull(), json.out.constData());
        const ProcessResult text = cli(judged);
        QVERIFY2(text.exitCode == 0 && text.out.contains("of 2 trials in ") && !text.out.contains("tuned"), text.out.constData());
    }

    /// The table of builders has the fastest first, also where some in between cannot be judged.
    void buildersAreInTheOrderOfTheirTimes() {
        QTemporaryDir folder;
        const QString times = folder.filePath(QStringLiteral("times.csv"));
        writeFile(times, "strategy,seconds\nPS,1\nPSLoadBalancing,3\nAllReduce,2\n");
        const ProcessResult answer = cli({"search", "--job", "alexnet", "--cluster", "B7", "--trials", "2", "--judge",
                                          QStringLiteral("imported(\"%1\")").arg(times)});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QList<qsizetype> places;
        for (const char *row : {"\nPS ", "\nAllReduce ", "\nParallax ", "\nPSLoadBalancing ", "cannot be judged"})
            places << answer.out.indexOf(row); // Parallax is an all-reduce, too, where no variable is sparse
        QVERIFY2(places.first() > 0 && std::is_sorted(places.begin(), places.end()), answer.out.constData());
    }

    /// A missing program is bad usage; one that fails, or takes too long, is a run-time failure.
    void failingProgramsEndATrial() {
        for (const auto &[program, status] :
             {std::pair{"sh -c 'exit 3'", 1}, {"sh -c 'sleep 60'", 1}, {"sh -c 'echo soon'", 1}, {"/nowhere/at-all", 2}}) {
            const QString judge = QStringLiteral("command(\"%1\", timeout=1)").arg(QLatin1String(program));
            const ProcessResult answer =
                cli(QStringList{"trial", "--job", "alexnet", "--cluster", "A2", "--strategy", "PS", "--judge", judge});
            QCOMPARE(answer.exitCode, status);
            QVERIFY2(answer.isOneError(), answer.err.constData());
        }
    }

    /// Settings that the sampler cannot draw are refused, rather than replaced silently.
    void sparseGradientsAreNotAllReduced() {
        const QStringList start{"search", "--job", "ncf_sparse", "--cluster", "B7", "--trials", "2"};
        for (const QStringList &allReduceAlone :
             {QStringList{"--synchronisers", "allreduce"}, QStringList{"--method", "random(synchronisers=allreduce)"}}) {
            const ProcessResult answer = cli(start + allReduceAlone);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.err.contains("2 of ") && answer.err.contains("sparse gradients"), answer.err.constData());
        }
        QCOMPARE(cli(start + QStringList{"--synchronisers", "both"}).exitCode, 0);
        QCOMPARE(cli(search({"--synchronisers", "allreduce"})).exitCode, 0);
    }

    void badUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QStringList &arguments, const char *says) {
            QTest::newRow(name) << arguments << QByteArray(says);
        };
        row("unknown method", {"--method", "tabu"},
            "error: --method:byte 0: there is no search method 'tabu'; use one of: random");
        row("unknown judge", {"--judge", "oracle"}, "error: --judge:byte 0: there is no judge 'oracle'; use one of: simulated");
        row("unknown argument", {"--method", "random(part=2..9)"}, "random takes whole, split, parts");
        row("argument out of bounds", {"--method", "random(parts=1..9)"}, "from 2 to 1000");
        row("options of another method", {"--method", "tabu()", "--parts", "2-9"}, "options of the method random");
        row("parts out of order", {"--parts", "9-3"}, "9 to 3 parts");
        row("parts are no range", {"--parts", "many"}, "--parts 'many'");
        row("too many parts", {"--parts", "2-1e9"}, "1000");
        row("groups", {"--groups", "0"}, "--groups '0'");
        row("size", {"--whole-up-to", "big"}, "'big'");
        row("no slack", {"--balance-slack", "0"}, "slack");
        row("objective", {"--objective", "luck"}, "--objective");
        row("no trials", {"--trials", "0"}, "--trials");
        row("enough of nothing", {"--enough", "nan"}, "--enough");
    }
    void badUsage() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const ProcessResult answer = cli(search(arguments));
        QCOMPARE(answer.exitCode, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
        QVERIFY2(answer.err.contains(says), answer.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestCliSearch)
#include "tst_cli_search.moc"
