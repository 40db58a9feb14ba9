// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

/// A hand-made TensorFlow timeline with known answers: one step of a worker with two layers and a parameter server. Times in
/// microseconds from `base`:
///
///     worker   pull a [0,20)  pull b [0,50)   conv [25,65)  relu [65,75)  fc [75,105)  fc_grad [110,170)  conv_grad [170,270)
///     server   a, b [0,2), their reads         push b [172,202)  apply b [202,207)  push a [272,322)  apply a [322,332)
namespace tiny {

struct TimelineOptions {
    long long base = 1578906108771000;
    double stretch = 1;    ///< of the backward pass
    bool memory = false;   ///< include memory objects
    bool gradients = true; ///< a training step
    std::string worker = "/job:worker/replica:0/task:0/device:CPU:0";
};

inline std::string timeline(const TimelineOptions &options = {}) {
    std::vector<std::string> events;
    const auto row = [&](int pid, const std::string &name) {
        events.push_back(fmt::format(R"({{"name": "process_name", "ph": "M", "pid": {}, "args": {{"name": "{}"}}}})", pid, name));
    };
    const auto op = [&](int pid, int tid, const std::string &name, const std::string &type, double at, double length,
                        const std::vector<std::string> &inputs, long long bytes = -1, int tensors = 0) {
        std::string arguments = fmt::format(R"("name": "{}", "op": "{}")", name, type);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            arguments += fmt::format(R"(, "input{}": "{}")", i, inputs[i]);
        const auto start = options.base + static_cast<long long>(at), duration = static_cast<long long>(length);
        events.push_back(
            fmt::format(R"({{"ph": "X", "cat": "Op", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
                        type, pid, tid, start, duration, arguments));
        if (options.memory && bytes >= 0)
            events.push_back(fmt::format(
                R"({{"ph": "O", "cat": "Tensor", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "id": {}, "args": {{"snapshot": {{"tensor_description": "dtype: DT_FLOAT\nshape {{\n  dim {{\n    size: {}\n  }}\n}}\nallocation_description {{\n  requested_bytes: {}\n  allocated_bytes: 4096\n}}\n"}}}}}})",
                name, tensors, tid, start + duration - 1, events.size(), bytes / 4, bytes));
    };
    row(0, "Allocators");
    row(1, options.worker + " Compute");
    row(2, options.worker + " Tensors");
    row(3, "/job:ps/replica:0/task:0/device:CPU:0 Compute");
    row(4, "/job:ps/replica:0/task:0/device:CPU:0 Tensors");
    row(5, options.worker + " Compute"); // the remote calls are a second row of the same device
    row(6, options.worker + " Tensors");
    op(5, 0, "RecvTensor", "RecvTensor", 0, 20, {}, 400, 6);
    op(5, 1, "RecvTensor", "RecvTensor", 0, 50, {}, 1200, 6);
    op(3, 0, "a", "VariableV2", 0, 2, {}, 400, 4);
    op(3, 1, "b", "VariableV2", 0, 2, {}, 1200, 4);
    op(3, 0, "a/read", "Identity", 2, 1, {"a"}, 400, 4);
    op(3, 1, "b/read", "Identity", 2, 1, {"b"}, 1200, 4);
    op(1, 0, "conv/Conv2D", "Conv2D", 25, 40, {"_recv_images_0", "a/read_S5"}, 800, 2);
    op(1, 0, "conv/Relu", "Relu", 65, 10, {"conv/Conv2D"}, 800, 2);
    op(1, 0, "fc/MatMul", "MatMul", 75, 30, {"conv/Relu", "b/read/_7"}, 80, 2);
    if (options.gradients) {
        const double s = options.stretch;
        op(1, 0, "gradients/fc/MatMul_grad/MatMul_1", "MatMul", 110, 60 * s, {"conv/Relu", "fc/MatMul"}, 1200, 2);
        op(1, 0, "gradients/conv/Conv2D_grad/Conv2DBackpropFilter", "Conv2DBackpropFilter", 110 + 60 * s, 100 * s,
           {"gradients/fc/MatMul_grad/MatMul_1:0", "^fc/MatMul"}, 400, 2);
        op(3, 0, "RecvTensor", "RecvTensor", 112 + 60 * s, 30, {}, 1200, 4);
        op(3, 0, "sgd/update_b/ApplyGradientDescent", "ApplyGradientDescent", 142 + 60 * s, 5,
           {"b", "sgd/rate", "gradients/fc/MatMul_grad/MatMul_1_S9"});
        op(3, 0, "RecvTensor", "RecvTensor", 112 + 160 * s, 50, {}, 400, 4);
        op(3, 0, "sgd/update_a/ApplyGradientDescent", "ApplyGradientDescent", 162 + 160 * s, 10,
           {"a", "sgd/rate", "gradients/conv/Conv2D_grad/Conv2DBackpropFilter_S11"});
    }
    std::string text = R"({"traceEvents": [)";
    for (std::size_t i = events.size(); i-- > 0;) // readers must not rely on order
        text += events[i] + (i > 0 ? ",\n" : "");
    return text + "]}";
}

} // namespace tiny
