// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/torch/kineto.h"

#include <fmt/format.h>
#include <string>
#include <vector>
#include <zlib.h>

/// Hand-made traces with known answers: one training step of two layers (a convolution with a weight of 6 elements, a
/// normalisation with a weight of 2), two gradient all-reduces, an optimizer step. Times in microseconds.
namespace tiny {

struct Spelling {
    std::string op = "cpu_op", annotation = "user_annotation", runtime = "cuda_runtime", kernel = "kernel";
    std::string process = "10", mainThread = "1", backwardThread = "2", stream = "7";
    std::string externalId = "External id";
    bool shapes = true, metadata = true, step = true;
    double base = 1000;
    std::string suffix; ///< appended to integer times, ".000" makes them decimals
};

inline std::string host(const Spelling &s, const std::string &category, const std::string &thread, const std::string &name,
                        double at, double length, const std::string &args) {
    return fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {:.0f}{}, "dur": {:.0f}{}, "args": {{{}}}}})",
        category, name, s.process, thread, s.base + at, s.suffix, length, s.suffix, args);
}

inline std::string device(const Spelling &s, const std::string &stream, const std::string &name, double at, double length,
                          int correlation, const std::string &more = {}) {
    return fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": "stream {}", "ts": {:.0f}{}, "dur": {:.0f}{}, "args": {{"device": 0, "stream": {}, "correlation": {}{}}}}})",
        s.kernel, name, stream, s.base + at, s.suffix, length, s.suffix, stream, correlation, more);
}

inline std::string launch(const Spelling &s, const std::string &thread, double at, int correlation) {
    return host(s, s.runtime, thread, "cudaLaunchKernel", at, 1, fmt::format(R"("correlation": {})", correlation));
}

inline std::string accumulate(const Spelling &s, double at, const std::string &dims) {
    const std::string name = "torch::autograd::AccumulateGrad";
    return host(s, s.op, s.backwardThread, "autograd::engine::evaluate_function: " + name, at, 8, R"("External id": 9)") + ",\n" +
           host(s, s.op, s.backwardThread, name, at + 1, 2,
                s.shapes ? fmt::format(R"("Input Dims": [{}], "Input type": ["float"])", dims) : std::string());
}

inline std::string node(const Spelling &s, const std::string &name, double at, double length, int sequence) {
    return host(s, s.op, s.backwardThread, "autograd::engine::evaluate_function: " + name, at, length,
                fmt::format(R"("Sequence number": {}, "Fwd thread id": 1)", sequence));
}

inline std::string collective(const Spelling &s, double at, double length, int correlation, int elements) {
    return device(
        s, "20", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", at, length, correlation,
        s.metadata
            ? fmt::format(
                  R"(, "Collective name": "allreduce", "In msg nelems": {}, "Out msg nelems": {}, "Group size": 2, "dtype": "Float")",
                  elements, elements)
            : std::string());
}

/// Busy: forward 100 + 50, backward 60 + 120, update 10; idle 30 between forward and backward, and 20 before the update, 15 of
/// which the last all-reduce covers.
inline std::string events(const Spelling &s) {
    std::string all;
    const auto add = [&](const std::string &event) { all += (all.empty() ? "" : ",\n") + event; };
    // Deliberately unordered: device first, the step's annotation last.
    add(device(s, s.stream, "void conv<float>(float const*, \\\"q\\\")", 100, 100, 1));
    add(device(s, s.stream, "norm", 200, 50, 2));
    add(device(s, s.stream, "norm_backward", 280, 60, 3));
    add(device(s, s.stream, "conv_backward", 340, 120, 4));
    add(device(s, s.stream, "sgd", 480, 10, 5));
    add(collective(s, 350, 40, 6, 2));
    add(collective(s, 460, 15, 7, 6));
    add(host(s, s.op, s.mainThread, "aten::conv2d", 10, 20,
             R"("Sequence number": 5, "Input Dims": [[32, 3, 4, 4], [2, 3, 1, 1]])"));
    add(launch(s, s.mainThread, 12, 1));
    add(host(s, s.op, s.mainThread, "aten::batch_norm", 31, 20, R"("Sequence number": 6)"));
    add(launch(s, s.mainThread, 33, 2));
    add(node(s, "NormBackward0", 60, 10, 6));
    add(launch(s, s.backwardThread, 62, 3));
    add(accumulate(s, 71, "[2]"));
    add(launch(s, s.backwardThread, 76, 6));
    add(node(s, "ConvolutionBackward0", 80, 10, 5));
    add(launch(s, s.backwardThread, 82, 4));
    add(accumulate(s, 91, "[2, 3, 1, 1]"));
    add(launch(s, s.backwardThread, 96, 7));
    add(host(s, s.annotation, s.mainThread, "Optimizer.step#SGD.step", 110, 20, R"("External id": 77)"));
    add(launch(s, s.mainThread, 112, 5));
    if (s.step)
        add(host(s, s.annotation, s.mainThread, "ProfilerStep#4", 0, 400, R"("External id": 1)"));
    return all;
}

