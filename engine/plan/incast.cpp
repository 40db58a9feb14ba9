// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/incast.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace syncopate {

namespace {

/// Slope of the line with the least squared relative error through the samples, in seconds per byte; 0 = undetermined.
double secondsPerByte(const std::vector<CollectiveSample> &samples) {
    double weights = 0, bytes = 0, seconds = 0, bytesSquared = 0, product = 0;
    for (const CollectiveSample &sample : samples) {
        if (!(sample.seconds > 0))
            continue;
        const double weight = 1 / (sample.seconds * sample.seconds);
        weights += weight;
        bytes += weight * sample.sizeBytes;
        seconds += weight * sample.seconds;
        bytesSquared += weight * sample.sizeBytes * sample.sizeBytes;
        product += weight * sample.sizeBytes * sample.seconds;
    }
    const double spread = weights * bytesSquared - bytes * bytes;
    return spread > 1e-12 * weights * bytesSquared ? (weights * product - bytes * seconds) / spread : 0;
}

/// The same slope, from the model.
double modelledPerByte(const MotifCosts &costs, const Slice &spline, Channel channel, double incast, std::int32_t processes) {
    constexpr double bytes = 1e9;
    channel.incast = incast;
    const Motif motif{CollectiveKind::AllToAll, {}, spline, {}, {}};
    return (costs.seconds(motif, 2 * bytes, processes, channel) - costs.seconds(motif, bytes, processes, channel)) / bytes;
}

} // namespace

std::optional<IncastFit> fitIncast(const MotifCosts &costs, const Channel &channel, std::int32_t processes) {
    MotifCosts model = costs;
    model.curves.clear();
    struct Row {
        double measured, without, per; ///< seconds per byte: measured, modelled without incast, and added by an incast of 1
    };
    std::vector<Row> rows;
    for (const MotifCurve &curve : costs.curves) {
        if (curve.kind != CollectiveKind::AllToAll || curve.link != channel.links.front() || processes % curve.spline.of != 0)
            continue;
        const double without = modelledPerByte(model, curve.spline, channel, 0, processes);
        const Row row{secondsPerByte(curve.samples), without,
                      modelledPerByte(model, curve.spline, channel, 1, processes) - without};
        if (row.measured > 0 && row.per > 1e-9 * without)
            rows.push_back(row);
    }
    if (rows.empty())
        return std::nullopt;
    double product = 0, square = 0;
    for (const Row &row : rows) {
        product += row.per / row.measured * (1 - row.without / row.measured);
        square += row.per / row.measured * row.per / row.measured;
    }
    IncastFit fit{std::clamp(product / square, 0.0, maxIncast), static_cast<std::int32_t>(rows.size()), 0};
    for (const Row &row : rows)
        fit.worstError = std::max(fit.worstError, std::abs((row.without + fit.incast * row.per) / row.measured - 1));
    return fit;
}

} // namespace syncopate
