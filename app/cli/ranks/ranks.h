// SPDX-License-Identifier: GPL-3.0-or-later
// `mpirun -n N syncopate-cli search ...` starts the same command N times. Rank 0 does what the command does alone; the others
// read the same input and answer rank 0's questions, texts in and texts out, as long as it has some. Every rank sends a sign of
// life each second. One that is silent for ten is lost: what it was asked is asked again elsewhere. (mpirun ends all ranks when
// one dies, unless it was started with --enable-recovery.)
#pragma once

#include "app/cli/ranks/world.h"
#include "engine/base/packed_texts.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace syncopate::cli {

/// A command's work as ranks compare it, from all that it depends on: equal where the texts are.
[[nodiscard]] std::string workText(std::string_view command, const std::vector<std::string> &dependsOn);

class Ranks {
public:
    /// Joins the others. Errors: those of World::open().
    [[nodiscard]] static Result<std::unique_ptr<Ranks>> join();
    /// Rank 0 lets the others go.
    ~Ranks();
    Ranks(const Ranks &) = delete;
    Ranks &operator=(const Ranks &) = delete;

    [[nodiscard]] bool isFirst() const { return m_launched.rank == 0; }
    [[nodiscard]] unsigned size() const { return m_launched.size; }
    /// Threads that this rank works with: `asked`, or if that is 0 its share of the cores.
    [[nodiscard]] unsigned threadsHere(unsigned asked) const;

    /// Rank 0: waits for the others. How many questions each, by rank, answers at once; 0 of itself and of the lost. `work` says
    /// what is worked on, as help() does. Errors: a rank has read other input, or could not read it.
    [[nodiscard]] Result<std::vector<unsigned>> begin(const std::string &work);
    /// Rank 0: the answer of another rank. From any thread. Errors: of kind Cancelled when `stop` is requested, of kind
    /// Unavailable when the rank is lost.
    [[nodiscard]] Result<std::string> ask(unsigned rank, std::string_view question, const std::stop_token &stop);
    [[nodiscard]] std::vector<unsigned> lost() const;
    /// Rank 0: waits for nobody at the end. For when mpirun is ending all ranks.
    void abandon();

    /// Answers a question. From several threads at once; stops early when it is told to.
    using Answer = std::function<std::string(const std::string &question, const std::stop_token &stop)>;
    /// The others: answers on `threads` threads until rank 0 lets this one go. Errors: rank 0 is lost.
    [[nodiscard]] Result<void> help(const std::string &work, unsigned threads, const Answer &answer);
    /// The others, in place of help(): the input cannot be read. Rank 0 ends with this error.
    void refuse(const Error &error);

private:
    struct Peer {
        std::optional<std::string> hello; ///< what it said before its first answer
        double silentSeconds = 0;
        bool lost = false;
        bool left = false; ///< works no more, but is there
        [[nodiscard]] bool isGone() const { return lost || left; }
    };
    struct Question {
        unsigned rank = 0;
        std::optional<std::string> answer{};
        bool lost = false;
    };
    struct Task {
        std::string id, question;
    };

    Ranks() : m_launched(launched()), m_peers(m_launched.size) {}
    void communicate(std::promise<Result<void>> joined);
    void exchange(World &world);
    [[nodiscard]] bool mayEnd() const; ///< having left: rank 0 when the others have, the others when rank 0 says so
    void endWorld(World &world);
    void receive(Message message);
    void listen(double seconds);
    void lose(unsigned rank);
    void leave(unsigned rank);                            ///< by itself, or as rank 0 let it go
    void askElsewhere(unsigned rank);                     ///< what it has not answered
    [[nodiscard]] std::vector<unsigned> partners() const; ///< those that this rank talks to, but for the lost
    void send(unsigned rank, char kind, std::string_view text);
    [[nodiscard]] bool isDismissed() const; ///< rank 0 has let this one go, or is lost
    void answerTasks(const Answer &answer, const std::stop_token &stop);

    Launched m_launched;
    unsigned m_ranksHere = 1;
    mutable std::mutex m_mutex; ///< of all below
    std::condition_variable_any m_changed;
    std::condition_variable m_posted;
    std::vector<Peer> m_peers;
    std::deque<Message> m_outbox;
    std::map<std::uint64_t, Question> m_asked;
    std::uint64_t m_questions = 0;
    std::deque<Task> m_tasks;
    bool m_farewell = false; ///< rank 0 lets this one go
    bool m_leaving = false, m_abandoned = false;
    std::optional<bool> m_meets; ///< rank 0 says that all ranks close the world together, or that they do not
    std::jthread m_thread;       ///< the one that talks to MPI; the last to be made and the first to end
};

} // namespace syncopate::cli
