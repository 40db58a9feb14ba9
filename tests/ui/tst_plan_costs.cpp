// SPDX-License-Identifier: GPL-3.0-or-later
// The page of cost curves: its lines and its table equal the engine's, for the DAG and the costs in the sheet.
#include "engine/plan/planned_costs.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/files.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/plan_cost_plot.h"
#include "ui/runs/plan_costs_page.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/plot_parts.h"
#include "ui/runs/runs_panel.h"
#include "ui/theme/format.h"
#include "ui/theme/qcustomplot.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

namespace {

const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");
constexpr const char *clusterText =
    "nodes:\n- {address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}\n- {address: 10.0.0.2, gpus: [0], "
    "network_bandwidth: 1, ssh_config: c}\n- {address: 10.0.0.3, gpus: [0], network_bandwidth: 1, ssh_config: c}\n- {address: "
    "10.0.0.4, gpus: [0], network_bandwidth: 1, ssh_config: c}\nssh: {c: {username: me}}\nchannels:\n- {name: e0, bandwidth: "
    "1, latency_seconds: 2.0e-4}\n- {name: e1, bandwidth: 0.4, latency_seconds: 1.0e-5}\n";

constexpr const char *aloneText =
    "{\"name\": \"alone\", \"hosts\": 4, \"ops\": [{\"name\": \"forward\", \"kind\": \"compute\", \"seconds\": 0.02}]}";

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
        const PlannedCosts want = plannedCosts(*task->request.dag, task->request.channels, task->request.costs);
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

    /// The panel pushed its edge off a small window in German.
    void aSmallWindowHasRoomForThePanel() {
        const auto english = qScopeGuard([] { speak({}); });
        stop();
        speak({QStringLiteral("de")});
        start({960, 540});
        QVERIFY(open());
        show();
        QTRY_VERIFY(page().costs());
        QTest::qWait(250); // docks move
        QCOMPARE(window().size(), QSize(960, 540));
        const RunsPanel &runs = window().runs();
        COMPARE_AT_MOST(runs.mapTo(&window(), QPoint(runs.width(), 0)).x(), 960);
    }

