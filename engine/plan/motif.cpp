// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/motif.h"

#include "engine/plan/motif_proof.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// Whether the slices [i/n, (i+1)/n) and [j/m, (j+1)/m) of [0, 1) overlap.
bool overlap(const Slice &a, const Slice &b) {
    return std::int64_t{a.index} * b.of < std::int64_t{b.index + 1} * a.of &&
           std::int64_t{b.index} * a.of < std::int64_t{a.index + 1} * b.of;
}
bool overlap(const Motif &a, const Motif &b) { return overlap(a.segment, b.segment) && overlap(a.spline, b.spline); }

bool isWithin(const Slice &slice) { return slice.of >= 1 && slice.of <= 65536 && slice.index >= 0 && slice.index < slice.of; }

/// Disjoint slices cover the whole if their shares add up to 1, within rounding: a part that is left out may be as small as
/// 2^-32.
bool coverWhole(const std::vector<Motif> &motifs) {
    double share = 0;
    for (const Motif &motif : motifs)
        share += 1.0 / motif.segment.of / motif.spline.of;
    return share > 1 - 1e-12 && share < 1 + 1e-12;
}

/// The motifs that a motif is rewritten into, run one after the other or (`inTurn` false) all at once.
struct Pieces {
    std::vector<Motif> motifs;
    bool inTurn = true;
};

Unexpected ruleDoesNotApply(const Motif &motif, const char *what) {
    return fail(fmt::format("{} cannot be rewritten so: {}", nameOf(motif), what),
                "see docs/plan.md for the purpose of each rule");
}

constexpr const char *allReducesHaveNoSplines = "an all-reduce is splined by way of a ring or a tree, whose motifs have splines";
constexpr const char *splinesDivide = "splines divide the number of processes";

/// Segment and spline: a slice divided into `k` parts.
Result<Pieces> parts(const Motif &motif, Slice Motif::*slice, std::int32_t k) {
    const Slice whole = motif.*slice;
    if (std::int64_t{whole.of} * k > 65536)
        return ruleDoesNotApply(motif, "more than 65,536 parts");
    Pieces pieces{{}, false};
    for (std::int32_t part = 0; part < k; ++part) {
        pieces.motifs.push_back(motif);
        pieces.motifs.back().*slice = {whole.index * k + part, whole.of * k};
    }
    return pieces;
}

/// Inner groups of k neighbours, and groups across them: of all members, or of each inner group's first one, its root.
struct Levels {
    ProcessGroup inner, across, roots;
};
Levels levelsOf(const ProcessGroup &group, std::int32_t k, std::int32_t processes) {
    const std::int32_t outer = group.sizeAmong(processes) / k, stride = group.stride * k;
    return {{k, group.stride, group.every}, {outer, stride, group.every}, {outer, stride, stride}};
}

Result<Pieces> partitioned(const Motif &motif, std::int32_t k, std::int32_t processes) {
    if (motif.spline.of > 1 && motif.kind != CollectiveKind::Permute)
        return ruleDoesNotApply(motif, "a spline has no steps");
    const Levels levels = levelsOf(motif.group, k, processes);
    Pieces pieces;
    const auto then = [&](CollectiveKind kind, const ProcessGroup &group) {
        pieces.motifs.push_back({kind, motif.segment, motif.spline, {}, group});
    };
    switch (motif.kind) {
    case CollectiveKind::AllReduce:
        then(CollectiveKind::ReduceScatter, levels.inner);
        then(CollectiveKind::AllReduce, levels.across);
        then(CollectiveKind::AllGather, levels.inner);
        break;
    case CollectiveKind::ReduceScatter:
        then(motif.kind, levels.inner);
        then(motif.kind, levels.across);
        break;
    case CollectiveKind::AllGather:
        then(motif.kind, levels.across);
        then(motif.kind, levels.inner);
        break;
    case CollectiveKind::AllToAll:
        then(motif.kind, levels.inner);
        then(motif.kind, levels.across);
        break;
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
        if (motif.group.shards() > 1)
            return ruleDoesNotApply(motif, "its processes hold different parts");
        then(motif.kind, levels.inner);
        then(motif.kind, levels.roots);
        if (motif.kind == CollectiveKind::Broadcast)
            std::reverse(pieces.motifs.begin(), pieces.motifs.end());
        break;
    case CollectiveKind::Permute:
        return ruleDoesNotApply(motif, "each process sends to one, in a single step");
    }
    return pieces;
}

