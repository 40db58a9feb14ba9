// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/ui/random_timeline.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_painter.h"

#include <QTest>
#include <cmath>
#include <map>

using namespace syncopate;
using namespace syncopate::ui;
using namespace syncopate::testing;

namespace {

constexpr int height = 16;
constexpr int columns = 301;
constexpr double minPerPixel = 2; ///< nanoseconds; of shorter columns, some have no length to compare with

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
        for (const int spans : {1, 40, 1000, 60000}) {
            const auto whole = static_cast<double>(randomTimeline(7, static_cast<std::size_t>(spans))->duration);
            for (const double share : {1.0, 0.2, 0.003})
                if (whole * share / columns >= minPerPixel)
                    QTest::addRow("%d spans, %g of it", spans, share) << spans << share;
        }
    }

    void coversWhatBruteForceCovers() {
        QFETCH(int, spans);
        QFETCH(double, share);
        const auto timeline = randomTimeline(7, static_cast<std::size_t>(spans));
        const TimelineData data(timeline, 0, timeline->duration);
        TimelinePainter painter(countingPalette());
        painter.setSeparators(false);
        const double from = static_cast<double>(timeline->duration) * (1 - share) * 0.37;
        const TimeWindow window{from, static_cast<double>(timeline->duration) * share / columns};
        QImage image(columns, height, QImage::Format_RGB32);
        image.fill(countingPalette().background);
        painter.paintLane(image, image.rect(), data, 0, window);
        for (int x = 0; x < columns; ++x) {
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
        COMPARE_AT_LEAST(ticks.size(), 4);
        COMPARE_AT_MOST(ticks.size(), 11);
        QCOMPARE(ticks.front().time, 0.0);
        QCOMPARE(ticks.front().label, QStringLiteral("0\u00a0ms"));
        QCOMPARE(formatTime(-14.6e6, 1e5), QStringLiteral("−14.6\u00a0ms"));
        QVERIFY(rulerTicks(0, 0, 900).empty());
    }

    /// A ruler of 2 us far from zero ends: where doubles are 512 ns apart, as around 4e18, marks 200 ns apart are left out.
    void rulerFarFromZeroEnds() {
        QCOMPARE(rulerTicks(4e18, 4e18 + 2048, 900).size(), std::size_t{0});
        QCOMPARE(rulerTicks(-4e18 - 2048, -4e18, 900).size(), std::size_t{0});
        QCOMPARE(rulerTicks(1e15, 1e15 + 2000, 900).size(), std::size_t{11}); // each 200 ns, both ends included
    }
};

QTEST_MAIN(TestTimelinePainter)
#include "tst_timeline_painter.moc"
