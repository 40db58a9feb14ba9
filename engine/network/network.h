// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A network carries bytes over time. The event loop and the trace player both ask it when something happens next, and advance to
// that time; how flows share links (fluid.h) or wait in queues (tcp_links.h) is the network's own affair. The interface is a
// concept and not a base class, because the event loop calls it a hundred million times a second.

#include "engine/graph/link_paths.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate {

/// A flow that start() began, by the user's own number, such as that of a task or a lane: the network only hands it back.
using FlowId = Id<struct FlowKind>;

/// Events closer together than this share of the elapsed time are simultaneous: summing the same durations in another order
/// differs by less, and no duration that matters is shorter. Queues' rules alone decide the order among them.
inline constexpr double momentRounding = 1e-12;

/// An event that a network reports to its user.
struct NetworkEvent {
    enum class Kind : std::uint8_t {
        Arrived, ///< the last byte of a flow has arrived
        Written, ///< a connection's sender has handed over the whole flow: the next start() on that connection is due
        Message, ///< a message without length has arrived
    };
    FlowId flow{0};
    Kind kind = Kind::Arrived;
};

/// start(flow, path, bytes, now): `bytes` begin to move along a path (or connection). next(now): when something happens next,
/// infinity if nothing does. advance(now, seen): goes to `now`, the time of the last next(), and appends the events of that time.
/// setCapacity(link, bytesPerSecond): sets a link's rate from now on. Times are absolute seconds and never go back.
template <class N>
concept Network = requires(N network, FlowId flow, PathId path, LinkId link, double number, std::vector<NetworkEvent> &seen) {
    network.start(flow, path, number, number);
    { network.next(number) } -> std::same_as<double>;
    network.advance(number, seen);
    network.setCapacity(link, number);
};

/// A network whose links change their rates over time, LinkPaths::capacityChanges; itself a network. One comparison per batch.
template <Network Links> class NetworkOverTime {
public:
    /// `changes` are in the order of time; `arguments` are those of the network within.
    template <class... Arguments> explicit NetworkOverTime(std::vector<CapacityChange> changes, Arguments &&...arguments)
        : m_links(std::forward<Arguments>(arguments)...), m_changes(std::move(changes)) {
        findNextChange();
    }

    /// The network with its present rates.
    [[nodiscard]] Links &links() { return m_links; }
    [[nodiscard]] const Links &links() const { return m_links; }
    /// When a rate changes next; infinity if none does.
    [[nodiscard]] double nextChange() const { return m_nextChange; }

    void start(FlowId flow, PathId path, double bytes, double now) { m_links.start(flow, path, bytes, now); }
    [[nodiscard]] double next(double now) {
        m_next = m_links.next(now);
        return std::min(m_next, m_nextChange);
    }
    void advance(double now, std::vector<NetworkEvent> &seen) {
        if (m_nextChange <= now)
            change(now);
        if (m_next <= now)
            m_links.advance(now, seen);
    }
    void setCapacity(LinkId link, double bytesPerSecond) { m_links.setCapacity(link, bytesPerSecond); }

private:
    void change(double now) {
        for (; m_changed < m_changes.size() && m_changes[m_changed].seconds <= now; ++m_changed)
            m_links.setCapacity(m_changes[m_changed].link, m_changes[m_changed].bytesPerSecond);
        findNextChange();
    }
    void findNextChange() {
        m_nextChange = m_changed < m_changes.size() ? m_changes[m_changed].seconds : std::numeric_limits<double>::infinity();
    }

    Links m_links;
    std::vector<CapacityChange> m_changes;
    std::size_t m_changed = 0; ///< number of changes made
    double m_nextChange = 0;
    double m_next = 0; ///< the links' next event, as next() has found it
};

} // namespace syncopate
