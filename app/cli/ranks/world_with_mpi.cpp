// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that uses MPI. A rank that is gone must not block the others, so once the world is open nothing here waits for a
// single rank: sends and receives run in the background and are polled, and an MPI error shows as the silence that follows it.
#include "app/cli/ranks/world.h"

#include <chrono>
#include <fmt/format.h>
#include <list>
#include <mpi.h>
#include <thread>
#include <utility>

namespace syncopate::cli {

namespace {

constexpr auto betweenProbes = std::chrono::microseconds(200);

/// A message in transit; its address must not change while MPI reads or fills it.
struct Transfer {
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;

    [[nodiscard]] bool isDone() {
        int done = 0;
        return MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done != 0;
    }
};

Result<void> checked(int code, const char *what) {
    if (code == MPI_SUCCESS)
        return {};
    return fail(fmt::format("MPI cannot {} (error {})", what, code), "see mpirun's output");
}

class MpiWorld final : public World {
public:
    static Result<std::unique_ptr<World>> open() {
        int provided = 0;
        TRY(checked(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "start"));
        TRY(checked(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "report errors"));
        if (provided < MPI_THREAD_FUNNELED)
            return fail("this MPI does not support threads", "use the system's Open MPI 4");
        auto world = std::unique_ptr<MpiWorld>(new MpiWorld);
        MPI_Comm here = MPI_COMM_NULL;
        TRY(checked(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here), "count ranks"));
        int ranks = 1;
        TRY(checked(MPI_Comm_size(here, &ranks), "count ranks"));
        MPI_Comm_free(&here);
        world->m_ranksHere = static_cast<unsigned>(ranks);
        return world;
    }
    ~MpiWorld() override {
        if (!m_closed) { // MPI may still be reading and filling them
            static std::list<Transfer> left;
            left.splice(left.end(), m_sent);
            left.splice(left.end(), m_arriving);
        }
    }

    [[nodiscard]] unsigned ranksHere() const override { return m_ranksHere; }

    void post(Message message) override {
        Transfer &sent = m_sent.emplace_back(Transfer{std::move(message)});
        const std::string &text = sent.message.text;
        if (MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_BYTE, static_cast<int>(sent.message.rank), 0,
                      MPI_COMM_WORLD, &sent.request) != MPI_SUCCESS)
            m_sent.pop_back();
        m_sent.remove_if([](Transfer &one) { return one.isDone(); });
    }

    [[nodiscard]] std::optional<Message> take() override {
        receive();
        for (auto one = m_arriving.begin(); one != m_arriving.end(); ++one)
            if (one->isDone()) {
                Message message = std::move(one->message);
                m_arriving.erase(one);
                return message;
            }
        return std::nullopt;
    }

    void close(double seconds) override {
        using Clock = std::chrono::steady_clock;
        const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
        const auto waits = [&](const auto &arrived) {
            while (!arrived() && Clock::now() < deadline)
                std::this_thread::sleep_for(betweenProbes);
            return arrived();
        };
        const auto allSent = [this] {
            m_sent.remove_if([](Transfer &one) { return one.isDone(); });
            return m_sent.empty();
        };
        // MPI_Finalize waits for all others indefinitely: only ranks that meet here call it.
        if (!waits(allSent) || MPI_Ibarrier(MPI_COMM_WORLD, &m_sent.emplace_back().request) != MPI_SUCCESS || !waits(allSent))
            return;
        MPI_Finalize();
        m_closed = true;
    }

private:
    MpiWorld() = default;

    /// Starts to receive the next message, if there is one.
    void receive() {
        int there = 0, bytes = 0;
        MPI_Message handle = MPI_MESSAGE_NULL;
        MPI_Status status;
        if (MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &handle, &status) != MPI_SUCCESS || there == 0 ||
            MPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS)
            return;
        Transfer &one = m_arriving.emplace_back(
            Transfer{{static_cast<unsigned>(status.MPI_SOURCE), std::string(static_cast<std::size_t>(bytes), '\0')}});
        if (MPI_Imrecv(one.message.text.data(), bytes, MPI_BYTE, &handle, &one.request) != MPI_SUCCESS)
            m_arriving.pop_back();
    }

    std::list<Transfer> m_sent, m_arriving;
    unsigned m_ranksHere = 1;
    bool m_closed = false;
};

} // namespace

Result<std::unique_ptr<World>> World::open() { return MpiWorld::open(); }

} // namespace syncopate::cli
