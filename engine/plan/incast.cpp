// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/incast.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Seconds per byte of a measured all-to-all, and what the model says: the longer of bytes inside a node and of those to others,
/// of which only the latter take longer with incast.
struct Row {
    Slice spline;
    double measured;
    double without;      ///< modelled without incast
    double outside, per; ///< of bytes to other nodes without incast, and added to them by an incast of 1
    [[nodiscard]] double modelled(double incast) const { return std::max(without, outside + incast * per); }
    /// The incast from which on bytes to other nodes take longer.
    [[nodiscard]] double kink() const { return std::max(0.0, (without - outside) / per); }
};

/// The incast with the least squared relative error of the rows, the smallest if there are several. Between two neighbouring
/// kinks the error is a parabola, which may have its minimum there; there may be one in each interval. O(rows^2).
double bestIncast(const std::vector<Row> &rows) {
    std::vector<double> bounds{0, maxIncast};
    for (const Row &row : rows)
        bounds.push_back(std::min(row.kink(), maxIncast));
    std::sort(bounds.begin(), bounds.end());
    double best = 0, minError = std::numeric_limits<double>::infinity();
    const auto tryOut = [&](double incast) {
        double error = 0;
        for (const Row &row : rows)
            error += std::pow(row.modelled(incast) / row.measured - 1, 2);
        if (error < minError) {
            minError = error;
            best = incast;
        }
    };
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
        tryOut(bounds[i]);
        double product = 0, square = 0; // of the rows that incast lengthens from here on
        for (const Row &row : rows)
            if (row.kink() <= bounds[i]) {
                product += row.per / row.measured * (1 - row.outside / row.measured);
                square += row.per / row.measured * row.per / row.measured;
            }
        if (square > 0)
            tryOut(std::clamp(product / square, bounds[i], bounds[i + 1]));
    }
    tryOut(maxIncast);
    return best;
}

} // namespace

std::optional<IncastFit> fitIncast(const MotifCosts &costs, const Channel &channel, std::int32_t processes) {
    MotifCosts model = costs;
    model.curves.clear();
    MotifCosts freeInside = model;
    freeInside.localRates = {{channel.links.front(), std::numeric_limits<double>::infinity()}};
    std::vector<Row> rows;
    for (const MotifCurve &curve : costs.curves) {
        if (curve.kind != CollectiveKind::AllToAll || curve.link != channel.links.front() || processes % curve.spline.of != 0)
            continue;
        const auto outside = [&](double incast) { return modelledPerByte(freeInside, curve.spline, channel, incast, processes); };
        const Row row{curve.spline, secondsPerByte(curve.samples), modelledPerByte(model, curve.spline, channel, 0, processes),
                      outside(0), outside(1) - outside(0)};
        if (row.measured > 0 && row.per > 1e-9 * row.without && row.kink() < maxIncast)
            rows.push_back(row);
    }
    if (rows.empty())
        return std::nullopt;
    IncastFit fit{bestIncast(rows), static_cast<std::int32_t>(rows.size()), 0};
    for (const Row &row : rows) {
        const double modelled = modelledPerByte(model, row.spline, channel, fit.incast, processes);
        fit.worstError = std::max(fit.worstError, std::abs(modelled / row.measured - 1));
    }
    return fit;
}

} // namespace syncopate
