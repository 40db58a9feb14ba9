// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of overlapping transfers as one strip: which lanes form one, its height, position and painting.
#include "engine/analyze/link_loads.h"
#include "engine/base/rng.h"
#include "tests/checks.h"
#include "tests/scenarios.h"
#include "ui/session/shown_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_picture.h"

#include <QTest>
#include <algorithm>
#include <array>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

Lane laneOf(const std::string &name, std::int32_t worker, bool isCompute = false) {
    Lane lane;
    lane.name = name;
    lane.worker = worker;
    lane.isCompute = isCompute;
    return lane;
}

void add(Lane &lane, Nanoseconds start, Nanoseconds end, double bytes, Category category = Category::Push) {
    lane.start.push_back(start);
    lane.end.push_back(end);
    lane.category.push_back(category);
    lane.label.push_back(0);
    lane.variable.push_back(-1);
    lane.task.push_back(0);
    lane.sizeBytes.push_back(bytes);
}

/// Two workers; the first has three lanes of pushes, the second a lane named like a fourth one.
std::shared_ptr<Timeline> twoWorkers() {
    auto timeline = std::make_shared<Timeline>();
    timeline->labels = {"w"};
    for (const char *name : {"worker 0 compute", "worker 0 push", "worker 0 push 2", "worker 0 push 3", "worker 0 pull"})
        timeline->lanes.push_back(laneOf(name, 0, std::string(name).ends_with("compute")));
    timeline->lanes.push_back(laneOf("worker 0 push 4", 1));
    timeline->lanes.push_back(laneOf("worker 1 pull", 1));
    for (Lane &lane : timeline->lanes)
        add(lane, 0, 1000, 1);
    timeline->duration = 1000;
    return timeline;
}

} // namespace

