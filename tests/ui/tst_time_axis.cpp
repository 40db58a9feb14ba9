// SPDX-License-Identifier: GPL-3.0-or-later
// The axis of time, and the views that share it, each without a window: keys and mouse of a timeline, the overview, the
// difference strip.
#include "tests/checks.h"
#include "tests/ui/random_timeline.h"
#include "ui/theme/theme.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_view.h"

#include <QImage>
#include <QSignalSpy>
#include <QTextDocument>
#include <QtTest>
#include <string>

using namespace syncopate;
using namespace syncopate::ui;
using namespace syncopate::testing;

namespace {

/// An overview of 1000 x 50 pixels with one lane of 1 ms, busy from 100 to 900 us, and a window from 400 to 600 us.
struct SmallOverview {
    explicit SmallOverview(const Theme &theme) : strip(theme, axis) {
        auto timeline = std::make_shared<Timeline>();
        timeline->labels = {"one"};
        timeline->duration = 1'000'000;
        Lane lane;
        lane.name = "device 0";
        lane.worker = 0;
        lane.start = {100'000};
        lane.end = {900'000};
        lane.category = {Category::Forward};
        lane.label = lane.variable = lane.task = {0};
        lane.sizeBytes = {0};
        timeline->lanes = {lane};
        axis.setBounds(0, 1e6);
        axis.setWindow(4e5, 6e5);
        strip.setData(std::make_shared<const TimelineData>(timeline, 0, 1'000'000), nullptr);
        strip.resize(1000, 50);
        strip.show();
    }
    /// The strip lies within its margins and the side's letter.
    [[nodiscard]] QPoint at(double time) const { return {static_cast<int>(24 + time / 1e6 * (strip.width() - 32)), 25}; }

    TimeAxis axis;
    OverviewStrip strip;
};

} // namespace

class TestTimeAxis : public QObject {
    Q_OBJECT
    Theme m_theme;

private Q_SLOTS:
    void axisKeepsTheTimeUnderTheCursor() {
        TimeAxis axis;
        axis.setBounds(0, 1e9);
        axis.setWindow(0, 1e9);
        axis.zoomAt(2.5e8, 0.5);
        QCOMPARE(axis.window(), TimeAxis::Range(1.25e8, 6.25e8));
        axis.fit(2e8, 3e8);
        axis.back();
        QCOMPARE(axis.window(), TimeAxis::Range(1.25e8, 6.25e8));
        axis.forward();
        COMPARE_ABOVE(axis.window().first, 1.9e8);
        COMPARE_BELOW(axis.window().second, 3.1e8);
        for (int i = 0; i < 200; ++i)
            axis.zoomAt(2.5e8, 0.5);
        COMPARE_AT_LEAST(axis.span(), 2000);
        COMPARE_AT_MOST(axis.window().first, 2.5e8);
        COMPARE_AT_LEAST(axis.window().second, 2.5e8);
        // Nor does the widest window move on.
        axis.setWindow(0, 1e9);
        for (int i = 0; i < 200; ++i)
            axis.zoomAt(2.5e8, 1.25);
        COMPARE_WITHIN(axis.span(), 4e9, 1);
        COMPARE_WITHIN((2.5e8 - axis.window().first) / axis.span(), 0.25, 1e-6);
    }

    /// The closest window of 5 ns, with 2000 ns on both sides, is wide beside it: shown once, it is there to stay.
    void aTinyStretchIsRevealedOnce() {
        const double from = 1e9 / 3; // sums are rounded
        TimeAxis axis;
        axis.setBounds(0, 1e9);
        axis.setWindow(0, 1e9);
        axis.reveal(from, from + 5);
        COMPARE_WITHIN(axis.window().first, from - 2000, 1e-3);
        COMPARE_WITHIN(axis.window().second, from + 2005, 1e-3);
        axis.fit(0, 1e6);
        axis.back();
        axis.reveal(from, from + 5);
        COMPARE_WITHIN(axis.window().first, from - 2000, 1e-3);
        axis.forward();
        COMPARE_WITHIN(axis.window().first, -3e4, 1e-3);
        COMPARE_WITHIN(axis.window().second, 1.03e6, 1e-3);
        // Nor does it zoom out: it scrolls to what is outside.
        axis.setWindow(1e6, 1e6 + 2000);
        axis.reveal(1e6 + 1000, 1e6 + 1005);
        QCOMPARE(axis.window(), TimeAxis::Range(1e6, 1e6 + 2000));
        axis.reveal(2e6, 2e6 + 5);
        COMPARE_WITHIN(axis.window().first, 2e6 + 2.5 - 1000, 1e-3);
        COMPARE_WITHIN(axis.span(), 2000, 1e-3);
    }

