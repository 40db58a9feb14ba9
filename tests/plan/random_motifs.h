// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rules of the motif algebra, composed at random.

#include "engine/base/rng.h"
#include "engine/plan/motif.h"

#include <array>
#include <string>
#include <vector>

namespace syncopate::testing {

inline constexpr std::array kinds{CollectiveKind::AllReduce, CollectiveKind::ReduceScatter, CollectiveKind::AllGather,
                                  CollectiveKind::Reduce,    CollectiveKind::Broadcast,     CollectiveKind::AllToAll,
                                  CollectiveKind::Permute};
inline constexpr std::array rules{MotifRule::Segment, MotifRule::Spline, MotifRule::Ring, MotifRule::Tree, MotifRule::Partition};

inline int upTo(Rng &rng, std::size_t n) { return static_cast<int>(rng.next() % n); }

/// A collective rewritten a few times, each time one of its motifs by a rule, both random.
inline std::vector<Motif> composed(CollectiveKind kind, int processes, Rng &rng) {
    std::vector<Motif> motifs{{kind}};
    for (int tries = 3 + upTo(rng, 8), rewritten = 0; tries > 0 && rewritten < 4; --tries) {
        const auto at = static_cast<std::size_t>(upTo(rng, motifs.size()));
        const MotifRule rule = rules[static_cast<std::size_t>(upTo(rng, rules.size()))];
        if (rule == MotifRule::Segment && motifs[at].segment.of > 4)
            continue;
        if (auto finer = rewriteMotif(motifs, at, rule, 2 + upTo(rng, 3), processes)) {
            motifs = *std::move(finer);
            ++rewritten;
        }
    }
    return motifs;
}

inline std::string textOf(const std::vector<Motif> &motifs) {
    std::string text;
    for (const Motif &motif : motifs)
        text += nameOf(motif) + "; ";
    return text;
}

} // namespace syncopate::testing
