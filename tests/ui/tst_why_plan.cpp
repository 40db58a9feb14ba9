// SPDX-License-Identifier: GPL-3.0-or-later
// The Why panel on a side that shows a plan: the engine's and the command line's numbers, shares beside them, and remedies that
// keep their promise when they are tried.
#include "engine/session/explain_plan.h"
#include "engine/session/plan_settings.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/ui/window_fixture.h"
#include "ui/timeline/timeline_view.h"
#include "ui/why/share_table.h"
#include "ui/why/tornado.h"
#include "ui/why/why_panel.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

class TestWhyPlan : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QFile file(m_folder.filePath(QStringLiteral("two.yml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("nodes: [{address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}, {address: 10.0.0.2, gpus: [0], "
                   "network_bandwidth: 1, ssh_config: c}]\nssh: {c: {username: me}}\n"
                   "channels:\n- {name: e0, bandwidth: 1, latency: 1e-4}\n- {name: e1, bandwidth: 0.4}\n");
        file.close();
        QVERIFY(open(QStringLiteral("alexnet"), file.fileName()));
        const auto task = planTask(session().state(), {.method = "fifo"});
        VERIFY_VALUE(task);
        const auto found = findPlan(task->request, task->method);
        VERIFY_VALUE(found);
        SessionState next = session().state();
        next.side(Side::A).source =
            planned(next.side(Side::A).source, std::make_shared<const PlannedWork>(plannedWork(*task, *found)));
        session().change(next, QStringLiteral("FIFO as A"));
        QVERIFY(settle());
        QVERIFY(session().run(Side::A)->plan());
    }
    void cleanup() { stop(); }

    void panelIsTheEngines() {
        QVERIFY(explain());
        const auto answer = window().why().answer();
        const PlannedRecording &run = *session().run(Side::A)->plan();
        const auto &work = *std::get<Planned>(session().state().side(Side::A).source).work;
        const auto want = explainPlan(run, work, plannedRecipe(session().state(), Side::A));
        VERIFY_VALUE(want);
        QCOMPARE(answer->causes.size(), want->causes.size());
        for (std::size_t c = 0; c < want->causes.size(); ++c) {
            QCOMPARE(answer->causes[c].what.english(), want->causes[c].what.english());
            QCOMPARE(answer->causes[c].startSeconds, want->causes[c].startSeconds);
        }
        QCOMPARE(answer->remedies.size(), want->remedies.size());
        for (std::size_t r = 0; r < want->remedies.size(); ++r) {
            QCOMPARE(answer->remedies[r].remedy.text.english(), want->remedies[r].remedy.text.english());
            QCOMPARE(*answer->remedies[r].iterationSeconds, *want->remedies[r].iterationSeconds);
        }
        // Remedies that help are listed, the rest is folded.
        const auto helpful = static_cast<int>(std::ranges::count_if(want->remedies, &RemedyRow::helps));
        COMPARE_ABOVE(helpful, 0);
        COMPARE_BELOW(helpful, static_cast<int>(want->remedies.size()));
        QCOMPARE(window().why().remedies().rowCount(), helpful + 1);
        QCOMPARE(window().why().remedies().item(0, 0)->text().toStdString(), want->remedies[0].remedy.text.english());
        // Shares are shown first: compute, two channels, the collectives.
        const QTableWidget &shares = window().why().shares();
        QVERIFY(shares.isVisible());
        QCOMPARE(shares.rowCount(), 3 + static_cast<int>(want->shares.collectives.size()));
        QCOMPARE(shares.item(1, ShareTable::What)->text(), QStringLiteral("channel e0"));
        QCOMPARE(shares.item(3, ShareTable::What)->text().toStdString(), want->shares.collectives[0].name);
        // A row of the causes shows its stretch in the timeline.
        Q_EMIT window().why().causes().cellClicked(window().why().causes().rowCount() - 1, 0);
        QVERIFY(window().axis().selection().has_value());
        QVERIFY(window().view(Side::A).selectedSpan().has_value());
    }

    /// `plan --why` has the panel's numbers.
    void theCommandLineSaysTheSame() {
        QVERIFY(explain());
        const auto answer = window().why().answer();
        const ProcessResult told =
            cli({QStringLiteral("plan"), QStringLiteral("--why"), QStringLiteral("--json"), QStringLiteral("--method"),
                 QStringLiteral("fifo"), QStringLiteral("--evaluations"), QStringLiteral("20"), QStringLiteral("--job"),
                 QStringLiteral("alexnet"), QStringLiteral("--cluster"), m_folder.filePath(QStringLiteral("two.yml"))});
        QVERIFY2(told.exitCode == 0, told.err.constData());
        const QJsonObject json = told.json();
        const QJsonObject why = json[QStringLiteral("why")].toObject();
        QCOMPARE(why[QStringLiteral("iteration_seconds")].toDouble(), answer->run->recording().iterationSeconds);
        QCOMPARE(why[QStringLiteral("bounds")][QStringLiteral("plan_seconds")].toDouble(), answer->bounds.planSeconds);
        const QJsonArray causes = why[QStringLiteral("causes")].toArray(), remedies = why[QStringLiteral("remedies")].toArray(),
                         collectives = why[QStringLiteral("collectives")].toArray();
        QCOMPARE(static_cast<std::size_t>(causes.size()), answer->causes.size());
        QCOMPARE(static_cast<std::size_t>(remedies.size()), answer->remedies.size());
        QCOMPARE(static_cast<std::size_t>(collectives.size()), answer->shares.collectives.size());
        for (std::size_t c = 0; c < answer->causes.size(); ++c)
            QCOMPARE(causes[static_cast<qsizetype>(c)][QStringLiteral("what")].toString().toStdString(),
                     answer->causes[c].what.english());
        for (std::size_t r = 0; r < answer->remedies.size(); ++r) {
            const QJsonValue row = remedies[static_cast<qsizetype>(r)];
            QCOMPARE(row[QStringLiteral("what")].toString().toStdString(), answer->remedies[r].remedy.text.english());
            QCOMPARE(row[QStringLiteral("iteration_seconds")].toDouble(), *answer->remedies[r].iterationSeconds);
        }
        for (std::size_t c = 0; c < answer->shares.collectives.size(); ++c) {
            const QJsonValue row = collectives[static_cast<qsizetype>(c)];
            QCOMPARE(row[QStringLiteral("op")].toString().toStdString(), answer->shares.collectives[c].name);
            QCOMPARE(row[QStringLiteral("path_seconds")].toDouble(), answer->shares.collectives[c].pathSeconds);
            QCOMPARE(row[QStringLiteral("idle_seconds")].toDouble(), answer->shares.collectives[c].idleSeconds);
        }
    }

    void tryApplies() {
        QVERIFY(explain());
        const auto answer = window().why().answer();
        const SessionState before = session().state();
        window().why().unfold(true);
        std::set<RemedyKind> kinds;
        for (int r = 0; r < window().why().remedies().rowCount(); ++r) {
            const auto index = window().why().remedyAt(r);
            if (!index || !kinds.insert(answer->remedies[*index].remedy.kind).second)
                continue;
            const RemedyRow row = answer->remedies[*index];
            qobject_cast<QPushButton *>(window().why().remedies().cellWidget(r, 3))->click();
            QCOMPARE(session().undoStack()->undoText().toStdString(), row.remedy.text.english());
            QVERIFY(settle());
            QVERIFY(session().run(Side::A)->plan());
            QCOMPARE(session().run(Side::A)->recording().iterationSeconds, *row.iterationSeconds);
            session().undoStack()->undo();
            QVERIFY(session().state() == before);
            QVERIFY(settle());
            QVERIFY(waitForAnswer());
        }
        QVERIFY(kinds.contains(RemedyKind::Planner) && kinds.contains(RemedyKind::Channel));
    }

    /// A gap of the compute lane is explained alone, from the end of the computation before it; a builder instead of the plan has
    /// knobs and links again.
    void waitsAndBuilders() {
        QVERIFY(explain());
        const auto whole = window().why().answer();
        const PlannedRecording &run = *session().run(Side::A)->plan();
        const double asked = run.windowStartSeconds + run.iterationSeconds * (1 - 1e-6); // waits for gradients
        double gapStart = 0;
        for (std::size_t t = 0; t < run.graph.size(); ++t)
            if (isCompute(run.graph.kind[t]) && run.endSeconds[t] <= asked)
                gapStart = std::max(gapStart, run.endSeconds[t]);
        COMPARE_ABOVE(gapStart, run.windowStartSeconds);
        window().why().askWait(Side::A, 0, asked);
        QVERIFY(waitForAnswer());
        const auto answer = window().why().answer();
        QVERIFY(answer->question.wait.has_value());
        COMPARE_CLOSE(answer->chain.fromSeconds, gapStart);
        COMPARE_CLOSE(answer->chain.toSeconds, run.windowStartSeconds + run.iterationSeconds);
        QCOMPARE(answer->remedies.size(), whole->remedies.size());
        SessionState next = session().state();
        next.side(Side::A).source = Built{"AllReduce"};
        session().change(next, QStringLiteral("builder"));
        QVERIFY(settle());
        QVERIFY(waitForAnswer());
        QVERIFY(!window().why().shares().isVisible());
        QCOMPARE(window().why().shares().rowCount(), 0);
        QVERIFY(window().why().tornado().isVisible());
        QVERIFY(!window().why().answer()->sensitivities.empty());
        const auto *views = window().why().findChild<QComboBox *>(QStringLiteral("whyView"));
        QVERIFY(views && views->findText(QStringLiteral("Links")) >= 0 && views->findText(QStringLiteral("Shares")) < 0);
    }

private:
    bool waitForAnswer() {
        return QTest::qWaitFor(
            [this] {
                const auto answer = window().why().answer();
                return answer && answer->complete && answer->run == session().run(answer->question.side);
            },
            patience);
    }
    /// Whether A's whole iteration is explained. A test that needs it cannot go on without.
    bool explain() {
        window().action(QStringLiteral("explain"))->trigger();
        return waitForAnswer() && window().why().answer()->question.side == Side::A && !window().why().answer()->question.wait;
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestWhyPlan)
#include "tst_why_plan.moc"
