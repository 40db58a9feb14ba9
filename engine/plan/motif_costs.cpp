// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/motif_costs.h"

#include "engine/base/input_file.h"
#include "engine/collective/log_parts.h"
#include "engine/parse/csv_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

double steps(CollectiveKind kind, std::int32_t processes) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return 2.0 * (processes - 1);
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllGather:
    case CollectiveKind::AllToAll:
        return processes - 1;
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
        break;
    }
    return std::ceil(std::log2(processes));
}

/// Linear between samples, in proportion beyond the last, and what the smallest took below it.
double interpolate(const std::vector<CollectiveSample> &samples, double bytes) {
    const auto above = std::lower_bound(samples.begin(), samples.end(), bytes,
                                        [](const CollectiveSample &sample, double size) { return sample.sizeBytes < size; });
    if (above == samples.begin())
        return samples.front().seconds;
    const CollectiveSample &below = *std::prev(above);
    if (above == samples.end())
        return below.seconds * bytes / below.sizeBytes;
    return below.seconds + (above->seconds - below.seconds) * (bytes - below.sizeBytes) / (above->sizeBytes - below.sizeBytes);
}

/// "1/2" is motif 1 of 2.
Result<Slice> parseSpline(const std::string &text, const std::string &file, const std::string &place) {
    Slice slice;
    const char *const end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, slice.index);
    if (index.ec == std::errc{} && index.ptr != end && *index.ptr == '/') {
        const auto of = std::from_chars(index.ptr + 1, end, slice.of);
        if (of.ec == std::errc{} && of.ptr == end && slice.index >= 0 && slice.index < slice.of && slice.of <= 65536)
            return slice;
    }
    return fail(fmt::format("\"{}\" is no spline", text), "write 0/1 for the whole, 1/2 for the second of two", file, place);
}

/// Longer messages do not take less time; where measurements say so, the longest so far stands.
void makeMonotone(std::vector<CollectiveSample> &samples) {
    std::stable_sort(samples.begin(), samples.end(),
                     [](const CollectiveSample &a, const CollectiveSample &b) { return a.sizeBytes < b.sizeBytes; });
    for (std::size_t s = 1; s < samples.size(); ++s)
        samples[s].seconds = std::max(samples[s].seconds, samples[s - 1].seconds);
}

} // namespace

const MotifCurve *MotifCosts::curveOf(CollectiveKind kind, const Slice &spline, const Channel &channel) const {
    const auto curve = std::find_if(curves.begin(), curves.end(), [&](const MotifCurve &each) {
        return each.kind == kind && each.link == channel.links.front() && each.spline == spline;
    });
    return curve == curves.end() ? nullptr : &*curve;
}

double MotifCosts::seconds(const Motif &motif, double opBytes, std::int32_t processes, const Channel &channel) const {
    const double payload = opBytes / motif.segment.of;
    if (const MotifCurve *own = curveOf(motif.kind, motif.spline, channel))
        return launchSeconds + interpolate(own->samples, payload);
    // A piece that was not measured takes its share of the whole that was: it is no faster for being unknown.
    const bool half = motif.kind == CollectiveKind::ReduceScatter || motif.kind == CollectiveKind::AllGather;
    if (const MotifCurve *whole = curveOf(half ? CollectiveKind::AllReduce : motif.kind, {}, channel)) {
        const double share =
            half ? 0.5
                 : sentBytes(motif, opBytes, processes) / sentBytes({motif.kind, motif.segment, {}, {}}, opBytes, processes);
        return launchSeconds + interpolate(whole->samples, payload) * (opBytes > 0 ? share : 1);
    }
    return launchSeconds + steps(motif.kind, processes) * channel.latencySeconds +
           sentBytes(motif, opBytes, processes) / channel.bandwidthBytesPerSecond;
}

Result<MotifCosts> readMotifCostsText(std::string_view csv, const std::string &file) {
    const auto table = TRY(
        CsvTable::parse(csv, file, {"case", "collective", "channel", "spline", "bytes_per_process", "all_ranks_seconds_median"},
                        "case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median"));
    MotifCosts costs;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        if (table.text(row, "case") != "alone")
            continue;
        const std::string &name = table.text(row, "collective");
        const auto kind = collectiveNamed(name);
        if (!kind)
            return fail(fmt::format("the collective \"{}\" is not known", name), "write all_reduce, all_to_all, ...", file,
                        table.place(row));
        const Slice spline = TRY(parseSpline(table.text(row, "spline"), file, table.place(row)));
        const std::string &link = table.text(row, "channel");
        auto curve = std::find_if(costs.curves.begin(), costs.curves.end(), [&](const MotifCurve &each) {
            return each.kind == *kind && each.link == link && each.spline == spline;
        });
        if (curve == costs.curves.end())
            curve = costs.curves.insert(curve, MotifCurve{*kind, link, spline, {}});
        curve->samples.push_back(
            {TRY(table.number(row, "bytes_per_process", 1, 1e15)), TRY(table.number(row, "all_ranks_seconds_median", 0, 1e6))});
    }
    if (costs.curves.empty())
        return fail("no collective was measured alone", "add lines of the case \"alone\"", file);
    for (MotifCurve &curve : costs.curves)
        makeMonotone(curve.samples);
    return costs;
}

Result<MotifCosts> readMotifCostsFile(const std::string &path) { return readMotifCostsText(TRY(readInputFile(path)), path); }

} // namespace syncopate