class TestLaneStrips : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stacksAreNeighboursOfOneWorker() {
        const auto timeline = twoWorkers();
        const LaneStacks stacks(*timeline);
        const std::vector<std::size_t> sizes{1, 3, 0, 0, 1, 1, 1}, firsts{0, 1, 1, 1, 4, 5, 6};
        for (std::size_t l = 0; l < timeline->lanes.size(); ++l) {
            QCOMPARE(stacks.size(l), sizes[l]);
            QCOMPARE(stacks.first(l), firsts[l]);
        }
    }

    /// Time in which two streams compute at once counts once; other workers and other work do not count. Compared with a count of
    /// all nanoseconds.
    void streamsThatComputeAtOnceAreBusyOnce() {
        auto timeline = std::make_shared<Timeline>();
        timeline->labels = {"w"};
        timeline->duration = 100;
        for (const std::int32_t worker : {0, 0, 1})
            timeline->lanes.push_back(laneOf("stream", worker, true));
        add(timeline->lanes[0], 0, 40, 0, Category::Forward);
        add(timeline->lanes[0], 50, 70, 0, Category::Copy);
        add(timeline->lanes[0], 80, 90, 0, Category::Backward);
        add(timeline->lanes[1], 10, 60, 0, Category::Backward);
        add(timeline->lanes[1], 85, 100, 0, Category::Update);
        add(timeline->lanes[2], 0, 100, 0, Category::Forward);
        const TimelineData data(timeline, 0, 100);
        for (Nanoseconds from = 0; from < 100; from += 7)
            for (Nanoseconds to = from; to <= 100; to += 5) {
                Nanoseconds want = 0;
                for (Nanoseconds t = from; t < to; ++t)
                    want += std::ranges::any_of(std::array{0, 1}, [&](int l) {
                        const Lane &lane = timeline->lanes[static_cast<std::size_t>(l)];
                        for (std::size_t i = 0; i < lane.size(); ++i)
                            if (isCompute(lane.category[i]) && lane.start[i] <= t && t < lane.end[i])
                                return true;
                        return false;
                    });
                QCOMPARE(data.computeBusy(0, from, to), want);
            }
        QCOMPARE(data.computeBusy(0, 0, 100), Nanoseconds{80});
        QCOMPARE(data.computeBusy(1, 0, 100), Nanoseconds{100});
    }

    /// The same with more spans than one block of an index, which touch, overlap and contain each other: compared with a count of
    /// all nanoseconds before each.
    void manyStreamsAreBusyOnce() {
        constexpr Nanoseconds duration = 5000;
        Rng rng(11);
        auto timeline = std::make_shared<Timeline>();
        timeline->labels = {"w"};
        timeline->duration = duration;
        std::vector<bool> computes(duration);
        for (int stream = 0; stream < 5; ++stream) {
            timeline->lanes.push_back(laneOf("stream", 3, true));
            for (Nanoseconds start = static_cast<Nanoseconds>(rng.uniform(0, 60)); start < duration - 100;) {
                const auto end = start + 1 + static_cast<Nanoseconds>(rng.uniform(0, stream == 0 ? 90 : 12));
                const Category category = rng.uniform(0, 1) < 0.2 ? Category::Copy : Category::Backward;
                add(timeline->lanes.back(), start, end, 0, category);
                for (Nanoseconds t = start; isCompute(category) && t < end; ++t)
                    computes[static_cast<std::size_t>(t)] = true;
                start = end + static_cast<Nanoseconds>(rng.uniform(0, 100));
            }
        }
        std::vector<Nanoseconds> before{0};
        for (const bool is : computes)
            before.push_back(before.back() + (is ? 1 : 0));
        COMPARE_ABOVE(before.back(), Nanoseconds{1000});
        COMPARE_BELOW(before.back(), Nanoseconds{4000});
        const TimelineData data(timeline, 0, duration);
        for (int k = 0; k < 500; ++k) {
            const auto from = static_cast<Nanoseconds>(rng.uniform(0, duration));
            const auto to = static_cast<Nanoseconds>(rng.uniform(static_cast<double>(from), duration));
            QCOMPARE(data.computeBusy(3, from, to),
                     before[static_cast<std::size_t>(to)] - before[static_cast<std::size_t>(from)]);
        }
        QCOMPARE(data.computeBusy(0, 0, duration), Nanoseconds{0});
    }

    /// Compared with the sum over all spans, over windows that cut them anywhere.
    void aStripIsTheSumOfItsTransfers() {
        Rng rng(7);
        constexpr double capacity = 5e8;
        std::vector<Lane> lanes(5);
        for (Lane &lane : lanes) {
            Nanoseconds t = 0;
            for (int i = 0; i < 300; ++i) {
                t += static_cast<Nanoseconds>(rng.uniform(0, 900));
                const auto end = t + 1 + static_cast<Nanoseconds>(rng.uniform(0, 2000));
                add(lane, t, end, rng.uniform(1, 400));
                t = end;
            }
        }
        std::vector<const Lane *> pointers;
        for (const Lane &lane : lanes)
            pointers.push_back(&lane);
        const LaneStrip strip(pointers, capacity), busy(pointers, 0);
        for (int k = 0; k < 200; ++k) {
            const auto from = static_cast<Nanoseconds>(rng.uniform(-1000, 300000));
            const auto to = from + 1 + static_cast<Nanoseconds>(rng.uniform(0, k % 2 == 0 ? 100 : 200000));
            double bytes = 0, busyLanes = 0;
            for (const Lane &lane : lanes)
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    const auto within =
                        static_cast<double>(std::max<Nanoseconds>(0, std::min(to, lane.end[i]) - std::max(from, lane.start[i])));
                    bytes += lane.sizeBytes[i] * within / static_cast<double>(lane.end[i] - lane.start[i]);
                    busyLanes += within / 5;
                }
            const auto length = static_cast<double>(to - from);
            COMPARE_WITHIN(strip.share(from, to), bytes / (capacity * length * 1e-9), 1e-9);
            COMPARE_WITHIN(busy.share(from, to), busyLanes / length, 1e-9);
        }
        QVERIFY(strip.isOfLink() && !busy.isOfLink());
        QCOMPARE(LaneStrip({}, 1).share(0, 10), 0.0);
    }

    /// A worker without a server sends only its pushes over its NIC: the strip is the load of the link.
    void aStripIsTheLoadOfTheLink() {
        std::vector<testing::LayerSpec> layers(12, {0.001, 0.002, 800000});
        Scenario scenario;
        scenario.job = std::make_shared<const Job>(testing::chainJob(layers));
        scenario.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
        const auto devices = scenario.cluster->reductionDevices();
        scenario.strategy = std::make_shared<const Strategy>(testing::parameterServers(*scenario.job, {devices[0], devices[1]}));
        const auto run = *simulate(scenario);
        const ShownRun shown(run);
        const LinkLoads loads(*run);
        const auto workerClass = static_cast<std::int32_t>(run->graph.workerNames.size()) - 1;
        const NodeLinks links = linksOfNodes(*run).back();
        int compared = 0;
        for (std::size_t l = 0; l < shown.timeline().laneCount(); ++l) {
            const Lane &lane = shown.timeline().lane(l);
            if (lane.worker != workerClass || !shown.timeline().strip(l))
                continue;
            const bool isPull = lane.category.front() == Category::Pull;
            const double end = static_cast<double>(run->timeline.duration) * 1e-9;
            COMPARE_CLOSE(shown.timeline().strip(l)->share(0, run->timeline.duration),
                          loads.share(isPull ? links.receive : links.transmit, 0, end), 1e-6);
            QVERIFY(shown.timeline().strip(l)->isOfLink());
            ++compared;
        }
        COMPARE_ABOVE(compared, 0);
    }

    void stripsAreOneRowUnlessExpanded() {
        const TimelineData data(twoWorkers(), 0, 1000);
        LaneLayout layout;
        const auto rows = [&](const LaneArrangement &arrangement) {
            layout.layOut(&data, arrangement, 400);
            std::vector<std::size_t> lanes;
            for (const LaneLayout::Row &row : layout.rows())
                lanes.push_back(row.lane);
            return lanes;
        };
        QCOMPARE(rows({}), (std::vector<std::size_t>{0, 1, 4, 5, 6}));
        QVERIFY(layout.rowOf(3).isStrip() && layout.rowOf(3).lane == 1 && layout.isHidden(3));
        QCOMPARE(layout.rowOf(1).lanes, std::size_t{3});
        QCOMPARE(rows({{}, {}, {}, {"worker 0 push"}}), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
        QVERIFY(!layout.rowOf(1).isStrip() && !layout.isHidden(3));
        // A pinned transfer stays separate; a collapsed worker hides its strips.
        QCOMPARE(rows({{"worker 0 push 2"}, {}, {}, {}}), (std::vector<std::size_t>{2, 0, 1, 4, 5, 6}));
        QCOMPARE(rows({{}, {}, {"worker 0 compute"}, {}}), (std::vector<std::size_t>{0, 5, 6}));
        QCOMPARE(layout.rowOf(3).lane, std::size_t{0});
    }

    void lanesWithoutSpansAreLeftOut() {
        const auto timeline = twoWorkers();
        timeline->lanes[4].start.clear(); // worker 0 pull
        timeline->lanes[4] = laneOf("worker 0 pull", 0);
        timeline->lanes[5] = laneOf("worker 0 push 4", 1); // the first lane of its worker determines that there is one
        const TimelineData data(timeline, 0, 1000);
        LaneLayout layout;
        layout.layOut(&data, {}, 400);
        std::vector<std::size_t> lanes;
        for (const LaneLayout::Row &row : layout.rows())
            lanes.push_back(row.lane);
        QCOMPARE(lanes, (std::vector<std::size_t>{0, 1, 5, 6}));
    }

    /// The height in pixels of a column is the link's share, highlighted spans at the bottom.
    void aStripIsPaintedAsHighAsItsShare() {
        auto timeline = std::make_shared<Timeline>();
        timeline->labels = {"lit", "quiet"};
        timeline->lanes = {laneOf("worker 0 push", 0), laneOf("worker 0 push 2", 0)};
        add(timeline->lanes[0], 0, 1000, 50);
        add(timeline->lanes[1], 500, 1000, 10);
        timeline->lanes[1].label[0] = 1;
        timeline->duration = 2000;
        const TimelineData data(timeline, 0, 2000, {}, 0, {}, {100e6, 100e6}); // 100 bytes per microsecond
        LanePalette palette;
        palette.background = qRgb(0, 0, 0);
        for (std::size_t c = 0; c < palette.category.size(); ++c)
            palette.category[c] = qRgb(255, static_cast<int>(c), 0);
        QImage image(20, 20, QImage::Format_RGB32);
        const auto painted = [&](int x) {
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y)
                pixels += image.pixel(x, y) != palette.background ? 1 : 0;
            return pixels;
        };
        TimelinePainter painter(palette);
        image.fill(palette.background);
        painter.paintStrip(image, image.rect(), data, 0, {0, 100});
        QCOMPARE(painted(2), 10); // 50 of 100 bytes per microsecond
        QCOMPARE(painted(7), 14); // and 20 more
        QCOMPARE(painted(12), 0);
        image.fill(palette.background);
        painter.paintStrip(image, image.rect(), data, 0, {600, 2}); // columns of two nanoseconds
        QCOMPARE(painted(3), 14);
        image.fill(palette.background);
        painter.paintStrip(image, image.rect(), data, 0, {600, 0.4}); // a nanosecond in two or three columns
        for (int x = 0; x < image.width(); ++x)
            QCOMPARE(painted(x), 14);
        const std::vector<std::uint8_t> lit{1, 0};
        painter.setLit(&lit);
        image.fill(palette.background);
        painter.paintStrip(image, image.rect(), data, 0, {0, 100});
        QCOMPARE(painted(7), 14);
        constexpr auto push = static_cast<int>(Category::Push);
        QCOMPARE(qGreen(image.pixel(7, 19 - 9)), push);
        QCOMPARE(qGreen(image.pixel(7, 19 - 12)), push + static_cast<int>(categoryCount));
        painter.paintStrip(image, image.rect(), data, 0, {600, 0.4});
        for (int x = 0; x < image.width(); ++x) {
            QCOMPARE(qGreen(image.pixel(x, 19 - 9)), push);
            QCOMPARE(qGreen(image.pixel(x, 19 - 12)), push + static_cast<int>(categoryCount));
        }
    }

    /// A pane that is aligned by an event looks as one whose times are all earlier by its offset: lanes, names, waits and strips.
    void aPictureShowsAPaneAtItsOffset() {
        const auto painted = [](Nanoseconds earlier, double offset) {
            auto timeline = std::make_shared<Timeline>();
            timeline->labels = {"conv1"};
            timeline->lanes = {laneOf("worker 0 compute", 0, true), laneOf("worker 0 push", 0), laneOf("worker 0 push 2", 0)};
            add(timeline->lanes[0], 500 - earlier, 700 - earlier, 0, Category::Forward);
            add(timeline->lanes[0], 900 - earlier, 950 - earlier, 0, Category::Backward);
            add(timeline->lanes[1], 600 - earlier, 1000 - earlier, 50);
            add(timeline->lanes[2], 800 - earlier, 1000 - earlier, 50);
            timeline->duration = 1000 - earlier;
            const auto data = std::make_shared<const TimelineData>(timeline, 0, 1000);
            const TimelinePicture picture({}, {{QStringLiteral("B"), {}, {}, data, {}, offset}}, 0, 1000);
            QImage image(picture.size(), QImage::Format_RGB32);
            QPainter painter(&image);
            picture.paint(painter, ThemeColors{true}, false, 1);
            return image;
        };
        const QImage want = painted(400, 0);
        QVERIFY(painted(0, 400) == want);
        QVERIFY(painted(0, 0) != want);
    }

    /// Thousands of rows would not fit a picture that viewers or printers accept.
    void picturesAreOfABoundedHeight() {
        const auto lanes = [](int count) {
            auto timeline = std::make_shared<Timeline>();
            timeline->labels = {"w"};
            for (int w = 0; w < count; ++w) {
                timeline->lanes.push_back(laneOf("worker " + std::to_string(w), w));
                add(timeline->lanes.back(), 0, 1000, 1);
            }
            timeline->duration = 1000;
            return std::make_shared<const TimelineData>(timeline, 0, 1000);
        };
        const auto pane = [&](int count) { return PicturePane{QStringLiteral("A"), {}, {}, lanes(count)}; };
        const TimelinePicture small({}, {pane(3), pane(20)}, 0, 1000);
        QCOMPARE(small.leftOut(0) + small.leftOut(1), std::size_t{0});
        const TimelinePicture high({}, {pane(3), pane(3000)}, 0, 1000);
        QVERIFY2(high.size().height() <= TimelinePicture::mostHeight && high.size().height() > TimelinePicture::mostHeight - 60,
                 qPrintable(QString::number(high.size().height())));
        QCOMPARE(high.leftOut(0), std::size_t{0});
        QVERIFY(high.leftOut(1) > 2000 && high.leftOut(1) < 3000);
        const TimelinePicture both({}, {pane(3000), pane(4000)}, 0, 1000);
        COMPARE_AT_MOST(both.size().height(), TimelinePicture::mostHeight);
        COMPARE_WITHIN(static_cast<double>(4000 - both.leftOut(1)), static_cast<double>(3000 - both.leftOut(0)), 1);
        QImage image(high.size(), QImage::Format_RGB32);
        QPainter painter(&image);
        high.paint(painter, ThemeColors{true}, false, 1);
    }
};

QTEST_MAIN(TestLaneStrips)
#include "tst_lane_strips.moc"
