// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/motif_proof.h"

#include "engine/base/numbers.h"
#include "engine/plan/proof_processes.h"

#include <algorithm>
#include <bitset>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace syncopate {

namespace {

/// Tells which motifs are certain to be done before another one starts.
class Ancestors {
public:
    /// For at most maxMotifs motifs.
    explicit Ancestors(const std::vector<Motif> &motifs) : m_of(motifs.size()) {
        for (std::size_t m = 0; m < motifs.size(); ++m)
            for (const std::int32_t before : motifs[m].after)
                m_of[m] |= m_of[asIndex(before)] | std::bitset<maxMotifs>().set(asIndex(before));
    }
    [[nodiscard]] bool isBefore(std::int32_t first, std::int32_t then) const {
        return first < 0 || first == then || m_of[asIndex(then)][asIndex(first)];
    }

private:
    std::vector<std::bitset<maxMotifs>> m_of;
};

Unexpected race(std::int32_t motif, std::int32_t other) {
    return fail(fmt::format("motif {} needs data that motif {} changes, and does not wait for it", motif, other),
                "name it under \"after\"");
}

/// The contents of a chunk: the processes whose contributions it sums.
struct Contents {
    std::bitset<maxShrunk> from;
    bool isWrong = false; ///< undefined, or a sum that has some contribution twice

    void add(const Contents &other) {
        isWrong = isWrong || other.isWrong || (from & other.from).any();
        from |= other.from;
    }
};

constexpr bool undefined = true; ///< such as parts that others keep after a reduce-scatter: some partial sum

/// A chunk in one process's buffer, and which motifs touched it.
struct Part {
    Contents contents;
    std::int32_t writer = -1;
    std::vector<std::int32_t> readers, adders; ///< since it was written; adders need not wait for each other
};

/// State of a proof for collectives of sums and copies: all but all-to-all and permute.
class Sums {
public:
    Sums(CollectiveKind kind, std::int32_t processes, const Ancestors &ancestors)
        : m_kind(kind), m_processes(processes), m_ancestors(ancestors), m_parts(asIndex(processes) * asIndex(processes)) {
        for (std::int32_t p = 0; p < processes; ++p)
            for (std::int32_t x = 0; x < processes; ++x)
                if (kind == CollectiveKind::Broadcast ? p == 0 : kind != CollectiveKind::AllGather || x == p)
                    at(p, x).contents.from.set(asIndex(p));
                else
                    at(p, x).contents.isWrong = true; // a buffer that waits for its contents
    }

    Result<void> run(const ProofStep &step) {
        const std::int32_t shards = step.stride / step.every;
        for (std::int32_t root = 0; root < m_processes; ++root) {
            if (!step.takesPart(root) || step.member(root) != 0)
                continue;
            for (std::int32_t x = root / step.every % shards; x < m_processes; x += shards)
                TRY(step.motif->spline.of > 1 ? sendChunk(step, root, x, x / shards % step.size)
                                              : moveChunk(step, root, x, x / shards % step.size));
        }
        return {};
    }

    [[nodiscard]] Result<void> finish() const {
        std::bitset<maxShrunk> all;
        for (std::int32_t p = 0; p < m_processes; ++p)
            all.set(asIndex(p));
        for (std::int32_t p = 0; p < m_processes; ++p)
            for (std::int32_t x = 0; x < m_processes; ++x) {
                if ((m_kind == CollectiveKind::Reduce && p != 0) || (m_kind == CollectiveKind::ReduceScatter && x != p))
                    continue;
                std::bitset<maxShrunk> wanted = all;
                if (m_kind == CollectiveKind::Broadcast || m_kind == CollectiveKind::AllGather)
                    wanted.reset().set(m_kind == CollectiveKind::Broadcast ? 0 : asIndex(x));
                const Contents &got = m_parts[asIndex(p) * asIndex(m_processes) + asIndex(x)].contents;
                if (got.isWrong || got.from != wanted)
                    return fail("the motifs leave processes without the result of the whole collective", proofRemedy);
            }
        return {};
    }

private:
    Part &at(std::int32_t process, std::int32_t chunk) {
        return m_parts[asIndex(process) * asIndex(m_processes) + asIndex(chunk)];
    }

    /// Moves one chunk in one group; `owner` is the member that keeps it in a reduce-scatter and sends it in an all-gather.
    Result<void> moveChunk(const ProofStep &step, std::int32_t root, std::int32_t x, std::int32_t owner) {
        const CollectiveKind kind = step.motif->kind;
        const bool sums =
            kind == CollectiveKind::AllReduce || kind == CollectiveKind::Reduce || kind == CollectiveKind::ReduceScatter;
        const std::int32_t source = kind == CollectiveKind::AllGather ? owner : 0;
        Contents sum;
        for (std::int32_t m = 0; m < step.size; ++m) {
            if (!sums && m != source)
                continue;
            sum.add(TRY(read(step, step.peer(root, m), x)));
        }
        for (std::int32_t m = 0; m < step.size; ++m) {
            if (kind == CollectiveKind::Reduce && m != 0)
                continue;
            const bool leftOver = kind == CollectiveKind::ReduceScatter && m != owner;
            TRY(write(step, step.peer(root, m), x, leftOver ? Contents{{}, undefined} : sum));
        }
        return {};
    }

