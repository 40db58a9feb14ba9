// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/archive.h"
#include "engine/profile/autograd/autograd_trace.h"
#include "engine/profile/chakra/chakra.h"
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/pipedream/pipedream.h"
#include "engine/profile/profile.h"
#include "engine/profile/tensorflow/tensorflow.h"
#include "engine/profile/variables/variable_list.h"
#include "tests/foreign_traces.h"

#include <algorithm>
#include <atomic>
#include <benchmark/benchmark.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <malloc.h>
#include <string>
#include <thread>

// MB/s of CPU time from bytes to a job, and the heap's peak relative to the input's size, for every reader but Kineto's
// (bench_kineto.cpp). Inputs are real files, their events repeated if they are short; missing ones are skipped.

using namespace syncopate;

namespace {

const std::string traces = testing::foreignTrace("");

std::string contentOf(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The heap's peak while this object lived, above its initial size: sampled every half millisecond.
class HeapPeak {
public:
    HeapPeak()
        : m_before(used()), m_sampler([this](const std::stop_token &stop) {
              while (!stop.stop_requested()) {
                  m_peak = std::max(m_peak.load(), used());
                  std::this_thread::sleep_for(std::chrono::microseconds(500));
              }
          }) {}
    [[nodiscard]] double megabytes() const { return static_cast<double>(m_peak - std::min(m_before, m_peak.load())) * 1e-6; }

private:
    static std::size_t used() {
        const auto info = mallinfo2();
        return info.uordblks + info.hblkhd;
    }
    std::size_t m_before;
    std::atomic<std::size_t> m_peak{0};
    std::jthread m_sampler;
};

template <class Read> void measure(benchmark::State &state, std::size_t bytes, Read &&read) {
    if (bytes == 0)
        return state.SkipWithError("its foreign trace is absent");
    double peak = 0;
    {
        const HeapPeak heap;
        if (const std::string error = read(); !error.empty())
            return state.SkipWithError(error.c_str());
        peak = heap.megabytes();
    }
    for (auto unused : state)
        benchmark::DoNotOptimize(read());
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
    state.counters["input_MB"] = static_cast<double>(bytes) * 1e-6;
    state.counters["peak_MB"] = peak;
}

template <class T> std::string errorOf(const Result<T> &result) { return result ? std::string() : result.error().toString(); }

/// A real timeline, its events repeated `times` times, each copy a second later.
std::string repeatedTimeline(int times) {
    const std::string once = contentOf(traces + "tf_timeline/anna_cpu_train_timeline.json");
    const std::size_t open = once.find('['), end = once.rfind(']');
    if (open == std::string::npos || end == std::string::npos)
        return {};
    const std::string events = once.substr(open + 1, end - open - 1);
    std::string all = once.substr(0, open + 1);
    for (int i = 0; i < times; ++i) {
        std::string copy = events;
        const std::string from = "14969567932", to = fmt::format("{}", 14969567932 + 10 * i);
        for (std::size_t at = copy.find(from); at != std::string::npos; at = copy.find(from, at + to.size()))
            copy.replace(at, from.size(), to);
        all += (i > 0 ? "," : "") + copy;
    }
    return all + once.substr(end);
}

void tensorFlowTimeline(benchmark::State &state) {
    const std::string text = repeatedTimeline(static_cast<int>(state.range(0)));
    measure(state, text.size(), [&] {
        const auto source = ByteSource::fromMemory(text);
        const auto graph = readTensorFlowTimeline(*source, "timeline.json");
        return graph ? errorOf(importOpGraphs({*graph}, "timeline.json")) : graph.error().toString();
    });
}
BENCHMARK(tensorFlowTimeline)->Arg(1)->Arg(100)->ArgName("copies")->Unit(benchmark::kMillisecond);

void autogradExport(benchmark::State &state) {
    std::string text = "[";
    for (int step = 0; step < 2000; ++step) {
        for (int op = 0; op < 40; ++op) {
            const char *const name = op < 20 ? "aten::addmm" : "AddmmBackward";
            text += fmt::format(
                R"({}{{"name": "{}", "ph": "X", "ts": {}.25, "dur": 4.5, "tid": {}, "pid": "CPU functions", "args": {{}}}})",
                text.size() > 1 ? ", " : "", name, step * 1000 + op * 5, op < 20 ? 1 : 2);
        }
        text += fmt::format(
            R"(, {{"name": "Optimizer.step#SGD.step", "ph": "X", "ts": {}, "dur": 9, "tid": 1, "pid": "CPU functions", "args": {{}}}})",
            step * 1000 + 300);
    }
    text += "]";
    measure(state, text.size(), [&] {
        const auto source = ByteSource::fromMemory(text);
        return errorOf(importAutogradTrace(*source, "legacy.json"));
    });
}
BENCHMARK(autogradExport)->Unit(benchmark::kMillisecond);

void nsightExport(benchmark::State &state) {
    const std::string path = traces + "nsys_sqlite/mfu_2gpu_before.sqlite";
    std::error_code absent;
    const auto size = std::filesystem::file_size(path, absent);
    measure(state, absent ? 0 : size, [&] { return errorOf(measureNsightOverlap(path)); });
}
BENCHMARK(nsightExport)->Unit(benchmark::kMillisecond);

void chakraTrace(benchmark::State &state) {
    std::string content;
    const auto take = [&](const std::string &name, std::unique_ptr<ByteSource> source) -> Result<Walk> {
        if (name.ends_with("/chakra.0.et"))
            content = readHead(*source, std::size_t{1} << 28).value_or(std::string());
        return {};
    };
    [[maybe_unused]] const auto found = forEachPart(traces + "chakra_et/chakra_resnet_linked_et.tar.gz", take);
    measure(state, content.size(), [&] {
        const auto source = ByteSource::fromMemory(content);
        return errorOf(importChakra(*source, "chakra.0.et"));
    });
}
BENCHMARK(chakraTrace)->Unit(benchmark::kMillisecond);

void pipeDreamLayers(benchmark::State &state) {
    const std::string text = contentOf(traces + "layer_profiles/pipedream/densenet121_graph.txt");
    measure(state, text.size(), [&] { return errorOf(importPipeDream(text, "graph.txt")); });
}
BENCHMARK(pipeDreamLayers)->Unit(benchmark::kMillisecond);

void variableList(benchmark::State &state, const std::string &file) {
    const std::string path = traces + "model_vars/" + file;
    std::error_code absent;
    const auto size = std::filesystem::file_size(path, absent);
    measure(state, absent ? 0 : size, [&] { return errorOf(readVariableList(path)); });
}
BENCHMARK_CAPTURE(variableList, onnx, "onnx/light_resnet50.onnx")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(variableList, tensors, "tensor_list/dsv3-toy.model.json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(variableList, checkpoint, "tf_ckpt/half_plus_two_cpu.index")->Unit(benchmark::kMillisecond);

/// An ONNX model that contains its weights, 200 MB: they are skipped, never kept.
void onnxWithWeights(benchmark::State &state) {
    const auto varint = [](std::uint64_t value) {
        std::string text;
        for (; value >= 0x80; value >>= 7)
            text += static_cast<char>(value | 0x80);
        return text + static_cast<char>(value);
    };
    const auto field = [&](int number, const std::string &content) {
        return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(content.size()) + content;
    };
    std::string graph;
    for (int i = 0; i < 50; ++i)
        graph += field(5, std::string("\x08\x80\x89\x7a\x10\x01", 6) + field(8, fmt::format("w{}", i)) +
                              field(9, std::string(4'000'000, 'x')));
    const std::string model = std::string("\x08\x07", 2) + field(7, graph);
    measure(state, model.size(), [&] {
        const auto source = ByteSource::fromMemory(model);
        return errorOf(readOnnx(*source));
    });
}
BENCHMARK(onnxWithWeights)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
