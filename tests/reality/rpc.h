// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace reality {

/// Every message starts with this, in native byte order (all processes run on one machine), followed by `payloadBytes` bytes: a
/// tensor's values, or the method's arguments.
struct Header {
    static constexpr std::uint32_t magicNumber = 0x53594e43;
    std::uint32_t magic = magicNumber;
    std::uint32_t worker = 0;
    std::uint32_t variable = 0;
    std::uint32_t isTensor = 0;
    std::uint64_t step = 0;
    /// now() when the sender had the tensor. As in TensorFlow (RecvTensorResponse.send_start_micros) the receiver records it as
    /// the start of its RecvTensor operation.
    std::int64_t readyAt = 0;
    std::uint64_t payloadBytes = 0;
};

/// How far a receiver initially opens the window of an HTTP/2 stream; once it has seen a message's length it opens it for the
/// rest. Probing is gRPC's default: windows follow the connection's bandwidth-delay product, and exceed it while memory is
/// available.
struct FlowControl {
    bool probing = false;
    int windowBytes = 65535; // unless probing
};

[[nodiscard]] grpc::ByteBuffer makeMessage(const Header &header, const void *payload = nullptr);
/// The payload is not copied: the slice keeps it alive until it is sent.
[[nodiscard]] grpc::ByteBuffer makeMessage(const Header &header, const grpc::Slice &payload);

/// Parses a message: the header, then up to `capacity` bytes into `payload`. False if it is not ours or does not fit.
[[nodiscard]] bool parseMessage(const grpc::ByteBuffer &message, Header &header, void *payload = nullptr,
                                std::size_t capacity = 0);

/// An entry of a completion queue.
class Event {
public:
    virtual ~Event() = default;
    virtual void happened(bool ok) = 0;
};

/// A completion queue with one thread that serves it.
class ClientQueue {
public:
    ClientQueue();
    ~ClientQueue();
    ClientQueue(const ClientQueue &) = delete;
    ClientQueue &operator=(const ClientQueue &) = delete;
    grpc::CompletionQueue queue;

private:
    std::thread m_thread;
};

/// One unary call of the generic stub. `done` receives the response, on the queue's thread.
void startCall(grpc::GenericStub &stub, const std::string &method, const grpc::ByteBuffer &request, ClientQueue &queue,
               std::function<void(const grpc::Status &, const grpc::ByteBuffer &)> done);

/// A channel with a connection of its own. Throws std::runtime_error if there is no connection within `seconds`.
[[nodiscard]] std::shared_ptr<grpc::Channel> connect(const std::string &address, const FlowControl &flowControl, int seconds);

/// An incoming call that waits for its reply.
class ServerCall {
public:
    virtual ~ServerCall() = default;
    /// Call once, from any thread. The call is deleted afterwards.
    virtual void reply(const grpc::ByteBuffer &message) = 0;
};

/// Serves unary calls of any name, until the process ends: its threads use it, so it must not be destroyed.
class RpcServer {
public:
    using Handler = std::function<void(const std::string &method, const grpc::ByteBuffer &request, ServerCall *call)>;
    /// Throws std::runtime_error if it cannot listen.
    RpcServer(const std::string &address, const FlowControl &flowControl, int threads, Handler handler);

private:
    class Call;
    grpc::AsyncGenericService m_service;
    std::vector<std::unique_ptr<grpc::ServerCompletionQueue>> m_queues;
    std::unique_ptr<grpc::Server> m_server;
    Handler m_handler;
};

} // namespace reality
