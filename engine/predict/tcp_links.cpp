// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/tcp_links.h"

#include <algorithm>
#include <limits>

namespace syncopate {

TcpLinks::TcpLinks(const std::vector<double> &nodeBytesPerSecond, const TcpOptions &options) : m_options(options) {
    for (const double rate : nodeBytesPerSecond)
        for (int direction = 0; direction < 2; ++direction)
            m_links.push_back({.bytesPerSecond = rate});
}

std::int32_t TcpLinks::connect(std::int32_t from, std::int32_t to) {
    Connection made;
    made.out = 2 * from;
    made.in = 2 * to + 1;
    made.backOut = 2 * to;
    made.backIn = 2 * from + 1;
    m_connections.push_back(std::move(made));
    return static_cast<std::int32_t>(m_connections.size()) - 1;
}

double TcpLinks::pass(std::int32_t link, double bytes, double now) {
    Link &l = m_links[static_cast<std::size_t>(link)];
    if (bytes > 0)
        l.free = std::max(l.free, now - m_options.burstBytes / l.bytesPerSecond) + bytes / l.bytesPerSecond;
    return std::max(now, l.free);
}

void TcpLinks::push(double seconds, Hop hop, std::int32_t connection, double bytes, std::int32_t id) {
    m_moves.push({seconds, m_count++, hop, connection, bytes, id});
}

void TcpLinks::write(std::int32_t connection, double bytes, double now) {
    Connection &c = m_connections[static_cast<std::size_t>(connection)];
    c.toWrite = std::max(bytes, 1.0); // what is empty has a header at least
    c.ends.push_back((c.ends.empty() ? c.written : c.ends.back()) + c.toWrite);
    c.writing = true;
    m_earlySeconds = now;
    pump(connection, now, m_early);
}

void TcpLinks::message(std::int32_t connection, std::int32_t id, double now) {
    push(pass(m_connections[static_cast<std::size_t>(connection)].out, 0, now), Hop::MessageSent, connection, 0, id);
}

double TcpLinks::next() const {
    if (!m_early.empty())
        return m_earlySeconds;
    return m_moves.empty() ? std::numeric_limits<double>::infinity() : m_moves.top().seconds;
}

void TcpLinks::pump(std::int32_t connection, double now, std::vector<Event> &seen) {
    Connection &c = m_connections[static_cast<std::size_t>(connection)];
    if (c.writing) {
        const double room = 2 * m_options.windowBytes - (c.written - c.acknowledged);
        if (c.toWrite <= room) {
            c.written = c.ends.back(); // without the rounding of parts
            c.toWrite = 0;
            c.writing = false;
            seen.push_back({Kind::Written, connection});
        } else if (room > 0) {
            c.written += room;
            c.toWrite -= room;
        }
    }
    while (c.sent < c.written) {
        const double waiting = c.written - c.sent;
        const double bytes = std::min(waiting, m_options.segmentBytes);
        // As TCP avoids silly windows: what does not fit waits until it does.
        if (c.sent > c.acknowledged && c.sent + bytes - c.acknowledged > m_options.windowBytes)
            break;
        c.sent = bytes == waiting ? c.written : c.sent + bytes;
        push(pass(c.out, bytes, now), Hop::Sent, connection, bytes);
    }
}

void TcpLinks::move(std::vector<Event> &seen) {
    if (!m_early.empty()) {
        seen.insert(seen.end(), m_early.begin(), m_early.end());
        m_early.clear();
        return;
    }
    const Move move = m_moves.top();
    m_moves.pop();
    Connection &c = m_connections[static_cast<std::size_t>(move.connection)];
    const double now = move.seconds;
    switch (move.hop) {
    case Hop::Sent:
        push(pass(c.in, move.bytes, now), Hop::Delivered, move.connection, move.bytes);
        return;
    case Hop::Delivered: {
        c.arrived += move.bytes;
        constexpr double rounding = 1e-3; // sums of segments against sums of writes
        while (!c.ends.empty() && c.ends.front() <= c.arrived + rounding) {
            seen.push_back({Kind::Arrived, move.connection});
            c.ends.pop_front();
        }
        push(pass(c.backOut, 0, now), Hop::AcknowledgementSent, move.connection, move.bytes);
        return;
    }
    case Hop::AcknowledgementSent:
        push(pass(c.backIn, 0, now), Hop::Acknowledged, move.connection, move.bytes);
        return;
    case Hop::Acknowledged:
        c.acknowledged += move.bytes;
        pump(move.connection, now, seen);
        return;
    case Hop::MessageSent:
        push(pass(c.in, 0, now), Hop::MessageDelivered, move.connection, 0, move.id);
        return;
    case Hop::MessageDelivered:
        seen.push_back({Kind::Message, move.id});
        return;
    }
}

} // namespace syncopate
