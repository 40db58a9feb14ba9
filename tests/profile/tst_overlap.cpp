// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profile/tiny_trace.h"

#include "engine/profile/profile.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QFile>
#include <cmath>
#include <filesystem>

using namespace syncopate;

namespace {

const std::string traces = testing::foreignTrace("");

} // namespace

/// Overlap figures compared with the numbers of the traces' index, which were computed independently.
class TestOverlap : public QObject {
    Q_OBJECT

private slots:
    /// Each row of the index's table: file, device, counts, busy milliseconds to three decimals.
    void indexRows_data() {
        QTest::addColumn<QStringList>("cells");
        QFile index(QString::fromStdString(traces + "INDEX.md"));
        if (!index.open(QIODevice::ReadOnly | QIODevice::Text)) {
            QTest::newRow("absent") << QStringList();
            return;
        }
        const QStringList lines = QString::fromUtf8(index.readAll()).split('\n');
        for (qsizetype i = lines.indexOf(QRegularExpression("## Reference numbers.*")) + 1; i < lines.size(); ++i) {
            QStringList cells = lines[i].split('|');
            if (cells.size() < 11 || !cells[1].trimmed().endsWith(".json.gz"))
                continue;
            for (QString &cell : cells)
                cell = cell.trimmed();
            QTest::newRow(qPrintable(cells[1])) << cells;
        }
    }
    void indexRows() {
        QFETCH(QStringList, cells);
        REQUIRE_FOREIGN_TRACE("kineto");
        std::string path = traces + "kineto/" + cells[1].toStdString();
        if (!std::filesystem::exists(path))
            path = traces + "kineto_odd/" + cells[1].toStdString();
        Progress progress;
        const auto overlap = measureOverlap(path, {}, &progress);
        VERIFY_VALUE(overlap);
        COMPARE_ABOVE(progress.done.load(), 0);
        QVERIFY(progress.done.load() == progress.total.load());
        QCOMPARE(overlap->size(), std::size_t{1});
        const OverlapFigures &figures = overlap->front();
        if (cells[2] != "None") // no device in the file: the process number is used
            QCOMPARE(QString::fromStdString(figures.device), cells[2]);
        QCOMPARE(figures.computeKernels, cells[3].toULongLong());
        QCOMPARE(figures.communicationKernels, cells[4].toULongLong());
        QCOMPARE(figures.copies, cells[5].toULongLong());
        QCOMPARE(QString::number(figures.computeSeconds * 1e3, 'f', 3), cells[6]);
        QCOMPARE(QString::number(figures.communicationSeconds * 1e3, 'f', 3), cells[7]);
        QCOMPARE(QString::number(figures.hiddenSeconds * 1e3, 'f', 3), cells[8]);
        if (cells[9] != "-")
            QCOMPARE(QString::number(figures.hiddenRatio() * 100, 'f', 1) + "%", cells[9]);
        QCOMPARE(QString::number(figures.busySeconds * 1e3, 'f', 3), cells[10]);
    }

    /// tiny::events(): compute 100..200, 200..250, 280..460, 480..490; all-reduces 350..390 and 460..475.
    void tinyTrace() {
        const auto profile = tiny::import(tiny::trace());
        QVERIFY(profile);
        QCOMPARE((*profile)->overlap.size(), std::size_t{1});
        const OverlapFigures &figures = (*profile)->overlap.front();
        QCOMPARE(figures.rank, std::int64_t{1});
        QCOMPARE(figures.device, std::string("0"));
        QCOMPARE(figures.computeKernels, std::uint64_t{5});
        QCOMPARE(figures.communicationKernels, std::uint64_t{2});
        COMPARE_WITHIN(figures.computeSeconds, 340e-6, 1e-12);
        COMPARE_WITHIN(figures.communicationSeconds, 55e-6, 1e-12);
        COMPARE_WITHIN(figures.hiddenSeconds, 40e-6, 1e-12);
        COMPARE_WITHIN(figures.busySeconds, 355e-6, 1e-12);
        COMPARE_WITHIN(figures.hiddenRatio(), 40.0 / 55, 1e-12);
    }

    /// Work on another device hides nothing.
    void devicesAreApart() {
        const std::string other = tiny::replaced(tiny::device({}, "9", "other", 300, 200, 99), "\"device\": 0", "\"device\": 3");
        const auto profile = tiny::import("[" + tiny::events({}) + ",\n" + other + "]");
        VERIFY_VALUE(profile);
        const auto &overlap = (*profile)->overlap;
        QCOMPARE(overlap.size(), std::size_t{2});
        COMPARE_WITHIN(overlap[0].hiddenSeconds, 40e-6, 1e-12);
        QCOMPARE(overlap[1].device, std::string("3"));
        COMPARE_WITHIN(overlap[1].computeSeconds, 200e-6, 1e-12);
        COMPARE_WITHIN(overlap[1].hiddenSeconds, 0, 1e-12);
    }

    void errors() {
        const auto missing = measureOverlap("/nonexistent/trace.json");
        QVERIFY(!missing && missing.error().file == "/nonexistent/trace.json");
        const auto source = ByteSource::fromMemory(R"([{"ph": "M", "name": "k"}])");
        const auto nothing = measureKinetoOverlap(*source, "m.json");
        QVERIFY(!nothing && nothing.error().file == "m.json" && !nothing.error().remedy.empty());
        const auto xplane = measureOverlap(SYNCOPATE_SOURCE "/tests/data/recordings/two_gpus.xplane.pb");
        QVERIFY(!xplane);
        QCOMPARE(xplane.error().what, std::string("this is no trace of PyTorch, Nsight Systems or TensorFlow, whose overlap is "
                                                  "measured"));
        std::stop_source stop;
        stop.request_stop();
        const std::string text = tiny::trace();
        const auto again = ByteSource::fromMemory(text);
        const auto cancelled = measureKinetoOverlap(*again, "m.json", stop.get_token());
        QVERIFY(!cancelled && cancelled.error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestOverlap)
#include "tst_overlap.moc"
