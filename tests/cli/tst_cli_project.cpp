// SPDX-License-Identifier: GPL-3.0-or-later
// Project files on the command line: an export from one equals an export with the same options without one.
#include "engine/profile/profile.h"
#include "engine/store/project_file.h"
#include "engine/store/project_lock.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <limits>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const QStringList scenario{"--job", "alexnet", "--cluster", "B7", "--bandwidth", "5"};

} // namespace

class TestCliProject : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_project, m_best;
    QJsonObject m_search;
    [[nodiscard]] QString path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    [[nodiscard]] ProcessResult exported(const QStringList &more) const {
        return cli(QStringList{"export", "--project", m_project} + more);
    }

private slots:
    void initTestCase() {
        m_project = path("searched.syncopate");
        m_best = path("best.json");
        const ProcessResult answer = cli(QStringList{"search", "--trials", "40", "--seed", "9", "--policy", "tic", "--project",
                                                     m_project, "-o", m_best, "--json"} +
                                         scenario);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        m_search = QJsonDocument::fromJson(answer.out).object();
    }

    /// `why --project` tries the best trial of the project's search, which takes as long as the search reported.
    void theWinnerIsARemedy() {
        double best = std::numeric_limits<double>::infinity();
        for (const QJsonValue &trial : m_search["trials"].toArray())
            if (const double seconds = trial.toObject()["iteration_seconds"].toDouble(); seconds > 0)
                best = std::min(best, seconds);
        const QStringList question = QStringList{"why", "--json", "--strategy", "PS", "--policy", "tic"} + scenario;
        const auto winners = [](const ProcessResult &answer) {
            QList<double> seconds;
            for (const QJsonValue &row : answer.json()["remedies"].toArray())
                if (row.toObject()["kind"].toString() == QStringLiteral("search_winner"))
                    seconds << row.toObject()["iteration_seconds"].toDouble();
            return seconds;
        };
        const ProcessResult with = cli(question + QStringList{"--project", m_project});
        QVERIFY2(with.exitCode == 0, with.err.constData());
        QCOMPARE(winners(with), QList<double>{best});
        const ProcessResult without = cli(question);
        QVERIFY(winners(without).isEmpty());
        const ProcessResult foreign =
            cli({"why", "--json", "--strategy", "PS", "--job", "resnet50", "--cluster", "B7", "--project", m_project});
        QVERIFY2(foreign.exitCode == 0 && winners(foreign).isEmpty(), foreign.err.constData());
        QCOMPARE(cli(question + QStringList{"--project", path("none.syncopate")}).exitCode, 2);
        const ProcessResult few = cli(question + QStringList{"--simulations", "2"});
        COMPARE_ABOVE(few.json()["left_out"].toDouble(), 10);
    }

    /// A new search replaces the current one of a project, but the trials of both stay: all of them are exported, each strategy
    /// once, as each search wrote them itself.
    void trialsOfAllSearchesAreKept() {
        const QString file = path("several.syncopate");
        QList<QByteArray> expected; // strategies with their times
        const auto linesOf = [](const QByteArray &text) {
            QList<QByteArray> lines;
            for (const QByteArray &line : text.split('\n'))
                if (const QJsonObject one = QJsonDocument::fromJson(line).object(); one.contains(QStringLiteral("trial"))) {
                    QJsonObject strategy = one["strategy"].toObject();
                    strategy.remove(QStringLiteral("id")); // these two differ with each writing
                    strategy.remove(QStringLiteral("path"));
                    lines << QJsonDocument(QJsonObject{{"strategy", strategy}, {"seconds", one["seconds"]}})
                                 .toJson(QJsonDocument::Compact);
                }
            return lines;
        };
        for (const QString &method : {QStringLiteral("rules()"), QStringLiteral("random()"), QStringLiteral("rules(fresh=50)")}) {
            const QString own = path("own.jsonl");
            const ProcessResult answer = cli(
                QStringList{"search", "--trials", "30", "--method", method, "--project", file, "--force", "--trials-out", own} +
                scenario);
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            for (const QByteArray &line : linesOf(contentOf(own)))
                if (!expected.contains(line))
                    expected << line;
        }
        COMPARE_ABOVE(expected.size(), 50);
        COMPARE_BELOW(expected.size(), 90); // rules begin alike
        const auto read = readProject(file.toStdString());
        QCOMPARE(read->pastSearches.size(), std::size_t(2));
        QCOMPARE(read->search->plan.method, std::string("rules(fresh=50)"));
        QVERIFY(read->search->isTuned);
        COMPARE_ABOVE(read->search->boundSeconds, 0);
        const QString all = path("all.jsonl");
        const ProcessResult answer = cli({"export", "--project", file, "--format", "trials", "-o", all});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QStringList again{"export", "--project", file, "--format", "trials", "-o", all, "--force"};
        QCOMPARE(cli(again + QStringList{"--json"}).json(), (QJsonObject{{"file", all}, {"format", "trials"}}));
        QCOMPARE(cli(again + QStringList{"--candidate", "best"}).exitCode, 2);
        const ProcessResult ofSide = cli(again + QStringList{"--side", "b"});
        QVERIFY2(ofSide.exitCode == 2 && ofSide.isOneError() && ofSide.err.contains("--side: "), ofSide.err.constData());
        QList<QByteArray> got = linesOf(contentOf(all));
        std::sort(got.begin(), got.end());
        std::sort(expected.begin(), expected.end());
        QCOMPARE(got, expected);
        const ProcessResult none =
            cli(QStringList{"export", "--format", "trials", "--strategy", "PS", "-o", path("none")} + scenario);
        QVERIFY(none.exitCode == 2 && none.isOneError());
    }

    /// A search of a profile's job keeps the measured timeline, too.
    void aProfileKeepsItsTimeline() {
        const QString file = path("profile.syncopate");
        const QString profile = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz");
        const ProcessResult answer = cli({"search", "--trials", "3", "--project", file, "--job", profile, "--cluster", "B7"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const auto read = readProject(file.toStdString());
        VERIFY_VALUE(read);
        QVERIFY(read->losses.empty());
        QVERIFY(read->present.profile && read->search->plan.state.profile == read->present.profile);
        const auto alone = importProfile(profile.toStdString());
        VERIFY_VALUE(alone);
        COMPARE_ABOVE((*alone)->timeline.spanCount(), 0);
        QCOMPARE(read->present.profile->timeline.spanCount(), (*alone)->timeline.spanCount());
        QCOMPARE(read->present.profile->timeline.duration, (*alone)->timeline.duration);
        QCOMPARE(read->present.profile->eventCount, (*alone)->eventCount);
        QCOMPARE(read->present.profile->steps.size(), (*alone)->steps.size());
        QCOMPARE(read->present.profile->file, profile.toStdString());
    }

    void theSearchIsInTheProject() {
        const auto project = readProject(m_project.toStdString());
        VERIFY_VALUE(project);
        QVERIFY(project->search);
        const SearchState &search = *project->search;
        QCOMPARE(search.plan.seed, std::uint64_t(9));
        QCOMPARE(search.plan.state.side(Side::A).policy, project->present.side(Side::B).policy);
        const QJsonArray trials = m_search["trials"].toArray();
        QCOMPARE(search.history.trials.size(), std::size_t(trials.size()));
        for (int t = 0; t < trials.size(); ++t)
            QCOMPARE(search.history.trials[static_cast<std::size_t>(t)].metrics.iterationSeconds,
                     trials[t].toObject()["iteration_seconds"].toDouble());
        for (const SearchBaseline &baseline : search.history.baselines)
            QCOMPARE(baseline.metrics.iterationSeconds,
                     m_search["baselines"].toObject()[QString::fromStdString(baseline.builder)].toDouble());
        // Searched again, only the search is replaced.
        const QString copy = path("again.syncopate");
        QVERIFY(QFile::copy(m_project, copy));
        QCOMPARE(cli(QStringList{"search", "--trials", "3", "--project", copy} + scenario).exitCode, 0);
        const auto again = readProject(copy.toStdString());
        QCOMPARE(again->search->history.trials.size(), std::size_t(3));
        QCOMPARE(sourceName(again->present.side(Side::B).source), sourceName(project->present.side(Side::B).source));
        QCOMPARE(again->search->plan.state.job, again->present.job);
    }

    void theBestCandidateIsTheSearchsBest() {
        const QString file = path("candidate.json");
        const ProcessResult answer = exported({"--candidate", "best", "--format", "json", "-o", file});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        auto ours = readStrategyFile(file.toStdString()), truth = readStrategyFile(m_best.toStdString());
        QVERIFY(ours && truth);
        ours->id = truth->id;
        QVERIFY(*ours == *truth);
        // Any other trial is decoded from its genes: it takes as long as before.
        const auto project = readProject(m_project.toStdString());
        const QString decoded = path("decoded.json");
        QCOMPARE(exported({"--candidate", "7", "--format", "json", "-o", decoded}).exitCode, 0);
        const ProcessResult simulated =
            cli(QStringList{"simulate", "--strategy", decoded, "--policy", "tic", "--json"} + scenario);
        QCOMPARE(QJsonDocument::fromJson(simulated.out).object()["iteration_seconds"].toDouble(),
                 project->search->history.trials[7].metrics.iterationSeconds);
    }

    void whatTheWindowShowsIsWhatTheOptionsSay() {
        const auto project = readProject(m_project.toStdString());
        const QString builder = QString::fromStdString(textOf(project->present.side(Side::A).source));
        const QStringList same = QStringList{"export", "--strategy", builder, "--policy", "tic"} + scenario;
        for (const QString &format : {QStringLiteral("csv"), QStringLiteral("markdown"), QStringLiteral("chrome")}) {
            const QString ours = path("ours"), truth = path("truth");
            const ProcessResult answer = exported({"--format", format, "-o", ours, "--force"});
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            QVERIFY(answer.out.startsWith("wrote "));
            QCOMPARE(cli(same + QStringList{"--format", format, "-o", truth, "--force"}).exitCode, 0);
            QVERIFY(!contentOf(truth).isEmpty());
            QCOMPARE(contentOf(ours), contentOf(truth));
        }
        // B has another strategy.
        const QString a = path("a.csv"), b = path("b.csv");
        QCOMPARE(exported({"--format", "csv", "-o", a}).exitCode, 0);
        QCOMPARE(exported({"--format", "csv", "--side", "b", "-o", b}).exitCode, 0);
        QVERIFY(contentOf(a) != contentOf(b));
        const QString report = path("report.html");
        QCOMPARE(exported({"--format", "html", "-o", report}).exitCode, 0);
        QVERIFY(contentOf(report).contains(sourceName(project->present.side(Side::B).source).c_str()));
        // What shows both has no side of its own.
        for (const char *format : {"html", "png", "pdf"}) {
            const ProcessResult refused = exported({"--format", QLatin1String(format), "--side", "b", "-o", path("no.side")});
            QVERIFY2(refused.exitCode == 2 && refused.isOneError() && refused.err.contains("--side: "), refused.err.constData());
        }
        QVERIFY(!QFile::exists(path("no.side")));
    }

    void keptScenariosByName() {
        auto project = *readProject(m_project.toStdString());
        KeptScenario kept{"slow links", "", 0, project.present, {}};
        kept.state.bandwidthGbits = 0.5;
        project.scenarios = {kept};
        const QString file = path("kept.syncopate"), out = path("slow.csv"), truth = path("slow truth.csv");
        project.revision = 0;
        VERIFY_VALUE(writeProject(project, file.toStdString()));
        const ProcessResult answer = cli({"export", "--project", file, "--scenario", "slow links", "--format", "csv", "-o", out});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QCOMPARE(cli({"export", "--strategy", QString::fromStdString(textOf(project.present.side(Side::A).source)), "--policy",
                      "tic", "--job", "alexnet", "--cluster", "B7", "--bandwidth", "0.5", "--format", "csv", "-o", truth})
                     .exitCode,
                 0);
        QCOMPARE(contentOf(out), contentOf(truth));
        const ProcessResult unknown =
            cli({"export", "--project", file, "--scenario", "fast", "--format", "csv", "-o", out, "--force"});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains("it has slow links"), unknown.err.constData());
        // Of equal names none is meant.
        project.scenarios.push_back(project.scenarios.front());
        project.scenarios.back().state.bandwidthGbits = 2;
        const QString twice = path("twice.syncopate");
        VERIFY_VALUE(writeProject(project, twice.toStdString()));
        const ProcessResult ambiguous =
            cli({"export", "--project", twice, "--scenario", "slow links", "--format", "csv", "-o", path("ambiguous.csv")});
        QVERIFY2(ambiguous.exitCode == 2 && ambiguous.isOneError() && ambiguous.err.contains("2 scenarios 'slow links'") &&
                     ambiguous.err.contains("; rename"),
                 ambiguous.err.constData());
    }

    void picturesAreDrawnByTheExplorer() {
        const QString file = path("panes.png");
        const ProcessResult answer = exported({"--format", "png", "-o", file});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QVERIFY(contentOf(file).startsWith("\x89PNG"));
        QVERIFY2(answer.out.startsWith("wrote " + file.toUtf8()), answer.out.constData());
    }

    /// A picture of an error in place of a run would end with 0.
    void aSideThatCannotBeSimulatedIsNotDrawn() {
        auto project = *readProject(m_project.toStdString());
        project.present.compare = true;
        project.present.side(Side::B).source = Built{"Foo()"};
        project.revision = 0;
        const QString file = path("failing.syncopate"), out = path("failing.png");
        VERIFY_VALUE(writeProject(project, file.toStdString()));
        const QStringList draw{"export", "--project", file, "--format", "png", "-o", out};
        const ProcessResult refused = cli(draw);
        QVERIFY2(refused.exitCode == 2 && refused.isOneError() && refused.err.contains("B: there is no builder 'Foo'"),
                 refused.err.constData());
        QVERIFY(!QFile::exists(out));
        const ProcessResult drawn = cli(draw + QStringList{"--candidate", "best"}); // alone, as A
        QVERIFY2(drawn.exitCode == 0, drawn.err.constData());
    }

    /// A measured side whose profile is gone has nothing to draw.
    void aMeasuredSideWithoutItsProfileIsNotDrawn() {
        auto project = *readProject(m_project.toStdString());
        project.present.compare = true;
        project.present.side(Side::A).source = Measured{};
        project.revision = 0;
        QVERIFY(!project.present.profile);
        const QString file = path("moved.syncopate"), out = path("moved.png");
        VERIFY_VALUE(writeProject(project, file.toStdString()));
        const ProcessResult refused = cli({"export", "--project", file, "--format", "png", "-o", out});
        QVERIFY2(refused.exitCode == 2 && refused.isOneError() && refused.err.contains("A shows a measured step, whose profile"),
                 refused.err.constData());
        QVERIFY(!QFile::exists(out));
    }

    /// A report of two sides needs two strategies, whichever side is chosen, so the error does not suggest the other side.
    void aReportNeedsStrategies() {
        auto project = *readProject(m_project.toStdString());
        const QString profile = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz");
        project.present.profile = *importProfile(profile.toStdString());
        project.present.job = std::shared_ptr<const Job>(project.present.profile, &project.present.profile->job);
        project.present.source = profile.toStdString();
        project.present.side(Side::A).source = Measured{};
        project.present.side(Side::B).source = Built{"PS"};
        project.search = nullptr;
        project.revision = 0;
        const QString file = path("measured.syncopate");
        VERIFY_VALUE(writeProject(project, file.toStdString()));
        const auto refused = [&](const QStringList &more) {
            const ProcessResult answer = cli(QStringList{"export", "--project", file, "-o", path("measured.out")} + more);
            return answer.exitCode == 2 && answer.isOneError() && answer.err.contains("A shows a measured step") ? answer.err
                                                                                                                 : QByteArray();
        };
        for (const QStringList &side : {QStringList{"--side", "a"}, QStringList{"--side", "b"}}) {
            const QByteArray told = refused(QStringList{"--format", "html"} + side);
            QVERIFY2(told.contains("; choose a format of timelines: "), told.constData());
        }
        const QByteArray table = refused({"--format", "csv"});
        QVERIFY2(table.contains("; choose the other side, or a format of timelines: "), table.constData());
        // A measurement has no policy to be named.
        const QString picture = path("measured.svg");
        const ProcessResult drawn = cli({"export", "--project", file, "--format", "svg", "-o", picture});
        QVERIFY2(drawn.exitCode == 0, drawn.err.constData());
        QVERIFY(contentOf(picture).contains("measured"));
        QVERIFY(!contentOf(picture).contains(("measured, " + project.present.side(Side::A).policy).c_str()));
    }

    /// A project that is open elsewhere is no bad input: the same command succeeds once it is closed.
    void anOpenProjectIsARunTimeFailure() {
        const QString file = path("open.syncopate");
        QVERIFY(QFile::copy(m_project, file));
        const QStringList search = QStringList{"search", "--trials", "2", "--project", file} + scenario;
        {
            const auto lock = ProjectLock::take(file.toStdString());
            VERIFY_VALUE(lock);
            const ProcessResult answer = cli(search);
            QVERIFY2(answer.exitCode == 1 && answer.isOneError() && answer.err.contains("is open in another window"),
                     answer.err.constData());
        }
        QCOMPARE(cli(search).exitCode, 0);
    }

    /// A project has no job once its recording is gone. Unless it is refused, the explorer waits for its first run for ever.
    void aProjectWithoutAJobIsRefused() {
        const QString file = path("jobless.syncopate"), out = path("jobless.png");
        VERIFY_VALUE(writeProject(Project(), file.toStdString()));
        for (const char *format : {"png", "pdf", "chrome", "json"}) {
            const ProcessResult answer = cli({"export", "--project", file, "--format", format, "-o", out});
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains("no job"), answer.err.constData());
        }
        QVERIFY(!QFile::exists(out));
    }

    void whatCannotBeExportedSaysWhy() {
        const QString out = path("never");
        QFile text(path("text"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(QByteArray(4096, 'x'));
        text.close();
        for (const auto &[arguments, says] :
             {std::pair{QStringList{"--project", path("absent"), "--format", "csv"}, "no such file"},
              {QStringList{"--project", path("text"), "--format", "csv"}, "not a Syncopate project"},
              {QStringList{"--project", m_project, "--strategy", "PS", "--format", "csv"}, "--project"},
              {QStringList{"--project", m_project, "--bandwidth", "3", "--format", "csv"}, "--project"},
              {QStringList{"--scenario", "x", "--strategy", "PS", "--format", "csv"}, "--project"},
              {QStringList{"--project", m_project, "--candidate", "4000", "--format", "csv"}, "trial below 40"},
              {QStringList{"--project", m_project, "--candidate", "-1", "--format", "csv"}, "candidate"},
              {QStringList{"--project", m_project, "--format", "horovod"}, "policy"},
              {QStringList{"--format", "csv"}, "--project"}}) {
            const ProcessResult answer = cli(QStringList{"export", "-o", out} + arguments);
            QVERIFY2(answer.exitCode == 2, qPrintable(arguments.join(' ')));
            QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
            QVERIFY2(answer.err.contains(says), answer.err.constData());
        }
        QVERIFY(!QFile::exists(out));
        for (const QStringList &bad : {QStringList{"--iterations", "9", "--project", path("new")}, {"--project", path("text")}}) {
            const ProcessResult answer = cli(QStringList{"search", "--trials", "2"} + scenario + bad);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY(answer.err.startsWith("error: "));
        }
        QVERIFY(!QFile::exists(path("new")));
    }
};

QTEST_GUILESS_MAIN(TestCliProject)
#include "tst_cli_project.moc"
