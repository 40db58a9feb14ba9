// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_curve.h"
#include "engine/collective/collective_log.h"

#include <cstddef>
#include <string>
#include <vector>

namespace syncopate {

/// |predicted / measured - 1| over the samples of a fit.
struct Residuals {
    double median = 0;
    double worst = 0;
    double worstBytes = 0; ///< size of the sample that is worst
};

/// A log with the line and the curve fitted to it.
struct CurveFit {
    CollectiveLog log;
    CollectiveCurve line;  ///< one alpha and beta for all sizes
    CollectiveCurve curve; ///< piecewise
    Residuals lineResiduals, curveResiduals;
};

/// Fits by least squares of relative errors with alpha, beta >= 0: one line, and as many lines as the Bayesian information
/// criterion justifies (at most 6, of three or more samples each; cuts by dynamic programming, O(samples^2)). No other constant
/// goes in. Needs at least three samples.
[[nodiscard]] CurveFit fitCurve(CollectiveLog log);

/// The fits of all logs in a file or folder.
struct CurveFolder {
    std::vector<CurveFit> fits;         ///< by file name, those of NCCL Inspector's files last
    std::vector<std::string> notFitted; ///< files that are no such log, with the reason
};
/// Fits every log in `path`, a file or a folder with everything below it; a folder may hold none. Errors: a file that is no log,
/// a folder that cannot be read.
[[nodiscard]] Result<CurveFolder> fitFolder(const std::string &path);

} // namespace syncopate
