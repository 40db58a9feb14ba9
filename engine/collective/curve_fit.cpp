// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/curve_fit.h"

#include "engine/base/median.h"
#include "engine/base/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace syncopate {

namespace {

constexpr std::size_t maxSegments = 6, minSamples = 3, maxFitted = 4000;

struct Line {
    double alpha = 0, beta = 0;
    double error = infinity; ///< sum of squared relative errors
};

/// Prefix sums over samples, each weighted by 1 / seconds^2, so that any range is fitted in O(1), as a difference of two sums:
/// good to 1 % where times span less than six decades. Sizes are scaled by the largest.
class Sums {
public:
    explicit Sums(const std::vector<CollectiveSample> &samples) : m_scale(samples.back().sizeBytes) {
        m_sums.push_back({});
        for (const CollectiveSample &sample : samples) {
            const double w = 1 / sample.seconds, x = sample.sizeBytes / m_scale * w;
            std::array<double, 6> next = m_sums.back();
            next[0] += w * w;
            next[1] += w * x;
            next[2] += x * x;
            next[3] += w;
            next[4] += x;
            next[5] += 1;
            m_sums.push_back(next);
        }
    }
    /// For samples [from, to): the alpha, beta >= 0 that minimise sum ((alpha + beta x) / t - 1)^2.
    [[nodiscard]] Line fit(std::size_t from, std::size_t to) const {
        std::array<double, 6> s{};
        for (std::size_t k = 0; k < s.size(); ++k)
            s[k] = m_sums[to][k] - m_sums[from][k];
        const auto error = [&](double a, double b) {
            return std::max(0.0, a * a * s[0] + 2 * a * b * s[1] + b * b * s[2] - 2 * a * s[3] - 2 * b * s[4] + s[5]);
        };
        Line best;
        const auto consider = [&](double a, double b) {
            if (a >= 0 && b >= 0 && std::isfinite(a) && std::isfinite(b) && error(a, b) < best.error)
                best = {a, b, error(a, b)};
        };
        const double determinant = s[0] * s[2] - s[1] * s[1];
        if (determinant > 1e-14 * s[0] * s[2])
            consider((s[3] * s[2] - s[4] * s[1]) / determinant, (s[4] * s[0] - s[3] * s[1]) / determinant);
        consider(s[3] / s[0], 0);
        consider(0, s[4] / s[2]);
        best.beta /= m_scale;
        return best;
    }

private:
    double m_scale;
    std::vector<std::array<double, 6>> m_sums;
};

Residuals residualsOf(const CollectiveCurve &curve, const std::vector<CollectiveSample> &samples) {
    Residuals residuals;
    std::vector<double> all;
    for (const CollectiveSample &sample : samples) {
        const double miss = std::abs(curve.seconds(sample.sizeBytes) / sample.seconds - 1);
        all.push_back(miss);
        if (miss >= residuals.worst) {
            residuals.worst = miss;
            residuals.worstBytes = sample.sizeBytes;
        }
    }
    residuals.median = median(std::move(all));
    return residuals;
}

/// The cuts that minimise the error of `count` lines, for every count up to maxSegments; a criterion then chooses the count.
std::vector<CurveSegment> bestSegments(const std::vector<CollectiveSample> &samples) {
    const Sums sums(samples);
    const std::size_t n = samples.size();
    // A cut between samples of equal size would make the curve two-valued.
    const auto mayCut = [&](std::size_t i) { return i == 0 || i == n || samples[i - 1].sizeBytes < samples[i].sizeBytes; };
    std::vector<std::vector<double>> error(maxSegments + 1, std::vector<double>(n + 1, infinity));
    std::vector<std::vector<std::size_t>> from(maxSegments + 1, std::vector<std::size_t>(n + 1, 0));
    error[0][0] = 0;
    double bestScore = infinity;
    std::size_t bestCount = 1;
    for (std::size_t count = 1; count <= maxSegments && count * minSamples <= n; ++count) {
        for (std::size_t to = count * minSamples; to <= n; ++to) {
            if (!mayCut(to))
                continue;
            for (std::size_t cut = (count - 1) * minSamples; cut + minSamples <= to; ++cut) {
                if (!mayCut(cut) || error[count - 1][cut] == infinity)
                    continue;
                const double sum = error[count - 1][cut] + sums.fit(cut, to).error;
                if (sum < error[count][to]) {
                    error[count][to] = sum;
                    from[count][to] = cut;
                }
            }
        }
        if (error[count][n] == infinity)
            break;
        // Two parameters per line and one per cut. Errors below 0.1 % are clock noise, not worth another line.
        const double variance = std::max(error[count][n] / static_cast<double>(n), 1e-6);
        const double score =
            static_cast<double>(n) * std::log(variance) + static_cast<double>(3 * count - 1) * std::log(static_cast<double>(n));
        if (score < bestScore) {
            bestScore = score;
            bestCount = count;
        }
    }
    std::vector<CurveSegment> segments;
    std::size_t to = n;
    for (std::size_t count = bestCount; count > 0; --count) {
        const std::size_t cut = from[count][to];
        const Line line = sums.fit(cut, to);
        segments.push_back({samples[cut].sizeBytes, line.alpha, line.beta});
        to = cut;
    }
    std::reverse(segments.begin(), segments.end());
    return segments;
}

} // namespace

CurveFit fitCurve(CollectiveLog log) {
    CurveFit fit;
    std::vector<CollectiveSample> samples = log.samples;
    if (samples.size() > maxFitted) { // evenly thinned: the fit costs the square of their number
        std::vector<CollectiveSample> thinned;
        for (std::size_t i = 0; i < maxFitted; ++i)
            thinned.push_back(samples[i * (samples.size() - 1) / (maxFitted - 1)]);
        samples = std::move(thinned);
    }
    fit.line.kind = fit.curve.kind = log.kind;
    fit.line.ranks = fit.curve.ranks = log.ranks;
    fit.line.measuredFrom = fit.curve.measuredFrom = samples.front().sizeBytes;
    fit.line.measuredTo = fit.curve.measuredTo = samples.back().sizeBytes;
    const Line line = Sums(samples).fit(0, samples.size());
    fit.line.segments = {{samples.front().sizeBytes, line.alpha, line.beta}};
    fit.curve.segments = bestSegments(samples);
    fit.lineResiduals = residualsOf(fit.line, log.samples);
    fit.curveResiduals = residualsOf(fit.curve, log.samples);
    fit.log = std::move(log);
    return fit;
}

Result<CurveFolder> fitFolder(const std::string &path) {
    const auto files = TRY(filesBelow(path));
    CollectiveLogs read = readCollectiveLogFiles(files);
    if (read.logs.empty() && read.notRead.size() == 1 && files.front() == path)
        return Unexpected(read.notRead.front());
    CurveFolder folder;
    for (CollectiveLog &log : read.logs)
        folder.fits.push_back(fitCurve(std::move(log)));
    for (const Error &error : read.notRead)
        folder.notFitted.push_back(error.toString());
    return folder;
}

} // namespace syncopate