Result<Pieces> piecesOf(const Motif &motif, MotifRule rule, std::int32_t k, std::int32_t processes) {
    const std::int32_t members = motif.group.sizeAmong(processes);
    const bool reduces = motif.kind == CollectiveKind::AllReduce;
    switch (rule) {
    case MotifRule::Segment:
        return parts(motif, &Motif::segment, k);
    case MotifRule::Spline:
        if (!hasSplines(motif.kind))
            return ruleDoesNotApply(motif, allReducesHaveNoSplines);
        if (members % (std::int64_t{motif.spline.of} * k) != 0)
            return ruleDoesNotApply(motif, splinesDivide);
        return parts(motif, &Motif::spline, k);
    case MotifRule::Ring:
        if (!reduces)
            return ruleDoesNotApply(motif, "only all-reduces are rings");
        return Pieces{{{CollectiveKind::ReduceScatter, motif.segment, motif.spline, {}, motif.group},
                       {CollectiveKind::AllGather, motif.segment, motif.spline, {}, motif.group}}};
    case MotifRule::Tree:
    case MotifRule::Partition:
        break;
    }
    if (k < 2 || k >= members || members % k != 0)
        return ruleDoesNotApply(motif, "its processes are not several groups of that size");
    if (rule == MotifRule::Partition)
        return partitioned(motif, k, processes);
    if (!reduces || motif.group.shards() > 1)
        return ruleDoesNotApply(motif, "only all-reduces of whole payloads are trees");
    const Levels levels = levelsOf(motif.group, k, processes);
    return Pieces{{{CollectiveKind::Reduce, motif.segment, motif.spline, {}, {k, motif.group.stride, motif.group.stride}},
                   {CollectiveKind::AllReduce, motif.segment, motif.spline, {}, levels.roots},
                   {CollectiveKind::Broadcast, motif.segment, motif.spline, {}, {k, motif.group.stride, motif.group.stride}}}};
}

/// A motif as a recursive tree or in groups; unchanged where its processes have no such groups.
std::vector<Motif> grouped(Motif motif, const MotifCut &cut, std::int32_t processes) {
    std::vector<Motif> motifs{std::move(motif)};
    if (cut.tree > 1)
        for (std::size_t middle = 0;; ++middle) { // the middle motif of a tree is the all-reduce of its roots
            auto finer = rewriteMotif(motifs, middle, MotifRule::Tree, cut.tree, processes);
            if (!finer)
                return motifs;
            motifs = *std::move(finer);
        }
    auto finer = rewriteMotif(motifs, 0, MotifRule::Partition, cut.partition, processes);
    return finer ? *std::move(finer) : motifs;
}

constexpr const char *cutRemedy = "cut the collective into motifs that are its payload and pattern, each once";

/// Whether `after` holds only earlier motifs, each once and in ascending order.
bool waitsForEarlier(const Motif &motif, std::size_t number) {
    for (std::size_t a = 0; a < motif.after.size(); ++a)
        if (motif.after[a] < 0 || motif.after[a] >= static_cast<std::int32_t>(number) ||
            (a > 0 && motif.after[a] <= motif.after[a - 1]))
            return false;
    return true;
}

/// Checks one motif as far as possible without the others.
Result<void> checkMotif(const Motif &motif, std::size_t number, std::int32_t processes) {
    if (!fits(motif.group, processes))
        return fail(fmt::format("the group of motif {} does not divide {} processes", number, processes), cutRemedy);
    if (!isWithin(motif.segment) || !isWithin(motif.spline))
        return fail(fmt::format("motif {} is part i of n with 0 <= i < n <= 65,536 of neither payload nor pattern", number),
                    cutRemedy);
    if (motif.spline.of > 1 && !hasSplines(motif.kind))
        return fail(fmt::format("motif {} splines an all-reduce", number), allReducesHaveNoSplines);
    if (motif.spline.of > 1 && motif.group.sizeAmong(processes) % motif.spline.of != 0)
        return fail(fmt::format("motif {} is one of {} splines of {} processes", number, motif.spline.of,
                                motif.group.sizeAmong(processes)),
                    splinesDivide);
    if (!waitsForEarlier(motif, number))
        return fail(fmt::format("motif {} does not name the motifs before it that it waits for, each once and in order", number),
                    cutRemedy);
    return {};
}

/// Checks motifs cut by segments and splines alone: no two do the same work, and together they do all of it.
Result<void> checkCutOnce(const std::vector<Motif> &motifs, ProofBudget &budget) {
    const auto count = static_cast<std::int64_t>(motifs.size());
    if (!budget.take(count * (count - 1) / 2))
        return tooManyToProve();
    for (std::size_t a = 0; a < motifs.size(); ++a)
        for (std::size_t b = a + 1; b < motifs.size(); ++b)
            if (overlap(motifs[a], motifs[b]))
                return fail(fmt::format("{} and {} do the same work", nameOf(motifs[a]), nameOf(motifs[b])), cutRemedy);
    if (!coverWhole(motifs))
        return fail("the motifs leave out a part of the collective", cutRemedy);
    return {};
}

} // namespace

bool hasSplines(CollectiveKind kind) { return kind != CollectiveKind::AllReduce; }

double directPeers(const Motif &motif, std::int32_t members) {
    return static_cast<double>(members) / motif.spline.of - (motif.spline.index == 0 ? 1 : 0);
}