inline std::string trace(const Spelling &s = {}) {
    return R"({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 2}, "traceEvents": [)" +
           events(s) + "]}";
}

inline syncopate::Result<std::shared_ptr<const syncopate::ImportedProfile>>
import(const std::string &bytes, const syncopate::ImportOptions &options = {}, std::stop_token stop = {}) {
    const auto source = syncopate::ByteSource::fromMemory(bytes);
    return syncopate::importKineto(*source, "tiny.json", options, std::move(stop));
}

inline std::string gzip(const std::string &text) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

inline std::string replaced(std::string text, const std::string &from, const std::string &to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

struct Variant {
    const char *name;
    std::string text;
    bool shapes;
};

/// The same step in every spelling and container that its readers support.
inline std::vector<Variant> variants() {
    std::vector<Variant> all;
    const auto row = [&](const char *name, const std::string &text, bool shapes = true) { all.push_back({name, text, shapes}); };
    Spelling s;
    row("plain", tiny::trace(s));
    row("gzip", tiny::trace(s)); // packed in the test
    s.suffix = ".000";
    s.base = 1712195495505582.0;
    row("19 digits", tiny::trace(s));
    s.suffix = "e0";
    s.base = 1000;
    row("exponents", tiny::trace(s));
    s = {};
    s.op = s.annotation = "Operator";
    s.runtime = "Runtime";
    s.kernel = "Kernel";
    s.mainThread = "\"25738\"";
    s.backwardThread = "\"25772\"";
    row("2021", tiny::trace(s));
    s = {};
    s.process = "-1";
    s.mainThread = "-549452224";
    row("negative ids", tiny::trace(s));
    s = {};
    s.shapes = false;
    row("no shapes: buckets", tiny::trace(s), false);
    s = {};
    s.metadata = false;
    row("no sizes of collectives", tiny::trace(s));
    s = {};
    row("keys after the events",
        R"({"traceEvents": [)" + tiny::events(s) +
            R"(], "INFO": ["a ] } [ {"], "displayTimeUnit": "ns", "baseTimeNanoseconds": 1711964646000000000})");
    row("nested traceEvents in a header",
        R"({"metadata": {"traceEvents": [1, {"a": "}"}]}, "traceEvents": [)" + tiny::events(s) + "]}");
    row("array", "[" + tiny::events(s) + "]");
    row("array left open", "\n [" + tiny::events(s) + ",\n");
    row("comma before the bracket", R"({"traceEvents": [)" + tiny::events(s) + ",]}");
    row("byte order mark", "\xef\xbb\xbf" + tiny::trace(s));
    row("string times",
        replaced(replaced(tiny::trace(s), "\"ts\": 1100,", "\"ts\": \"1100\","), "\"dur\": 60,", "\"dur\": \"60\","));
    row("integers over int64",
        replaced(tiny::trace(s), "\"External id\": 77", "\"External id\": 77, \"Comms Id\": 10159970886766084423"));
    row("unknown events",
        R"({"traceEvents": [{"ph": "M", "name": "process_name", "pid": "", "tid": ""}, {"ph": "f", "id": 3, "cat": "ac2g", "ts": 1},
        {"ph": "X", "cat": "python_function", "name": "a.py(1): f", "ts": 1, "dur": 9, "args": {"Python id": 1}},
        {"name": "Record Window End", "ph": "i", "pid": "", "ts": 5}, {"ph": "X", "cat": "overhead", "name": "x"}, {}, )" +
            tiny::events(s) + "]}");
    row("negative duration, no args",
        R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "z", "pid": 10, "tid": 1, "ts": 1001, "dur": -5},)" +
            tiny::events(s) + "]}");
    row("not a number",
        R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "z", "pid": 10, "tid": 1, "ts": NaN, "dur": 5},)" +
            tiny::events(s) + "]}");
    row("keys in another order",
        replaced(tiny::trace(s), R"({"ph": "X", "cat": "cpu_op",)", R"({"args": {}, "cat": "cpu_op", "ph": "X",)"));
    return all;
}

} // namespace tiny