    /// Moves one chunk in one group by the direct transfers of a spline: from one member to several or, of reductions, from
    /// several to one, which adds them to its own. `owner` as above.
    Result<void> sendChunk(const ProofStep &step, std::int32_t root, std::int32_t x, std::int32_t owner) {
        const CollectiveKind kind = step.motif->kind;
        const bool adds = kind == CollectiveKind::Reduce || kind == CollectiveKind::ReduceScatter;
        const bool isRooted = kind == CollectiveKind::Reduce || kind == CollectiveKind::Broadcast;
        const std::int32_t one = isRooted ? 0 : owner;
        const Contents ofOne = adds ? Contents() : TRY(read(step, step.peer(root, one), x));
        for (std::int32_t m = 0; m < step.size; ++m) {
            const std::int32_t hop = (adds && !isRooted ? one - m : m - one) + step.size; // from sender to receiver
            if (m == one || !step.isInSpline(hop % step.size))
                continue;
            const std::int32_t from = step.peer(root, adds ? m : one), to = step.peer(root, adds ? one : m);
            TRY(adds ? add(step, to, x, TRY(read(step, from, x))) : write(step, to, x, ofOne));
            if (kind == CollectiveKind::ReduceScatter)
                TRY(write(step, from, x, {{}, undefined}));
        }
        return {};
    }

    Result<Contents> read(const ProofStep &step, std::int32_t process, std::int32_t x) {
        Part &part = at(process, x);
        TRY(waitsForWriters(step, part));
        note(part.readers, step);
        return part.contents;
    }

    Result<void> write(const ProofStep &step, std::int32_t process, std::int32_t x, const Contents &value) {
        Part &part = at(process, x);
        TRY(waitsForAll(step, part.readers));
        TRY(waitsForWriters(step, part));
        part = {value, step.number, {}, {}};
        return {};
    }

    Result<void> add(const ProofStep &step, std::int32_t process, std::int32_t x, const Contents &value) {
        Part &part = at(process, x);
        TRY(waitsForAll(step, part.readers));
        TRY(waitsFor(step, part.writer));
        part.contents.add(value);
        // Refused at once, so that no part has more adders than processes: each reader looks at all of them.
        if (part.contents.isWrong)
            return fail(fmt::format("motif {} adds a contribution twice, or adds to or from undefined contents", step.number),
                        proofRemedy);
        note(part.adders, step);
        return {};
    }

    static void note(std::vector<std::int32_t> &motifs, const ProofStep &step) {
        if (motifs.empty() || motifs.back() != step.number)
            motifs.push_back(step.number);
    }
    [[nodiscard]] Result<void> waitsForWriters(const ProofStep &step, const Part &part) const {
        TRY(waitsForAll(step, part.adders));
        return waitsFor(step, part.writer);
    }
    [[nodiscard]] Result<void> waitsForAll(const ProofStep &step, const std::vector<std::int32_t> &others) const {
        for (const std::int32_t other : others)
            TRY(waitsFor(step, other));
        return {};
    }
    [[nodiscard]] Result<void> waitsFor(const ProofStep &step, std::int32_t other) const {
        if (!m_ancestors.isBefore(other, step.number))
            return race(step.number, other);
        return {};
    }

    CollectiveKind m_kind;
    std::int32_t m_processes;
    const Ancestors &m_ancestors;
    std::vector<Part> m_parts; ///< processes x chunks
};

/// State of a proof for all-to-all: where each pair's chunk is, and which of its digits have been routed.
class Routes {
public:
    Routes(std::int32_t processes, std::uint32_t levels, const Ancestors &ancestors)
        : m_levels(levels), m_ancestors(ancestors), m_chunks(asIndex(processes) * asIndex(processes)) {
        for (std::int32_t source = 0; source < processes; ++source)
            for (std::int32_t to = 0; to < processes; ++to)
                m_chunks[asIndex(source) * asIndex(processes) + asIndex(to)] = {source, source, to, 0, -1};
    }

    Result<void> run(const ProofStep &step) {
        if (step.motif->kind != CollectiveKind::AllToAll || step.every != 1)
            return fail(fmt::format("motif {} belongs to another collective", step.number), proofRemedy);
        std::uint32_t levels = 0;
        for (std::int32_t level = step.firstLevel; level < step.endLevel; ++level)
            levels |= 1U << asIndex(level);
        for (Chunk &chunk : m_chunks) {
            // A chunk is still at its source's digits in levels that are not routed yet.
            const std::int32_t hop = (step.member(chunk.to) - step.member(chunk.source) + step.size) % step.size;
            if (!step.isInSpline(hop))
                continue;
            if ((chunk.routed & levels) != 0)
                return fail(fmt::format("motif {} does work of motif {} again", step.number, chunk.mover), proofRemedy);
            if (!m_ancestors.isBefore(chunk.mover, step.number))
                return race(step.number, chunk.mover);
            chunk.at = step.peer(chunk.at, step.member(chunk.to));
            chunk.routed |= levels;
            chunk.mover = step.number;
        }
        return {};
    }

