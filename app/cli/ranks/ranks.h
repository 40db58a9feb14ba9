// SPDX-License-Identifier: GPL-3.0-or-later
// `mpirun -n N syncopate-cli search ...` starts the same command N times. Rank 0 does what the command does alone; the others
// read the same input and answer rank 0's questions, text in, text out, as long as there are any. Every rank sends a heartbeat
// each second. One that is silent for ten seconds is lost: rank 0 answers its questions itself. (mpirun ends all ranks when one
// dies, unless it was started with --enable-recovery.)
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

/// A command's work, for comparison between ranks, made from all that it depends on: equal if the texts are equal.
[[nodiscard]] std::string workText(std::string_view command, const std::vector<std::string> &dependsOn);

/// The ranks that mpirun or srun started one command as: rank 0 asks questions and gets the answers, the others answer until they
/// are dismissed. What a rank that is lost has not answered, rank 0 does itself.
class Ranks {
public:
    /// Joins the other ranks. Errors: those of World::open().
    [[nodiscard]] static Result<std::unique_ptr<Ranks>> join();
    /// Rank 0 dismisses the others.
    ~Ranks();
    Ranks(const Ranks &) = delete;
    Ranks &operator=(const Ranks &) = delete;

    [[nodiscard]] bool isFirst() const { return m_launched.rank == 0; }
    [[nodiscard]] unsigned size() const { return m_launched.size; }
    /// The number of threads of this rank: `asked` or, if that is 0, its share of the cores.
    [[nodiscard]] unsigned threadsHere(unsigned asked) const;

    /// Rank 0: waits for the others. Returns the number of questions that each rank answers at a time; 0 for itself and for lost
    /// ranks. `work` is the workText() that help() gets, too. Errors: a rank has read other input, or could not read it.
    [[nodiscard]] Result<std::vector<unsigned>> begin(const std::string &work);
    /// Rank 0: asks another rank, from any thread. An empty answer: that rank failed, and rank 0 must do it itself. Errors: of
    /// kind Cancelled if `stop` is requested, of kind Unavailable if the rank is lost or has left.
    [[nodiscard]] Result<std::string> ask(unsigned rank, std::string_view question, const std::stop_token &stop);
    [[nodiscard]] std::vector<unsigned> lost() const;
    /// Rank 0: does not wait for the others at the end, for when mpirun is ending all ranks.
    void abandon();

    /// Answers a question; an empty text if it cannot, so that rank 0 does it itself. Called from several threads at once; should
    /// return early when stop is requested.
    using Answer = std::function<std::string(const std::string &question, const std::stop_token &stop)>;
    /// Other ranks: answers on `threads` threads until rank 0 dismisses this one. Errors: rank 0 is lost.
    [[nodiscard]] Result<void> help(const std::string &work, unsigned threads, const Answer &answer);
    /// Other ranks, instead of help(): the input cannot be read. Rank 0 ends with this error.
    void refuse(const Error &error);

private:
    struct Peer {
        std::optional<std::string> hello; ///< its first message
        double silentSeconds = 0;
        bool lost = false;
        bool left = false; ///< it no longer works, but has not crashed
        [[nodiscard]] bool isGone() const { return lost || left; }
    };
    struct AskedQuestion {
        unsigned rank = 0;
        std::optional<std::string> answer{};
        bool lost = false;
    };
    struct ReceivedQuestion {
        std::string id, text;
    };

    Ranks() : m_launched(launched()), m_peers(m_launched.size) {}
    void communicate(std::promise<Result<void>> joined);
    void exchange(World &world);
    [[nodiscard]] bool mayEnd() const; ///< after leaving: rank 0 once the others have left, the others once rank 0 says so
    void endWorld(World &world);
    void receive(Message message);
    void addSilence(double seconds); ///< to all partners; those that have been silent for too long are lost
    void lose(unsigned rank);
    void leave(unsigned rank);                            ///< on its own, or when rank 0 dismisses it
    void markQuestionsLost(unsigned rank);                ///< those that it has not answered
    [[nodiscard]] std::vector<unsigned> partners() const; ///< the ranks that this one talks to, except lost ones
    void send(unsigned rank, char kind, std::string_view text);
    [[nodiscard]] bool isDismissed() const; ///< rank 0 has dismissed this rank, or is lost
    void answerQuestions(const Answer &answer, const std::stop_token &stop);

    Launched m_launched;
    unsigned m_ranksHere = 1;
    mutable std::mutex m_mutex; ///< guards all members below
    std::condition_variable_any m_changed;
    std::condition_variable m_posted;
    std::vector<Peer> m_peers;
    std::deque<Message> m_outbox;
    std::map<std::uint64_t, AskedQuestion> m_asked; ///< by id
    std::uint64_t m_questions = 0;
    std::deque<ReceivedQuestion> m_received; ///< not answered yet
    bool m_dismissed = false;                ///< by rank 0
    bool m_leaving = false, m_abandoned = false;
    std::optional<bool> m_closeTogether; ///< whether all ranks close the world together; none until rank 0 has said so
    std::jthread m_thread;               ///< talks to MPI; created last and joined first
};

} // namespace syncopate::cli
