// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/network.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <queue>
#include <vector>

namespace syncopate {

/// The properties of TCP, as Linux implements it, that decide how connections share a link.
struct TcpOptions {
    double windowBytes = 1 << 20;   ///< max unacknowledged bytes of a connection (the receiver's window)
    double sendBufferBytes = 0;     ///< that a sender's socket holds, sent or not, until acknowledged; 0: two windows
    double segmentBytes = 64 << 10; ///< the largest piece that goes through queues as one (generic segmentation offload)
    double burstBytes = 0;          ///< of a token bucket that shapes the links: bytes that may pass at once after a pause
    /// TCP small queues: a connection has no more in its own node's queue than it would send in this time at its pacing rate,
    /// twice the congestion window per smoothed round trip (sk_pacing_shift 10), or two segments. 0: neither that nor a
    /// congestion window: all of its window may wait there.
    double smallQueueSeconds = 1.0 / 1024;
    bool operator==(const TcpOptions &) const = default;
};

/// A link that serves first come, first served.
struct TcpLink {
    double bytesPerSecond = 0;
    double burstBytes = 0; ///< of a token bucket that shapes the link: bytes that may pass at once after a pause
};

/// Connections over links that serve first come, first served. Usually every node has a queue for sending and one, at the switch,
/// for receiving; a connection may cross any links. A segment passes all of them; its acknowledgement, which takes no time on a
/// link, waits in the queues on the way back. So connections share a link in proportion to their bytes in its queue, and traffic
/// of one direction slows the other's acknowledgements. Nothing is lost, so slow start never ends, and a connection's congestion
/// window grows only while it is used (Linux's tcp_cwnd_validate()): connections that have met different queues keep different
/// windows, and with small queues share a link in proportion to them. The limit of a connection is kept by a shaper of its own
/// behind its sender's link, where segments and messages wait in their order; acknowledgements do not. Deterministic; O(log
/// segments in flight) for each of a segment's four moves. Zhang, Shenker and Clark, "Observations on the dynamics of a
/// congestion control algorithm: the effects of two-way traffic" (1991), describe the effects of such queues.
class TcpLinks {
public:
    /// Shaped by the links' buckets; TcpOptions::burstBytes is ignored.
    TcpLinks(const std::vector<TcpLink> &links, const TcpOptions &options) : m_options(options) {
        for (const TcpLink &link : links)
            m_links.push_back({.rate = link});
    }
    /// Link 2 * nic is the sending direction of that NIC, link 2 * nic + 1 the receiving one.
    TcpLinks(const std::vector<double> &nicBytesPerSecond, const TcpOptions &options);

    /// Adds a connection over the links of `way`, at least one, where each of its bytes counts as many times as the hop weighs;
    /// acknowledgements take the links of `back`. Returns its number, from 0. It carries at most `limit` bytes/s.
    PathId connect(std::vector<PathHop> way, std::vector<LinkId> back, double limit = std::numeric_limits<double>::infinity());
    /// The same between two NICs.
    PathId connect(std::int32_t from, std::int32_t to, double limit = std::numeric_limits<double>::infinity());

    /// Sends `bytes` more on a connection; only after Written for the start before. They arrive in the order of their starts.
    void start(FlowId flow, PathId connection, double bytes, double now);
    /// Sends a message without length, which passes the queues behind the segments in them.
    void message(FlowId flow, PathId connection, double now);
    /// Serves arrivals at the link from now on at that rate; segments that already wait keep their place and time.
    void setCapacity(LinkId link, double bytesPerSecond) { m_links[link.index()].rate.bytesPerSecond = bytesPerSecond; }
    /// When the next segment moves; infinity if nothing is under way.
    [[nodiscard]] double next(double now) const;
    /// Makes one move of time next(), and appends the event that the connection's user sees, if any.
    void advance(double now, std::vector<NetworkEvent> &seen);

private:
    enum class Moved : std::uint8_t {
        Segment,         ///< has passed a link of the way
        ShapedSegment,   ///< has passed its connection's shaper, where that has kept it waiting
        Acknowledgement, ///< has passed a link of the way back
        Message,
        ShapedMessage,
    };
    struct Move {
        double seconds;
        std::uint64_t number; ///< breaks ties: the move made first
        Moved what;
        std::uint16_t link; ///< of the way, or of the way back, that it has passed
        PathId connection;
        double bytes;
        FlowId flow; ///< of a message
        bool operator>(const Move &other) const {
            return seconds != other.seconds ? seconds > other.seconds : number > other.number;
        }
    };
    struct Link {
        TcpLink rate;
        double free = -1e300; ///< when its bucket has served all arrivals
    };
    /// The bytes of one start().
    struct Write {
        double end; ///< in bytes since the connection began
        FlowId flow;
    };
    struct Connection {
        std::vector<PathHop> way;
        std::vector<LinkId> back;                               ///< of acknowledgements
        double limit = std::numeric_limits<double>::infinity(); ///< bytes/s
        double shaped = 0;                                      ///< when its shaper has let all arrivals pass
        double toWrite = 0;                                     ///< of the last start(), not yet in the send buffer
        /// Bytes since the connection began: `left` counts those that have passed the first link of the way.
        double written = 0, sent = 0, left = 0, arrived = 0, acknowledged = 0;
        double congestionWindow = 0, roundTrip = 0;
        double maxUnderway = 0, maxUntil = 0; ///< since the window that ends at that byte began
        bool isLimited = false;               ///< by the congestion window, in that window
        std::deque<double> sentAt;            ///< of segments that are not acknowledged
        std::deque<Write> writes;             ///< that have not arrived
        bool writing = false;
    };
    void pump(PathId connection, double now, std::vector<NetworkEvent> &seen);
    /// When the link has served `bytes` that arrive now.
    double pass(LinkId link, double bytes, double now);
    /// Sends a segment or message that has passed `links` links of its way on to the next; false if there is none.
    bool forward(const Move &move, std::size_t links, double now);
    /// A segment has arrived: ends writes, and sends the acknowledgement.
    void deliver(const Move &move, double now, std::vector<NetworkEvent> &seen);
    /// The acknowledgement of a segment has passed `links` links of the way back.
    void giveBack(const Move &move, std::size_t links, double now, std::vector<NetworkEvent> &seen);
    /// When a connection's shaper releases a segment that its sender's link has just served.
    double shape(Connection &c, double bytes, double now) const;
    static void acknowledge(Connection &c, double bytes, double now);
    [[nodiscard]] bool maySend(const Connection &c, double bytes) const;
    void push(double seconds, Moved what, std::size_t link, PathId connection, double bytes, FlowId flow = {});

    TcpOptions m_options;
    std::vector<Link> m_links;
    std::vector<Connection> m_connections;
    std::priority_queue<Move, std::vector<Move>, std::greater<>> m_moves;
    std::vector<NetworkEvent> m_early; ///< seen during start(), reported with the next move
    double m_earlySeconds = 0;
    std::uint64_t m_count = 0;
};

} // namespace syncopate
