// SPDX-License-Identifier: GPL-3.0-or-later
// How AutosyncSearch draws proposals and decodes them, several at once.
#include "engine/search/autosync_search.h"

#include "engine/base/parallel_in_order.h"
#include "engine/search/constraints.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace syncopate {

Genes AutosyncSearch::fresh(Rng &rng) const { return m_settings.rules ? m_space.fresh(rng) : Genes{{rng.next()}, {}}; }

Genes AutosyncSearch::local(Rng &rng) const {
    if (!m_settings.rules || m_best.empty())
        return fresh(rng);
    static constexpr std::array moves{RuleMove::Step,     RuleMove::Step,  RuleMove::Leap,
                                      RuleMove::Variable, RuleMove::Split, RuleMove::Mixed};
    const auto parent = [&] { return m_best[rng.uniform(0, 1) < 0.6 ? 0 : uniformIndex(rng, m_best.size())].genes; };
    const RuleMove move = moves[uniformIndex(rng, moves.size())];
    if (move != RuleMove::Mixed)
        return m_space.moved(parent(), move, rng);
    const Genes a = parent(), b = parent();
    return m_space.mixed(a, b, rng);
}

Genes AutosyncSearch::proposal(Rng &rng) const { return rng.uniform(0, 1) < 0.7 ? local(rng) : fresh(rng); }

/// New proposals with their strategies, none of which has been tried.
Result<std::vector<AutosyncSearch::Proposal>> AutosyncSearch::propose(std::size_t count, Rng &rng,
                                                                      const std::stop_token &stop) const {
    std::vector<std::uint64_t> seeds(count);
    for (std::uint64_t &seed : seeds)
        seed = rng.next();
    std::vector<Proposal> proposals;
    std::unordered_set<StrategyFingerprint> known;
    auto next = seeds.begin();
    struct Made {
        Proposal proposal;
        StrategyFingerprint fingerprint;
    };
    parallelInOrder<std::uint64_t, Made>(
        m_threads, 4 * static_cast<std::size_t>(m_threads),
        [&]() -> std::optional<std::uint64_t> {
            return next == seeds.end() || stop.stop_requested() ? std::nullopt : std::optional(*next++);
        },
        [&](std::uint64_t seed) {
            Rng own(seed);
            Made made;
            made.proposal.genes = proposal(own);
            made.proposal.genes.whole.insert(made.proposal.genes.whole.begin(), Ranked);
            if (auto scenario = decode(made.proposal.genes)) {
                made.proposal.strategy = scenario->strategy;
                made.fingerprint = fingerprintOf(*scenario->strategy);
            }
            return made;
        },
        [&](Made made) {
            if (made.proposal.strategy && !m_tried.contains(made.fingerprint) && known.insert(made.fingerprint).second)
                proposals.push_back(std::move(made.proposal));
            return true;
        });
    if (stop.stop_requested())
        return cancelled();
    return proposals;
}

Genes AutosyncSearch::draw(const Slot &slot, bool isFirst, Rng &rng) const {
    Genes genes = isFirst && slot.usual != nullptr ? *slot.usual : slot.source == Local ? local(rng) : fresh(rng);
    genes.whole.insert(genes.whole.begin(), slot.source);
    return genes;
}

/// Decodes genes in parallel and keeps their strategies for the next decode().
void AutosyncSearch::decodeAll(const std::vector<Genes> &all, const std::stop_token &stop) {
    auto next = all.begin();
    using Made = std::pair<const Genes *, StrategyPointer>;
    parallelInOrder<const Genes *, Made>(
        static_cast<unsigned>(std::min<std::size_t>(m_threads, all.size())), all.size(),
        [&]() -> std::optional<const Genes *> {
            return next == all.end() || stop.stop_requested() ? std::nullopt : std::optional(&*next++);
        },
        [&](const Genes *genes) {
            const auto scenario = decode(*genes);
            return Made(genes, scenario ? scenario->strategy : nullptr);
        },
        [&](Made made) {
            if (made.second)
                m_decoded.keep(*made.first, std::move(made.second));
            return true;
        });
}

/// Adds a new candidate for each slot, as if drawn, decoded and compared with those before one by one. Since almost all draws are
/// new, all slots' first draws are decoded at once; after one that is not new, the draws that follow are made again.
Result<void> AutosyncSearch::fill(const std::vector<Slot> &slots, Rng &rng, std::vector<Genes> &batch,
                                  std::unordered_set<StrategyFingerprint> &fingerprints, const std::stop_token &stop) {
    for (std::size_t begin = 0; begin < slots.size();) {
        std::vector<Genes> drawn;
        Rng ahead = rng;
        for (std::size_t i = begin; i < slots.size(); ++i)
            drawn.push_back(draw(slots[i], true, ahead));
        decodeAll(drawn, stop);
        for (int draws = 1; draws == 1 && begin < slots.size(); ++begin) {
            if (stop.stop_requested())
                return cancelled();
            draws = 0;
            TriedStrategies::Proposed proposed =
                m_tried.newOne(*this, fingerprints, [&] { return draw(slots[begin], draws++ == 0, rng); });
            if (proposed.strategy)
                m_decoded.keep(proposed.genes, std::move(proposed.strategy));
            batch.push_back(std::move(proposed.genes));
        }
    }
    return {};
}

} // namespace syncopate
