// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts for kinds of work: one key away, with room for their purpose, and remembered by the project.
#include "tests/ui/slow_side.h"
#include "tests/ui/window_fixture.h"
#include "ui/export/export_sheet.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/winner_sheet.h"
#include "ui/theme/screen_fit.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"
#include "ui/variables/load_bars.h"
#include "ui/variables/variables_panel.h"
#include "ui/why/why_panel.h"
#include "ui/window/perspectives.h"
#include "ui/window/readout.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>
#include <QScreen>
#include <QStyle>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <array>
#include <utility>

using namespace syncopate;
using namespace syncopate::ui;

class TestPerspectives : public QObject, WindowFixture {
    Q_OBJECT

    QDockWidget *dock(const char *name) { return window().findChild<QDockWidget *>(QString::fromLatin1(name)); }
    bool isSeen(const char *name) { return dock(name)->isVisible() && !dock(name)->visibleRegion().isEmpty(); }
    void press(int number) {
        QTest::keyClick(&window(), static_cast<Qt::Key>(Qt::Key_0 + number), Qt::ControlModifier);
        QTest::qWait(250); // docks move, and plots follow a moment later
    }
    /// Height of the largest chart in a panel, or of the text that stands in its place until it has data.
    int chartHeight(const char *name) {
        int height = 0;
        for (const QWidget *widget : dock(name)->findChildren<QWidget *>())
            if (widget->isVisible() && (widget->inherits("QCustomPlot") || widget->inherits("syncopate::ui::PlotOrText")))
                height = std::max(height, widget->height());
        return height;
    }

private Q_SLOTS:
    void init() {
        start({1280, 720});
        QVERIFY(open());
        window().activateWindow();
        QTRY_VERIFY(QApplication::activeWindow() == &window());
    }
    void cleanup() { stop(); }

