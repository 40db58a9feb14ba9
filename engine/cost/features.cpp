// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/features.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace syncopate {

namespace {

float onLogScale(double count, double scale) { return static_cast<float>(std::log1p(count) / scale); }

/// Seconds on the domain's scale, logarithmic: fine where small, flat where large.
float shareOf(double seconds, double scale) { return static_cast<float>(std::log1p(20 * seconds / scale) / 2); }

/// Writes one feature after the other.
class Filler {
public:
    explicit Filler(float *into) : m_at(into) {}
    Filler &operator<<(float value) {
        *m_at++ = value;
        return *this;
    }
    Filler &operator<<(double value) { return *this << static_cast<float>(value); }

private:
    float *m_at;
};

CostTerms largerOf(const CostTerms &a, const CostTerms &b) {
    return {std::max(a.transferSeconds, b.transferSeconds), std::max(a.messages, b.messages), std::max(a.copies, b.copies)};
}

} // namespace

FeatureExtractor::FeatureExtractor(std::shared_ptr<const CostModel> model) : m_model(std::move(model)) {
    const Job &job = m_model->job();
    m_layers = job.layers.size();
    const double forward = job.forwardSeconds(), backward = job.backwardSeconds();
    const double compute = m_model->computeSeconds(), idle = forward + backward + job.updateSeconds;
    const double slowdown = idle > 0 ? compute / idle : 1; // how much slower the slowest device is
    const auto allBytes = static_cast<double>(job.parameterBytes());
    m_scaleSeconds = compute + m_model->seconds(m_model->collective(CollectiveKind::AllReduce, allBytes));
    if (!(m_scaleSeconds > 0))
        m_scaleSeconds = 1;

    double forwardBefore = 0, backwardBefore = 0; // sums over the layers before this one
    std::vector<std::vector<std::uint32_t>> neighbours(m_layers);
    for (std::size_t l = 0; l < m_layers; ++l) {
        const Layer &layer = job.layers[l];
        for (const std::int32_t v : layer.variables) {
            const Variable &variable = job.variables[static_cast<std::size_t>(v)];
            RowFacts facts;
            facts.variable = static_cast<std::size_t>(v);
            facts.bytes = static_cast<double>(variable.sizeBytes());
            facts.byteShare = allBytes > 0 ? facts.bytes / allBytes : 0;
            facts.touchedShare = facts.bytes > 0 ? variable.gradientBytes() / facts.bytes : 1;
            facts.place = static_cast<double>(l) / static_cast<double>(m_layers);
            facts.readySeconds = (forward + backward - backwardBefore) * slowdown;
            facts.readyShare = backward > 0 ? 1 - backwardBefore / backward : 1;
            facts.neededShare = forward > 0 ? forwardBefore / forward : 0;
            facts.sparse = variable.sparse;
            m_rows.push_back(facts);
            m_layerOfRow.push_back(static_cast<std::uint32_t>(l));
        }
        forwardBefore += layer.forwardSeconds;
        backwardBefore += layer.backwardSeconds;
        neighbours[l].push_back(static_cast<std::uint32_t>(l));
        for (const std::int32_t parent : layer.parents) {
            neighbours[l].push_back(static_cast<std::uint32_t>(parent));
            neighbours[static_cast<std::size_t>(parent)].push_back(static_cast<std::uint32_t>(l));
        }
    }
    m_graph.begin.push_back(0);
    for (const std::vector<std::uint32_t> &own : neighbours) {
        m_graph.sources.insert(m_graph.sources.end(), own.begin(), own.end());
        m_graph.begin.push_back(static_cast<std::uint32_t>(m_graph.sources.size()));
    }
}

/// Walks over the shards of a strategy, first to add up the loads of servers and groups, then to fill in the rows.
class FeatureWalk {
public:
    FeatureWalk(const FeatureExtractor &extractor, const Strategy &strategy)
        : m_extractor(extractor), m_model(*extractor.m_model), m_strategy(strategy), m_servers(m_model.serverCount()) {}

    Result<StrategyFeatures> run() {
        TRY(m_model.check(m_strategy));
        TRY(collect());
        schedule();
        StrategyFeatures features;
        features.variables = Matrix<float>(m_extractor.m_rows.size(), FeatureExtractor::variableWidth);
        for (std::size_t row = 0; row < m_extractor.m_rows.size(); ++row)
            fillRow(row, features.variables.values.data() + row * FeatureExtractor::variableWidth);
        features.globals.resize(FeatureExtractor::globalWidth);
        fillGlobals(features.globals.data());
        return features;
    }

private:
    struct Piece {
        Shard shard;
        CostTerms terms;       ///< Eq. 2 or, for a collective of its own, Eq. 3
        std::size_t place = 0; ///< index of the server, station or collective that carries it
        double end = 0;        ///< end of a served shard's communication since the iteration's start
    };
    struct Server {
        CostTerms terms;
        double end = 0;
    };
    struct Collective {
        Reduction reduction = Reduction::AllReduce;
        double bytes = 0, ready = 0, end = 0;
        std::size_t shards = 0;
        CostTerms terms{};
    };
    struct RowPieces {
        std::size_t begin = 0, end = 0;
    };

