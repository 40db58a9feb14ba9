// SPDX-License-Identifier: GPL-3.0-or-later
// The processes among which a proof of motifs moves chunks: as few as still tell the motifs' groups and splines apart, so that a
// proof among thousands costs no more than one among a handful.
#pragma once

#include "engine/base/numbers.h"
#include "engine/plan/motif.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <vector>

namespace syncopate {

inline constexpr std::int32_t maxShrunk = 256; ///< processes among which a proof moves chunks
inline constexpr const char *proofRemedy = "rewrite the collective by the rules of docs/plan.md";

/// A motif among the shrunk processes.
struct ProofStep {
    const Motif *motif = nullptr;
    std::int32_t number = 0;
    std::int32_t size = 0, stride = 1, every = 1;
    std::int32_t firstLevel = 0, endLevel = 0; ///< levels that its group spans: [first, end)
    [[nodiscard]] std::int32_t member(std::int32_t process) const { return process / stride % size; }
    [[nodiscard]] std::int32_t peer(std::int32_t process, std::int32_t member) const {
        return process + (member - this->member(process)) * stride;
    }
    [[nodiscard]] bool takesPart(std::int32_t process) const { return process % every == 0; }
    /// Whether number `hop` of a group's pattern, from 0 to size - 1, is of the motif's spline.
    [[nodiscard]] bool isInSpline(std::int32_t hop) const {
        const Slice &spline = motif->spline;
        return hop * spline.of >= spline.index * size && hop * spline.of < (spline.index + 1) * size;
    }
};

/// Maps processes to as few as still tell all groups and splines apart. A process number is written in mixed radix, one digit per
/// level of groups; every level keeps its digit and gets a smaller base. Of splines that sum or copy all members differ, by their
/// number or by their distance from each other: then each level keeps its base.
class ProofProcesses {
public:
    /// For the motifs listed in `covering`.
    static Result<ProofProcesses> of(const std::vector<Motif> &motifs, const std::vector<std::int32_t> &covering,
                                     std::int32_t processes) {
        std::set<std::int32_t> ends{1, processes};
        for (const std::int32_t m : covering) {
            const ProcessGroup &group = motifs[asIndex(m)].group;
            ends.insert({group.every, group.stride, group.stride * group.sizeAmong(processes)});
        }
        ProofProcesses shrunk;
        shrunk.m_processes = processes;
        shrunk.m_real.assign(ends.begin(), ends.end());
        const bool isShrunk = std::none_of(covering.begin(), covering.end(), [&](std::int32_t m) {
            const Motif &motif = motifs[asIndex(m)];
            return motif.spline.of > 1 && motif.kind != CollectiveKind::AllToAll && motif.kind != CollectiveKind::Permute;
        });
        if (!isShrunk && processes > maxShrunk)
            return fail(fmt::format("splines of the steps of a collective are proved among up to {} processes", maxShrunk),
                        "leave out the splines, or the steps");
        shrunk.m_small = shrunk.m_real;
        for (std::size_t level = 1; level < shrunk.m_real.size(); ++level) {
            if (shrunk.m_real[level] % shrunk.m_real[level - 1] != 0)
                return fail("the groups of the motifs are not inside each other", proofRemedy);
            if (!isShrunk)
                continue;
            std::int64_t base = 2;
            for (const std::int32_t m : covering) {
                const Motif &motif = motifs[asIndex(m)];
                if (motif.group.stride < shrunk.m_real[level] &&
                    shrunk.m_real[level] <= motif.group.stride * motif.group.sizeAmong(processes))
                    base = std::lcm(base, std::int64_t{motif.spline.of});
            }
            if (base * shrunk.m_small[level - 1] > maxShrunk)
                return fail("the motifs have more levels of groups than can be proved", proofRemedy);
            shrunk.m_small[level] = static_cast<std::int32_t>(base) * shrunk.m_small[level - 1];
        }
        return shrunk;
    }

    [[nodiscard]] std::int32_t processes() const { return m_small.back(); }
    [[nodiscard]] std::uint32_t allLevels() const { return (1U << (m_small.size() - 1)) - 1; }
    /// level(): the index of a place value among those of the real numbers; power(): its shrunk place value.
    [[nodiscard]] std::int32_t level(std::int32_t real) const {
        return static_cast<std::int32_t>(std::lower_bound(m_real.begin(), m_real.end(), real) - m_real.begin());
    }
    [[nodiscard]] std::int32_t power(std::int32_t real) const { return m_small[asIndex(level(real))]; }

    [[nodiscard]] ProofStep step(const Motif &motif, std::int32_t number) const {
        const std::int32_t end = motif.group.stride * motif.group.sizeAmong(m_processes), stride = power(motif.group.stride);
        return {&motif, number, power(end) / stride, stride, power(motif.group.every), level(motif.group.stride), level(end)};
    }

private:
    std::int32_t m_processes = 0;
    std::vector<std::int32_t> m_real, m_small; ///< place values: ascending, each dividing the next
};

} // namespace syncopate
