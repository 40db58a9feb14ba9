// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/layer_orders.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t maxLayers = 4096;

/// Tracks which transfers each layer's forward op waits for, and which of those are outstanding.
class Dependencies {
public:
    Dependencies(const Job &job, const std::vector<double> &seconds)
        : m_words((job.layers.size() + 63) / 64), m_bits(m_words * job.layers.size(), 0), m_seconds(seconds),
          m_load(job.layers.size(), 0), m_count(job.layers.size(), 0), m_outstanding(m_words, 0) {
        for (std::size_t op = 0; op < job.layers.size(); ++op) {
            for (const std::int32_t parent : job.layers[op].parents)
                for (std::size_t w = 0; w < m_words; ++w)
                    m_bits[op * m_words + w] |= m_bits[static_cast<std::size_t>(parent) * m_words + w];
            if (seconds[op] > 0) {
                m_bits[op * m_words + op / 64] |= std::uint64_t{1} << op % 64;
                m_outstanding[op / 64] |= std::uint64_t{1} << op % 64;
            }
            forEach(op, [&](std::size_t r) {
                m_load[op] += seconds[r];
                ++m_count[op];
            });
        }
    }

    /// M+ of every outstanding transfer. For one that no op shares with others, it is everything outstanding, because the
    /// backward pass waits for all of it.
    [[nodiscard]] std::vector<double> impendingLoads() const {
        std::vector<std::size_t> shared;
        for (std::size_t op = 0; op < m_load.size(); ++op)
            if (m_count[op] > 1)
                shared.push_back(op);
        std::sort(shared.begin(), shared.end(),
                  [this](std::size_t a, std::size_t b) { return m_load[a] != m_load[b] ? m_load[a] < m_load[b] : a < b; });
        std::vector<double> loads(m_load.size(), infinity);
        std::vector<std::uint64_t> open = m_outstanding; // not seen yet: the first op that has a transfer has the smallest load
        for (const std::size_t op : shared)
            for (std::size_t w = 0; w < m_words; ++w) {
                std::uint64_t fresh = m_bits[op * m_words + w] & open[w];
                open[w] &= ~fresh;
                for (; fresh != 0; fresh &= fresh - 1)
                    loads[w * 64 + static_cast<std::size_t>(std::countr_zero(fresh))] = m_load[op];
            }
        return loads;
    }

    /// P of every transfer: seconds of the ops that wait for it alone.
    [[nodiscard]] std::vector<double> unlockedSeconds(const Job &job) const {
        std::vector<double> unlocked(m_load.size(), 0);
        for (std::size_t op = 0; op < m_load.size(); ++op)
            if (m_count[op] == 1)
                forEach(op, [&](std::size_t r) { unlocked[r] += job.layers[op].forwardSeconds; });
        return unlocked;
    }

    void done(std::size_t transfer) {
        m_outstanding[transfer / 64] &= ~(std::uint64_t{1} << transfer % 64);
        for (std::size_t op = transfer; op < m_load.size(); ++op)
            if ((m_bits[op * m_words + transfer / 64] >> transfer % 64 & 1) != 0) {
                --m_count[op];
                m_load[op] = m_count[op] == 0 ? 0 : m_load[op] - m_seconds[transfer];
            }
    }

private:
    template <class Visit> void forEach(std::size_t op, Visit visit) const {
        for (std::size_t w = 0; w < m_words; ++w)
            for (std::uint64_t bits = m_bits[op * m_words + w] & m_outstanding[w]; bits != 0; bits &= bits - 1)
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }

    std::size_t m_words;
    std::vector<std::uint64_t> m_bits; ///< [op][transfer]
    const std::vector<double> &m_seconds;
    std::vector<double> m_load; ///< M
    std::vector<std::int32_t> m_count;
    std::vector<std::uint64_t> m_outstanding;
};

/// Whether every op waits for all earlier ones: both orders are then the forward order.
bool isChain(const Job &job) {
    for (std::size_t l = 1; l < job.layers.size(); ++l) {
        const auto &parents = job.layers[l].parents;
        if (std::find(parents.begin(), parents.end(), static_cast<std::int32_t>(l) - 1) == parents.end())
            return false;
    }
    return true;
}

Result<void> checkSize(const Job &job, const char *order) {
    if (job.layers.size() > maxLayers)
        return fail(fmt::format("the order '{}' is not computed for a DAG of {} layers", order, job.layers.size()),
                    fmt::format("use a job of up to {} layers, a chain, or the policy p3", maxLayers));
    return {};
}

std::vector<std::int32_t> inForwardOrder(const std::vector<double> &seconds) {
    std::vector<std::int32_t> rank(seconds.size());
    std::iota(rank.begin(), rank.end(), 0);
    return rank;
}

} // namespace

Result<std::vector<std::int32_t>> ticOrder(const Job &job, const std::vector<double> &transferSeconds) {
    if (isChain(job))
        return inForwardOrder(transferSeconds);
    TRY(checkSize(job, "tic"));
    std::vector<double> alike;
    alike.reserve(transferSeconds.size());
    for (const double seconds : transferSeconds)
        alike.push_back(seconds > 0 ? 1 : 0);
    const std::vector<double> loads = Dependencies(job, alike).impendingLoads();
    std::vector<std::int32_t> order = inForwardOrder(alike);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        return std::pair(alike[i] <= 0, loads[i]) < std::pair(alike[j] <= 0, loads[j]);
    });
    std::vector<std::int32_t> rank(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        rank[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    return rank;
}

Result<std::vector<std::int32_t>> tacOrder(const Job &job, const std::vector<double> &transferSeconds) {
    if (isChain(job))
        return inForwardOrder(transferSeconds);
    TRY(checkSize(job, "tac"));
    Dependencies dependencies(job, transferSeconds);
    std::vector<std::size_t> left;
    for (std::size_t l = 0; l < transferSeconds.size(); ++l)
        if (transferSeconds[l] > 0)
            left.push_back(l);
    std::vector<std::int32_t> rank(transferSeconds.size(), static_cast<std::int32_t>(transferSeconds.size()));
    for (std::int32_t next = 0; !left.empty(); ++next) {
        const std::vector<double> unlocked = dependencies.unlockedSeconds(job);
        std::vector<double> loads; // needed for ties only
        const auto before = [&](std::size_t a, std::size_t b) {
            const double ifAFirst = std::min(unlocked[b], transferSeconds[a]);
            const double ifBFirst = std::min(unlocked[a], transferSeconds[b]);
            if (ifAFirst != ifBFirst)
                return ifAFirst < ifBFirst;
            if (loads.empty())
                loads = dependencies.impendingLoads();
            return loads[a] < loads[b];
        };
        std::size_t best = 0;
        for (std::size_t i = 1; i < left.size(); ++i)
            if (before(left[i], left[best]))
                best = i;
        rank[left[best]] = next;
        dependencies.done(left[best]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return rank;
}

} // namespace syncopate
