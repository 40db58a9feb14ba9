// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/buckets.h"

#include <algorithm>
#include <map>
#include <utility>

namespace syncopate {

namespace {

/// Fills the buckets of all types.
class BucketFiller {
public:
    BucketFiller(const Traffic &traffic, const BucketRule &rule) : m_traffic(traffic), m_rule(rule) {}

    void take(std::size_t m) {
        const Message &message = m_traffic.messages[m];
        if (!message.isCollective || message.isSparse) {
            alone(m);
            return;
        }
        const DataType type = m_traffic.job.variables[static_cast<std::size_t>(message.variables.front())].dtype;
        const double size = m_rule.countsElements ? message.sizeBytes / static_cast<double>(sizeOf(type)) : message.sizeBytes;
        if (m_rule.closing == BucketClosing::SkipLarge && size > m_rule.limit) {
            alone(m);
            return;
        }
        Open &open = m_open[type];
        const double limit = open.isFirst ? m_rule.firstLimit : m_rule.limit;
        if (open.count > 0 && m_rule.closing != BucketClosing::AtLimit && open.size + size > limit)
            close(open, m);
        if (open.count == 0) {
            open.place = m_buckets.size();
            m_buckets.emplace_back();
        }
        m_buckets[open.place].messages.push_back(m);
        ++open.count;
        open.size += size;
        if ((m_rule.closing == BucketClosing::AtLimit && open.size >= limit) || open.count >= m_rule.maxMessages)
            close(open, {});
    }

    std::vector<Fusion> finish() {
        for (Fusion &bucket : m_buckets)
            bucket.afterBackward = m_rule.afterBackward || (m_rule.launchedByNext && !bucket.launchedBy);
        if (m_rule.registered && !m_rule.afterBackward)
            std::reverse(m_buckets.begin(), m_buckets.end());
        return std::move(m_buckets);
    }

private:
    /// The bucket of a type that is being filled; none while `count` is 0.
    struct Open {
        std::size_t place = 0, count = 0;
        double size = 0;
        bool isFirst = true;
    };

    void alone(std::size_t m) {
        m_buckets.push_back({.messages = {m}, .launchedBy = m_rule.launchedByNext ? std::optional(m) : std::nullopt});
    }

    void close(Open &open, std::optional<std::size_t> by) {
        if (m_rule.launchedByNext)
            m_buckets[open.place].launchedBy = by;
        open = {.isFirst = false};
    }

    const Traffic &m_traffic;
    const BucketRule m_rule;
    std::map<DataType, Open> m_open;
    std::vector<Fusion> m_buckets;
};

} // namespace

std::vector<Fusion> fillBuckets(const Traffic &traffic, const BucketRule &rule) {
    BucketFiller filler(traffic, rule);
    const std::size_t count = traffic.messages.size();
    for (std::size_t i = 0; i < count; ++i)
        filler.take(rule.registered ? count - 1 - i : i);
    return filler.finish();
}

PolicyKnob overlapKnob() {
    return {.id = "overlap",
            .label = "Overlap",
            .about = "1: gradients are reduced during the backward pass; 0: after it",
            .min = 0,
            .max = 1,
            .remedyValues = {1}};
}

} // namespace syncopate
