// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto.h"
#include "engine/profile/torch/kineto_events.h"
#include "tests/foreign_traces.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <malloc.h>
#include <stop_token>
#include <string>
#include <thread>
#include <unistd.h>
#include <zlib.h>

// Budgets: >= 300 MB/s of uncompressed text, memory < 2x the kept events (docs/performance.md). CPU time of one core.

using namespace syncopate;

namespace {

constexpr std::size_t textBytes = 200'000'000;

/// The text of the A100 trace with its events repeated; empty when the trace is absent.
const std::string &repeatedTrace() {
    static const std::string text = [] {
        const std::string path = testing::foreignTrace("kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz");
        const auto once = readTextHead(path, std::size_t{1} << 26);
        if (!once)
            return std::string();
        const std::size_t open = once->find('[', once->find("\"traceEvents\""));
        const std::size_t end = once->find("\n  ]", open);
        const std::string events = once->substr(open + 1, end - open - 1);
        std::string all = once->substr(0, open + 1);
        while (all.size() < textBytes) {
            if (all.back() != '[')
                all += ',';
            all += events;
        }
        return all + "]}";
    }();
    return text;
}

/// Written once to a temporary file, plain or gzipped.
std::string temporaryFile(bool packed) {
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("bench_kineto_{}{}", getpid(), packed ? ".gz" : ".json")).string();
    if (packed) {
        const gzFile file = gzopen(path.c_str(), "wb6");
        for (std::size_t at = 0; at < repeatedTrace().size(); at += 1 << 20)
            gzwrite(file, repeatedTrace().data() + at,
                    static_cast<unsigned>(std::min<std::size_t>(1 << 20, repeatedTrace().size() - at)));
        gzclose(file);
    } else {
        std::ofstream(path, std::ios::binary) << repeatedTrace();
    }
    return path;
}

void readEvents(benchmark::State &state) {
    if (repeatedTrace().empty())
        return state.SkipWithError("the foreign A100 trace is absent");
    std::size_t events = 0, kept = 0, grown = 0;
    for (auto unused : state) {
        malloc_trim(0);
        const std::size_t before = mallinfo2().uordblks;
        const auto source = ByteSource::fromMemory(repeatedTrace());
        const auto trace = readTraceEvents(*source);
        if (!trace)
            return state.SkipWithError(trace.error().toString().c_str());
        events = trace->events.size();
        kept = trace->memoryBytes();
        grown = mallinfo2().uordblks - before;
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * repeatedTrace().size()));
    state.counters["events"] = static_cast<double>(events);
    state.counters["bytes_per_event"] = static_cast<double>(kept) / static_cast<double>(events);
    state.counters["heap_over_kept"] = static_cast<double>(grown) / static_cast<double>(kept);
}
BENCHMARK(readEvents)->Unit(benchmark::kMillisecond);

void importFile(benchmark::State &state) {
    if (repeatedTrace().empty())
        return state.SkipWithError("the foreign A100 trace is absent");
    const std::string path = temporaryFile(state.range(0) == 1);
    for (auto unused : state) {
        const auto profile = importProfile(path);
        if (!profile) {
            state.SkipWithError(profile.error().toString().c_str());
            break;
        }
        benchmark::DoNotOptimize(profile);
    }
    std::filesystem::remove(path);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * repeatedTrace().size()));
}
BENCHMARK(importFile)->Arg(0)->Arg(1)->ArgName("gzip")->Unit(benchmark::kMillisecond);

/// The longest wait for an answer after a stop is requested, at 24 moments of an import.
void cancelLatency(benchmark::State &state) {
    if (repeatedTrace().empty())
        return state.SkipWithError("the foreign A100 trace is absent");
    using Clock = std::chrono::steady_clock;
    const std::string path = temporaryFile(false);
    double longest = 0;
    int cancelled = 0;
    for (auto unused : state) {
        const auto begin = Clock::now();
        if (!importProfile(path)) {
            state.SkipWithError("the trace cannot be read");
            break;
        }
        const auto whole = Clock::now() - begin;
        for (int moment = 0; moment < 24; ++moment) {
            std::stop_source stop;
            Clock::time_point asked;
            std::thread asker([&] {
                std::this_thread::sleep_for(whole * moment / 24);
                asked = Clock::now();
                stop.request_stop();
            });
            const auto profile = importProfile(path, {}, stop.get_token());
            const auto answered = Clock::now();
            asker.join();
            cancelled += profile ? 0 : 1;
            if (!profile)
                longest = std::max(longest, std::chrono::duration<double, std::milli>(answered - asked).count());
        }
    }
    std::filesystem::remove(path);
    state.counters["longest_ms"] = longest;
    state.counters["cancelled"] = cancelled;
}
BENCHMARK(cancelLatency)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
