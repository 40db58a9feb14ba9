// SPDX-License-Identifier: GPL-3.0-or-later
#include "rpc.h"

#include <climits>
#include <cstring>
#include <stdexcept>

namespace reality {

namespace {

std::vector<std::pair<std::string, int>> channelArguments(const FlowControl &flowControl) {
    std::vector<std::pair<std::string, int>> arguments = {{GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, -1},
                                                          {GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, -1}};
    if (!flowControl.probing) {
        arguments.emplace_back(GRPC_ARG_HTTP2_BDP_PROBE, 0);
        arguments.emplace_back(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, flowControl.windowBytes);
    }
    return arguments;
}

class ClientCall final : public Event {
public:
    void happened(bool) override {
        done(status, response);
        delete this;
    }
    grpc::ClientContext context;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
    grpc::ByteBuffer response;
    grpc::Status status;
    std::function<void(const grpc::Status &, const grpc::ByteBuffer &)> done;
};

void serve(grpc::CompletionQueue &queue) {
    void *tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok))
        static_cast<Event *>(tag)->happened(ok);
}

} // namespace

grpc::ByteBuffer makeMessage(const Header &header, const void *payload) {
    std::vector<grpc::Slice> slices = {grpc::Slice(&header, sizeof header)};
    if (payload != nullptr)
        slices.emplace_back(payload, header.payloadBytes);
    return {slices.data(), slices.size()};
}

grpc::ByteBuffer makeMessage(const Header &header, const grpc::Slice &payload) {
    const grpc::Slice slices[] = {grpc::Slice(&header, sizeof header), payload};
    return {slices, 2};
}

bool parseMessage(const grpc::ByteBuffer &message, Header &header, void *payload, std::size_t capacity) {
    if (!message.Valid() || message.Length() < sizeof header)
        return false;
    std::vector<grpc::Slice> slices;
    if (!message.Dump(&slices).ok())
        return false;
    std::size_t position = 0;
    for (const grpc::Slice &slice : slices) {
        const std::uint8_t *bytes = slice.begin();
        std::size_t left = slice.size();
        if (position < sizeof header) {
            const std::size_t count = std::min(left, sizeof header - position);
            std::memcpy(reinterpret_cast<char *>(&header) + position, bytes, count);
            position += count;
            bytes += count;
            left -= count;
        }
        if (left == 0)
            continue;
        if (position - sizeof header + left > capacity)
            return false;
        std::memcpy(static_cast<char *>(payload) + (position - sizeof header), bytes, left);
        position += left;
    }
    return header.magic == Header::magicNumber && position == sizeof header + header.payloadBytes;
}

ClientQueue::ClientQueue() : m_thread([this] { serve(queue); }) {}

ClientQueue::~ClientQueue() {
    queue.Shutdown();
    m_thread.join();
}

void startCall(grpc::GenericStub &stub, const std::string &method, const grpc::ByteBuffer &request, ClientQueue &queue,
               std::function<void(const grpc::Status &, const grpc::ByteBuffer &)> done) {
    auto *call = new ClientCall;
    call->done = std::move(done);
    call->reader = stub.PrepareUnaryCall(&call->context, method, request, &queue.queue);
    call->reader->StartCall();
    call->reader->Finish(&call->response, &call->status, call);
}

std::shared_ptr<grpc::Channel> connect(const std::string &address, const FlowControl &flowControl, int seconds) {
    grpc::ChannelArguments arguments;
    for (const auto &[name, value] : channelArguments(flowControl))
        arguments.SetInt(name, value);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    auto channel = grpc::CreateCustomChannel("ipv4:" + address, grpc::InsecureChannelCredentials(), arguments);
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(seconds)))
        throw std::runtime_error("no connection to " + address + " within " + std::to_string(seconds) + " s");
    return channel;
}

/// Life cycle: requested, read, handled, replied, deleted.
class RpcServer::Call final : public Event, public ServerCall {
public:
    Call(RpcServer &server, grpc::ServerCompletionQueue &queue) : m_server(server), m_queue(queue), m_stream(&m_context) {
        m_server.m_service.RequestCall(&m_context, &m_stream, &m_queue, &m_queue, this);
    }
    void happened(bool ok) override {
        if (!ok) {
            delete this;
            return;
        }
        switch (m_state) {
        case State::Asked:
            new Call(m_server, m_queue);
            m_state = State::Reading;
            m_stream.Read(&m_request, this);
            return;
        case State::Reading:
            m_state = State::Replying;
            m_server.m_handler(m_context.method(), m_request, this);
            return;
        case State::Replying:
            delete this;
            return;
        }
    }
    void reply(const grpc::ByteBuffer &message) override {
        m_stream.WriteAndFinish(message, grpc::WriteOptions(), grpc::Status::OK, static_cast<Event *>(this));
    }

private:
    enum class State { Asked, Reading, Replying };
    RpcServer &m_server;
    grpc::ServerCompletionQueue &m_queue;
    State m_state = State::Asked;
    grpc::GenericServerContext m_context;
    grpc::GenericServerAsyncReaderWriter m_stream;
    grpc::ByteBuffer m_request;
};

RpcServer::RpcServer(const std::string &address, const FlowControl &flowControl, int threads, Handler handler)
    : m_handler(std::move(handler)) {
    grpc::ServerBuilder builder;
    for (const auto &[name, value] : channelArguments(flowControl))
        builder.AddChannelArgument(name, value);
    int port = 0;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
    builder.RegisterAsyncGenericService(&m_service);
    for (int thread = 0; thread < threads; ++thread)
        m_queues.push_back(builder.AddCompletionQueue());
    m_server = builder.BuildAndStart();
    if (m_server == nullptr || port == 0)
        throw std::runtime_error("cannot listen on " + address);
    for (const auto &queue : m_queues) {
        new Call(*this, *queue);
        // The process ends with the run: nothing waits for these threads.
        std::thread([queue = queue.get()] { serve(*queue); }).detach();
    }
}

} // namespace reality
