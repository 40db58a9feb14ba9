// SPDX-License-Identifier: GPL-3.0-or-later
// A knob is dragged: time from the change of the bandwidth until each pane is painted with its new run, BERT-large on 16, 128 and
// 512 workers, parameter servers (A) beside all-reduce (B), in a 1920x1080 window. Wall time of the whole loop (worker threads
// included), median and 95th percentile over all steps, for each side. Balanced servers on 128 or more workers take seconds to
// minutes: there the next step does not wait for A ("both" 0), and B's times show whether A delays it.
#include "engine/job/catalogue.h"
#include "ui/session/sample.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <string>
#include <vector>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

void drag(benchmark::State &state) {
    Theme theme;
    MainWindow window(theme);
    window.resize(1920, 1080);
    window.show();
    SessionState scenario;
    scenario.source = "bert_large";
    scenario.job = std::make_shared<const Job>(*catalogueJob("bert_large"));
    scenario.clusterSource = "uniform";
    scenario.cluster = std::make_shared<const Cluster>(uniformCluster(static_cast<std::int32_t>(state.range(0)), 25));
    scenario.sides = {SideState{Built{state.range(1) == 0 ? "PS" : "PSLoadBalancing"}, "fifo(barrier=off)"},
                      SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}};
    const bool both = state.range(2) != 0;
    Session &session = window.session();
    session.change(scenario, QStringLiteral("open"));
    while (session.isStale(Side::B) || (both && session.isStale(Side::A)))
        QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
    QApplication::processEvents();
    std::array<std::vector<double>, 2> milliseconds;
    double gbits = 20;
    for (auto _ : state) {
        QElapsedTimer timer;
        timer.start();
        const std::array before{session.run(Side::A), session.run(Side::B)};
        SessionState next = session.state();
        next.bandwidthGbits = gbits += 0.01;
        session.preview(next);
        std::array<bool, 2> painted{};
        while (!painted[1] || (both && !painted[0])) {
            QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
            for (const Side side : {Side::A, Side::B}) {
                const std::size_t s = indexOf(side);
                if (painted[s] || session.isStale(side) || session.run(side) == before[s])
                    continue;
                window.view(side).repaint();
                painted[s] = true;
                milliseconds[s].push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
            }
        }
        QApplication::processEvents();
    }
    for (const Side side : {Side::A, Side::B}) {
        std::vector<double> &steps = milliseconds[indexOf(side)];
        if (steps.empty())
            continue;
        std::sort(steps.begin(), steps.end());
        const std::string name = side == Side::A ? "A" : "B";
        state.counters["p50_ms_" + name] = steps[steps.size() / 2];
        state.counters["p95_ms_" + name] = steps[steps.size() * 95 / 100];
    }
}

} // namespace

BENCHMARK(drag)
    ->ArgNames({"workers", "balanced", "both"})
    ->Args({16, 0, 1})
    ->Args({16, 1, 1})
    ->Args({128, 0, 1})
    ->Args({512, 0, 1})
    ->Args({128, 1, 0})
    ->Args({512, 1, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Iterations(300);

int main(int argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
