// SPDX-License-Identifier: GPL-3.0-or-later
#include "arrival.h"

#include "clock.h"
#include "rpc.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <vector>

namespace reality::arrival {

namespace {

struct Table {
    std::size_t workers = 0;
    std::size_t variables = 0;
    std::vector<std::atomic<std::int64_t>> times;
};
Table table;

std::atomic<bool> keepsTurns = false;
std::mutex turnsMutex;
std::vector<Turn> keptTurns;
constexpr std::size_t maxTurns = 1'000'000;

/// Counts a stream's messages: a 5-byte prefix (flag, length), then the message, which starts with our Header.
class Stream {
public:
    /// Ends the stream's turn.
    void takeTurn(std::int64_t time) {
        Header header;
        std::memcpy(&header, m_head.data() + prefixBytes, sizeof header);
        // A turn that ends within the header is added to the stream's next one.
        if (m_turnBytes == 0 || header.magic != Header::magicNumber || header.isTensor == 0)
            return;
        const std::scoped_lock lock(turnsMutex);
        if (keptTurns.size() < maxTurns)
            keptTurns.push_back({.step = header.step, .variable = header.variable, .ended = time, .bytes = m_turnBytes});
        m_turnBytes = 0;
    }
    void feed(const std::uint8_t *bytes, std::size_t count, std::int64_t time) {
        while (count > 0) {
            if (m_seen < m_head.size())
                m_head[m_seen] = *bytes;
            // Byte by byte while the header is read, then all that is left of the message.
            const std::uint64_t step =
                m_seen < m_head.size() ? 1 : std::min<std::uint64_t>(count, prefixBytes + length() - m_seen);
            m_seen += step;
            m_turnBytes += step;
            bytes += step;
            count -= step;
            if (m_seen >= prefixBytes && m_seen == prefixBytes + length()) {
                finish(time);
                m_seen = 0;
            }
        }
    }

private:
    [[nodiscard]] std::uint64_t length() const {
        return std::uint64_t{m_head[1]} << 24 | std::uint64_t{m_head[2]} << 16 | std::uint64_t{m_head[3]} << 8 | m_head[4];
    }
    void finish(std::int64_t time) const {
        Header header;
        if (length() < sizeof header)
            return;
        std::memcpy(&header, m_head.data() + prefixBytes, sizeof header);
        if (header.magic == Header::magicNumber && header.isTensor != 0 && header.worker < table.workers &&
            header.variable < table.variables)
            table.times[header.worker * table.variables + header.variable].store(time, std::memory_order_relaxed);
    }
    static constexpr std::size_t prefixBytes = 5;
    std::array<std::uint8_t, prefixBytes + sizeof(Header)> m_head{};
    std::uint64_t m_seen = 0; // of this message, including its prefix
    std::uint64_t m_turnBytes = 0;
};

/// Follows the frames of one connection (RFC 9113, section 4.1).
class Connection {
public:
    void feed(const std::uint8_t *bytes, std::size_t count, std::int64_t time) {
        while (count > 0) {
            if (m_skip > 0) { // the client's preface, or a frame without data
                const std::size_t step = std::min<std::size_t>(count, m_skip);
                m_skip -= step;
                bytes += step;
                count -= step;
            } else if (m_data > 0) {
                const std::size_t step = std::min<std::size_t>(count, m_data);
                m_streams[m_stream].feed(bytes, step, time);
                m_data -= step;
                bytes += step;
                count -= step;
                m_lastTime = time;
                if (m_data == 0 && m_ends)
                    endStream(m_stream);
            } else {
                m_frame[m_have++] = *bytes++;
                --count;
                if (m_first && m_have == 1 && m_frame[0] == 'P') {
                    m_skip = 23; // "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" without its first letter
                    m_have = 0;
                }
                m_first = false;
                if (m_have == m_frame.size())
                    startFrame();
            }
        }
    }

private:
    void startFrame() {
        m_have = 0;
        const std::size_t length = std::size_t{m_frame[0]} << 16 | std::size_t{m_frame[1]} << 8 | m_frame[2];
        m_stream =
            std::uint32_t{m_frame[5]} << 24 | std::uint32_t{m_frame[6]} << 16 | std::uint32_t{m_frame[7]} << 8 | m_frame[8];
        constexpr std::uint8_t dataFrame = 0, headersFrame = 1, resetFrame = 3, endStreamFlag = 1;
        m_ends = (m_frame[4] & endStreamFlag) != 0;
        if (m_frame[3] == dataFrame && length > 0) {
            if (m_stream != m_turn)
                endTurn();
            m_turn = m_stream;
            m_data = length;
            return;
        }
        m_skip = length;
        if (m_frame[3] == resetFrame || (m_frame[3] <= headersFrame && m_ends))
            endStream(m_stream);
    }
    void endTurn() {
        if (const auto found = m_streams.find(m_turn); found != m_streams.end() && keepsTurns)
            found->second.takeTurn(m_lastTime);
    }
    void endStream(std::uint32_t stream) {
        if (stream == m_turn)
            endTurn();
        m_streams.erase(stream);
    }
    std::uint32_t m_turn = 0; // the stream that sent data last
    std::int64_t m_lastTime = 0;
    bool m_first = true;
    std::array<std::uint8_t, 9> m_frame{};
    std::size_t m_have = 0;
    std::size_t m_skip = 0;
    std::size_t m_data = 0;
    std::uint32_t m_stream = 0;
    bool m_ends = false;
    std::map<std::uint32_t, Stream> m_streams;
};

struct Descriptor {
    std::mutex mutex; // gRPC reads a socket from one thread at a time, but not always the same one
    bool known = false;
    bool tcp = false;
    Connection connection;
};
constexpr int maxDescriptors = 4096;
std::array<Descriptor, maxDescriptors> descriptors;

/// Removes the kernel's time stamp from the control messages, so that the caller sees the same messages as without us. now() if
/// none.
std::int64_t takeTimeStamp(msghdr &own, msghdr &callers) {
    std::int64_t time = now();
    std::size_t used = 0;
    for (cmsghdr *message = CMSG_FIRSTHDR(&own); message != nullptr; message = CMSG_NXTHDR(&own, message)) {
        if (message->cmsg_level == SOL_SOCKET && message->cmsg_type == SCM_TIMESTAMPNS) {
            timespec stamp{};
            std::memcpy(&stamp, CMSG_DATA(message), sizeof stamp);
            time = std::min(time, stamp.tv_sec * std::int64_t{1'000'000'000} + stamp.tv_nsec - epochOffset());
            continue;
        }
        const std::size_t space = CMSG_ALIGN(message->cmsg_len);
        if (callers.msg_control == nullptr || used + space > callers.msg_controllen)
            continue;
        std::memcpy(static_cast<char *>(callers.msg_control) + used, message, message->cmsg_len);
        used += space;
    }
    callers.msg_controllen = used;
    return time;
}

} // namespace

void follow(std::size_t workers, std::size_t variables) {
    table.times = std::vector<std::atomic<std::int64_t>>(workers * variables);
    table.variables = variables;
    table.workers = workers;
}

std::int64_t of(std::size_t worker, std::size_t variable) {
    return table.times[worker * table.variables + variable].load(std::memory_order_relaxed);
}

void keepTurns() { keepsTurns = true; }

std::vector<Turn> turns() {
    const std::scoped_lock lock(turnsMutex);
    return keptTurns;
}

ssize_t receive(int descriptor, msghdr *message, int flags) {
    using Recvmsg = ssize_t (*)(int, msghdr *, int);
    static const auto next = reinterpret_cast<Recvmsg>(dlsym(RTLD_NEXT, "recvmsg"));
    if (table.workers == 0 || descriptor < 0 || descriptor >= maxDescriptors)
        return next(descriptor, message, flags);
    Descriptor &entry = descriptors[static_cast<std::size_t>(descriptor)];
    const std::scoped_lock lock(entry.mutex);
    if (!entry.known) {
        entry.known = true;
        int protocol = 0;
        socklen_t size = sizeof protocol;
        entry.tcp = getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && protocol == IPPROTO_TCP;
        const int on = 1;
        if (entry.tcp)
            setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    }
    if (!entry.tcp || (flags & MSG_PEEK) != 0)
        return next(descriptor, message, flags);
    alignas(cmsghdr) std::array<char, 256> control{};
    msghdr own = *message;
    own.msg_control = control.data();
    own.msg_controllen = control.size();
    const ssize_t count = next(descriptor, &own, flags);
    if (count < 0)
        return count;
    const std::int64_t time = takeTimeStamp(own, *message);
    message->msg_flags = own.msg_flags;
    message->msg_namelen = own.msg_namelen;
    std::size_t left = static_cast<std::size_t>(count);
    for (std::size_t part = 0; part < message->msg_iovlen && left > 0; ++part) {
        const std::size_t bytes = std::min(left, message->msg_iov[part].iov_len);
        entry.connection.feed(static_cast<const std::uint8_t *>(message->msg_iov[part].iov_base), bytes, time);
        left -= bytes;
    }
    return count;
}

} // namespace reality::arrival

extern "C" ssize_t recvmsg(int descriptor, msghdr *message, int flags) {
    return reality::arrival::receive(descriptor, message, flags);
}