    [[nodiscard]] const FeatureExtractor::RowFacts &factsOf(std::size_t row) const { return m_extractor.m_rows[row]; }

    Result<void> collect() {
        m_rowPieces.resize(m_extractor.m_rows.size());
        m_pieces.reserve(m_extractor.m_rows.size() * 2);
        for (std::size_t row = 0; row < m_rowPieces.size(); ++row) {
            const std::size_t v = factsOf(row).variable;
            m_rowPieces[row].begin = m_pieces.size();
            TRY(m_model.forEachShard(v, m_strategy.nodes[v], [&](const Shard &shard) { take(row, shard); }));
            m_rowPieces[row].end = m_pieces.size();
        }
        for (Collective &collective : m_collectives)
            if (collective.terms == CostTerms{})
                collective.terms = m_model.reduced(collective.reduction, collective.bytes);
        return {};
    }

    void take(std::size_t row, const Shard &shard) {
        Piece piece{shard, {}, 0, 0};
        if (shard.server >= 0) {
            piece.terms = m_model.served(shard);
            piece.place = static_cast<std::size_t>(shard.station >= 0 ? shard.station : shard.server);
            m_servers[piece.place].terms += piece.terms;
            if (shard.station >= 0)
                m_servers[static_cast<std::size_t>(shard.server)].terms += m_model.behindStation(shard);
        } else {
            piece.terms = m_model.reduced(shard);
            piece.place = m_collectives.size();
            if (!shard.sparse)
                piece.place = m_placeOfGroup.try_emplace({shard.synchronizer->group, shard.synchronizer->reduction}, piece.place)
                                  .first->second;
            if (piece.place == m_collectives.size())
                m_collectives.push_back({.reduction = shard.synchronizer->reduction});
            Collective &collective = m_collectives[piece.place];
            collective.bytes += shard.pushBytes;
            collective.ready = std::max(collective.ready, factsOf(row).readySeconds);
            ++collective.shards;
            if (shard.sparse) // has a collective of its own
                collective.terms = piece.terms;
        }
        m_pieces.push_back(piece);
    }

