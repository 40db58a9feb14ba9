// SPDX-License-Identifier: GPL-3.0-or-later
// The graph of a plan's DAG: it shows the engine's figures, its nodes and the timeline's spans select each other, and names are
// plain text.
#include "engine/session/dag_picture.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/plan_dag_page.h"
#include "ui/runs/plan_dag_view.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/runs_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QHelpEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

namespace {

const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");

} // namespace

class TestPlanGraph : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        start();
        QVERIFY(open(QStringLiteral("alexnet")));
    }
    void cleanup() { stop(); }

    /// Before anything is planned: the DAG of the sheet, without channels. Nothing is laid out while the page is hidden.
    void theSheetsDagIsShown() {
        read("dags/a2a-prefetch.dag.json");
        QVERIFY(!view().picture() && !graph().isPending());
        showGraph();
        QTRY_VERIFY(view().picture());
        const auto dag = readTrainingDagFile((measured + "dags/a2a-prefetch.dag.json").toStdString());
        QVERIFY(*view().picture()->dag == *dag);
        QVERIFY(!view().picture()->isPlanned && !graph().side());
        QVERIFY2(graph().titleLabel().text().startsWith(QStringLiteral("a2a-prefetch, not planned yet")),
                 qPrintable(graph().titleLabel().text()));
        QVERIFY(view().legend().contains(QStringLiteral("collective, not planned yet")));
        QTest::mouseClick(&view(), Qt::LeftButton, {}, view().rectOf(0).center().toPoint());
        QCOMPARE(view().selected(), 0);
        read("dags/ar.dag.json");
        QTRY_COMPARE(view().picture()->dag->name, std::string("ar"));
        QCOMPARE(view().selected(), -1); // it was an op of the other DAG
    }

    /// The job's own DAG, with as many processes as the knobs say.
    void theJobsDagFollowsTheKnobs() {
        showGraph();
        QTRY_VERIFY(view().picture());
        SessionState next = session().state();
        next.workers = 3;
        session().change(next, QStringLiteral("workers"));
        QTRY_COMPARE(view().picture()->dag->processes, 3);
    }

    /// Nodes, edges and positions for the plan on B equal the engine's; its channels have the colours of their lanes.
    void theGraphIsTheEngines() {
        showPlan();
        const auto run = session().run(Side::B);
        const auto &work = *std::get<Planned>(session().state().side(Side::B).source).work;
        const auto want = planPicture(work, *run->plan());
        QVERIFY(want.has_value());
        const DagPicture &got = *view().picture();
        QVERIFY(got.nodes == want->nodes && got.edges == want->edges && got.layout == want->layout);
        QCOMPARE(view().legend(),
                 (QStringList{"forward", "backward", "e0", "e1", "next iteration waits for it", "critical path"}));
        for (const ChannelId channel : {ChannelId(0), ChannelId(1)})
            QVERIFY(view().channelColor(channel) ==
                    theme().categoryColor(run->timeline().colorOf(channel.index() + 1, Category::AllReduce)));
        QVERIFY2(graph().titleLabel().text().startsWith(QStringLiteral("B: a2a-syndicate-spread-p2-s4 plan of a2a-prefetch")),
                 qPrintable(graph().titleLabel().text()));
        // Each channel has its share of a comm-op's band: e0's is plain, e1's is its colour between the strokes of a pattern.
        const QImage image = view().grab().toImage();
        const double ratio = view().devicePixelRatioF();
        int bands = 0;
        for (std::size_t n = 0; n < got.nodes.size(); ++n) {
            const QRectF box = view().rectOf(static_cast<std::int32_t>(n));
            double seconds = 0, x = box.left();
            for (const DagNode::Share &share : got.nodes[n].channels)
                seconds += share.seconds;
            for (const DagNode::Share &share : got.nodes[n].channels) {
                const double width = share.seconds / seconds * box.width();
                int found = 0;
                for (int step = 0; step < 8; ++step) {
                    const QPointF at(x + width / 2 + step - 4, box.bottom() - 3.5);
                    found += QColor(image.pixel((at * ratio).toPoint())) == view().channelColor(share.channel) ? 1 : 0;
                }
                COMPARE_AT_LEAST(found, share.channel == ChannelId(0) ? 8 : 2, About(QString::number(n)));
                x += width;
                ++bands;
            }
        }
        QCOMPARE(bands, 10);
        // Undoing the plan removes it from the graph.
        session().undoStack()->undo();
        QVERIFY(settle());
        QTRY_VERIFY(!graph().side());
    }

    /// A click selects the op's first span in the timeline, and a span selected there highlights its op.
    void nodesAndSpansSelectEachOther() {
        showPlan();
        const DagPicture &picture = *view().picture();
        TimelineView &pane = window().view(Side::B);
        for (std::size_t n = 0; n < picture.nodes.size(); ++n) {
            const auto number = static_cast<std::int32_t>(n);
            QTest::mouseClick(&view(), Qt::LeftButton, {}, view().rectOf(number).center().toPoint());
            QCOMPARE(view().selected(), number);
            QVERIFY(picture.nodes[n].span && pane.selectedSpan() == picture.nodes[n].span);
        }
        const Lane &lane = pane.data()->lane(1);
        for (std::size_t s = lane.size() / 2; s < lane.size() / 2 + 5 && s < lane.size(); ++s) {
            pane.selectSpan(SpanRef{1, s});
            const DagOpId op = picture.opOfLabel(lane.label[s]);
            QVERIFY(op.exists());
            QCOMPARE(view().selected(), picture.nodeOfOp[op.index()]);
        }
        QVERIFY(view().accessibleDescription() == view().describe(view().selected()));
        pane.selectSpan({});
        QCOMPARE(view().selected(), -1);
        QVERIFY(view().accessibleDescription().contains(QStringLiteral("Arrow keys")));
        window().view(Side::A).selectSpan(SpanRef{0, 0}); // on another side
        QCOMPARE(view().selected(), -1);
    }

    /// A span selected before the graph arrived is highlighted, too.
    void theSelectionIsOlderThanTheGraph() {
        read("dags/a2a-prefetch.dag.json");
        read("collectives.csv");
        read("plans/a2a-syndicate-spread-p2-s4.plan.json");
        window().view(Side::B).selectSpan(SpanRef{1, 4});
        showGraph();
        QTRY_VERIFY(graph().side() == Side::B);
        const DagPicture &picture = *view().picture();
        const DagOpId op = picture.opOfLabel(window().view(Side::B).data()->lane(1).label[4]);
        QVERIFY(op.exists());
        QCOMPARE(view().selected(), picture.nodeOfOp[op.index()]);
    }

    /// A knob plays the plan again: times change, the op stays selected and nothing moves.
    void knobsKeepTheView() {
        showPlan();
        QTest::mouseClick(&view(), Qt::LeftButton, {}, view().rectOf(3).center().toPoint());
        const QRectF before = view().rectOf(3);
        const DagPicture *old = view().picture();
        SessionState next = session().state();
        next.bandwidthGbits = 0.5;
        session().change(next, QStringLiteral("Bandwidth"));
        QVERIFY(settle());
        QTRY_VERIFY(view().picture() != old && !graph().isPending());
        QCOMPARE(view().selected(), 3);
        QCOMPARE(view().rectOf(3), before);
    }

    /// Zooms around the pointer, as in the timelines; F shows all of it.
    void wheelAndKeysMoveIt() {
        showPlan();
        const auto isSeen = [this](std::int32_t n) { return QRectF(view().rect()).contains(view().rectOf(n)); };
        const auto count = static_cast<std::int32_t>(view().picture()->nodes.size());
        for (std::int32_t n = 0; n < count; ++n)
            QVERIFY(isSeen(n));
        const double scale = view().scale();
        const QPointF at = view().rectOf(5).center();
        for (int i = 0; i < 4; ++i)
            wheel(at, 120, Qt::ControlModifier);
        COMPARE_ABOVE(view().scale(), scale);
        COMPARE_WITHIN(view().rectOf(5).center().x(), at.x(), 2.0);
        const double left = view().rectOf(5).left();
        wheel(at, 120, Qt::ShiftModifier);
        COMPARE_ABOVE(view().rectOf(5).left(), left);
        QTest::keyClick(&view(), Qt::Key_F);
        COMPARE_CLOSE(view().scale(), scale);
        for (std::int32_t n = 0; n < count; ++n)
            QVERIFY(isSeen(n));
        // Keys move along edges.
        view().select(-1);
        QTest::keyClick(&view(), Qt::Key_Right);
        std::int32_t now = view().selected();
        QVERIFY(now >= 0);
        for (int steps = 0; steps < 4; ++steps) {
            const std::int32_t from = view().selected();
            QTest::keyClick(&view(), Qt::Key_Right);
            if (view().selected() == from)
                break;
            QVERIFY(view().picture()->layout.nodes[static_cast<std::size_t>(view().selected())].layer >
                    view().picture()->layout.nodes[static_cast<std::size_t>(from)].layer);
        }
        QVERIFY(view().selected() != now);
    }

    /// The description of a node, with names shown verbatim.
    void tipsArePlain() {
        const QString name = QStringLiteral("<img src=\"/dev/zero\">");
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("d.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            QStringLiteral("{\"name\": \"x\", \"hosts\": 4, \"ops\": [{\"name\": \"%1\", \"kind\": \"compute\", \"seconds\": 1},"
                           "{\"name\": \"sum\", \"kind\": \"all_reduce\", \"bytes_per_process\": 1048576, \"parents\": "
                           "[\"%1\"]}]}")
                .arg(QString(name).replace(u'"', QStringLiteral("\\\"")))
                .toUtf8());
        file.close();
        readPath(file.fileName());
        showGraph();
        QTRY_VERIFY(view().picture() && view().picture()->dag->name == "x");
        QCOMPARE(view().describe(1), QStringLiteral("sum\nall_reduce of 1 MiB a process, among 4\nwaits for ") + name);
        QCOMPARE(view().describe(0), name + QStringLiteral("\ncompute, 1 s"));
        const QPoint at = view().rectOf(0).center().toPoint();
        QHelpEvent help(QEvent::ToolTip, at, view().mapToGlobal(at));
        QCoreApplication::sendEvent(&view(), &help);
        QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("&lt;img")));
    }

    /// Every op waits for all before it: the edges of an op are drawn when it is selected, and the title says so.
    void denseDagsAreDrawnInPart() {
        constexpr int count = 120;
        QStringList ops, names;
        for (int n = 0; n < count; ++n) {
            ops << QStringLiteral("{\"name\": \"f%1\", \"kind\": \"compute\", \"seconds\": 1, \"parents\": [%2]}")
                       .arg(QString::number(n), names.join(QLatin1Char(',')));
            names << QStringLiteral("\"f%1\"").arg(n);
        }
        ops << QStringLiteral("{\"name\": \"sum\", \"kind\": \"all_reduce\", \"bytes_per_process\": 1048576, \"parents\": "
                              "[\"f0\"]}");
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("d.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral("{\"name\": \"dense\", \"hosts\": 4, \"ops\": [%1]}").arg(ops.join(QLatin1Char(','))).toUtf8());
        file.close();
        readPath(file.fileName());
        showGraph();
        QTRY_VERIFY(view().picture() && view().picture()->dag->name == "dense");
        QCOMPARE(view().picture()->layout.routes.size(), static_cast<std::size_t>(count * (count - 1) / 2 + 1));
        QVERIFY(!view().drawsAllEdges());
        QVERIFY2(graph().titleLabel().text().contains(QStringLiteral("of 7141 edges")), qPrintable(graph().titleLabel().text()));
    }

private:
    PlanPreset &plans() { return window().plans(); }
    PlanDagPage &graph() { return plans().graph(); }
    PlanDagView &view() { return graph().view(); }

    void wheel(const QPointF &at, int angle, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, view().mapToGlobal(at), {}, {0, angle}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view(), &event);
    }
    void showGraph() {
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        window().runs().setView(RunsPanel::View::Plot);
        plans().pages().setCurrentIndex(PlanPreset::GraphPage);
        QTRY_VERIFY(view().isVisible());
    }
    void readPath(const QString &path) {
        QSignalSpy read(&session(), &Session::planFileRead);
        plans().openFile(path);
        QVERIFY(read.wait(patience));
        QVERIFY(settle());
    }
    void read(const char *file) { readPath(measured + QLatin1String(file)); }
    /// Shows a measured plan on B, and its graph.
    void showPlan() {
        read("dags/a2a-prefetch.dag.json");
        read("collectives.csv");
        read("plans/a2a-syndicate-spread-p2-s4.plan.json");
        showGraph();
        QTRY_VERIFY(view().picture() && graph().side() == Side::B);
    }
};

QTEST_MAIN(TestPlanGraph)
#include "tst_plan_graph.moc"
