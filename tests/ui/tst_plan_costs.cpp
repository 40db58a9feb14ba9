// SPDX-License-Identifier: GPL-3.0-or-later
// The page of cost curves: its lines and its table equal the engine's, for the DAG and the costs in the sheet.
#include "engine/plan/cost_curves.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/plan_cost_plot.h"
#include "ui/runs/plan_costs_page.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/runs_panel.h"
#include "ui/theme/format.h"
#include "ui/theme/qcustomplot.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

namespace {

const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");

} // namespace

class TestPlanCosts : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        start();
        QVERIFY(open(QStringLiteral("alexnet")));
        Cluster two = uniformCluster(4, 1);
        two.name = "two channels";
        two.namedChannels = {{"e0", {"e0"}, 1.25e8, 2e-4}, {"e1", {"e1"}, 5e7, 1e-5}};
        SessionState next = session().state();
        next.cluster = std::make_shared<const Cluster>(std::move(two));
        session().change(next, QStringLiteral("two channels"));
        QVERIFY(settle());
        read("dags/a2a-prefetch.dag.json");
    }
    void cleanup() { stop(); }

    /// From the channels' figures: the kinds in the DAG, each with the engine's curves and crossovers.
    void curvesAreTheEngines() {
        QVERIFY(!page().costs()); // the page is not visible
        show();
        QTRY_VERIFY(page().costs());
        const auto task = planTask(session().state(), plans().planSettings());
        QVERIFY(task.has_value());
        const PlannedCosts want = plannedCosts(task->request);
        QCOMPARE(page().kindBox().count(), 2);
        for (int kind = 0; kind < 2; ++kind) {
            page().kindBox().setCurrentIndex(kind);
            const PlannedCost &of = want.kinds[static_cast<std::size_t>(kind)];
            const CostCurves direct = costCurves(of.like, 4, task->request.channels, task->request.costs, 1024, 1 << 30);
            QCOMPARE(of.costs.crossovers.size(), direct.crossovers.size());
            QVERIFY(!direct.crossovers.empty());
            const auto &lines = page().plot().lines();
            QCOMPARE(lines.size(), direct.curves.size());
            for (std::size_t l = 0; l < lines.size(); ++l) {
                QCOMPARE(lines[l] == nullptr, direct.curves[l].sameAs >= 0);
                if (!lines[l])
                    continue;
                QCOMPARE(static_cast<std::size_t>(lines[l]->dataCount()), direct.curves[l].points.size());
                for (std::size_t p = 0; p < direct.curves[l].points.size(); ++p) {
                    const auto *at = &*lines[l]->data()->at(static_cast<int>(p));
                    COMPARE_CLOSE(at->key, direct.curves[l].points[p].sizeBytes);
                    COMPARE_CLOSE(at->value, direct.curves[l].points[p].seconds);
                }
            }
            const auto fastest = std::count_if(direct.crossovers.begin(), direct.crossovers.end(),
                                               [](const Crossover &one) { return one.isOfFastest; });
            QCOMPARE(page().plot().fastestCrossovers().dataCount(), static_cast<int>(fastest));
            QCOMPARE(page().plot().crossovers().dataCount(),
                     static_cast<int>(direct.crossovers.size() - static_cast<std::size_t>(fastest)));
            QCOMPARE(page().table().rowCount(), static_cast<int>(direct.crossovers.size()));
            for (std::size_t r = 0; r < direct.crossovers.size(); ++r) {
                const Crossover &one = direct.crossovers[r];
                const auto cell = [&](int column) { return page().table().item(static_cast<int>(r), column); };
                QCOMPARE(cell(PlanCostsPage::Size)->text(), bytesText(one.sizeBytes));
                QCOMPARE(cell(PlanCostsPage::Below)->text(), wayText(want, direct.curves[one.below]));
                QCOMPARE(cell(PlanCostsPage::Above)->text(), wayText(want, direct.curves[one.above]));
                QCOMPARE(cell(PlanCostsPage::Seconds)->text(), secondsText(one.seconds));
                QCOMPARE(cell(PlanCostsPage::Size)->font().bold(), one.isOfFastest);
            }
        }
        // The low latency of e1 matters more for small messages, the bandwidth of e0 for large ones.
        bool found = false;
        for (int row = 0; row < page().table().rowCount(); ++row)
            found = found || (page().table().item(row, PlanCostsPage::Below)->text().startsWith(QStringLiteral("e1, ")) &&
                              page().table().item(row, PlanCostsPage::Above)->text().startsWith(QStringLiteral("e0, ")) &&
                              page().table().item(row, PlanCostsPage::Size)->font().bold());
        QVERIFY(found);
    }

    /// Measured collectives replace the model, which is shown beside them.
    void measurementsReplaceTheModel() {
        show();
        QTRY_VERIFY(page().costs());
        const auto names = [this] {
            QStringList all;
            for (const QCPGraph *line : page().plot().lines())
                if (line)
                    all << line->name();
            return all;
        };
        QVERIFY(names().contains(QStringLiteral("e0, whole")));
        read("collectives.csv");
        QTRY_VERIFY(names().contains(QStringLiteral("e0, whole, measured")));
        QVERIFY(names().contains(QStringLiteral("e0, whole, by its figures")));
        QVERIFY(!names().contains(QStringLiteral("e0, whole")));
    }

    /// The tooltip shows a curve's time there, and describes a crossover.
    void thePointerTells() {
        show();
        QTRY_VERIFY(page().costs() && page().table().rowCount() > 0);
        QCustomPlot &plot = page().plot().plot();
        plot.replot();
        const Crossover &one =
            page().costs()->kinds[static_cast<std::size_t>(page().kindBox().currentIndex())].costs.crossovers[0];
        const QPointF at(plot.xAxis->coordToPixel(one.sizeBytes), plot.yAxis->coordToPixel(one.seconds));
        QVERIFY2(page().plot().describeAt(at).startsWith(tr("Faster up to %1: ").arg(bytesText(one.sizeBytes))),
                 qPrintable(page().plot().describeAt(at)));
        QVERIFY(page().plot().describeAt({-5, -5}).isEmpty());
        const QCPGraph &line = *page().plot().lines().front();
        const auto *last = &*line.data()->at(line.dataCount() - 2);
        const QPointF end(plot.xAxis->coordToPixel(last->key), plot.yAxis->coordToPixel(last->value));
        QVERIFY2(page().plot().describeAt(end).contains(QStringLiteral(" take ")), qPrintable(page().plot().describeAt(end)));
    }

private:
    PlanPreset &plans() { return window().plans(); }
    PlanCostsPage &page() { return plans().costs(); }

    void show() {
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        window().runs().setView(RunsPanel::View::Plot);
        plans().pages().setCurrentIndex(PlanPreset::CostsPage);
        QTRY_VERIFY(page().isVisible());
    }
    void read(const char *file) {
        QSignalSpy read(&session(), &Session::planFileRead);
        plans().openFile(measured + QLatin1String(file));
        QVERIFY(read.wait(patience));
        QVERIFY(settle());
    }
};

QTEST_MAIN(TestPlanCosts)
#include "tst_plan_costs.moc"
