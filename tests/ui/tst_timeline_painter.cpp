// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "tests/checks.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <cmath>
#include <map>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

constexpr int height = 16;

/// Random spans with gaps; lengths from below to far above a pixel.
std::shared_ptr<Timeline> randomTimeline(std::uint64_t seed, std::size_t spans, bool compute = false) {
    Rng rng(seed);
    auto timeline = std::make_shared<Timeline>();
    timeline->labels = {"even", "odd"};
    Lane lane;
    lane.name = "worker 0 comm";
    lane.worker = 0;
    lane.isCompute = compute;
    Nanoseconds t = 0;
    for (std::size_t i = 0; i < spans; ++i) {
        t += rng.next() % 3 == 0 ? static_cast<Nanoseconds>(rng.uniform(0, 4000)) : 0;
        const auto end = t + 1 + static_cast<Nanoseconds>(std::exp(rng.uniform(0, 10)));
        lane.start.push_back(t);
        lane.end.push_back(end);
        lane.category.push_back(static_cast<Category>(rng.next() % categoryCount));
        lane.label.push_back(static_cast<std::int32_t>(i % 2));
        lane.variable.push_back(-1);
        lane.task.push_back(0);
        lane.sizeBytes.push_back(0);
        t = end;
    }
    timeline->duration = t;
    timeline->lanes.push_back(lane);
    return timeline;
}

/// Colours that identify their category, all different, so that pixels can be counted.
LanePalette countingPalette() {
    LanePalette palette;
    palette.background = qRgb(0, 0, 0);
    palette.hatch = qRgb(1, 1, 1);
    for (std::size_t c = 0; c < palette.category.size(); ++c)
        palette.category[c] = qRgb(10, 10, 100 + static_cast<int>(c));
    return palette;
}

/// Busy time of every category in [from, to), by visiting every span.
std::array<double, categoryCount> bruteForce(const Lane &lane, Nanoseconds from, Nanoseconds to) {
    std::array<double, categoryCount> busy{};
    for (std::size_t i = 0; i < lane.size(); ++i)
        busy[static_cast<std::size_t>(lane.category[i])] +=
            static_cast<double>(std::max<Nanoseconds>(0, std::min(to, lane.end[i]) - std::max(from, lane.start[i])));
    return busy;
}

} // namespace

