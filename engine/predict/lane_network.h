// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: the network between workers and servers of generateTrace().

#include "engine/base/rng.h"
#include "engine/network/fluid.h"
#include "engine/network/http2_connection.h"
#include "engine/network/network.h"
#include "engine/network/tcp_links.h"
#include "engine/predict/step_player.h"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace syncopate {

/// Carries the bytes of transfer lanes as GenerateOptions::sharing says, and over TCP also messages without length; background
/// traffic takes its share. `now`, in seconds, must not decrease from call to call. The options must outlive it.
class LaneNetwork {
public:
    LaneNetwork(const StepTemplate &step, const PredictMachines &machines, const GenerateOptions &options);

    [[nodiscard]] bool isTcp() const { return std::holds_alternative<Tcp>(m_links); }
    /// Whether the lane's bytes go over a TCP connection; within a node they do not.
    [[nodiscard]] bool isConnection(LaneId lane) const { return isTcp() && m_paths[lane.index()].exists(); }
    /// Starts moving `bytes` of a lane; false where nothing delays them: both ends are on the same node or, except over TCP,
    /// there are no bytes. The lane must be free: its last transfer has Ended or, over TCP, is Written.
    bool start(LaneId lane, double bytes, double now);

    /// The effect of a message on its receiver.
    struct Errand {
        enum class Kind : std::uint8_t {
            AskForStep, ///< `server` hears of the worker's new step
            StepDone,   ///< the worker hears that its step is done
            OpenWindow, ///< the sender of `lane` may have more on the way
        };
        Kind kind = Kind::AskForStep;
        WorkerId worker;
        ParameterServerId server{};
        LaneId lane{};
        Http2Connection::Update update{};
    };
    /// Sends a message on the route of the lane's bytes; false where the lane is not a TCP connection.
    bool send(const Errand &errand, LaneId lane, double now);

    struct Event {
        enum class Kind : std::uint8_t {
            Ended,   ///< all flows of the lane have arrived (not over TCP)
            Written, ///< the connection has taken all of it: the lane is free
            Arrived, ///< the last byte of the connection's oldest start() that had not arrived
            Message, ///< `errand` has arrived
        };
        Kind kind;
        LaneId lane;
        Errand errand;
    };
    /// When something happens next; infinity if nothing does.
    [[nodiscard]] double next(double now);
    /// Goes to `now`, no later than the last next(), and appends the events of that time.
    void advance(double now, std::vector<Event> &seen);

private:
    using Fluid = NetworkOverTime<FluidLinks>;
    using Tcp = NetworkOverTime<TcpLinks>;
    using Links = std::variant<Fluid, Tcp>;

    void findPaths(const StepTemplate &step);
    void connect(const StepTemplate &step, const PredictMachines &machines, TcpLinks &links);

    const GenerateOptions &m_options;
    const PredictLinks m_network;
    Links m_links;
    std::int32_t m_lanesPerWorker;
    std::vector<PathId> m_paths;       ///< of each lane: a path, over TCP a connection
    std::vector<std::int32_t> m_flows; ///< of each lane: flows under way for its bytes
    Rng m_shareRng;
    std::vector<Errand> m_errands;
    std::vector<std::int32_t> m_freeErrands;
    std::vector<NetworkEvent> m_seen;
};

} // namespace syncopate
