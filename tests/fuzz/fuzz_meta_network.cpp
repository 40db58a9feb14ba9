// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: resources/meta_network.json
// Meta-networks from any bytes: an error with a remedy, or a network whose predictions are finite speeds.
#include "engine/cost/meta_network.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    const auto network = MetaNetwork::load(std::string_view(reinterpret_cast<const char *>(data), size), "network.json");
    if (!network)
        return network.error().what.empty() || network.error().remedy.empty() ? (std::abort(), 0) : 0;
    RuntimeMetrics metrics;
    metrics.layerBytes = {1e6, 2e6};
    metrics.largestVariableBytes = 2e6;
    metrics.upBytesPerSecond = Matrix<double>(2, 2, 1e9);
    metrics.upBytesPerSecond(0, 1) = 1e8;
    metrics.downBytesPerSecond = metrics.upBytesPerSecond;
    metrics.backwardSeconds = Matrix<double>(2, 2, 1e-3);
    metrics.otherSeconds = {1e-3, 2e-3};
    const SchedulerSetting setting{1e5, 4e5};
    const double speed = network->samplesPerSecond(metrics, {&setting, 1}).front();
    if (!std::isfinite(speed) || !(speed > 0))
        std::abort();
    return 0;
}
