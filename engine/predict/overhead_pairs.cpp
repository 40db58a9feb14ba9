// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/overhead_pairs.h"

#include "engine/base/median.h"
#include "engine/parse/byte_source.h"
#include "engine/parse/csv_table.h"

#include <algorithm>
#include <cmath>

namespace syncopate {

namespace {
constexpr std::size_t maxPairsFileBytes = 64U << 20U;
constexpr double maxMicroseconds = 1e12;
constexpr const char *header = "bytes,arrived_us,end_us";
} // namespace

Result<std::vector<OverheadPair>> parseOverheadPairs(std::string_view text, const std::string &file) {
    const auto table = TRY(CsvTable::parse(text, file, {"bytes", "arrived_us", "end_us"}, header));
    std::vector<OverheadPair> pairs;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        const auto bytes = table.number(row, "bytes", 0, 1e15);
        const auto arrived = table.number(row, "arrived_us", -maxMicroseconds, maxMicroseconds);
        const auto end = table.number(row, "end_us", -maxMicroseconds, maxMicroseconds);
        for (const auto *value : {&bytes, &arrived, &end})
            if (!*value)
                return Unexpected(value->error());
        if (*end < *arrived)
            return fail("the op ended before its last byte arrived", "take both times from one clock", file, table.place(row));
        pairs.push_back({*bytes, (*end - *arrived) * 1e-6});
    }
    if (pairs.empty())
        return fail("there is no pair in it", "add one line per tensor", file);
    return pairs;
}

Result<std::vector<OverheadPair>> readOverheadPairs(const std::string &path) {
    auto source = TRY(ByteSource::openFile(path));
    auto plain = TRY(ByteSource::unpack(std::move(source)));
    const auto text = TRY(readHead(*plain, maxPairsFileBytes + 1));
    if (text.size() > maxPairsFileBytes)
        return fail("more than 64 MiB of pairs", "give fewer steps", path);
    return parseOverheadPairs(text, path);
}

OverheadResiduals residualsOf(const std::vector<OverheadPair> &pairs, const ParsingOverhead &overhead) {
    std::vector<double> left;
    left.reserve(pairs.size());
    for (const OverheadPair &pair : pairs)
        left.push_back(std::abs(pair.overheadSeconds - overhead.of(pair.sizeBytes)));
    if (left.empty())
        return {};
    std::sort(left.begin(), left.end());
    const std::size_t n = left.size();
    return {median(left), left[(19 * n + 19) / 20 - 1], left.back()};
}

} // namespace syncopate
