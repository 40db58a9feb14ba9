// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of lanes equal those of a plain painter, pixel by pixel: for one lane at any zoom, and for a whole pane at any screen
// resolution, painted at once or in pieces.
#include "engine/base/rng.h"
#include "tests/checks.h"
#include "tests/ui/plain_painter.h"
#include "ui/theme/theme.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QTest>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;
using syncopate::testing::PlainPainter;

namespace {

/// Spans of `least` to 20,000 times that length, crowded and single, with or without gaps.
Lane randomLane(Rng &rng, std::size_t spans, bool compute, double least) {
    Lane lane;
    lane.isCompute = compute;
    auto t = static_cast<Nanoseconds>(rng.uniform(0, 500));
    const std::size_t kinds = 1 + rng.next() % categoryCount;
    const bool gaps = rng.next() % 3 != 0;
    double scale = 0;
    for (std::size_t i = 0; i < spans; ++i) {
        if (i % 200 == 0)
            scale = rng.uniform(0, 8);
        t += gaps && rng.next() % 3 == 0 ? static_cast<Nanoseconds>(least * std::exp(rng.uniform(0, scale))) : 0;
        const auto end = t + 1 + static_cast<Nanoseconds>(least * std::exp(rng.uniform(0, scale + 2)));
        lane.start.push_back(t);
        lane.end.push_back(end);
        lane.category.push_back(static_cast<Category>(rng.next() % kinds));
        lane.label.push_back(static_cast<std::int32_t>(rng.next() % 3));
        lane.variable.push_back(-1);
        lane.task.push_back(0);
        lane.sizeBytes.push_back(0);
        t = end;
    }
    return lane;
}

std::shared_ptr<Timeline> timelineOf(std::vector<Lane> lanes) {
    auto timeline = std::make_shared<Timeline>();
    timeline->labels = {"one", "two", "three"};
    for (const Lane &lane : lanes)
        timeline->duration = std::max(timeline->duration, lane.end.empty() ? 0 : lane.end.back());
    timeline->lanes = std::move(lanes);
    return timeline;
}

/// The first difference of two pictures; empty: none.
QString differenceOf(const QImage &got, const QImage &want) {
    if (got.size() != want.size())
        return QStringLiteral("%1x%2 pixels for %3x%4").arg(got.width()).arg(got.height()).arg(want.width()).arg(want.height());
    for (int y = 0; y < got.height(); ++y)
        for (int x = 0; x < got.width(); ++x)
            if (got.pixel(x, y) != want.pixel(x, y))
                return QStringLiteral("pixel %1, %2: %3 for %4")
                    .arg(x)
                    .arg(y)
                    .arg(got.pixel(x, y), 8, 16, QLatin1Char('0'))
                    .arg(want.pixel(x, y), 8, 16, QLatin1Char('0'));
    return {};
}

} // namespace