double sentBytes(const Motif &motif, double opBytes, std::int32_t processes) {
    const std::int32_t members = motif.group.sizeAmong(processes);
    const double payload = opBytes / motif.segment.of, n = members, part = payload / motif.group.shards();
    switch (motif.kind) {
    case CollectiveKind::AllToAll:
        return payload / n * directPeers(motif, members);
    case CollectiveKind::Permute:
        return payload; // each sender of a spline sends all of it
    case CollectiveKind::AllReduce:
        return 2 * (n - 1) / n * part;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllGather:
        return directPeers(motif, members) / n * part; // of the whole, n - 1 parts go round
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
        break;
    }
    return motif.spline.of > 1 ? part * directPeers(motif, members) : part;
}

Result<std::vector<Motif>> rewriteMotif(const std::vector<Motif> &motifs, std::size_t at, MotifRule rule, std::int32_t k,
                                        std::int32_t processes) {
    if (at >= motifs.size() || k < 1 || k > 65536)
        return fail("there is no such motif, or no such count", "rewrite one of the motifs, by 1 to 65,536");
    const Pieces pieces = TRY(piecesOf(motifs[at], rule, k, processes));
    const auto count = static_cast<std::int32_t>(pieces.motifs.size()), first = static_cast<std::int32_t>(at);
    std::vector<Motif> rewritten;
    for (std::int32_t m = 0; m < static_cast<std::int32_t>(motifs.size()); ++m) {
        if (m == first) {
            for (std::int32_t piece = 0; piece < count; ++piece) {
                rewritten.push_back(pieces.motifs[static_cast<std::size_t>(piece)]);
                rewritten.back().after = motifs[at].after;
                if (pieces.inTurn && piece > 0)
                    rewritten.back().after = {first + piece - 1};
            }
            continue;
        }
        rewritten.push_back(motifs[static_cast<std::size_t>(m)]);
        std::vector<std::int32_t> after;
        for (const std::int32_t before : rewritten.back().after) {
            if (before == first && !pieces.inTurn)
                for (std::int32_t piece = 0; piece + 1 < count; ++piece)
                    after.push_back(first + piece);
            after.push_back(before < first ? before : before + count - 1);
        }
        rewritten.back().after = std::move(after);
    }
    return rewritten;
}

std::vector<Motif> cutMotifs(CollectiveKind kind, const MotifCut &cut, std::int32_t processes) {
    std::vector<Motif> motifs;
    const auto append = [&motifs](std::vector<Motif> more) {
        const auto begin = static_cast<std::int32_t>(motifs.size());
        for (Motif &motif : more) {
            for (std::int32_t &before : motif.after)
                before += begin;
            motifs.push_back(std::move(motif));
        }
    };
    for (std::int32_t s = 0; s < cut.segments; ++s)
        for (std::int32_t c = 0; c < cut.splines; ++c) {
            const Slice segment{s, cut.segments}, spline{c, cut.splines};
            if (cut.tree > 1 || cut.partition > 1)
                append(grouped({kind, segment, spline, {}, {}}, cut, processes));
            else if (cut.ring)
                append({{CollectiveKind::ReduceScatter, segment, spline, {}, {}},
                        {CollectiveKind::AllGather, segment, spline, {0}, {}}});
            else
                append({{kind, segment, spline, {}, {}}});
        }
    return motifs;
}

Result<void> checkMotifs(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes) {
    ProofBudget budget;
    return checkMotifs(kind, motifs, processes, budget);
}

Result<void> checkMotifs(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes, ProofBudget &budget) {
    if (motifs.size() > maxMotifs)
        return fail(fmt::format("{} motifs are more than the {} that a collective may have", motifs.size(), maxMotifs),
                    cutRemedy);
    bool isRewritten = false; // into other kinds or groups
    for (std::size_t m = 0; m < motifs.size(); ++m) {
        TRY(checkMotif(motifs[m], m, processes));
        isRewritten = isRewritten || motifs[m].kind != kind || motifs[m].group != ProcessGroup{};
    }
    const bool moves = isRewritten || kind == CollectiveKind::Permute;
    return moves ? movesAllChunks(kind, motifs, processes, budget) : checkCutOnce(motifs, budget);
}

std::string nameOf(const Motif &motif) {
    std::string text(nameOf(motif.kind));
    if (motif.spline.of > 1)
        text = fmt::format("spline {} of {} of {}", motif.spline.index + 1, motif.spline.of, text);
    if (motif.segment.of > 1)
        text = fmt::format("segment {} of {} of {}", motif.segment.index + 1, motif.segment.of, text);
    const ProcessGroup &group = motif.group;
    if (group.size > 0 && group.stride == 1)
        text += fmt::format(" in groups of {}", group.size);
    else if (group.size > 0)
        text += group.every > 1 ? fmt::format(" in groups of {} that are {} apart", group.size, group.stride)
                                : fmt::format(" across {} groups of {}", group.size, group.stride);
    return text;
}

} // namespace syncopate
