// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// HTTP/2's flow control as gRPC does it, for connections of known delay. Only engine/predict uses it (LinkSharing::Tcp); the
// event loop does not.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace syncopate {

/// One direction of an HTTP/2 connection, sender and receiver (RFC 9113, sections 5.2 and 6.9; gRPC 1.51, chttp2's
/// flow_control.cc and writing.cc). Streams and the connection begin with the same window. A sender takes streams in turn; a turn
/// is as long as the stream's and the connection's window allow, and a stream that is cut short goes to the end of the queue. A
/// receiver that has seen a message begin enlarges its stream's window by the missing bytes, at most 1 MiB beyond the first
/// window, whenever that is half a first window more than it has announced. It keeps the connection's window at the first window
/// plus what streams have beyond theirs, and announces it with every update of a stream, with messages that go back anyway, or
/// when half of it is used up. Bytes; O(log streams) a call.
class Http2Connection {
public:
    explicit Http2Connection(double windowBytes) : m_window(windowBytes), m_credit(windowBytes), m_announced(windowBytes) {}

    /// A message of a stream: `op` names the stream, and may be used again when the message has arrived.
    struct Message {
        std::int32_t op = 0, step = 0;
        double bytes = 0;
    };
    /// Queues a message.
    void open(const Message &message);
    /// A part of a turn.
    struct Piece {
        std::int32_t op = 0, step = 0;
        double bytes = 0;
        bool isFirst = false; ///< of its message
        bool endsTurn = false;
        bool isLast = false; ///< of its message
    };
    /// The next piece to send, at most `maxBytes`; nothing where windows are exhausted or no stream waits.
    [[nodiscard]] std::optional<Piece> next(double maxBytes);
    /// Window bytes that a receiver grants the sender.
    struct Update {
        std::int32_t op = -1;
        double streamBytes = 0, connectionBytes = 0;
    };
    /// Delivers a piece to the receiver; pieces arrive in the order of next(). Send the update back if it holds any bytes.
    [[nodiscard]] Update arrived(const Piece &piece);
    /// Called when the receiver sends a message, which carries the update of the connection's window.
    [[nodiscard]] Update withMessage();
    /// Delivers an update to the sender.
    void take(const Update &update);

private:
    struct Stream {
        std::int32_t step = 0;
        double toSend = 0, sendWindow = 0;
        double toArrive = 0;
        double beyond = 0; ///< announced beyond the first window, less what has arrived
        bool isNew = true, isStalled = false;
    };
    double announceConnection();
    void setBeyond(Stream &stream, double bytes);

    double m_window;
    double m_credit;        ///< sender: of the connection's window
    double m_announced;     ///< receiver: the same, as it knows it
    double m_allBeyond = 0; ///< of streams, where positive
    double m_turnBytes = 0; ///< left of the present turn, of stream m_present
    std::int32_t m_present = -1;
    std::map<std::int32_t, Stream> m_streams;
    std::deque<std::int32_t> m_writable;
};

} // namespace syncopate