    /// In a small window the headers of the columns can be read, and the caption ends within the axis.
    void aSmallWindowCutsNoHeader() {
        show();
        QTRY_VERIFY(page().costs());
        window().resize(960, 540);
        QTest::qWait(250); // docks move
        QCOMPARE(window().size(), QSize(960, 540));
        const QHeaderView &header = *page().table().horizontalHeader();
        for (int column = 0; column < header.count(); ++column)
            COMPARE_AT_LEAST(header.sectionSize(column),
                             header.fontMetrics().horizontalAdvance(page().table().horizontalHeaderItem(column)->text()) + 4);
        const QCPAxis &axis = *page().plot().plot().xAxis;
        COMPARE_AT_MOST(QFontMetrics(axis.labelFont()).horizontalAdvance(axis.label()), axis.axisRect()->width());
        QVERIFY(standApart(axis));
        // Where there is height, the table goes below the plot.
        auto *dock = window().findChild<QDockWidget *>(QStringLiteral("runs"));
        dock->setFloating(true);
        dock->resize(680, 700);
        QTRY_VERIFY(page().table().mapTo(&page(), QPoint()).y() >= page().plot().mapTo(&page(), QPoint()).y() + 100);
        dock->resize(1200, 700);
        QTRY_COMPARE(page().table().mapTo(&page(), QPoint()).y(), page().plot().mapTo(&page(), QPoint()).y());
        QCOMPARE(axis.label(), QStringLiteral("size of a process's buffer"));
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

    /// A DAG without collectives has no kinds to choose from; the next one that has the chosen kind shows it again.
    void theChosenKindStays() {
        show();
        QTRY_COMPARE(page().kindBox().count(), 2);
        page().kindBox().setCurrentIndex(1);
        const QString chosen = page().kindBox().currentText();
        QTemporaryDir folder;
        const QString alone = folder.filePath(QStringLiteral("alone.dag.json"));
        writeFile(alone, aloneText);
        readFrom(alone);
        QTRY_COMPARE(page().kindBox().count(), 0);
        read("dags/a2a-prefetch.dag.json");
        QTRY_COMPARE(page().kindBox().count(), 2);
        QCOMPARE(page().kindBox().currentText(), chosen);
    }

    /// Times of two channels that rise in turn cross at each of 700 sizes, which the table has no rows for.
    void aTableThatEndsSaysSo() {
        show();
        QTRY_COMPARE(page().kindBox().count(), 2);
        QVERIFY(!page().note().text().contains(QStringLiteral("The table ends")));
        QByteArray csv = "case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median\n";
        for (int size = 1; size <= 700; ++size)
            for (const bool first : {true, false})
                csv += QByteArray("alone,all_to_all,") + (first ? "e0" : "e1") + ",0/1," + QByteArray::number(size * 4096) + ',' +
                       QByteArray::number(1e-3 * (first ? size / 2 * 2 + 1.5 : (size + 1) / 2 * 2 + 0.5)) + '\n';
        QTemporaryDir folder;
        const QString uneven = folder.filePath(QStringLiteral("uneven.csv"));
        writeFile(uneven, csv);
        readFrom(uneven);
        page().kindBox().setCurrentIndex(
            std::max(0, page().kindBox().findText(QStringLiteral("all_to_all"), Qt::MatchStartsWith)));
        QTRY_VERIFY2(page().note().text().contains(QStringLiteral("The table ends after 500 of ")),
                     qPrintable(page().note().text()));
        QCOMPARE(page().table().rowCount(), 500);
    }

    /// `plan --curves` has the page's curves, crossings and sizes, modelled and measured.
    void theCommandLineGivesTheSame() {
        QTemporaryDir folder;
        QFile cluster(folder.filePath(QStringLiteral("two.yml")));
        QVERIFY(cluster.open(QIODevice::WriteOnly));
        cluster.write(clusterText);
        cluster.close();
        QSignalSpy loaded(&session(), &Session::stateChanged);
        session().openCluster(cluster.fileName());
        QVERIFY(loaded.wait(patience) && settle());
        show();
        QStringList arguments{QStringLiteral("plan"),      QStringLiteral("--json"),
                              QStringLiteral("--curves"),  QStringLiteral("all"),
                              QStringLiteral("--cluster"), cluster.fileName(),
                              QStringLiteral("--job"),     measured + QStringLiteral("dags/a2a-prefetch.dag.json")};
        for (const bool isMeasured : {false, true}) {
            if (isMeasured) {
                read("collectives.csv");
                arguments << QStringLiteral("--costs") << measured + QStringLiteral("collectives.csv");
            }
            QTRY_VERIFY(page().costs() && !page().isPending());
            QTRY_COMPARE(page().costs()->kinds.front().costs.curves.front().isMeasured, isMeasured);
            const ProcessResult answer = cli(arguments);
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            compare(answer.json(), *page().costs());
        }
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
    /// Compares the command line's output with the page, to the last digit.
    static void compare(const QJsonObject &printed, const PlannedCosts &shown) {
        const QJsonArray kinds = printed[QStringLiteral("curves")].toArray();
        QCOMPARE(static_cast<std::size_t>(kinds.size()), shown.kinds.size());
        for (qsizetype k = 0; k < kinds.size(); ++k) {
            const PlannedCost &of = shown.kinds[static_cast<std::size_t>(k)];
            const QJsonArray sizes = kinds[k][QStringLiteral("sizes_bytes")].toArray();
            QCOMPARE(static_cast<std::size_t>(sizes.size()), of.sizesBytes.size());
            for (qsizetype s = 0; s < sizes.size(); ++s)
                QCOMPARE(sizes[s].toDouble(), of.sizesBytes[static_cast<std::size_t>(s)]);
            compareWays(kinds[k][QStringLiteral("ways")].toArray(), of.costs, shown);
            const QJsonArray crossovers = kinds[k][QStringLiteral("crossovers")].toArray();
            QCOMPARE(static_cast<std::size_t>(crossovers.size()), of.costs.crossovers.size());
            QVERIFY(!crossovers.isEmpty());
            for (qsizetype c = 0; c < crossovers.size(); ++c) {
                const QJsonObject is = crossovers[c].toObject();
                const Crossover &want = of.costs.crossovers[static_cast<std::size_t>(c)];
                QCOMPARE(is[QStringLiteral("size_bytes")].toDouble(), want.sizeBytes);
                QCOMPARE(is[QStringLiteral("seconds")].toDouble(), want.seconds);
                QCOMPARE(is[QStringLiteral("below")].toInteger(), static_cast<qint64>(want.below));
                QCOMPARE(is[QStringLiteral("above")].toInteger(), static_cast<qint64>(want.above));
                QCOMPARE(is[QStringLiteral("fastest")].toBool(), want.isOfFastest);
            }
        }
    }
    static void compareWays(const QJsonArray &ways, const CostCurves &of, const PlannedCosts &shown) {
        QCOMPARE(static_cast<std::size_t>(ways.size()), of.curves.size());
        for (qsizetype w = 0; w < ways.size(); ++w) {
            const QJsonObject way = ways[w].toObject();
            const CostCurve &curve = of.curves[static_cast<std::size_t>(w)];
            QCOMPARE(way[QStringLiteral("channel")].toString() + QStringLiteral(", ") + way[QStringLiteral("way")].toString(),
                     wayText(shown, curve));
            QCOMPARE(way[QStringLiteral("measured")].toBool(), curve.isMeasured);
            QCOMPARE(way[QStringLiteral("priced")].toBool(), curve.isPriced);
            QCOMPARE(way[QStringLiteral("same_as")].toInteger(-1), static_cast<qint64>(curve.sameAs));
            const QJsonArray points = way[QStringLiteral("points")].toArray();
            QCOMPARE(static_cast<std::size_t>(points.size()), curve.points.size());
            for (qsizetype p = 0; p < points.size(); ++p) {
                QCOMPARE(points[p][QStringLiteral("size_bytes")].toDouble(), curve.points[static_cast<std::size_t>(p)].sizeBytes);
                QCOMPARE(points[p][QStringLiteral("seconds")].toDouble(), curve.points[static_cast<std::size_t>(p)].seconds);
            }
        }
    }
    PlanPreset &plans() { return window().plans(); }
    PlanCostsPage &page() { return plans().costs(); }

    void show() {
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        window().runs().setView(RunsPanel::View::Plot);
        plans().pages().setCurrentIndex(PlanPreset::CostsPage);
        QTRY_VERIFY(page().isVisible());
    }
    void read(const char *file) { readFrom(measured + QLatin1String(file)); }
    void readFrom(const QString &path) {
        QSignalSpy read(&session(), &Session::planFileRead);
        plans().openFile(path);
        QVERIFY(read.wait(patience));
        QVERIFY(settle());
    }
};

QTEST_MAIN(TestPlanCosts)
#include "tst_plan_costs.moc"
