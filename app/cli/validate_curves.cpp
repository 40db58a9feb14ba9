// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate.h"

#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/collective/curve_fit.h"

#include <fmt/format.h>
#include <string>

namespace syncopate::cli {

namespace {

/// The name of a log within the folder.
std::string shortName(const std::string &file, const std::string &folder) {
    return file.size() > folder.size() && file.starts_with(folder) ? file.substr(folder.size() + (folder.ends_with('/') ? 0 : 1))
                                                                   : file;
}

void writeJson(JsonWriter &json, const CurveFolder &fitted, const std::string &folder) {
    json.beginObject().key("curves").beginArray();
    for (const CurveFit &fit : fitted.fits) {
        json.newLine().beginObject().member("file", shortName(fit.log.source, folder)).member("tool", fit.log.tool);
        json.member("collective", nameOf(fit.log.kind)).member("ranks", fit.log.ranks);
        json.member("sizes", static_cast<std::int64_t>(fit.log.samples.size()));
        json.member("line_median_error", fit.lineResiduals.median).member("line_max_error", fit.lineResiduals.worst);
        json.member("median_error", fit.curveResiduals.median).member("max_error", fit.curveResiduals.worst);
        json.key("segments").beginArray();
        for (const CurveSegment &segment : fit.curve.segments)
            json.beginObject()
                .member("from_bytes", segment.fromBytes)
                .member("alpha_seconds", segment.alphaSeconds)
                .member("seconds_per_byte", segment.secondsPerByte)
                .endObject();
        json.endArray().endObject();
    }
    json.endArray().key("not_fitted").beginArray();
    for (const std::string &reason : fitted.notFitted)
        json.value(reason);
    json.endArray().endObject().newLine();
}

std::string report(const CurveFolder &fitted, const std::string &folder, bool quiet) {
    std::string text = fmt::format("{:52} {:14} {:>5} {:>5}  {:>15}  {:>8} {:>15}  {:>9} {:>10}\n", "log", "collective", "ranks",
                                   "sizes", "one line: error", "segments", "error", "start", "bytes/s");
    for (const CurveFit &fit : fitted.fits) {
        const CurveSegment &last = fit.curve.segments.back();
        text += fmt::format("{:52} {:14} {:>5} {:>5}  {:>6.1f}% {:>6.1f}%  {:>8} {:>6.1f}% {:>6.1f}%  {:>9} {:>10}\n",
                            shortName(fit.log.source, folder), nameOf(fit.log.kind),
                            fit.log.ranks > 0 ? fmt::format("{}", fit.log.ranks) : "?", fit.log.samples.size(),
                            100 * fit.lineResiduals.median, 100 * fit.lineResiduals.worst, fit.curve.segments.size(),
                            100 * fit.curveResiduals.median, 100 * fit.curveResiduals.worst,
                            formatSeconds(fit.curve.segments.front().alphaSeconds),
                            last.secondsPerByte > 0 ? formatBandwidth(1 / last.secondsPerByte) : "-");
    }
    if (quiet)
        return text;
    text += "errors: median and worst of |fitted / measured - 1|; start: alpha of the first segment; bytes/s: of the last\n";
    for (const std::string &reason : fitted.notFitted)
        text += "not fitted: " + reason + "\n";
    return text;
}

} // namespace

Outcome validateCurves(const Common &common, const std::string &folder) {
    const auto fitted = TRY(orBadInput(fitFolder(folder)));
    if (fitted.fits.empty())
        return badInput("there are no measured runs and no logs of collectives in it",
                        fmt::format("give a folder with runs.csv and platform.json, or {}", readCollectiveLogKinds), folder);
    JsonWriter json;
    writeJson(json, fitted, folder);
    printEither(common, json, report(fitted, folder, common.quiet));
    return {};
}

} // namespace syncopate::cli