class TestTimelinePixels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The reason looks the same whether the header above it is painted, too, or not.
    void aReasonHasAFontOfItsOwn() {
        const Theme theme;
        TimeAxis axis;
        TimelineView view(theme, axis, QStringLiteral("A"));
        QFont large = view.font();
        large.setPixelSize(24);
        view.setFont(large);
        view.resize(600, 200);
        view.setData(nullptr, QStringLiteral("This side was not simulated"));
        const QRect below = view.plotRect();
        QImage whole(view.size(), QImage::Format_RGB32), part(view.size(), QImage::Format_RGB32);
        view.render(&whole);
        view.render(&part, below.topLeft(), below);
        QCOMPARE(differenceOf(part.copy(below), whole.copy(below)), QString());
    }

    void lanesAreThoseOfThePlainPainter_data() {
        QTest::addColumn<int>("spans");
        QTest::addColumn<double>("share");
        for (const int spans : {0, 1, 7, 60, 500, 6000})
            for (const double share : {1.3, 1.0, 0.31, 0.02})
                QTest::addRow("%d spans, %g of it", spans, share) << spans << share;
    }
    void lanesAreThoseOfThePlainPainter() {
        QFETCH(int, spans);
        QFETCH(double, share);
        Theme theme;
        const LanePalette palette = LanePalette::of(theme);
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            Rng rng(seed);
            const auto timeline =
                timelineOf({randomLane(rng, static_cast<std::size_t>(spans), seed % 2 == 0, seed % 3 == 0 ? 1 : 30)});
            const std::vector<ChannelId> channels = seed % 4 == 0 ? std::vector{ChannelId(2)} : std::vector<ChannelId>();
            const TimelineData data(timeline, 0, timeline->duration, {}, 0, channels);
            const int width = 180;
            TimeWindow window{static_cast<double>(timeline->duration) * (1 - share) * rng.uniform(0, 1),
                              std::max(1.0, static_cast<double>(timeline->duration)) * share / width};
            if (seed % 5 == 0)
                window.perPixel = std::max(1.0, std::round(window.perPixel));
            for (const QRect &rect : {QRect(0, 0, width, 24), QRect(3, -9, width, 17), QRect(0, 20, width + 50, 13)})
                for (const bool lit : {false, true}) {
                    const std::vector<std::uint8_t> labels{1, 0, 1};
                    TimelinePainter painter(palette);
                    painter.setLit(lit ? &labels : nullptr);
                    QImage got(width + 10, 30, QImage::Format_RGB32);
                    got.fill(qRgb(1, 200, 3));
                    QImage want = got;
                    painter.paintLane(got, rect, data, 0, window);
                    PlainPainter(palette, lit ? &labels : nullptr).paintLane(want, rect, data, 0, window);
                    const QString difference = differenceOf(got, want);
                    QVERIFY2(
                        difference.isEmpty(),
                        qPrintable(
                            QStringLiteral("seed %1, lit %2, row %3: %4").arg(seed).arg(lit).arg(rect.top()).arg(difference)));
                }
        }
    }

    void panesAreGroundAndLanes_data() {
        QTest::addColumn<int>("ratio");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<bool>("pins");
        QTest::newRow("one pixel, all in sight") << 1 << 5 << false;
        QTest::newRow("two pixels, all in sight") << 2 << 5 << false;
        QTest::newRow("two pixels, scrolled") << 2 << 40 << false;
        QTest::newRow("two pixels, scrolled behind pins") << 2 << 40 << true;
        QTest::newRow("three pixels, pins") << 3 << 9 << true;
        QTest::newRow("large enough for threads") << 8 << 5 << false;
        QTest::newRow("large enough for threads, scrolled behind pins") << 8 << 40 << true;
    }
    /// Without labels: these spans have none.
    void panesAreGroundAndLanes() {
        QFETCH(int, ratio);
        QFETCH(int, lanes);
        QFETCH(bool, pins);
        Rng rng(17);
        std::vector<Lane> all;
        for (int l = 0; l < lanes; ++l) {
            all.push_back(randomLane(rng, 900, l % 3 == 0, 20));
            all.back().name = "worker " + std::to_string(l / 3) + " lane " + std::to_string(l % 3);
            all.back().worker = l / 3;
            all.back().label.assign(all.back().size(), -1);
        }
        const auto timeline = timelineOf(std::move(all));
        const auto data = std::make_shared<const TimelineData>(timeline, 1000, timeline->duration / 2);
        Theme theme;
        TimeAxis axis;
        axis.setBounds(0, static_cast<double>(timeline->duration));
        axis.setWindow(0.05 * static_cast<double>(timeline->duration), 0.4 * static_cast<double>(timeline->duration));
        TimelineView view(theme, axis, QStringLiteral("A"));
        view.setDraftLimit(-1);
        view.resize(500, 240);
        view.setPixelRatio(ratio);
        view.setData(data);
        if (pins) {
            view.setPinned(4, true);
            view.setPinned(1, true);
        }
        QImage image(view.size() * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        view.render(&image);
        if (lanes > 9) {
            view.findChild<QScrollBar *>()->setValue(53);
            view.render(&image);
        }

        const QRect plot = view.plotRect();
        const QRect area(plot.topLeft() * ratio, plot.size() * ratio);
        QImage want(area.size(), QImage::Format_RGB32);
        const auto [from, to] = axis.window();
        const auto ground = [&, from = from, to = to](int top, int bottom, ColorId color) {
            QPainter painter(&want);
            painter.fillRect(0, top, want.width(), bottom - top, theme.color(color));
            const auto mark = [&](double time, ColorId line) {
                painter.fillRect(static_cast<int>((time - from) / (to - from) * want.width()), top, 1, bottom - top,
                                 theme.color(line));
            };
            for (const Tick &tick : rulerTicks(from, to, plot.width()))
                mark(tick.time, ColorId::Grid);
            mark(0, ColorId::DimText);
            mark(static_cast<double>(data->iteration()), ColorId::DimText);
        };
        const PlainPainter painter(LanePalette::of(theme));
        const TimeWindow window{1000 + from, (to - from) / want.width()};
        const auto rows = [&](bool pinned) {
            for (const LaneLayout::Row &row : view.layout().rows())
                if (row.pinned == pinned)
                    painter.paintLane(
                        want, QRect(0, view.layout().topOf(row) * ratio, want.width(), view.layout().laneHeight() * ratio), *data,
                        row.lane, window);
        };
        ground(0, want.height(), ColorId::TimelineBackground);
        rows(false);
        if (pins) {
            const int height = view.layout().pinnedHeight() * ratio;
            ground(0, height, ColorId::TimelineBackground);
            ground(height - ratio, height, ColorId::Border);
            rows(true);
        }
        const QImage got = image.copy(area);
        const QString difference = differenceOf(got, want);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));

        // Repainting in pieces, as under a moving cursor, gives the same picture.
        for (int i = 0; i < 30; ++i) {
            const QRect piece = QRect(static_cast<int>(rng.uniform(0, 490)), static_cast<int>(rng.uniform(0, 230)),
                                      1 + static_cast<int>(rng.uniform(0, 60)), 1 + static_cast<int>(rng.uniform(0, 60))) &
                                view.rect();
            QImage part(piece.size() * ratio, QImage::Format_RGB32);
            part.setDevicePixelRatio(ratio);
            view.render(&part, QPoint(), QRegion(piece));
            const QImage whole = image.copy(QRect(piece.topLeft() * ratio, piece.size() * ratio));
            const QString odd = differenceOf(part, whole);
            QVERIFY2(odd.isEmpty(), qPrintable(QStringLiteral("piece at %1, %2: %3").arg(piece.x()).arg(piece.y()).arg(odd)));
        }
    }
};

QTEST_MAIN(TestTimelinePixels)
#include "tst_timeline_pixels.moc"
