// SPDX-License-Identifier: GPL-3.0-or-later
// `mpirun -n N syncopate-cli search ...` starts the same command N times. Rank 0 does what the command does alone; the others
// read the same input and answer rank 0's questions, texts in and texts out, as long as it has some. Every rank sends a sign of
// life each second. One that is silent for ten is lost: what it was asked is asked again elsewhere. (mpirun ends all ranks when
// one dies, unless it was started with --enable-recovery.)
#pragma once

#include "app/cli/ranks/world.h"

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

/// Texts in one text, of any bytes.
[[nodiscard]] std::string packTexts(const std::vector<std::string> &texts);
/// Errors: not what packTexts() writes.
[[nodiscard]] Result<std::vector<std::string>> unpackTexts(std::string_view packed);

/// What a number is, bit by bit, as text.
[[nodiscard]] std::string bitsOf(double number);
/// Zero where the text is no number's.
[[nodiscard]] double numberOf(const std::string &bits);

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
    void receive(Message message);
    void listen(double seconds);
    void lose(unsigned rank);
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
    std::jthread m_thread; ///< the one that talks to MPI; the last to be made and the first to end
};

} // namespace syncopate::cli