class TestTimelinePainter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coversWhatBruteForceCovers_data() {
        QTest::addColumn<int>("spans");
        QTest::addColumn<double>("share");
        for (const int spans : {1, 40, 1000, 60000})
            for (const double share : {1.0, 0.2, 0.003})
                QTest::addRow("%d spans, %g of it", spans, share) << spans << share;
    }

    void coversWhatBruteForceCovers() {
        QFETCH(int, spans);
        QFETCH(double, share);
        const auto timeline = randomTimeline(7, static_cast<std::size_t>(spans));
        const TimelineData data(timeline, 0, timeline->duration);
        TimelinePainter painter(countingPalette());
        painter.setSeparators(false);
        const int width = 301;
        const double from = static_cast<double>(timeline->duration) * (1 - share) * 0.37;
        const TimeWindow window{from, static_cast<double>(timeline->duration) * share / width};
        if (window.perPixel < 2)
            QSKIP("closer than a view can zoom");
        QImage image(width, height, QImage::Format_RGB32);
        image.fill(countingPalette().background);
        painter.paintLane(image, image.rect(), data, 0, window);
        for (int x = 0; x < width; ++x) {
            const Nanoseconds a = window.at(x), b = window.at(x + 1);
            const auto busy = bruteForce(data.lane(0), a, b);
            std::map<QRgb, int> pixels;
            for (int y = 0; y < height; ++y)
                ++pixels[image.pixel(x, y) | 0xff000000U];
            double total = 0;
            for (std::size_t c = 0; c < categoryCount; ++c) {
                const double expected = busy[c] / static_cast<double>(b - a) * height;
                const int painted = pixels[countingPalette().category[c]];
                // Rounding both ends of a stacked piece costs less than a pixel, the minimum visible height one more.
                COMPARE_WITHIN(
                    painted, expected, 1.01,
                    QStringLiteral("column %1, category %2: %3 pixels for %4").arg(x).arg(c).arg(painted).arg(expected));
                total += expected;
            }
            const int covered = height - pixels[countingPalette().background];
            QVERIFY2(std::abs(covered - total) <= 0.51 || (total > 0 && total < 0.51 && covered == 1),
                     qPrintable(QStringLiteral("column %1: %2 pixels for %3").arg(x).arg(covered).arg(total)));
        }
    }

    void areaMatchesBusyTime() {
        const auto timeline = randomTimeline(3, 20000);
        const TimelineData data(timeline, 0, timeline->duration);
        TimelinePainter painter(countingPalette());
        painter.setSeparators(false);
        QImage image(1600, height, QImage::Format_RGB32);
        image.fill(countingPalette().background);
        painter.paintLane(image, image.rect(), data, 0, {0, static_cast<double>(timeline->duration) / 1600});
        double painted = 0, busy = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < 1600; ++x)
                painted += (image.pixel(x, y) | 0xff000000U) != countingPalette().background;
        for (const double b : bruteForce(data.lane(0), 0, timeline->duration))
            busy += b / static_cast<double>(timeline->duration);
        COMPARE_WITHIN(painted / (1600.0 * height), busy, 0.005);
    }

    void litSpansKeepTheirColour() {
        const auto timeline = randomTimeline(5, 30);
        const TimelineData data(timeline, 0, timeline->duration);
        const std::vector<std::uint8_t> lit{1, 0};
        TimelinePainter painter(countingPalette());
        painter.setSeparators(false);
        painter.setLit(&lit);
        QImage image(2000, height, QImage::Format_RGB32);
        image.fill(countingPalette().background);
        const TimeWindow window{0, static_cast<double>(timeline->duration) / 2000};
        painter.paintLane(image, image.rect(), data, 0, window);
        const LanePalette palette = countingPalette();
        for (std::size_t i = 0; i < data.lane(0).size(); ++i) {
            const int x = static_cast<int>(window.xOf((data.lane(0).start[i] + data.lane(0).end[i]) / 2));
            if (window.xOf(data.lane(0).end[i]) - window.xOf(data.lane(0).start[i]) < 3)
                continue;
            const std::size_t c = static_cast<std::size_t>(data.lane(0).category[i]) + (i % 2 == 0 ? 0 : categoryCount);
            QCOMPARE(image.pixel(x, 3) | 0xff000000U, palette.category[c]);
        }
    }

    void waitingIsHatched() {
        auto timeline = randomTimeline(5, 2, true);
        timeline->lanes[0].start = {0, 9000};
        timeline->lanes[0].end = {1000, 10000};
        const TimelineData data(timeline, 0, 10000);
        QImage image(100, height, QImage::Format_RGB32);
        image.fill(countingPalette().background);
        TimelinePainter(countingPalette()).paintLane(image, image.rect(), data, 0, {0, 100});
        int strokes = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 20; x < 80; ++x)
                strokes += (image.pixel(x, y) | 0xff000000U) == countingPalette().hatch;
        QCOMPARE(strokes, 60 * height / 6);
    }

    void paintsInsideItsRectangleOnly() {
        const auto timeline = randomTimeline(9, 500);
        const TimelineData data(timeline, 0, timeline->duration);
        QImage image(120, 60, QImage::Format_RGB32);
        for (const QRect &rect : {QRect(10, 20, 80, 18), QRect(0, -10, 120, 18), QRect(60, 50, 200, 18), QRect(0, 70, 120, 18)}) {
            image.fill(qRgb(200, 0, 0));
            TimelinePainter(countingPalette())
                .paintLane(image, rect, data, 0, {0, static_cast<double>(timeline->duration) / 100});
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (!rect.contains(x, y))
                        QCOMPARE(image.pixel(x, y), qRgb(200, 0, 0));
        }
    }

    void rulerIsRound() {
        const auto ticks = rulerTicks(-3e6, 104e6, 900);
        QVERIFY(ticks.size() >= 4 && ticks.size() <= 11);
        QCOMPARE(ticks.front().time, 0.0);
        QCOMPARE(ticks.front().label, QStringLiteral("0\u00a0ms"));
        QCOMPARE(formatTime(-14.6e6, 1e5), QStringLiteral("−14.6\u00a0ms"));
        QVERIFY(rulerTicks(0, 0, 900).empty());
    }

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

    void roundingIsNoDifference_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<bool>("same");
        QTest::newRow("equal") << 0.03 << 0.03 << true;
        QTest::newRow("nanoseconds of a spans' sum") << 0.03 << 0.030000004 << true;
        QTest::newRow("a steady state's last digits") << 0.721 << 0.72099607 << true;
        QTest::newRow("721 ms both, 0.0 %") << 0.721 << 0.7211 << true;
        QTest::newRow("1 s both, but 0.4 %") << 1.0 << 1.004 << false;
        QTest::newRow("less than 0.1 %, but another digit") << 0.72145 << 0.72155 << false;
        QTest::newRow("short, but ten times as long") << 2e-8 << 2e-7 << false;
        QTest::newRow("below the clock's resolution") << 0.0 << 5e-10 << true;
    }
    void roundingIsNoDifference() {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(bool, same);
        QCOMPARE(sameSeconds(from, to), same);
        QCOMPARE(secondsDeltaText(from, to) == QStringLiteral("0"), same);
    }
    void changesThatRoundToZeroHaveNoSign() {
        QCOMPARE(changeText(0.0004), QStringLiteral("0"));
        QCOMPARE(changeText(-0.0004), QStringLiteral("0"));
        QCOMPARE(changeText(0.0006), QStringLiteral("+0.1 %"));
    }
};

QTEST_MAIN(TestTimelinePainter)
#include "tst_timeline_painter.moc"
