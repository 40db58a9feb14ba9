// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/motif.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// Whether two equal divisions of [0, 1) have a stretch in common that is theirs: [i/n, (i+1)/n) and [j/m, (j+1)/m).
bool overlap(const Slice &a, const Slice &b) {
    return std::int64_t{a.index} * b.of < std::int64_t{b.index + 1} * a.of &&
           std::int64_t{b.index} * a.of < std::int64_t{a.index + 1} * b.of;
}
bool contains(const Slice &outer, const Slice &inner) {
    return std::int64_t{outer.index} * inner.of <= std::int64_t{inner.index} * outer.of &&
           std::int64_t{inner.index + 1} * outer.of <= std::int64_t{outer.index + 1} * inner.of;
}
bool overlap(const Motif &a, const Motif &b) { return overlap(a.segment, b.segment) && overlap(a.spline, b.spline); }

bool isWithin(const Slice &slice) { return slice.of >= 1 && slice.of <= 65536 && slice.index >= 0 && slice.index < slice.of; }

/// Disjoint slices cover the whole where their shares add up to 1, within what as many slices can be off by rounding.
bool coverWhole(const std::vector<const Motif *> &motifs) {
    double share = 0;
    for (const Motif *motif : motifs)
        share += 1.0 / motif->segment.of / motif->spline.of;
    return share > 1 - 1e-9 && share < 1 + 1e-9;
}

/// The reduce-scatters and all-gathers of an all-reduce: what was scattered is gathered, afterwards.
Result<void> checkRing(const std::vector<Motif> &motifs) {
    for (std::size_t m = 0; m < motifs.size(); ++m) {
        if (motifs[m].kind != CollectiveKind::AllGather)
            continue;
        double share = 0; // of what it gathers
        for (const std::int32_t before : motifs[m].after) {
            const Motif &scatter = motifs[static_cast<std::size_t>(before)];
            if (scatter.kind == CollectiveKind::ReduceScatter && contains(motifs[m].segment, scatter.segment))
                share += static_cast<double>(motifs[m].segment.of) / scatter.segment.of;
            else if (scatter.kind == CollectiveKind::ReduceScatter && contains(scatter.segment, motifs[m].segment))
                share = 1;
        }
        if (share < 1 - 1e-9)
            return fail(fmt::format("motif {} gathers what no motif before it has reduced", m),
                        "name the reduce_scatter of its segment under \"after\"");
    }
    return {};
}

} // namespace

double sentBytes(const Motif &motif, double opBytes, std::int32_t processes) {
    const double payload = opBytes / motif.segment.of, n = processes;
    switch (motif.kind) {
    case CollectiveKind::AllToAll: {
        const double destinations = n / motif.spline.of - (motif.spline.index == 0 ? 1 : 0);
        return payload / n * destinations;
    }
    case CollectiveKind::AllReduce:
        return 2 * (n - 1) / n * payload / motif.spline.of;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllGather:
        return (n - 1) / n * payload / motif.spline.of;
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
        break;
    }
    return payload / motif.spline.of;
}

std::vector<Motif> cutMotifs(CollectiveKind kind, const MotifCut &cut) {
    std::vector<Motif> motifs;
    for (std::int32_t s = 0; s < cut.segments; ++s)
        for (std::int32_t c = 0; c < cut.splines; ++c) {
            const Slice segment{s, cut.segments}, spline{c, cut.splines};
            if (!cut.ring) {
                motifs.push_back({kind, segment, spline, {}});
                continue;
            }
            motifs.push_back({CollectiveKind::ReduceScatter, segment, spline, {}});
            motifs.push_back({CollectiveKind::AllGather, segment, spline, {static_cast<std::int32_t>(motifs.size()) - 1}});
        }
    return motifs;
}

Result<void> checkMotifs(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes) {
    constexpr const char *remedy = "cut the collective into motifs that are its payload and pattern, each once";
    if (motifs.size() > maxMotifs)
        return fail(fmt::format("{} motifs are more than the {} that a collective may have", motifs.size(), maxMotifs), remedy);
    std::vector<const Motif *> first, last; // what begins and what ends the work: both are the whole of it
    for (std::size_t m = 0; m < motifs.size(); ++m) {
        const Motif &motif = motifs[m];
        const bool whole = motif.kind == kind;
        const bool half = kind == CollectiveKind::AllReduce &&
                          (motif.kind == CollectiveKind::ReduceScatter || motif.kind == CollectiveKind::AllGather);
        if (!whole && !half)
            return fail(fmt::format("motif {} is of another collective", m), remedy);
        if (!isWithin(motif.segment) || !isWithin(motif.spline))
            return fail(fmt::format("motif {} is part i of n with 0 <= i < n <= 65,536 of neither payload nor pattern", m),
                        remedy);
        if (motif.spline.of > 1 && (kind != CollectiveKind::AllToAll || processes % motif.spline.of != 0))
            return fail(fmt::format("motif {} splines what cannot be splined so", m),
                        "only all-to-alls are splined, into a divisor of the number of processes");
        for (std::size_t a = 0; a < motif.after.size(); ++a)
            if (motif.after[a] < 0 || motif.after[a] >= static_cast<std::int32_t>(m) ||
                (a > 0 && motif.after[a] <= motif.after[a - 1]))
                return fail(
                    fmt::format("motif {} does not name the motifs before it that it waits for, each once and in order", m),
                    remedy);
        if (motif.kind != CollectiveKind::AllGather || whole)
            first.push_back(&motif);
        if (motif.kind != CollectiveKind::ReduceScatter || whole)
            last.push_back(&motif);
    }
    for (const auto *side : {&first, &last}) {
        for (std::size_t a = 0; a < side->size(); ++a)
            for (std::size_t b = a + 1; b < side->size(); ++b)
                if (overlap(*(*side)[a], *(*side)[b]))
                    return fail(fmt::format("{} and {} do the same work", nameOf(*(*side)[a]), nameOf(*(*side)[b])), remedy);
        if (!coverWhole(*side))
            return fail("the motifs leave out a part of the collective", remedy);
    }
    return checkRing(motifs);
}

std::string nameOf(const Motif &motif) {
    std::string text(nameOf(motif.kind));
    if (motif.spline.of > 1)
        text = fmt::format("spline {} of {} of {}", motif.spline.index + 1, motif.spline.of, text);
    if (motif.segment.of > 1)
        text = fmt::format("segment {} of {} of {}", motif.segment.index + 1, motif.segment.of, text);
    return text;
}

} // namespace syncopate