    void eachIsOneKeyAway_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QByteArray>("front");
        QTest::addColumn<int>("chart"); // minimum pixels; 0: it is not for a chart
        QTest::newRow("compare") << 1 << "compare" << QByteArray("variables") << 0;
        QTest::newRow("search") << 2 << "search" << QByteArray("runs") << 300;
        QTest::newRow("tune") << 3 << "tune" << QByteArray("runs") << 195;
        QTest::newRow("plan") << 4 << "plan" << QByteArray("runs") << 215;
        QTest::newRow("throughput") << 5 << "throughput" << QByteArray("throughput") << 250;
        QTest::newRow("topology") << 6 << "topology" << QByteArray("topology") << 0;
        QTest::newRow("trace") << 7 << "trace" << QByteArray() << 0;
    }
    void eachIsOneKeyAway() {
        QFETCH(int, number);
        QFETCH(QString, id);
        QFETCH(QByteArray, front);
        QFETCH(int, chart);
        press(number == 1 ? 7 : 1);
        press(number);
        QVERIFY(window().action(QStringLiteral("perspective_") + id)->isChecked());
        QCOMPARE(isSeen("knobs"), id == QStringLiteral("compare"));
        QCOMPARE(isSeen("inspector"), id == QStringLiteral("compare") || id == QStringLiteral("trace"));
        for (const char *name : {"variables", "runs", "throughput", "topology"})
            QCOMPARE(isSeen(name), front == name);
        QCOMPARE(window().view(Side::A).isVisible(), id == QStringLiteral("compare") || id == QStringLiteral("trace"));
        QVERIFY(window().readout().isVisible());
        const auto got = [&] { return chart > 0 ? chartHeight(front.constData()) : 0; }; // plots follow the docks a moment later
        QTRY_VERIFY2(got() >= chart, qPrintable(QStringLiteral("got a chart of %1 pixels, want %2").arg(got()).arg(chart)));
        QVERIFY2(window().height() <= 720, qPrintable(QString::number(window().height())));
    }

    /// Where the timelines are hidden, the panel below has their room from the first time on, also of a window just opened.
    void hiddenTimelinesLeaveNothingBlank_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<QByteArray>("front");
        QTest::newRow("search") << 2 << QByteArray("runs");
        QTest::newRow("throughput") << 5 << QByteArray("throughput");
        QTest::newRow("topology") << 6 << QByteArray("topology");
    }
    void hiddenTimelinesLeaveNothingBlank() {
        QFETCH(int, number);
        QFETCH(QByteArray, front);
        window().resize(1280, 900);
        QTest::qWait(100);
        press(number);
        const auto blank = [&] { return window().centralWidget()->height() - window().readout().height(); };
        QTRY_VERIFY2(blank() <= 8, qPrintable(QStringLiteral("%1 pixels are blank").arg(blank())));
        QVERIFY(isSeen(front.constData()));
    }

    /// A screen of 1920 x 1080 whose pixels count twice.
    void smallWindowGivesItsRoomToLanes() {
        QVERIFY(window().overview().isVisible());
        window().resize(960, 540);
        QTRY_VERIFY(!window().overview().isVisible());
        for (const Side side : {Side::A, Side::B})
            QTRY_VERIFY2(window().view(side).height() >= 90, qPrintable(QString::number(window().view(side).height())));
        int tabs = 0;
        for (const QTabBar *bar : window().findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly))
            for (int tab = 0; tab < bar->count() && bar->isVisible(); ++tab, ++tabs) {
                const int whole = bar->fontMetrics().horizontalAdvance(bar->tabText(tab)) +
                                  bar->style()->pixelMetric(QStyle::PM_TabBarTabHSpace, nullptr, bar);
                QVERIFY2(bar->tabRect(tab).width() >= whole, qPrintable(bar->tabText(tab)));
            }
        QCOMPARE(tabs, 11);
        window().action(QStringLiteral("conditions"))->trigger();
        QTest::qWait(250);
        QCOMPARE(window().size(), QSize(960, 540)); // a panel that needs more would push its edge off the screen
        dock("why")->raise();
        QTRY_VERIFY(window().why().remedies().isVisible());
        const auto remedy = [&] { return window().why().remedies().columnWidth(0); };
        QTRY_VERIFY2(remedy() >= 120, qPrintable(QString::number(remedy())));
        window().resize(1280, 720);
        dock("variables")->raise();
        QTRY_VERIFY(window().overview().isVisible());
    }

    /// Also a window of few pixels is moved by its middle and resized at its edges.
    void aNarrowWindowOfTheOverviewMoves() {
        TimeAxis axis;
        OverviewStrip strip(theme(), axis);
        const auto data = std::shared_ptr<const TimelineData>(session().run(Side::A), &session().run(Side::A)->timeline());
        strip.setData(data, nullptr);
        strip.resize(1000, 50);
        const double whole = static_cast<double>(data->timeline().duration), from = -static_cast<double>(data->origin());
        axis.setBounds(from, from + whole);
        axis.setWindow(from + 0.5 * whole, from + 0.506 * whole); // six pixels
        strip.show();
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
        const auto [left, right] = axis.window();
        const auto xOf = [&](double time) { // the strip lies within its margins and the side's letter
            return static_cast<int>(24 + (time - from) / whole * (strip.width() - 32));
        };
        const QPoint middle(xOf((left + right) / 2), 25);
        QTest::mousePress(&strip, Qt::LeftButton, {}, middle);
        QTest::mouseMove(&strip, middle + QPoint(-200, 0));
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, middle + QPoint(-200, 0));
        COMPARE_CLOSE(axis.span(), right - left, 1e-6);
        COMPARE_BELOW(axis.window().second, left);
        // Its edges, which are gripped from outside, still resize it.
        const auto moved = axis.window();
        const QPoint edge(xOf(moved.first) - 2, 25);
        QTest::mousePress(&strip, Qt::LeftButton, {}, edge);
        QTest::mouseMove(&strip, edge - QPoint(50, 0));
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, edge - QPoint(50, 0));
        COMPARE_CLOSE(axis.window().second, moved.second, 1e-9);
        COMPARE_WITHIN(axis.window().first, moved.first - 50 * whole / (strip.width() - 32), 4 * whole / (strip.width() - 32));
    }

    /// While a newer state of B is simulated, B's strips and bars are pale, as the figures are, and A's are not.
    void staleStripsArePale() {
        SessionState quick = slowB();
        quick.cluster = std::make_shared<const Cluster>(uniformCluster(4, 25));
        session().change(quick, QStringLiteral("quick"));
        QVERIFY(settle());
        dock("variables")->show();
        dock("variables")->raise();
        LoadBars *bars = nullptr;
        const auto findsBars = [&] {
            for (LoadBars *one : window().variables().findChildren<LoadBars *>())
                if (one->isVisible()) // A reduces nothing on servers
                    bars = one;
            return bars && !bars->bytes().empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(findsBars(), syncopate::testing::patience);
        const auto pictures = [&] {
            const QImage overview = window().overview().grab().toImage();
            const int half = overview.height() / 2;
            return std::array{overview.copy(0, 0, overview.width(), half - 4),
                              overview.copy(0, half + 4, overview.width(), half - 4), window().difference().grab().toImage(),
                              bars->grab().toImage()};
        };
        // Once nothing moves any more, however busy the machine is.
        auto before = pictures();
        QVERIFY(QTest::qWaitFor(
            [&] {
                QTest::qWait(100);
                return std::exchange(before, pictures()) == before;
            },
            syncopate::testing::patience));
        SessionState slow = session().state();
        slow.side(Side::B).cluster = slowB().cluster; // A is unchanged
        session().change(slow, QStringLiteral("slow"));
        QTRY_VERIFY_WITH_TIMEOUT(session().isMarkedStale(Side::B), syncopate::testing::patience);
        QVERIFY(!session().isStale(Side::A));
        const auto isPale = [&](const auto &present) {
            return present[1] != before[1] && present[2] != before[2] && present[3] != before[3];
        };
        QTRY_VERIFY_WITH_TIMEOUT(isPale(pictures()), syncopate::testing::patience); // signals lead to a repaint
        QVERIFY(pictures()[0] == before[0]);
        session().undoStack()->undo();
        QVERIFY(settle());
        QTRY_VERIFY_WITH_TIMEOUT(pictures() == before, syncopate::testing::patience);
    }

    /// Nor is one panel painted over another, whichever is in front, when a span is described in the inspector.
    void panelsOfASmallWindowAreDisjoint() {
        window().resize(960, 540);
        TimelineView &view = window().view(Side::A);
        view.showSpan({0, 0});
        QTRY_VERIFY(view.selectedSpan());
        for (const char *front : {"variables", "why", "runs", "throughput", "topology", "query", "scenarios", "profile"}) {
            dock(front)->show();
            dock(front)->raise();
            QTest::qWait(150); // docks move
            QCOMPARE(window().size(), QSize(960, 540));
            const auto docks = window().findChildren<QDockWidget *>();
            for (const QDockWidget *one : docks) {
                const auto isShown = [](const QDockWidget *shown) {
                    return shown->isVisible() && !shown->visibleRegion().isEmpty();
                };
                if (!isShown(one))
                    continue;
                QVERIFY2(one->geometry().height() >= one->widget()->minimumSizeHint().height(), qPrintable(one->objectName()));
                QVERIFY2(one->geometry().bottom() < 540, qPrintable(one->objectName()));
                for (const QDockWidget *other : docks)
                    if (one != other && isShown(other)) {
                        QVERIFY2(!one->geometry().intersects(other->geometry()),
                                 qPrintable(QStringLiteral("%1 over %2, %3 in front")
                                                .arg(one->objectName(), other->objectName(), QLatin1String(front))));
                    }
            }
        }
    }

    /// Sheets fit a screen of that size.
    void sheetsFitASmallScreen() {
        const QSize screen(960, 540);
        QCOMPARE(withinScreen({720, 620}, screen), QSize(720, 500));
        QCOMPARE(withinScreen({720, 420}, screen), QSize(720, 420));
        ExportSheet exports(session(), {[](bool) { return std::vector<Picture>(); }, [] { return std::vector<NamedTable>(); }});
        ShortcutSheet shortcuts(*window().menuBar());
        const Theme theme;
        WinnerSheet winner(theme);
        for (QDialog *sheet : std::initializer_list<QDialog *>{&exports, &shortcuts, &winner}) {
            const QSize room = sheet->screen()->availableSize();
            QCOMPARE(sheet->size(), withinScreen(sheet->size(), room)); // its own size is bounded by the present screen
            sheet->resize(withinScreen(sheet->size(), screen));
            sheet->show(); // which enlarges a sheet too small for its contents
            const QSize size = sheet->size();
            QVERIFY2(size.height() <= 500 && size.width() <= 958,
                     qPrintable(QStringLiteral("%1: %2x%3").arg(sheet->windowTitle()).arg(size.width()).arg(size.height())));
            sheet->hide();
        }
    }

    void runsShowTheirPreset() {
        press(4);
        QVERIFY(window().plans().parts().sheet->isVisible());
        press(2);
        QVERIFY(window().search().parts().sheet->isVisible() && !window().plans().parts().sheet->isVisible());
    }

    void eachRemembersHowItWasLeft() {
        press(2);
        dock("inspector")->show();
        press(1);
        QVERIFY(isSeen("knobs") && isSeen("inspector"));
        press(2);
        QVERIFY(isSeen("inspector") && !isSeen("knobs") && isSeen("runs"));
        window().action(QStringLiteral("resetLayout"))->trigger();
        QTest::qWait(100);
        QVERIFY(window().action(QStringLiteral("perspective_compare"))->isChecked());
        press(2);
        QVERIFY(!isSeen("inspector"));
    }

    /// The tab in front, and a panel that was closed, too.
    void eachRemembersItsFrontTab() {
        press(2);
        press(1);
        QVERIFY(isSeen("variables"));
        dock("topology")->raise();
        QTest::qWait(100);
        QVERIFY(isSeen("topology") && !isSeen("variables"));
        press(2);
        press(3); // the panel of runs is about tuning now
        press(2);
        QVERIFY(isSeen("runs"));
        QCOMPARE(window().findChild<RunsPanel *>()->settings().value(QStringLiteral("preset")).toString(),
                 QStringLiteral("search"));
        press(1);
        QVERIFY(isSeen("topology") && !isSeen("variables"));
        press(1); // that again asks for its own
        QVERIFY(isSeen("variables"));
        dock("topology")->raise();
        dock("variables")->close();
        press(2);
        press(1);
        QVERIFY(!dock("variables")->isVisible() && isSeen("topology"));
    }

    void aProjectKeepsThem() {
        press(2);
        dock("inspector")->show();
        press(5);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.syncopate"));
        window().keeper().saveAs(path);
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(path); }, syncopate::testing::patience));
        window().keeper().flush();
        stop();
        start({1280, 720});
        window().session().open(path);
        QVERIFY(QTest::qWaitFor([&] { return window().session().run(Side::B) != nullptr; }, syncopate::testing::patience));
        QVERIFY(settle());
        window().activateWindow();
        QTRY_VERIFY(isSeen("throughput"));
        QVERIFY(window().action(QStringLiteral("perspective_throughput"))->isChecked());
        press(2);
        QVERIFY(isSeen("runs") && isSeen("inspector") && !isSeen("knobs"));
    }

    /// Settings come from files, which may be damaged or hostile.
    void foreignSettingsAreLeftOut() {
        Perspectives &perspectives = window().perspectives();
        perspectives.setSettings({{QStringLiteral("present"), QStringLiteral("nowhere")},
                                  {QStringLiteral("layouts"), QJsonObject{{QStringLiteral("search"), QStringLiteral("!!")},
                                                                          {QStringLiteral("nowhere"), QStringLiteral("AAAA")}}}});
        QCOMPARE(perspectives.present(), QStringLiteral("compare"));
        QVERIFY(perspectives.settings().value(QStringLiteral("layouts")).toObject().isEmpty());
        perspectives.show(QStringLiteral("nowhere"));
        QCOMPARE(perspectives.present(), QStringLiteral("compare"));
    }
};

QTEST_MAIN(TestPerspectives)
#include "tst_perspectives.moc"
