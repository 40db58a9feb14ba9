// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/http2_connection.h"

#include <algorithm>

namespace syncopate {

namespace {
constexpr double maxBeyond = 1 << 20; ///< kMaxWindowDelta
} // namespace

void Http2Connection::open(const Message &message) {
    m_streams[message.op] = {.step = message.step, .toSend = message.bytes, .sendWindow = m_window, .toArrive = message.bytes};
    m_writable.push_back(message.op);
}

std::optional<Http2Connection::Piece> Http2Connection::next(double maxBytes) {
    while (m_present < 0) {
        if (m_writable.empty())
            return std::nullopt;
        Stream &stream = m_streams.at(m_writable.front());
        if (stream.toSend > 0 && stream.sendWindow > 0 && !(m_credit > 0))
            return std::nullopt; // all streams wait for the connection's window, in this order
        const std::int32_t op = m_writable.front();
        m_writable.pop_front();
        if (stream.toSend > 0 && !(stream.sendWindow > 0)) {
            stream.isStalled = true;
            continue;
        }
        m_present = op;
        m_turnBytes = std::min({stream.toSend, stream.sendWindow, m_credit});
        stream.sendWindow -= m_turnBytes;
        m_credit -= m_turnBytes;
    }
    Stream &stream = m_streams.at(m_present);
    Piece piece{.op = m_present, .step = stream.step, .bytes = std::min(m_turnBytes, maxBytes), .isFirst = stream.isNew};
    m_turnBytes -= piece.bytes;
    stream.toSend -= piece.bytes;
    stream.isNew = false;
    piece.endsTurn = !(m_turnBytes > 0);
    piece.isLast = !(stream.toSend > 0);
    if (piece.endsTurn) {
        if (!piece.isLast)
            m_writable.push_back(m_present);
        m_present = -1;
    }
    return piece;
}

void Http2Connection::setBeyond(Stream &stream, double bytes) {
    m_allBeyond += std::max(bytes, 0.0) - std::max(stream.beyond, 0.0);
    stream.beyond = bytes;
}

double Http2Connection::announceConnection() {
    const double more = std::max(0.0, m_window + m_allBeyond - m_announced);
    m_announced += more;
    return more;
}

Http2Connection::Update Http2Connection::arrived(const Piece &piece) {
    Update update{.op = piece.op};
    const auto found = m_streams.find(piece.op);
    Stream &stream = found->second;
    m_announced -= piece.bytes;
    stream.toArrive -= piece.bytes;
    setBeyond(stream, stream.beyond - piece.bytes);
    if (piece.isLast) {
        setBeyond(stream, 0);
        m_streams.erase(found);
    } else if (const double missing = std::min(stream.toArrive, maxBeyond) - stream.beyond; missing > m_window / 2) {
        update.streamBytes = missing;
        setBeyond(stream, stream.beyond + missing);
    }
    if (update.streamBytes > 0 || m_announced <= (m_window + m_allBeyond) / 2)
        update.connectionBytes = announceConnection();
    return update;
}

Http2Connection::Update Http2Connection::withMessage() { return {.connectionBytes = announceConnection()}; }

void Http2Connection::take(const Update &update) {
    m_credit += update.connectionBytes;
    if (const auto found = m_streams.find(update.op); found != m_streams.end() && update.streamBytes > 0) {
        Stream &stream = found->second;
        stream.sendWindow += update.streamBytes;
        if (stream.isStalled) {
            stream.isStalled = false;
            m_writable.push_back(update.op);
        }
    }
}

} // namespace syncopate
