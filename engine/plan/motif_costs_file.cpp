// SPDX-License-Identifier: GPL-3.0-or-later
// Measured costs of collectives from a CSV file (docs/plan.md).
#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/collective/log_parts.h"
#include "engine/parse/csv_table.h"
#include "engine/plan/motif_costs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

/// "1/2" is spline 1 of 2, counted from 0.
Result<Slice> parseSpline(const std::string &text, const std::string &file, const std::string &place) {
    Slice slice;
    const char *const end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, slice.index);
    if (index.ec == std::errc{} && index.ptr != end && *index.ptr == '/') {
        const auto of = std::from_chars(index.ptr + 1, end, slice.of);
        if (of.ec == std::errc{} && of.ptr == end && slice.index >= 0 && slice.index < slice.of && slice.of <= 65536)
            return slice;
    }
    return fail(fmt::format("\"{}\" is not a spline", text), "write 0/1 for the whole, 1/2 for the second of two", file, place);
}

/// Longer messages do not take less time: where measurements disagree, the longest time so far stands.
void makeMonotone(std::vector<CollectiveSample> &samples) {
    std::stable_sort(samples.begin(), samples.end(),
                     [](const CollectiveSample &a, const CollectiveSample &b) { return a.sizeBytes < b.sizeBytes; });
    for (std::size_t s = 1; s < samples.size(); ++s)
        samples[s].seconds = std::max(samples[s].seconds, samples[s - 1].seconds);
}

/// A line of a file of measured collectives.
struct MeasuredRow {
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::string link;
    Slice spline{};
    CollectiveSample sample;
    std::size_t row = 0;
};

/// Indices of curves by what they were measured of: a file may have a million curves.
using CurveNumbers = std::map<std::tuple<CollectiveKind, std::string, std::int32_t, std::int32_t>, std::size_t>;

CurveNumbers::key_type curveKey(const MeasuredRow &measured) {
    return {measured.kind, measured.link, measured.spline.index, measured.spline.of};
}

Result<MeasuredRow> measuredIn(const CsvTable &table, std::size_t row, const std::string &file) {
    const std::string &name = table.text(row, "collective");
    const auto kind = collectiveNamed(name);
    if (!kind)
        return fail(fmt::format("the collective \"{}\" is not known", name), "write all_reduce, all_to_all, ...", file,
                    table.place(row));
    const auto spline = TRY(parseSpline(table.text(row, "spline"), file, table.place(row)));
    const double bytes = TRY(table.number(row, "bytes_per_process", 1, 1e15));
    const double seconds = TRY(table.number(row, "all_ranks_seconds_median", minSlowedSeconds, maxSlowedSeconds));
    return MeasuredRow{*kind, table.text(row, "channel"), spline, {bytes, seconds}, row};
}

/// Returns the slowdowns of the shorter and the longer of two collectives that began together. The longer one runs alone once the
/// shorter has ended.
std::pair<double, double> pairSlowdowns(double shorterSeconds, double longerSeconds, double shorterAlone, double longerAlone) {
    const double doneBeside = longerAlone - (longerSeconds - shorterSeconds); // of the longer one, in seconds alone
    const auto within = [](double factor) { return std::clamp(factor, 1.0, maxSlowdown); };
    return {within(shorterSeconds / shorterAlone), doneBeside > 0 ? within(shorterSeconds / doneBeside) : maxSlowdown};
}

/// The slowdowns of links from pairs of lines.
Result<std::vector<LinkSlowdown>> fitSlowdowns(const std::vector<MeasuredRow> &together, const std::vector<MotifCurve> &curves,
                                               const CurveNumbers &numbers, const CsvTable &table, const std::string &file) {
    struct Samples {
        std::vector<double> alone, factors;
    };
    std::map<std::string, std::map<double, Samples>> byLink; // and size
    for (std::size_t first = 0; first < together.size(); first += 2) {
        const auto refuse = [&](const char *what, const char *remedy) {
            return fail(what, remedy, file, table.place(together[first].row));
        };
        if (first + 1 == together.size() || together[first].link == together[first + 1].link)
            return refuse("two collectives on two channels are expected", "write the lines of a pair one below the other");
        std::array<const MeasuredRow *, 2> pair{&together[first], &together[first + 1]};
        if (pair[0]->sample.seconds > pair[1]->sample.seconds)
            std::swap(pair[0], pair[1]);
        std::array<double, 2> alone{};
        for (std::size_t m = 0; m < pair.size(); ++m) {
            const auto number = numbers.find(curveKey(*pair[m]));
            if (number == numbers.end())
                return refuse("a collective of the pair was not measured alone", "add lines of the case \"alone\" for it");
            alone[m] = curves[number->second].secondsAt(pair[m]->sample.sizeBytes);
        }
        if (std::any_of(alone.begin(), alone.end(), [](double s) { return !(s >= minSlowedSeconds && s <= maxSlowedSeconds); }))
            continue; // collectives without duration are not slowed down
        const auto [ofShorter, ofLonger] = pairSlowdowns(pair[0]->sample.seconds, pair[1]->sample.seconds, alone[0], alone[1]);
        for (std::size_t m = 0; m < pair.size(); ++m) {
            Samples &samples = byLink[pair[m]->link][pair[m]->sample.sizeBytes];
            samples.alone.push_back(alone[m]);
            samples.factors.push_back(m == 0 ? ofShorter : ofLonger);
        }
    }
    std::vector<LinkSlowdown> slowdowns;
    for (const auto &[link, sizes] : byLink) {
        LinkSlowdown slowdown{link, {}};
        for (const auto &[bytes, samples] : sizes)
            slowdown.samples.push_back({median(samples.alone), median(samples.factors)});
        std::stable_sort(slowdown.samples.begin(), slowdown.samples.end(),
                         [](const auto &a, const auto &b) { return a.aloneSeconds < b.aloneSeconds; });
        slowdowns.push_back(std::move(slowdown));
    }
    return slowdowns;
}

} // namespace

Result<MotifCosts> readMotifCostsText(std::string_view csv, const std::string &file) {
    const auto table = TRY(
        CsvTable::parse(csv, file, {"case", "collective", "channel", "spline", "bytes_per_process", "all_ranks_seconds_median"},
                        "case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median"));
    MotifCosts costs;
    std::vector<MeasuredRow> together;
    CurveNumbers numbers;
    std::set<std::pair<std::size_t, double>> known; // curves and sizes
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        const std::string &which = table.text(row, "case");
        if (which != "alone" && which != "two channels")
            continue;
        MeasuredRow measured = TRY(measuredIn(table, row, file));
        if (which == "two channels") {
            together.push_back(std::move(measured));
            continue;
        }
        const auto [number, isNew] = numbers.try_emplace(curveKey(measured), costs.curves.size());
        if (isNew)
            costs.curves.push_back({measured.kind, measured.link, measured.spline, {}});
        if (!known.emplace(number->second, measured.sample.sizeBytes).second)
            return fail("the same collective was measured alone twice at this size", "write one line with the median of both",
                        file, table.place(row));
        costs.curves[number->second].samples.push_back(measured.sample);
    }
    if (costs.curves.empty())
        return fail("no collective was measured alone", "add lines of the case \"alone\"", file);
    for (MotifCurve &curve : costs.curves)
        makeMonotone(curve.samples);
    costs.slowdowns = TRY(fitSlowdowns(together, costs.curves, numbers, table, file));
    return costs;
}

Result<MotifCosts> readMotifCostsFile(const std::string &path) { return readMotifCostsText(TRY(readInputFile(path)), path); }

} // namespace syncopate
