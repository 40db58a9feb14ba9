// SPDX-License-Identifier: GPL-3.0-or-later
// Tuners that choose among settings that were measured in real runs.
#include "engine/search/tune/measured_grid.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace syncopate;

namespace {

const std::string folder = SYNCOPATE_SOURCE "/tests/data/measured/sched";

} // namespace

class TestMeasuredGrid : public QObject {
    Q_OBJECT

    Result<std::vector<MeasuredGrid>> grids;

private slots:
    /// Settings of FSDP2 are no partitions and credits.
    void shardedRunsAreNoGrid() {
        const auto sharded = readMeasuredGrids(SYNCOPATE_SOURCE "/tests/data/measured/fsdp");
        QVERIFY(!sharded);
        const std::string text = sharded.error().toString();
        QVERIFY2(text.find("no job was measured") != std::string::npos, text.c_str());
    }

    void initTestCase() {
        grids = readMeasuredGrids(folder); // predicts every row, so only once for all tests
        QVERIFY2(grids.has_value(), grids ? "" : grids.error().toString().c_str());
    }

    void gridsAreThoseOfValidation() {
        QCOMPARE(grids->size(), std::size_t{5});
        QCOMPARE(grids->front().name(), std::string("vggish,bsps,2,2"));
        const auto validation = validateFolder(folder);
        for (const MeasuredGrid &grid : *grids) {
            const auto known = std::find_if(validation->grids.begin(), validation->grids.end(), [&](const ValidationGrid &other) {
                return other.first.job == grid.first.job && other.first.architecture == grid.first.architecture &&
                       other.settings.size() == grid.rows.size();
            });
            QVERIFY2(known != validation->grids.end(), grid.name().c_str());
            COMPARE_CLOSE(grid.measuredBest().measuredSeconds, known->bestSeconds);
        }
        const auto found = findMeasuredGrid(*grids, "embed,bsar,2,0.5");
        QVERIFY(found);
        QCOMPARE((*found)->rows.size(), std::size_t{5});
        const auto missing = findMeasuredGrid(*grids, "vggish,bsps,9,2");
        QVERIFY(!missing);
        QVERIFY(missing.error().remedy.find("vggish,bsps,2,2") != std::string::npos);
    }

    void theNearestRowIsByFactors() {
        const MeasuredGrid &grid = grids->front();
        for (const ValidationRow &row : grid.rows)
            if (row.partitionBytes > 0 && row.creditBytes > 0)
                QCOMPARE(&grid.nearest(row.partitionBytes, row.creditBytes), &row);
        const ValidationRow &near = grid.nearest(270'000, 900'000);
        QCOMPARE(near.partitionBytes, 250'000.0);
        QCOMPARE(near.creditBytes, 1'000'000.0);
        QCOMPARE(grid.nearest(1e9, 1e10).partitionBytes, 0.0);
    }

    void choicesAreOfPredictionsAndToldAsMeasured() {
        for (const MeasuredGrid &grid : *grids)
            for (const char *method : {"grid(steps=12)", "random", "coordinate", "nelder_mead", "direct"}) {
                const auto choice = chooseMeasured(grid, method, 1, 150);
                QVERIFY2(choice.has_value(), method);
                COMPARE_AT_LEAST(choice->loss, 0.0, method);
                COMPARE_CLOSE(choice->row.measuredSeconds, grid.measuredBest().measuredSeconds * (1 + choice->loss));
                if (std::string_view(method).starts_with("grid")) {
                    // No row represented by the grid's points is predicted to be faster.
                    double fastest = choice->row.predictedSeconds;
                    for (const ValidationRow &row : grid.rows)
                        if (row.partitionBytes > 0 && row.creditBytes > 0)
                            fastest = std::min(fastest, row.predictedSeconds);
                    COMPARE_CLOSE(choice->row.predictedSeconds, fastest, 1e-9, method);
                }
            }
    }

    /// Without a number of evaluations a grid is judged whole, others as often as usual.
    void usuallyAGridIsWhole() {
        const MeasuredGrid &grid = grids->front();
        QCOMPARE(chooseMeasured(grid, "grid(steps=7)", 1, 0)->evaluations, std::size_t{49});
        QCOMPARE(chooseMeasured(grid, "grid(steps=40)", 1, 0)->evaluations, std::size_t{1000});
        QCOMPARE(chooseMeasured(grid, "random", 1, 0)->evaluations, std::size_t{usualTuneEvaluations});
        QCOMPARE(chooseMeasured(grid, "grid(steps=7)", 1, 5)->evaluations, std::size_t{5});
    }

    /// With parameter servers the choice from predictions is within 3 % of the measured best; with all-reduce of vggish it is so
    /// under AutoByte's trigger alone (docs/tuning.md).
    void predictionsChooseWell() {
        for (const MeasuredGrid &grid : *grids) {
            const auto choice = chooseMeasured(grid, "bo", 1, 30);
            QVERIFY(choice);
            COMPARE_AT_MOST(choice->loss, grid.name() == "vggish,bsar,2,2" ? 0.12 : 0.03, grid.name());
            COMPARE_AT_MOST(choice->triggeredLoss, 0.03, grid.name());
        }
        const MeasuredChoice shipped = shippedChoice(grids->front());
        QCOMPARE(shipped.row.partitionBytes, 4e6);
        QCOMPARE(shipped.row.creditBytes, 16e6);
    }

    /// The default is left from 5 % of predicted speed on, and where it is kept the loss is its own.
    void theTriggerKeepsTheDefault() {
        std::size_t kept = 0, left = 0;
        for (const MeasuredGrid &grid : *grids) {
            const MeasuredChoice shipped = shippedChoice(grid);
            COMPARE_CLOSE(shipped.triggeredLoss, shipped.loss, 1e-12, grid.name());
            for (const char *method : {"grid(steps=12)", "coordinate"}) {
                const auto choice = chooseMeasured(grid, method, 1, 150);
                QVERIFY2(choice.has_value(), method);
                const bool leaves = shipped.row.predictedSeconds >= 1.05 * choice->row.predictedSeconds;
                COMPARE_CLOSE(choice->triggeredLoss, leaves ? choice->loss : shipped.loss, 1e-12, grid.name());
                ++(leaves ? left : kept);
            }
        }
        QVERIFY(kept > 0 && left > 0);
    }

    void aFolderWithoutGridsIsRefused() {
        QTemporaryDir empty;
        QVERIFY(!readMeasuredGrids(empty.path().toStdString()));
        const auto other = readMeasuredGrids(SYNCOPATE_SOURCE "/tests/data/measured/ps");
        QVERIFY(!other);
        QVERIFY(!other.error().what.empty());
    }
};

QTEST_APPLESS_MAIN(TestMeasuredGrid)
#include "tst_measured_grid.moc"
