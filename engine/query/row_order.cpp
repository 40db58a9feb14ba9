// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/row_order.h"

#include "engine/query/query_watch.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace syncopate {

namespace {

constexpr std::size_t rowsBetweenLooks = 1 << 16; ///< takes about a millisecond
constexpr std::size_t maxRanksTogether = 1 << 20;

/// Calls `visit` with each row's number and place; returns false if the watch ended it.
template <class Visit> [[nodiscard]] bool forEachRow(const NumberedRows &rows, QueryWatch &watch, Visit visit) {
    for (std::size_t part = 0; part + 1 < rows.first.size(); ++part)
        for (std::size_t row = rows.first[part]; row < rows.first[part + 1]; ++row) {
            if (row % rowsBetweenLooks == 0 && !watch.mayGoOn())
                return false;
            visit(row, QueryTable::Row{part, row - rows.first[part]});
        }
    return true;
}

/// The first place of each rank, by rank.
std::vector<std::size_t> placesOf(std::vector<std::size_t> counts) {
    std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), std::size_t{0});
    return counts;
}

/// A column of integers, to be copied in the new order.
struct OrderedIntegers {
    std::function<std::int64_t(QueryTable::Row)> of;
    std::vector<std::int64_t> *values;
};

std::optional<RowOrder> inOnePass(const NumberedRows &rows, const std::vector<const QueryTable::Ranks *> &ranks,
                                  std::size_t rankCount, std::uint64_t columns, QueryWatch &watch) {
    std::uint64_t bytes = 2 * rows.count() * sizeof(std::uint32_t) + rankCount * sizeof(std::size_t);
    if (!watch.mayTake(bytes))
        return {};
    RowOrder order;
    std::vector<std::uint32_t> rankOf(rows.count());
    std::vector<std::size_t> counts(rankCount, 0);
    const auto count = [&](std::size_t row, QueryTable::Row place) {
        std::size_t rank = 0;
        for (const QueryTable::Ranks *columnRanks : ranks)
            rank = rank * columnRanks->count + columnRanks->of(place);
        rankOf[row] = static_cast<std::uint32_t>(rank);
        ++counts[rank];
    };
    if (!forEachRow(rows, watch, count))
        return {};
    std::vector<OrderedIntegers> integers;
    for (std::size_t column = 0; column < rows.table.columns().size() && column < 64; ++column) {
        auto of = (columns >> column & 1U) != 0 ? rows.table.integers(column) : nullptr;
        const std::uint64_t more = rows.count() * sizeof(std::int64_t);
        if (!of || !watch.mayTake(bytes + more)) // cells can also be read from their rows, slower
            continue;
        bytes += more;
        auto &values = order.integers[column];
        values.resize(rows.count());
        integers.push_back({std::move(of), &values});
    }
    order.rows.resize(rows.count());
    order.runEnds = placesOf(std::move(counts));
    const auto put = [&](std::size_t row, QueryTable::Row place) {
        const std::size_t at = order.runEnds[rankOf[row]]++; // in the end, each place is the end of its run
        order.rows[at] = static_cast<std::uint32_t>(row);
        for (const OrderedIntegers &integerColumn : integers)
            (*integerColumn.values)[at] = integerColumn.of(place);
    };
    if (!forEachRow(rows, watch, put))
        return {};
    return order;
}

/// Stably sorts the rows of `order` by their ranks; returns false if the watch ended it.
[[nodiscard]] bool sortByRank(const NumberedRows &rows, const QueryTable::Ranks &ranks, std::vector<std::uint32_t> &order,
                              QueryWatch &watch) {
    if (!watch.mayTake(3 * order.size() * sizeof(std::uint32_t) + ranks.count * sizeof(std::size_t)))
        return false;
    std::vector<std::uint32_t> rankOf(rows.count());
    std::vector<std::size_t> next(ranks.count, 0);
    if (!forEachRow(rows, watch, [&](std::size_t row, QueryTable::Row place) { ++next[rankOf[row] = ranks.of(place)]; }))
        return false;
    next = placesOf(std::move(next));
    std::vector<std::uint32_t> sorted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i % rowsBetweenLooks == 0 && !watch.mayGoOn())
            return false;
        sorted[next[rankOf[order[i]]]++] = order[i];
    }
    order.swap(sorted);
    return true;
}

} // namespace

NumberedRows::NumberedRows(const QueryTable &of) : table(of), first{0} {
    for (std::size_t part = 0; part < table.partCount(); ++part)
        first.push_back(first.back() + table.partSize(part));
}

void NumberedRows::find(std::size_t row, QueryTable::Row &place) const {
    if (row < first[place.part] || row >= first[place.part + 1])
        place.part = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
    place.index = row - first[place.part];
}

std::uint64_t RowOrder::bytes() const {
    return rows.size() * sizeof(rows[0]) + runEnds.size() * sizeof(runEnds[0]) +
           integers.size() * rows.size() * sizeof(std::int64_t);
}

std::optional<RowOrder> orderRows(const NumberedRows &rows, const std::vector<const QueryTable::Ranks *> &ranks,
                                  std::uint64_t columns, QueryWatch &watch) {
    std::size_t together = 1;
    for (const QueryTable::Ranks *columnRanks : ranks)
        together = std::min(together * std::min(columnRanks->count, maxRanksTogether + 1), maxRanksTogether + 1);
    if (together <= maxRanksTogether)
        return inOnePass(rows, ranks, together, columns, watch);
    if (!watch.mayTake(rows.count() * sizeof(std::uint32_t)))
        return {};
    RowOrder order;
    order.rows.resize(rows.count());
    std::iota(order.rows.begin(), order.rows.end(), 0U);
    // Last column first: each pass keeps the order of the one before.
    for (auto column = ranks.rbegin(); column != ranks.rend(); ++column)
        if (!sortByRank(rows, **column, order.rows, watch))
            return {};
    return order;
}

} // namespace syncopate
