// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/plan_commit.h"

#include "engine/base/rng.h"

#include <algorithm>
#include <cmath>

namespace syncopate {

namespace {

constexpr std::int32_t maxAttempts = 8;

/// Delivers messages, resending those that are lost.
class Messenger {
public:
    explicit Messenger(const CommitNetwork &network) : m_network(network), m_rng(network.seed) {}

    /// Arrival time of a message sent at `now`.
    double arrival(double now) {
        constexpr int maxRetries = 1000; // ends the loop even if every message is lost
        for (int retry = 0; retry < maxRetries && m_rng.uniform(0, 1) < m_network.lossRatio; ++retry)
            now += m_network.retrySeconds;
        return now + m_network.messageSeconds * (0.5 - 0.5 * std::log(1 - m_rng.uniform(0, 1)));
    }

private:
    const CommitNetwork &m_network;
    Rng m_rng;
};

/// Number of iterations that a process has begun by then.
std::int32_t begun(const std::vector<double> &starts, double at) {
    return static_cast<std::int32_t>(std::upper_bound(starts.begin(), starts.end(), at) - starts.begin());
}

} // namespace

CommitOutcome commitInTwoPhases(const std::vector<std::vector<double>> &startSeconds, double atSeconds,
                                const CommitNetwork &network) {
    Messenger messenger(network);
    CommitOutcome outcome;
    outcome.decidedSeconds = atSeconds;
    for (std::int32_t lead = 2; outcome.attempts < maxAttempts && !outcome.committed; lead *= 2) {
        ++outcome.attempts;
        const double sent = outcome.decidedSeconds;
        std::int32_t iteration = 0;
        for (const std::vector<double> &starts : startSeconds)
            iteration = std::max(iteration, begun(starts, sent) + lead);
        bool agreed = true;
        for (const std::vector<double> &starts : startSeconds) {
            const double heard = messenger.arrival(sent);
            agreed =
                agreed && begun(starts, heard) < iteration; // has not begun the one before, whose motifs may run ahead into it
            outcome.decidedSeconds = std::max(outcome.decidedSeconds, messenger.arrival(heard));
        }
        if (!agreed)
            continue;
        outcome.committed = true;
        outcome.changeAt.assign(startSeconds.size(), iteration);
        for (const std::vector<double> &starts : startSeconds) {
            const double heard = messenger.arrival(outcome.decidedSeconds);
            const auto before = static_cast<std::size_t>(iteration) - 1;
            if (before < starts.size())
                outcome.stallSeconds = std::max(outcome.stallSeconds, heard - starts[before]);
        }
    }
    return outcome;
}

CommitOutcome commitAtOnce(const std::vector<std::vector<double>> &startSeconds, double atSeconds, const CommitNetwork &network) {
    Messenger messenger(network);
    CommitOutcome outcome;
    outcome.committed = true;
    outcome.attempts = 1;
    outcome.decidedSeconds = atSeconds;
    for (const std::vector<double> &starts : startSeconds)
        outcome.changeAt.push_back(begun(starts, messenger.arrival(atSeconds)));
    return outcome;
}

} // namespace syncopate
