// SPDX-License-Identifier: GPL-3.0-or-later
// Two measured traces in the explorer: the open profile against another file, with the command line's numbers, sorted, filtered,
// exported, and its spans lit in the timeline.
#include "tests/cli/cli.h"
#include "tests/profile/tiny_trace.h"
#include "tests/ui/window_fixture.h"
#include "ui/difference/difference_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/tables/filter_line.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

const QString sample = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz");

} // namespace

class TestDifference : public QObject, WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    DifferencePanel &panel() { return window().traceDifference(); }
    QTableView &table() { return panel().table().table(); }

    QString written(const char *name, const std::string &text) {
        QFile file(m_folder.filePath(QString::fromUtf8(name)));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(QByteArray::fromStdString(text));
        return file.fileName();
    }
    bool compared(const QString &path) {
        panel().compare(path);
        return QTest::qWaitFor([&] { return !panel().isRunning(); }, syncopate::testing::patience);
    }

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

    /// Every row of every table has the numbers of `syncopate-cli diff`, in its order, and the export is its CSV.
    void theCommandLineSaysTheSame() {
        const QString a = written("a.json", tiny::trace());
        QVERIFY(openProfile(a));
        window().action(QStringLiteral("difference"))->trigger();
        QVERIFY(compared(sample));
        QVERIFY2(panel().model().difference() != nullptr, qPrintable(panel().state()));
        // Before the program is started: from its fork on, ThreadSanitizer takes objects that Qt hands from thread to thread for
        // unordered.
        const QString own = m_folder.filePath(QStringLiteral("own.csv"));
        panel().exportTo(own);
        QVERIFY(QTest::qWaitFor([this] { return !panel().isWriting(); }, syncopate::testing::patience));
        const QString csv = m_folder.filePath(QStringLiteral("cli.csv"));
        const syncopate::testing::ProcessResult told =
            syncopate::testing::cli({QStringLiteral("diff"), a, sample, QStringLiteral("--json"), QStringLiteral("-o"), csv});
        QVERIFY2(told.exitCode == 0, told.err.constData());
        const QJsonObject json = told.json();
        for (const auto &[by, name] :
             {std::pair(DifferenceBy::Op, "ops"), {DifferenceBy::Layer, "layers"}, {DifferenceBy::Stream, "streams"}}) {
            panel().by().setCurrentIndex(static_cast<int>(by));
            const QJsonArray rows = json[QLatin1String(name)].toArray();
            QVERIFY2(!rows.isEmpty(), name);
            QCOMPARE(panel().model().rowCount(), static_cast<int>(rows.size()));
            for (int r = 0; r < panel().model().rowCount(); ++r) {
                const QJsonObject want = rows[r].toObject();
                const auto figure = [&](int column) { return panel().model().index(r, column).data(Qt::UserRole).toDouble(); };
                QCOMPARE(panel().model().index(r, 0).data().toString(), want["name"].toString());
                for (const auto &[column, seconds, count] :
                     {std::tuple(1, "a_seconds", "a_count"), {2, "b_seconds", "b_count"}}) {
                    QCOMPARE(std::isnan(figure(column)), want[QLatin1String(count)].toDouble() == 0);
                    if (!std::isnan(figure(column)))
                        QCOMPARE(figure(column), want[QLatin1String(seconds)].toDouble());
                }
                QCOMPARE(figure(3), want["delta_seconds"].toDouble());
                COMPARE_CLOSE(figure(6) * json["a"].toObject()["step_seconds"].toDouble(), figure(3), 1e-12);
            }
        }
        QFile first(own), second(csv);
        QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
        QCOMPARE(first.readAll(), second.readAll());
    }

    /// Thousands of spans are counted in full.
    void largeCountsHaveNoExponent() {
        auto many = std::make_shared<TraceDifference>();
        many->streams.resize(1);
        many->streams[0].count = {12345, 0.5};
        DifferenceModel model;
        model.set(many, DifferenceBy::Stream);
        QCOMPARE(model.index(0, model.columnCount() - 2).data().toString(), QStringLiteral("12345"));
        QCOMPARE(model.index(0, model.columnCount() - 1).data().toString(), QStringLiteral("0.5"));
    }

    /// The largest difference is on top; a filter keeps the matching rows.
    void rowsAreSortedAndFiltered() {
        QVERIFY(openProfile(written("a.json", tiny::trace())));
        QVERIFY(compared(sample));
        const QAbstractItemModel &shown = *table().model();
        const int all = shown.rowCount();
        COMPARE_ABOVE(all, 3);
        const auto size = [&](int row) { return std::abs(shown.index(row, 3).data(Qt::UserRole).toDouble()); };
        for (int r = 1; r < all; ++r)
            COMPARE_AT_LEAST(size(r - 1), size(r));
        const double middle = size(all / 2);
        panel().table().filter().setText(QStringLiteral("size>%1us").arg(middle * 1e6, 0, 'g', 17));
        COMPARE_BELOW(shown.rowCount(), all);
        for (int r = 0; r < shown.rowCount(); ++r)
            COMPARE_AT_LEAST(size(r), middle * (1 - 1e-9));
    }

    /// Rows are copied with their names.
    void rowsAreCopied() {
        QVERIFY(openProfile(written("a.json", tiny::trace())));
        QVERIFY(compared(sample));
        table().selectRow(0);
        QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(table().model()->index(0, 0).data().toString() + QLatin1Char('\t')), qPrintable(copied));
    }

    /// A row lights its spans in the timeline of the measured step and selects one of them; a row of B alone says that A has
    /// none.
    void rowsSelectSpans() {
        QVERIFY(openProfile(written("a.json", tiny::trace())));
        QVERIFY(compared(sample));
        const DifferenceModel &model = panel().model();
        int own = -1, foreign = -1;
        for (int r = 0; r < model.rowCount(); ++r)
            (model.at(r).count[0] > 0 ? own : foreign) = r;
        QVERIFY(own >= 0 && foreign >= 0);
        TimelineView &view = window().view(Side::A);
        QVERIFY(!view.selectedSpan());
        panel().table().select(foreign);
        QVERIFY2(panel().state().contains(QStringLiteral("no span")), qPrintable(panel().state()));
        QVERIFY(!view.selectedSpan());
        panel().table().select(own);
        QVERIFY(QTest::qWaitFor([&] { return view.selectedSpan().has_value(); }, syncopate::testing::patience));
        const Timeline &timeline = session().run(Side::A)->recording().timeline;
        const Lane &lane = timeline.lanes[view.selectedSpan()->lane];
        QCOMPARE(timeline.labels[static_cast<std::size_t>(lane.label[view.selectedSpan()->span])], model.at(own).name);
        // Of a stream the lane itself.
        panel().by().setCurrentIndex(static_cast<int>(DifferenceBy::Stream));
        int stream = -1;
        for (int r = 0; r < model.rowCount(); ++r)
            if (model.at(r).count[0] > 0)
                stream = r;
        view.selectSpan({});
        panel().table().select(stream);
        QVERIFY(QTest::qWaitFor([&] { return view.selectedSpan().has_value(); }, syncopate::testing::patience));
        QCOMPARE(timeline.lanes[view.selectedSpan()->lane].name, model.at(stream).name);
    }

    /// The lights of a row go out with the next row, also with one that has no spans to light.
    void lightsEndWithTheirRow() {
        QVERIFY(openProfile(written("a.json", tiny::trace())));
        QVERIFY(compared(sample));
        int own = -1, foreign = -1;
        for (int r = 0; r < panel().model().rowCount(); ++r)
            (panel().model().at(r).count[0] > 0 ? own : foreign) = r;
        QVERIFY(own >= 0 && foreign >= 0);
        QSignalSpy wanted(&panel(), &DifferencePanel::spansWanted), cleared(&panel(), &DifferencePanel::spansCleared);
        panel().table().select(own);
        QVERIFY(QTest::qWaitFor([&] { return wanted.count() == 1; }, syncopate::testing::patience));
        QCOMPARE(cleared.count(), 0);
        panel().table().select(foreign);
        QCOMPARE(cleared.count(), 1);
        panel().table().select(own); // and another row at once: the first one is not looked for any more
        panel().table().select(foreign);
        QVERIFY(!panel().isFinding());
        QTest::qWait(100);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(cleared.count(), 1); // nothing of the panel's is lit: the hits of a timeline search stay
        QVERIFY2(panel().state().contains(QStringLiteral("no span")), qPrintable(panel().state()));
        panel().by().setCurrentIndex(static_cast<int>(DifferenceBy::Stream)); // whose rows it does not mean
        QVERIFY2(!panel().state().contains(QStringLiteral("no span")), qPrintable(panel().state()));
    }

    /// An error says why two files cannot be compared, and the comparison before it stays; opening another profile replaces A.
    void errorsAreClear() {
        QVERIFY(!window().action(QStringLiteral("difference"))->isEnabled());
        const QString a = written("a.json", tiny::trace());
        QVERIFY(openProfile(a));
        QVERIFY(compared(a));
        const auto before = panel().model().difference();
        QVERIFY2(before != nullptr, qPrintable(panel().state()));
        for (const DifferenceRow &row : before->ops)
            COMPARE_WITHIN(row.change(), 0.0, 0.0, row.name);
        panel().exportTo(a);
        QVERIFY2(panel().state().contains(QStringLiteral("stays as it is")), qPrintable(panel().state()));
        QCOMPARE(QFileInfo(a).size(), static_cast<qint64>(tiny::trace().size()));
        for (const auto &[path, says] : {std::pair(QStringLiteral("/no/such.json"), "/no/such.json"),
                                         {QStringLiteral("resnet50"), "no timeline"},
                                         {written("broken.json", tiny::trace().substr(0, 700)), "broken.json"}}) {
            QVERIFY(compared(path));
            QVERIFY2(panel().state().contains(QLatin1String(says)), qPrintable(panel().state()));
            QVERIFY(panel().model().difference() == before);
        }
        panel().compare(sample);
        panel().cancel();
        QVERIFY(!panel().isRunning());
        QVERIFY2(panel().state().contains(QStringLiteral("Cancelled")), qPrintable(panel().state()));
        QVERIFY(panel().model().difference() == before);
        const auto tips = [this] { // the files that are compared
            return std::ranges::count_if(panel().findChildren<QLabel *>(), [&](const QLabel *label) {
                return label->toolTip().contains(QStringLiteral("a.json\n"));
            });
        };
        QCOMPARE(tips(), 1);
        QVERIFY(openProfile(sample));
        QVERIFY(panel().model().difference() == nullptr);
        QCOMPARE(tips(), 0);
    }
};

QTEST_MAIN(TestDifference)
#include "tst_difference.moc"