    [[nodiscard]] Result<void> finish() const {
        for (const Chunk &chunk : m_chunks)
            if (chunk.at != chunk.to || chunk.routed != m_levels)
                return fail("the motifs leave out a part of the collective", proofRemedy);
        return {};
    }

private:
    struct Chunk {
        std::int32_t source = 0, at = 0, to = 0;
        std::uint32_t routed = 0; ///< one bit per level of groups
        std::int32_t mover = -1;
    };
    std::uint32_t m_levels; ///< the bits of all levels
    const Ancestors &m_ancestors;
    std::vector<Chunk> m_chunks;
};

/// State of a proof for permute: whose chunk each process has received. The shift does not matter to completeness.
class Transfers {
public:
    explicit Transfers(std::int32_t processes)
        : m_got(asIndex(processes), -1), m_mover(asIndex(processes), -1), m_processes(processes) {}

    Result<void> run(const ProofStep &step) {
        if (step.motif->kind != CollectiveKind::Permute || step.every != 1 || step.size != m_processes)
            return fail(fmt::format("motif {} belongs to another collective or another group", step.number), proofRemedy);
        for (std::int32_t source = 0; source < m_processes; ++source) {
            if (!step.isInSpline(source))
                continue;
            const std::size_t to = asIndex((source + 1) % m_processes);
            if (m_got[to] >= 0)
                return fail(fmt::format("motif {} does work of motif {} again", step.number, m_mover[to]), proofRemedy);
            m_got[to] = source;
            m_mover[to] = step.number;
        }
        return {};
    }

    [[nodiscard]] Result<void> finish() const {
        for (std::int32_t p = 0; p < m_processes; ++p)
            if (m_got[asIndex(p)] != (p + m_processes - 1) % m_processes)
                return fail("the motifs leave out a part of the collective", proofRemedy);
        return {};
    }

private:
    std::vector<std::int32_t> m_got, m_mover; ///< per process; -1 = none yet
    std::int32_t m_processes;
};

/// A position in the payload as an exact fraction.
struct Ratio {
    std::int64_t numerator = 0, denominator = 1;
    bool operator<(const Ratio &other) const { return numerator * other.denominator < other.numerator * denominator; }
};

/// Proves one stretch of the payload, which no segment divides. Motifs that cover it have groups of their own.
Result<void> proveStretch(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes, const Ratio &start,
                          const Ancestors &ancestors, ProofBudget &budget) {
    std::vector<std::int32_t> covering;
    for (std::size_t m = 0; m < motifs.size(); ++m) {
        const Slice &segment = motifs[m].segment;
        if (!(start < Ratio{segment.index, segment.of}) && start < Ratio{segment.index + 1, segment.of})
            covering.push_back(static_cast<std::int32_t>(m));
    }
    const ProofProcesses shrunk = TRY(ProofProcesses::of(motifs, covering, processes));
    // One more round: finish() looks at every chunk once more.
    const auto rounds = static_cast<std::int64_t>(covering.size()) + 1;
    if (!budget.take(rounds * shrunk.processes() * shrunk.processes()))
        return tooManyToProve();
    const auto prove = [&](auto state) -> Result<void> {
        for (const std::int32_t m : covering)
            TRY(state.run(shrunk.step(motifs[asIndex(m)], m)));
        return state.finish();
    };
    if (kind == CollectiveKind::Permute)
        return prove(Transfers(shrunk.processes()));
    return kind == CollectiveKind::AllToAll ? prove(Routes(shrunk.processes(), shrunk.allLevels(), ancestors))
                                            : prove(Sums(kind, shrunk.processes(), ancestors));
}

} // namespace

Unexpected tooManyToProve() { return fail("the motifs are too many to be proved", "cut the collective into fewer"); }

Result<void> movesAllChunks(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes, ProofBudget &budget) {
    if (motifs.size() > maxMotifs)
        return fail(fmt::format("{} motifs are more than the {} that can be proved", motifs.size(), maxMotifs), proofRemedy);
    std::set<Ratio> starts{Ratio{0, 1}};
    for (std::size_t m = 0; m < motifs.size(); ++m) {
        const Slice &segment = motifs[m].segment;
        starts.insert(Ratio{segment.index, segment.of});
        if (segment.index + 1 < segment.of)
            starts.insert(Ratio{segment.index + 1, segment.of});
        const bool onlyMoves = motifs[m].kind == CollectiveKind::AllToAll || motifs[m].kind == CollectiveKind::Permute;
        if (onlyMoves && motifs[m].kind != kind)
            return fail(fmt::format("motif {} belongs to another collective", m), proofRemedy);
    }
    const Ancestors ancestors(motifs);
    for (const Ratio &start : starts)
        TRY(proveStretch(kind, motifs, processes, start, ancestors, budget));
    return {};
}

} // namespace syncopate
