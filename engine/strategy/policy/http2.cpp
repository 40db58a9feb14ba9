// SPDX-License-Identifier: GPL-3.0-or-later
// gRPC's streams (async-SGD paper, section 3.2): the first `window` bytes of each, then the rest at once.
#include "engine/base/phrase.h"
#include "engine/strategy/policy.h"

namespace syncopate::policy {

const Policy &http2() {
    static const Policy policy{
        .name = "http2",
        .about = translatable("gRPC's streams: a window of each, then the rest"),
        .barrier = false,
        .opens = "gRPC opens one connection from each process to each other, on which all streams take turns",
        // RFC 9113's initial window, before gRPC has probed the link; off: whole streams in order.
        .parameters = {{.key = "window",
                        .usual = 65535,
                        .words = {"off"},
                        .meaning = std::numeric_limits<double>::infinity(),
                        .knob = PolicyKnob{.id = "window",
                                           .label = "Window",
                                           .about = "bytes that a stream sends before it waits for its next turn",
                                           .min = 1024,
                                           .max = 64.0 * 1024 * 1024}}},
        .queues = [](const CommPolicy &self, const TrainingNodes &) { return Discipline{.streamBytes = self.value("window")}; },
        .assumption = "Each stream sends up to its window the first time it is chosen, all the rest the second time.",
    };
    return policy;
}

} // namespace syncopate::policy
