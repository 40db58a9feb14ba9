// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tcp_links.h"

#include <algorithm>
#include <utility>

namespace syncopate {

namespace {

constexpr double initialWindow = 10 * 1448; ///< initial congestion window of a connection (RFC 6928)

} // namespace

TcpLinks::TcpLinks(const std::vector<double> &nicBytesPerSecond, const TcpOptions &options) : m_options(options) {
    for (const double rate : nicBytesPerSecond)
        for (int direction = 0; direction < 2; ++direction)
            m_links.push_back({.rate = {rate, options.burstBytes}});
}

PathId TcpLinks::connect(std::vector<PathHop> way, std::vector<LinkId> back, double limit) {
    Connection connection;
    connection.limit = limit;
    connection.congestionWindow = m_options.smallQueueSeconds > 0 ? initialWindow : m_options.windowBytes;
    connection.way = std::move(way);
    connection.back = std::move(back);
    m_connections.push_back(std::move(connection));
    return PathId(m_connections.size() - 1);
}

PathId TcpLinks::connect(std::int32_t from, std::int32_t to, double limit) {
    return connect({{LinkId(2 * from)}, {LinkId(2 * to + 1)}}, {LinkId(2 * to), LinkId(2 * from + 1)}, limit);
}

double TcpLinks::pass(LinkId link, double bytes, double now) {
    Link &l = m_links[link.index()];
    if (bytes > 0)
        l.free = std::max(l.free, now - l.rate.burstBytes / l.rate.bytesPerSecond) + bytes / l.rate.bytesPerSecond;
    return std::max(now, l.free);
}

double TcpLinks::shape(Connection &c, double bytes, double now) const {
    // Counted from when its first byte left: a shaper as fast as the link delays nothing.
    const PathHop &first = c.way.front();
    const double begun = now - bytes * first.weight / m_links[first.link.index()].rate.bytesPerSecond;
    c.shaped = std::max(c.shaped, begun) + bytes / c.limit;
    return std::max(now, c.shaped);
}

void TcpLinks::push(double seconds, Moved what, std::size_t link, PathId connection, double bytes, FlowId flow) {
    m_moves.push({seconds, m_count++, what, static_cast<std::uint16_t>(link), connection, bytes, flow});
}

void TcpLinks::start(FlowId flow, PathId connection, double bytes, double now) {
    Connection &c = m_connections[connection.index()];
    c.toWrite = std::max(bytes, 1.0); // an empty message still has a header
    c.writes.push_back({(c.writes.empty() ? c.written : c.writes.back().end) + c.toWrite, flow});
    c.writing = true;
    m_earlySeconds = now;
    pump(connection, now, m_early);
}

void TcpLinks::message(FlowId flow, PathId connection, double now) {
    push(pass(m_connections[connection.index()].way.front().link, 0, now), Moved::Message, 0, connection, 0, flow);
}

double TcpLinks::next(double /*now*/) const {
    if (!m_early.empty())
        return m_earlySeconds;
    return m_moves.empty() ? std::numeric_limits<double>::infinity() : m_moves.top().seconds;
}

bool TcpLinks::maySend(const Connection &c, double bytes) const {
    if (c.sentAt.empty()) // nothing is under way; sums of bytes that were rounded may still differ
        return true;
    // As in TCP's silly-window avoidance: a segment that does not fit waits until it does.
    if (c.sent + bytes - c.acknowledged > std::min(m_options.windowBytes, c.congestionWindow))
        return false;
    if (!(m_options.smallQueueSeconds > 0) || c.sentAt.size() < 2)
        return true;
    const double paced = c.roundTrip > 0 ? 2 * c.congestionWindow / c.roundTrip * m_options.smallQueueSeconds : 0;
    return c.sent - c.left < std::max(2 * m_options.segmentBytes, paced);
}

/// Slow start without end, since nothing is lost: the congestion window grows while the most bytes under way within a window
/// exceed half of it (Linux's tcp_is_cwnd_limited()). Connections thus reach different windows, and keep them.
void TcpLinks::acknowledge(Connection &c, double bytes, double now) {
    c.acknowledged += bytes;
    const double measured = now - c.sentAt.front();
    c.sentAt.pop_front();
    c.roundTrip += c.roundTrip > 0 ? (measured - c.roundTrip) / 8 : measured;
    if (c.isLimited || c.congestionWindow < 2 * c.maxUnderway)
        c.congestionWindow += bytes;
}

void TcpLinks::pump(PathId connection, double now, std::vector<NetworkEvent> &seen) {
    Connection &c = m_connections[connection.index()];
    if (c.writing) {
        const double buffer = m_options.sendBufferBytes > 0 ? m_options.sendBufferBytes : 2 * m_options.windowBytes;
        const double room = buffer - (c.written - c.acknowledged);
        if (c.toWrite <= room) {
            c.written = c.writes.back().end; // avoids the parts' rounding
            c.toWrite = 0;
            c.writing = false;
            seen.push_back({c.writes.back().flow, NetworkEvent::Kind::Written});
        } else if (room > 0) {
            c.written += room;
            c.toWrite -= room;
        }
    }
    bool sentAny = false;
    while (c.sent < c.written) {
        const double waiting = c.written - c.sent;
        const double bytes = std::min(waiting, m_options.segmentBytes);
        if (!maySend(c, bytes))
            break;
        c.sent = bytes == waiting ? c.written : c.sent + bytes;
        c.sentAt.push_back(now);
        sentAny = true;
        push(pass(c.way.front().link, bytes * c.way.front().weight, now), Moved::Segment, 0, connection, bytes);
    }
    if (!sentAny)
        return;
    const double underway = c.sent - c.acknowledged;
    const bool isLimited = underway + std::min(c.written - c.sent, m_options.segmentBytes) > c.congestionWindow;
    if (c.acknowledged >= c.maxUntil || isLimited || (!c.isLimited && underway > c.maxUnderway)) {
        c.isLimited = isLimited;
        c.maxUnderway = underway;
        c.maxUntil = c.sent;
    }
}

bool TcpLinks::forward(const Move &move, std::size_t links, double now) {
    const Connection &c = m_connections[move.connection.index()];
    if (links == c.way.size())
        return false;
    const PathHop &hop = c.way[links];
    const bool isMessage = move.what == Moved::Message || move.what == Moved::ShapedMessage;
    push(pass(hop.link, move.bytes * hop.weight, now), isMessage ? Moved::Message : Moved::Segment, links, move.connection,
         move.bytes, move.flow);
    return true;
}

void TcpLinks::deliver(const Move &move, double now, std::vector<NetworkEvent> &seen) {
    Connection &c = m_connections[move.connection.index()];
    c.arrived += move.bytes;
    constexpr double rounding = 1e-3; // sums of segments compared with sums of writes
    while (!c.writes.empty() && c.writes.front().end <= c.arrived + rounding) {
        seen.push_back({c.writes.front().flow});
        c.writes.pop_front();
    }
    giveBack(move, 0, now, seen);
}

void TcpLinks::giveBack(const Move &move, std::size_t links, double now, std::vector<NetworkEvent> &seen) {
    Connection &c = m_connections[move.connection.index()];
    if (links < c.back.size()) {
        push(pass(c.back[links], 0, now), Moved::Acknowledgement, links, move.connection, move.bytes);
        return;
    }
    acknowledge(c, move.bytes, now);
    pump(move.connection, now, seen);
}

void TcpLinks::advance(double /*now*/, std::vector<NetworkEvent> &seen) {
    if (!m_early.empty()) {
        seen.insert(seen.end(), m_early.begin(), m_early.end());
        m_early.clear();
        return;
    }
    const Move move = m_moves.top();
    m_moves.pop();
    Connection &c = m_connections[move.connection.index()];
    const double now = move.seconds;
    const std::size_t links = move.link + std::size_t{1};
    switch (move.what) {
    case Moved::Segment:
        if (move.link > 0) {
            if (!forward(move, links, now))
                deliver(move, now, seen);
            return;
        }
        c.left += move.bytes;
        if (const double passed = shape(c, move.bytes, now); passed > now)
            push(passed, Moved::ShapedSegment, 0, move.connection, move.bytes);
        else if (!forward(move, links, now))
            deliver(move, now, seen);
        pump(move.connection, now, seen);
        return;
    case Moved::ShapedSegment:
        if (!forward(move, links, now))
            deliver(move, now, seen);
        return;
    case Moved::Acknowledgement:
        giveBack(move, links, now, seen);
        return;
    case Moved::Message:
        if (move.link == 0 && c.shaped > now) {
            push(c.shaped, Moved::ShapedMessage, 0, move.connection, 0, move.flow);
            return;
        }
        [[fallthrough]];
    case Moved::ShapedMessage:
        if (!forward(move, links, now))
            seen.push_back({move.flow, NetworkEvent::Kind::Message});
        return;
    }
}

static_assert(Network<TcpLinks>);

} // namespace syncopate