    void aCopiedAxisHasTheCursor() {
        TimeAxis from, to;
        from.setCursor(3e6);
        to.setCursor(1e6);
        const QSignalSpy moved(&to, &TimeAxis::cursorChanged);
        to.copyFrom(from);
        QCOMPARE(to.cursor(), std::optional(3e6));
        QCOMPARE(moved.size(), 1);
        to.copyFrom(TimeAxis());
        QVERIFY(!to.cursor());
    }

    /// A recorded transfer may have no length, of which no share is overlapped.
    void aSpanWithoutLengthIsDescribed() {
        auto timeline = std::make_shared<Timeline>();
        timeline->labels = {"sync"};
        timeline->duration = 1000;
        Lane lane;
        lane.name = "stream 7";
        lane.worker = 0;
        lane.start = {100, 200};
        lane.end = {100, 300};
        lane.category = {Category::AllReduce, Category::AllReduce};
        lane.label = {0, 0};
        lane.variable = lane.task = {-1, -1};
        lane.sizeBytes = {0, 0};
        timeline->lanes = {lane};
        TimeAxis axis;
        TimelineView view(m_theme, axis, QStringLiteral("A"));
        view.setData(std::make_shared<const TimelineData>(timeline, 0, 1000));
        const QString none = view.describe({0, 0}), some = view.describe({0, 1});
        QVERIFY2(none.contains(QStringLiteral("Duration")) && !none.contains(QStringLiteral("nan")), qPrintable(none));
        QVERIFY2(some.contains(QStringLiteral("(0 %)")), qPrintable(some));
    }

    /// A knob may change the order and lanes of transfers: the selected one stays selected, wherever it is now, and nothing is
    /// where it is gone.
    void theSelectedSpanIsFollowedInANewRun() {
        const auto run = [](std::vector<std::string> labels, const std::vector<std::int32_t> &order, std::size_t onFirstLane = 9,
                            const std::vector<std::int32_t> &tasks = {}) {
            auto timeline = std::make_shared<Timeline>();
            timeline->labels = std::move(labels);
            timeline->duration = 1000;
            timeline->lanes.resize(onFirstLane < order.size() ? 2 : 1);
            for (std::size_t i = 0; i < order.size(); ++i) {
                Lane &lane = timeline->lanes[i < onFirstLane ? 0 : 1];
                lane.name = i < onFirstLane ? "worker 0 push" : "worker 0 push 2";
                lane.worker = 0;
                lane.start.push_back(static_cast<Nanoseconds>(100 * lane.size() + (i < onFirstLane ? 0 : 10)));
                lane.end.push_back(lane.start.back() + 50);
                lane.category.push_back(Category::Push);
                lane.label.push_back(order[i]);
                lane.variable.push_back(-1);
                lane.task.push_back(tasks.empty() ? -1 : tasks[i]);
                lane.sizeBytes.push_back(1);
            }
            return std::make_shared<const TimelineData>(timeline, 0, 1000);
        };
        TimeAxis axis;
        TimelineView view(m_theme, axis, QStringLiteral("A"));
        view.setData(run({"conv", "fc"}, {0, 1, 0, 1}));
        view.selectSpan(SpanRef{0, 3}); // the second fc
        const QSignalSpy selections(&view, &TimelineView::spanSelected);
        view.setData(run({"conv", "fc"}, {0, 1, 0, 1}));
        QCOMPARE(view.selectedSpan(), std::optional(SpanRef{0, 3}));
        QCOMPARE(selections.size(), 0);
        view.setData(run({"conv", "fc"}, {1, 0, 1, 0}));
        QCOMPARE(view.selectedSpan(), std::optional(SpanRef{0, 2}));
        QCOMPARE(selections.size(), 1);
        view.setData(run({"fc", "bias", "conv"}, {2, 0, 1, 2, 0, 1})); // numbered in another order
        QCOMPARE(view.selectedSpan(), std::optional(SpanRef{0, 4}));
        view.setData(run({"conv", "fc"}, {0, 1, 0, 0}));
        QVERIFY(!view.selectedSpan());
        QCOMPARE(selections.size(), 3);
        view.setData(run({"conv", "fc"}, {0, 1, 0, 1}, 2)); // pairs that overlap
        view.selectSpan(SpanRef{1, 1});                     // the second fc
        view.setData(run({"conv", "fc"}, {0, 1, 0, 1}));
        QCOMPARE(view.selectedSpan(), std::optional(SpanRef{0, 3}));
        view.setData(run({"fc"}, {0, 0}, 1, {7, 9}));
        view.selectSpan(SpanRef{0, 0});
        view.setData(run({"fc"}, {0, 0}, 1, {9, 7}));
        QCOMPARE(view.selectedSpan(), std::optional(SpanRef{1, 0}));
        view.setData(run({"fc"}, {0, 0, 0}, 9, {7, 7, 7})); // an op of steps that are played
        view.selectSpan(SpanRef{0, 2});
        view.setData(run({"fc"}, {0, 0, 0, 0}, 9, {7, 7, 7, 7}));
        QCOMPARE(view.selectedSpan(), std::optional(SpanRef{0, 2}));
    }

