// SPDX-License-Identifier: GPL-3.0-or-later
// A frame of timelines of 1 and 10 million spans on 64 lanes, 1600x900 in total, software raster: the whole panes (lanes, labels,
// gutter, ruler, overlay) are painted into an image, panned by 7 pixels every frame so that nothing is cached. Two panes are two
// timelines above each other, as A and B, each with all of the spans. "draft" paints as while the window moves. CPU time.
#include "engine/base/rng.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <benchmark/benchmark.h>
#include <cmath>
#include <map>
#include <memory>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

constexpr int lanes = 64;

std::shared_ptr<const Timeline> makeTimeline(std::size_t spans) {
    Rng rng(1);
    auto timeline = std::make_shared<Timeline>();
    for (int i = 0; i < 500; ++i)
        timeline->labels.push_back("conv" + std::to_string(i) + "/kernel");
    for (int l = 0; l < lanes; ++l) {
        Lane lane;
        lane.name = "worker " + std::to_string(l / 4) + (l % 4 == 0 ? " compute" : " push " + std::to_string(l % 4));
        lane.worker = l / 4;
        lane.isCompute = l % 4 == 0;
        Nanoseconds t = 0;
        for (std::size_t i = 0; i < spans / lanes; ++i) {
            t += rng.next() % 4 == 0 ? static_cast<Nanoseconds>(rng.uniform(0, 60000)) : 0;
            const auto end = t + 1 + static_cast<Nanoseconds>(std::exp(9 + rng.uniform(-1.5, 1.5)));
            lane.start.push_back(t);
            lane.end.push_back(end);
            lane.category.push_back(lane.isCompute ? static_cast<Category>(i / 100 % 3)
                                                   : static_cast<Category>(3 + rng.next() % 3));
            lane.label.push_back(static_cast<std::int32_t>(rng.next() % 500));
            lane.variable.push_back(-1);
            lane.task.push_back(0);
            lane.sizeBytes.push_back(4096);
            t = end;
        }
        timeline->duration = std::max(timeline->duration, t);
        timeline->lanes.push_back(std::move(lane));
    }
    return timeline;
}

const std::shared_ptr<const TimelineData> &timelineOf(std::int64_t millions) {
    static std::map<std::int64_t, std::shared_ptr<const TimelineData>> made;
    auto &data = made[millions];
    if (!data) {
        const auto timeline = makeTimeline(static_cast<std::size_t>(millions) * 1000000);
        data = std::make_shared<const TimelineData>(timeline, 0, timeline->duration);
    }
    return data;
}

void frame(benchmark::State &state) {
    static Theme theme;
    const auto data = timelineOf(state.range(0));
    const auto panes = static_cast<std::size_t>(state.range(1));
    const auto ratio = static_cast<int>(state.range(2));
    TimeAxis axis;
    const auto duration = static_cast<double>(data->timeline().duration);
    const double width = duration / static_cast<double>(state.range(3));
    axis.setBounds(0, duration);
    axis.setWindow(duration / 3, duration / 3 + width);
    std::vector<std::unique_ptr<TimelineView>> views;
    const QSize size(1600, 900 / static_cast<int>(panes));
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    for (std::size_t p = 0; p < panes; ++p) {
        auto &view = views.emplace_back(std::make_unique<TimelineView>(theme, axis, QStringLiteral("A")));
        view->resize(size);
        view->setPixelRatio(ratio);
        view->setTitle(QStringLiteral("AllReduce(chunk_size=128)"), QStringLiteral("ddp"));
        view->setData(data);
        view->setDraftLimit(state.range(4) != 0 ? 0 : -1);
        view->render(&image);
    }
    const double shift = 7 * width / 1430;
    int step = 0;
    for (auto _ : state) {
        axis.pan(++step % 100 < 50 ? shift : -shift);
        for (const auto &view : views)
            view->render(&image);
    }
}

void index(benchmark::State &state) {
    const auto timeline = makeTimeline(1000000);
    for (auto _ : state) {
        const TimelineData data(timeline, 0, timeline->duration);
        benchmark::DoNotOptimize(data.laneCount());
    }
}

} // namespace

BENCHMARK(frame)
    ->ArgNames({"Mspans", "panes", "dpr", "zoom", "draft"})
    ->ArgsProduct({{1, 10}, {1, 2}, {1, 2}, {1, 32, 1000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(index)->Unit(benchmark::kMillisecond);

int main(int argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
