// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace syncopate {

/// Whether a task uses the tokens of shaped links: messages between a worker and a server, or between servers, do. The bytes of a
/// collective's task stand for all of its steps, so collectives do not.
[[nodiscard]] constexpr bool usesTokens(TaskKind kind) {
    return kind == TaskKind::Push || kind == TaskKind::Pull || kind == TaskKind::Transfer;
}

/// Token buckets of shaped links (FluidLink::burstBytes): while a link is idle it gathers tokens at its rate, up to the bucket,
/// and bytes that have tokens on every link of their path pass at once. Tokens that a busy link could gather while its flows are
/// held up elsewhere are not modelled. O(hops) a message; nothing where no link has a bucket.
class Bursts {
public:
    explicit Bursts(const LinkPaths &paths) : m_paths(paths) {
        m_any = std::any_of(paths.links.begin(), paths.links.end(), [](const FluidLink &link) { return link.burstBytes > 0; });
        if (m_any)
            for (const FluidLink &link : paths.links)
                m_buckets.push_back({.tokens = link.burstBytes});
    }

    /// Whether any link has a bucket; messages need to be reported only then.
    [[nodiscard]] bool any() const { return m_any; }
    /// Starts a message of `bytes` on `path`; returns how many of them take time.
    [[nodiscard]] double begin(PathId path, double bytes, double now) {
        double atOnce = bytes;
        for (const PathHop &hop : m_paths.hopsOf(path)) {
            Bucket &bucket = m_buckets[hop.link.index()];
            bucket.tokens = tokens(hop.link, now);
            ++bucket.messages;
            atOnce = std::min(atOnce, bucket.tokens / hop.weight); // 0 where a link has no bucket
        }
        for (const PathHop &hop : m_paths.hopsOf(path)) {
            Bucket &bucket = m_buckets[hop.link.index()];
            bucket.tokens = std::max(0.0, bucket.tokens - atOnce * hop.weight);
        }
        return bytes - atOnce;
    }
    /// Ends a message on `path`.
    void end(PathId path, double now) {
        for (const PathHop &hop : m_paths.hopsOf(path)) {
            Bucket &bucket = m_buckets[hop.link.index()];
            if (--bucket.messages == 0)
                bucket.idleSince = now;
        }
    }
    /// Tokens in the link's bucket; gathering while busy is not modelled.
    [[nodiscard]] double tokens(LinkId link, double now) const {
        const Bucket &bucket = m_buckets[link.index()];
        const FluidLink &shaped = m_paths.links[link.index()];
        const double idle = bucket.messages == 0 ? now - bucket.idleSince : 0;
        return std::min(shaped.burstBytes, bucket.tokens + idle * shaped.bytesPerSecond);
    }

private:
    struct Bucket {
        double tokens = 0, idleSince = 0;
        std::int32_t messages = 0; ///< under way
    };
    const LinkPaths &m_paths;
    std::vector<Bucket> m_buckets; ///< per link; empty where none has one
    bool m_any = false;
};

} // namespace syncopate