    void viewAnswersKeysAndMouse() {
        Theme theme;
        TimeAxis axis;
        auto timeline = randomTimeline(11, 200);
        const auto data = std::make_shared<const TimelineData>(timeline, 0, timeline->duration);
        TimelineView view(theme, axis, QStringLiteral("A"));
        view.resize(900, 200);
        axis.setBounds(0, static_cast<double>(timeline->duration));
        axis.fit(0, static_cast<double>(timeline->duration));
        view.setData(data);
        view.show();
        const double whole = axis.span();
        QTest::keyClick(&view, Qt::Key_W);
        COMPARE_BELOW(axis.span(), whole);
        QTest::keyClick(&view, Qt::Key_S);
        COMPARE_WITHIN(axis.span(), whole, whole * 1e-9);
        const QPoint left(view.plotRect().left() + 100, view.plotRect().top() + 8), right = left + QPoint(200, 0);
        QTest::mousePress(&view, Qt::LeftButton, {}, left);
        QTest::mouseMove(&view, right);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, right);
        QVERIFY(axis.selection().has_value());
        COMPARE_WITHIN(axis.selection()->first, view.timeAt(left.x()), 1);
        COMPARE_WITHIN(axis.selection()->second, view.timeAt(right.x()), 1);
        QTest::keyClick(&view, Qt::Key_F);
        COMPARE_BELOW(axis.span(), whole / 3);
        QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
        COMPARE_WITHIN(axis.span(), whole, whole * 1e-9);
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!axis.selection());
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(view.selectedSpan().has_value());
        const std::size_t span = view.selectedSpan()->span;
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedSpan()->span, span + 1);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.selectedSpan()->span, span);
        QTest::keyClick(&view, Qt::Key_Period); // every second span has the same name
        QCOMPARE(view.selectedSpan()->span, span + 2);
        QTest::keyClick(&view, Qt::Key_Comma);
        QCOMPARE(view.selectedSpan()->span, span);
        QVERIFY(view.describe(*view.selectedSpan()).contains(QStringLiteral("Duration")));
        QTest::keyClick(&view, Qt::Key_F); // the selected span, as no stretch of time is
        COMPARE_BELOW(axis.span(), whole / 3);
        QTest::keyClick(&view, Qt::Key_Escape);
        QTest::keyClick(&view, Qt::Key_F);
        COMPARE_WITHIN(axis.span(), whole, whole * 1e-2);
        view.setData(nullptr, QStringLiteral("because"));
        QVERIFY(!view.selectedSpan());
        view.grab();
    }

    void differenceIsSigned() {
        Theme theme;
        TimeAxis axis;
        axis.setBounds(0, 1000000);
        axis.setWindow(0, 1000000);
        const auto onlyComm = [](Nanoseconds from, Nanoseconds to) {
            auto timeline = std::make_shared<Timeline>();
            timeline->labels = {"x"};
            Lane lane;
            lane.worker = 0;
            lane.start = {from};
            lane.end = {to};
            lane.category = {Category::Push};
            lane.label = {0};
            lane.variable = {-1};
            lane.task = {0};
            lane.sizeBytes = {1};
            timeline->lanes = {lane};
            timeline->duration = to;
            return std::make_shared<const TimelineData>(timeline, 0, to);
        };
        DifferenceStrip strip(theme, axis);
        strip.setData(onlyComm(0, 250000), onlyComm(200000, 600000));
        const auto values = strip.differences(100);
        QCOMPARE(values[10], 1.0);
        QCOMPARE(values[22], 0.0);
        QCOMPARE(values[40], -1.0);
        QCOMPARE(values[80], 0.0);
        // If the two cannot be compared, no bar claims a difference, and the tooltip says why, as plain text.
        strip.setData(onlyComm(0, 250000), onlyComm(200000, 600000), QStringLiteral("<b>hosts</b> differ"));
        QVERIFY(strip.differences(100).empty());
        QVERIFY(strip.toolTip().contains(QStringLiteral("hosts")));
        QVERIFY(!Qt::mightBeRichText(strip.toolTip()) || strip.toolTip().contains(QStringLiteral("&lt;b&gt;")));
    }

    /// Where devices are nearly idle beside their hosts, the overview shows the hosts.
    void theOverviewShowsBusyHosts() {
        for (const bool isDeviceBusy : {false, true}) {
            auto timeline = std::make_shared<Timeline>();
            timeline->labels = {"one"};
            timeline->duration = 1'000'000;
            timeline->lanes.resize(3);
            for (std::size_t l = 0; l < timeline->lanes.size(); ++l) {
                Lane &lane = timeline->lanes[l];
                const bool isDevice = l == 0;
                lane.name = isDevice ? "device 0" : "host";
                lane.worker = isDevice ? 0 : -1;
                lane.start = {100'000};
                lane.end = {isDevice && !isDeviceBusy ? 100'500 : 900'000};
                lane.category = {isDevice ? Category::Forward : Category::Host};
                lane.label = lane.variable = lane.task = {0};
                lane.sizeBytes = {0};
            }
            TimeAxis axis;
            axis.setBounds(0, 1e6);
            axis.setWindow(0, 1e6);
            OverviewStrip strip(m_theme, axis);
            strip.setData(std::make_shared<const TimelineData>(timeline, 0, 1'000'000), nullptr);
            strip.setLanes(0, {0}, {});
            strip.resize(1000, 50);
            const QImage picture = strip.grab().toImage();
            const QRgb host = m_theme.categoryColor(Category::Host).rgb();
            int pixels = 0;
            for (int y = 0; y < picture.height(); ++y)
                pixels += picture.pixel(picture.width() / 2, y) == host;
            QVERIFY2(isDeviceBusy == (pixels == 0), qPrintable(QString::number(pixels)));
        }
    }

    void anEdgeOfTheOverviewLeavesTheOther() {
        for (const bool isLeft : {true, false}) {
            SmallOverview overview(m_theme);
            QVERIFY(QTest::qWaitForWindowExposed(&overview.strip));
            const auto [left, right] = overview.axis.window();
            QTest::mousePress(&overview.strip, Qt::LeftButton, {}, overview.at(isLeft ? left : right));
            for (const double past : {0.0, 5e4, 1e5, 2e5, 3e5}) // behind the other edge
                QTest::mouseMove(&overview.strip, overview.at(isLeft ? right + past : left - past));
            QTest::mouseRelease(&overview.strip, Qt::LeftButton, {}, overview.at((left + right) / 2));
            const About edge(isLeft ? "left" : "right");
            COMPARE_WITHIN(isLeft ? overview.axis.window().second : overview.axis.window().first, isLeft ? right : left, 1e-3,
                           edge);
            COMPARE_WITHIN(overview.axis.span(), TimeAxis::minSpan, 1e-3, edge);
        }
    }

    /// An edge beyond the strip is drawn, and dragged, at the strip's end.
    void anEdgeBeyondTheOverviewIsDragged() {
        for (const bool isLeft : {true, false}) {
            SmallOverview overview(m_theme);
            QVERIFY(QTest::qWaitForWindowExposed(&overview.strip));
            overview.axis.fit(0, 1e6); // from -3 to 103 %
            const QPoint edge = isLeft ? overview.at(0) : overview.at(1e6) - QPoint(1, 0),
                         inwards = overview.at(isLeft ? 3e5 : 7e5);
            QTest::mousePress(&overview.strip, Qt::LeftButton, {}, edge);
            QTest::mouseMove(&overview.strip, inwards);
            QTest::mouseRelease(&overview.strip, Qt::LeftButton, {}, inwards);
            const double pixel = 1e6 / (overview.strip.width() - 32);
            const About about(isLeft ? "left" : "right");
            COMPARE_WITHIN(overview.axis.window().first, isLeft ? 3e5 : -3e4, isLeft ? pixel : 1e-3, about);
            COMPARE_WITHIN(overview.axis.window().second, isLeft ? 1.03e6 : 7e5, isLeft ? 1e-3 : pixel, about);
        }
    }

    /// A window of two pixels has no room for a middle beside its edges: it is moved, from wherever it can be grabbed.
    void aNarrowWindowOfTheOverviewIsMoved() {
        for (const int beside : {-4, 0, 1, 4}) {
            SmallOverview overview(m_theme);
            QVERIFY(QTest::qWaitForWindowExposed(&overview.strip));
            overview.axis.setWindow(5e5, 5e5 + TimeAxis::minSpan);
            const QPoint at = overview.at(5e5) + QPoint(beside, 0), step(100, 0);
            QTest::mousePress(&overview.strip, Qt::LeftButton, {}, at);
            QTest::mouseMove(&overview.strip, at + step);
            QTest::mouseRelease(&overview.strip, Qt::LeftButton, {}, at + step);
            const About about(std::to_string(beside));
            COMPARE_WITHIN(overview.axis.window().first, 5e5 + 100 * 1e6 / (overview.strip.width() - 32), 1e-3, about);
            COMPARE_WITHIN(overview.axis.span(), TimeAxis::minSpan, 1e-3, about);
        }
    }

    void anotherButtonDoesNotEndADragOfTheOverview() {
        SmallOverview overview(m_theme);
        QVERIFY(QTest::qWaitForWindowExposed(&overview.strip));
        const auto [left, right] = overview.axis.window();
        const QPoint middle = overview.at((left + right) / 2), step(100, 0);
        QTest::mousePress(&overview.strip, Qt::LeftButton, {}, middle);
        QTest::mouseClick(&overview.strip, Qt::RightButton, {}, middle);
        QTest::mouseMove(&overview.strip, middle + step);
        COMPARE_CLOSE(overview.axis.window().first, left + 100 * 1e6 / (overview.strip.width() - 32), 1e-6);
        QTest::mouseRelease(&overview.strip, Qt::LeftButton, {}, middle + step);
        QTest::mouseMove(&overview.strip, middle);
        COMPARE_CLOSE(overview.axis.window().first, left + 100 * 1e6 / (overview.strip.width() - 32), 1e-6, "released");
    }

    /// At two device pixels per pixel a span begins and ends between pixels, and is not drawn with pixels of twice the size.
    void theOverviewFollowsThePixelRatio() {
        SmallOverview overview(m_theme);
        overview.axis.setWindow(0, 1e6); // nothing outside of the window is pale
        const auto torn = [&overview](qreal ratio) {
            QImage picture(overview.strip.size() * ratio, QImage::Format_RGB32);
            picture.setDevicePixelRatio(ratio);
            overview.strip.setPixelRatio(ratio);
            static_cast<QWidget &>(overview.strip).render(&picture);
            int pairs = 0; // of columns that are one column at ratio 1
            for (int x = 80; x < picture.width() - 80; x += 2)
                pairs += picture.copy(x, 20, 1, picture.height() - 40) != picture.copy(x + 1, 20, 1, picture.height() - 40);
            return pairs;
        };
        torn(1);
        QCOMPARE(torn(2), 2);
        QCOMPARE(torn(2), 2);
    }
};

QTEST_MAIN(TestTimeAxis)
#include "tst_time_axis.moc"
