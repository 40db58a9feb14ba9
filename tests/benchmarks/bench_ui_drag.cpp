// SPDX-License-Identifier: GPL-3.0-or-later
// A knob is dragged: from the change of the bandwidth to both panes painted with the new runs, BERT-large on 16 workers,
// parameter server beside all-reduce, in a 1920x1080 window. Wall time of the whole loop (worker threads included), median
// and 95th percentile over all steps.
#include "engine/job/catalogue.h"
#include "ui/session/sample.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <algorithm>
#include <benchmark/benchmark.h>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

void settle(MainWindow &window) {
    while (window.session().isStale() || window.session().isLoading())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
}

void drag(benchmark::State &state) {
    Theme theme;
    MainWindow window(theme);
    window.resize(1920, 1080);
    window.show();
    SessionState scenario;
    scenario.source = "bert_large";
    scenario.job = std::make_shared<const Job>(*catalogueJob("bert_large"));
    scenario.clusterSource = "uniform";
    scenario.cluster = std::make_shared<const Cluster>(uniformCluster(16, 25));
    scenario.sides = {SideState{Built{state.range(0) == 0 ? "PS" : "PSLoadBalancing"}, "fifo(barrier=off)"},
                      SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}};
    window.session().change(scenario, QStringLiteral("open"));
    settle(window);
    QApplication::processEvents();
    std::vector<double> milliseconds;
    double gbits = 20;
    for (auto _ : state) {
        QElapsedTimer timer;
        timer.start();
        SessionState next = window.session().state();
        next.bandwidthGbits = gbits += 0.01;
        window.session().preview(next);
        settle(window);
        for (const Side side : {Side::A, Side::B})
            window.view(side).repaint();
        milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        QApplication::processEvents();
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    state.counters["p50_ms"] = milliseconds[milliseconds.size() / 2];
    state.counters["p95_ms"] = milliseconds[milliseconds.size() * 95 / 100];
}

} // namespace

BENCHMARK(drag)
    ->ArgName("balanced")
    ->Arg(0)
    ->Arg(1)
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