    /// Ends of communication if each server, and the ring, serves first ready, first served, beginning with the last layers'
    /// gradients.
    void schedule() {
        for (std::size_t row = m_rowPieces.size(); row-- > 0;)
            for (std::size_t p = m_rowPieces[row].begin; p < m_rowPieces[row].end; ++p) {
                Piece &piece = m_pieces[p];
                if (piece.shard.server < 0)
                    continue;
                Server &server = m_servers[piece.place];
                server.end = std::max(server.end, factsOf(row).readySeconds) + m_model.seconds(piece.terms);
                piece.end = server.end;
            }
        std::vector<std::size_t> order(m_collectives.size());
        for (std::size_t c = 0; c < order.size(); ++c)
            order[c] = c;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return m_collectives[a].ready < m_collectives[b].ready; });
        for (const std::size_t c : order) {
            m_ringEnd = std::max(m_ringEnd, m_collectives[c].ready) + m_model.seconds(m_collectives[c].terms);
            m_collectives[c].end = m_ringEnd;
        }
    }

    void fillRow(std::size_t row, float *into) const {
        const FeatureExtractor::RowFacts &facts = factsOf(row);
        const double scale = m_extractor.m_scaleSeconds;
        double served = 0, proxied = 0, compressed = 0, late = 0, stations = 0, loads = 0, maxLoad = 0, end = 0, largest = 0;
        double group = 0, members = 0, ready = 0; // of the row's largest and its latest group
        CostTerms ps, cc;
        const RowPieces &own = m_rowPieces[row];
        for (std::size_t p = own.begin; p < own.end; ++p) {
            const Piece &piece = m_pieces[p];
            const Synchronizer &s = *piece.shard.synchronizer;
            const double bytes = piece.shard.valueBytes;
            largest = std::max(largest, bytes);
            if (piece.shard.server >= 0) {
                const double load = m_model.seconds(m_servers[piece.place].terms);
                ps += piece.terms;
                served += bytes;
                proxied += piece.shard.proxy ? bytes : 0;
                late += s.sync && s.staleness == 0 ? 0 : bytes;
                stations += piece.shard.station >= 0 ? bytes : 0;
                loads += load * bytes;
                maxLoad = std::max(maxLoad, load);
                end = std::max(end, piece.end);
                continue;
            }
            const Collective &collective = m_collectives[piece.place];
            cc += piece.terms;
            compressed += s.compressor == Compressor::None || piece.shard.sparse ? 0 : bytes;
            end = std::max(end, collective.end);
            group = std::max(group, m_model.seconds(collective.terms));
            members = std::max(members, static_cast<double>(collective.shards));
            ready = std::max(ready, collective.ready);
        }
        const double bytes = std::max(1.0, facts.bytes), parts = static_cast<double>(own.end - own.begin);
        Filler filler(into);
        filler << onLogScale(facts.bytes, 16) << std::sqrt(facts.byteShare) << (facts.sparse ? 1.0 : 0.0) << facts.touchedShare
               << facts.place << facts.readyShare << facts.neededShare << onLogScale(parts - 1, 3) << onLogScale(largest, 16)
               << served / bytes << proxied / bytes << compressed / bytes << late / bytes << stations / bytes
               << shareOf(ps.transferSeconds, scale) << onLogScale(ps.messages, 4) << onLogScale(ps.copies, 4)
               << shareOf(cc.transferSeconds, scale) << onLogScale(cc.messages, 4)
               << shareOf(served > 0 ? loads / served : 0, scale) << shareOf(maxLoad, scale) << shareOf(group, scale)
               << onLogScale(members, 4) << ready / scale << shareOf(end, scale)
               << shareOf(std::max(0.0, end - facts.readySeconds), scale);
        static_assert(FeatureExtractor::variableWidth == 26);
    }

    void fillGlobals(float *into) const {
        const double scale = m_extractor.m_scaleSeconds;
        CostTerms maxPs, allPs, maxCc, allCc, busiest, allServers, largest, allCollectives;
        double served = 0, reduced = 0, proxied = 0, total = 0, largestServed = 0, serverEnd = 0, idle = 0;
        for (const Piece &piece : m_pieces) {
            const bool ps = piece.shard.server >= 0;
            CostTerms &max = ps ? maxPs : maxCc;
            max = largerOf(max, piece.terms);
            (ps ? allPs : allCc) += piece.terms;
            (ps ? served : reduced) += 1;
            total += piece.shard.valueBytes;
            proxied += piece.shard.proxy ? piece.shard.valueBytes : 0;
            largestServed = std::max(largestServed, ps ? m_model.seconds(piece.terms) : 0);
        }
        for (const Server &server : m_servers) {
            busiest = m_model.seconds(server.terms) > m_model.seconds(busiest) ? server.terms : busiest;
            allServers += server.terms;
            serverEnd = std::max(serverEnd, server.end);
            idle += server.terms == CostTerms{} ? 1 : 0;
        }
        for (const Collective &collective : m_collectives) {
            largest = m_model.seconds(collective.terms) > m_model.seconds(largest) ? collective.terms : largest;
            allCollectives += collective.terms;
        }
        const double sync = m_model.seconds(busiest) + m_model.seconds(allCollectives), compute = m_model.computeSeconds();
        const auto servers = static_cast<double>(std::max<std::size_t>(1, m_servers.size()));
        const double pieces = std::max(1.0, served + reduced);
        Filler filler(into);
        const auto terms = [&](const CostTerms &of, double count) {
            const double share = 1 / std::max(1.0, count);
            filler << shareOf(of.transferSeconds * share, scale) << onLogScale(of.messages * share, 6)
                   << onLogScale(of.copies * share, 6);
        };
        terms(maxPs, 1); // the supplement's maximum and mean over variables: of servers, then of collectives
        terms(allPs, served);
        terms(maxCc, 1);
        terms(allCc, reduced);
        terms(busiest, 1); // and summed: the busiest server and all servers, the largest collective and all
        terms(allServers, servers);
        terms(largest, 1);
        terms(allCollectives, 1);
        filler << onLogScale(static_cast<double>(m_collectives.size()), 6) << onLogScale(pieces, 8) << served / pieces
               << (total > 0 ? proxied / total : 0) << idle / servers << shareOf(largestServed, scale)
               << shareOf(m_model.phiSeconds() * (busiest.messages + allCollectives.messages), scale)
               << shareOf(m_model.deltaSeconds() * (busiest.copies + allCollectives.copies), scale) << compute / scale
               << shareOf(sync, scale) << shareOf(std::max(sync, compute), scale) << shareOf(serverEnd, scale)
               << shareOf(m_ringEnd, scale) << shareOf(std::max({serverEnd, m_ringEnd, compute}), scale);
        static_assert(FeatureExtractor::globalWidth == 8 * 3 + 14);
    }

    const FeatureExtractor &m_extractor;
    const CostModel &m_model;
    const Strategy &m_strategy;
    std::vector<Piece> m_pieces; ///< grouped by row
    std::vector<RowPieces> m_rowPieces;
    std::vector<Server> m_servers;
    std::vector<Collective> m_collectives;
    std::map<std::pair<std::int32_t, Reduction>, std::size_t> m_placeOfGroup;
    double m_ringEnd = 0;
};

Result<StrategyFeatures> FeatureExtractor::extract(const Strategy &strategy) const { return FeatureWalk(*this, strategy).run(); }

} // namespace syncopate
