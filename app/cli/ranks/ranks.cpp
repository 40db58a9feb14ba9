// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/ranks.h"

#include "app/cli/output.h"
#include "engine/base/parallel_in_order.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace syncopate::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double lostAfterSeconds = 10;
constexpr auto betweenSigns = std::chrono::seconds(1);
constexpr auto betweenLooks = std::chrono::microseconds(200);
/// Maximum that one poll may add to a rank's silence: if this process itself was suspended, it could not hear the others.
constexpr double longestLookSeconds = 0.25;

// Kinds of messages, the first byte.
constexpr char signOfLife = '.', hello = 'H', question = 'Q', answered = 'A', farewell = 'B', meet = 'M', part = 'P';

std::string hostName() {
    std::string name(256, '\0');
    if (gethostname(name.data(), name.size() - 1) != 0)
        return "an unknown host";
    name.resize(name.find('\0'));
    return name;
}

} // namespace

std::string workText(std::string_view command, const std::vector<std::string> &dependsOn) {
    return fmt::format("{} {:x} of {}", command, std::hash<std::string>()(packTexts(dependsOn)), SYNCOPATE_VERSION);
}

Result<std::unique_ptr<Ranks>> Ranks::join() {
    std::unique_ptr<Ranks> ranks(new Ranks);
    std::promise<Result<void>> promise;
    auto joined = promise.get_future();
    ranks->m_thread =
        std::jthread([&ranks = *ranks, promise = std::move(promise)]() mutable { ranks.communicate(std::move(promise)); });
    TRY(joined.get());
    return ranks;
}

Ranks::~Ranks() {
    const std::scoped_lock lock(m_mutex);
    for (const unsigned rank : partners())
        send(rank, farewell, {});
    m_leaving = true;
    m_posted.notify_one();
}

unsigned Ranks::threadsHere(unsigned asked) const {
    if (asked > 0)
        return asked;
    const auto cores = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    // mpirun may have bound this rank to its own cores, or to some that it shares with other ranks.
    return std::clamp(cores / m_ranksHere, 1U, threadsFor());
}

void Ranks::communicate(std::promise<Result<void>> joined) {
    auto world = World::open();
    if (!world)
        return joined.set_value(Unexpected(world.error()));
    m_ranksHere = (*world)->ranksHere();
    joined.set_value({});
    exchange(**world);
    endWorld(**world);
}

bool Ranks::mayEnd() const {
    if (!isFirst())
        return m_closeTogether || m_peers[0].lost;
    return m_abandoned || std::all_of(m_peers.begin() + 1, m_peers.end(), [](const Peer &peer) { return peer.isGone(); });
}

void Ranks::endWorld(World &world) {
    std::unique_lock lock(m_mutex);
    bool closeTogether = m_closeTogether.value_or(false);
    if (isFirst()) {
        closeTogether = !m_abandoned && std::none_of(m_peers.begin(), m_peers.end(), [](const Peer &peer) { return peer.lost; });
        for (const unsigned rank : partners())
            world.post({rank, std::string(1, closeTogether ? meet : part)});
    }
    lock.unlock();
    if (closeTogether)
        world.close(lostAfterSeconds);
}

void Ranks::exchange(World &world) {
    auto looked = Clock::now(), signedAt = looked;
    for (;;) {
        while (auto message = world.take())
            receive(*std::move(message));
        std::unique_lock lock(m_mutex);
        const auto now = Clock::now();
        addSilence(std::chrono::duration<double>(now - std::exchange(looked, now)).count());
        if (now - signedAt >= betweenSigns) {
            signedAt = now;
            for (const unsigned rank : partners())
                send(rank, signOfLife, {});
        }
        const auto posted = std::exchange(m_outbox, {});
        lock.unlock();
        for (const Message &message : posted)
            world.post(message);
        lock.lock();
        if (m_leaving && m_outbox.empty() && mayEnd())
            return;
        m_posted.wait_for(lock, betweenLooks, [this] { return !m_outbox.empty(); });
    }
}

void Ranks::receive(Message message) {
    const std::scoped_lock lock(m_mutex);
    if (message.rank >= m_peers.size() || message.text.empty() || m_peers[message.rank].lost)
        return;
    Peer &peer = m_peers[message.rank];
    peer.silentSeconds = 0;
    const char kind = message.text.front();
    message.text.erase(0, 1);
    const std::size_t line = std::min(message.text.find('\n'), message.text.size());
    if (kind == hello)
        peer.hello = std::move(message.text);
    else if (kind == farewell && isFirst())
        leave(message.rank);
    else if (kind == farewell)
        m_dismissed = true;
    else if (kind == meet || kind == part)
        m_closeTogether = kind == meet;
    else if (kind == question)
        m_received.push_back({message.text.substr(0, line), message.text.substr(std::min(line + 1, message.text.size()))});
    else if (kind == answered)
        if (const auto id = wholeNumberIn(std::string_view(message.text).substr(0, line)); id && m_asked.contains(*id))
            m_asked[*id].answer = message.text.substr(std::min(line + 1, message.text.size()));
    if (kind != signOfLife)
        m_changed.notify_all();
}

void Ranks::addSilence(double seconds) {
    for (const unsigned rank : partners())
        if ((m_peers[rank].silentSeconds += std::min(seconds, longestLookSeconds)) > lostAfterSeconds)
            lose(rank);
}

void Ranks::markQuestionsLost(unsigned rank) {
    for (auto &[id, asked] : m_asked)
        if (asked.rank == rank && !asked.answer)
            asked.lost = true;
}

void Ranks::leave(unsigned rank) {
    m_peers[rank].left = true;
    markQuestionsLost(rank);
}

void Ranks::lose(unsigned rank) {
    m_peers[rank].lost = true;
    markQuestionsLost(rank);
    if (!m_leaving)
        printNote(fmt::format("rank {} is lost: it was silent for {} s; {}", rank, lostAfterSeconds,
                              isFirst() ? "rank 0 takes over its work" : "this one ends, too"));
    m_changed.notify_all();
}

std::vector<unsigned> Ranks::partners() const {
    std::vector<unsigned> ranks;
    for (unsigned rank = 0; rank < m_peers.size(); ++rank)
        if (rank != m_launched.rank && (isFirst() || rank == 0) && !m_peers[rank].lost)
            ranks.push_back(rank);
    return ranks;
}

void Ranks::send(unsigned rank, char kind, std::string_view text) {
    m_outbox.push_back({rank, kind + std::string(text)});
    m_posted.notify_one();
}

Result<std::vector<unsigned>> Ranks::begin(const std::string &work) {
    std::unique_lock lock(m_mutex);
    std::vector<unsigned> slots(m_peers.size(), 0);
    for (unsigned rank = 1; rank < m_peers.size(); ++rank) {
        Peer &peer = m_peers[rank];
        m_changed.wait(lock, [&peer] { return peer.hello || peer.isGone(); });
        if (peer.lost)
            continue;
        if (!peer.hello) // it took another way through the command
            return fail(fmt::format("rank {} has read other input than rank 0", rank),
                        "give all ranks the same files and options");
        const auto said = TRY(unpackTexts(*peer.hello)); // host, then a refusal, or the work and the number of slots
        if (said.size() == 2)
            return fail(fmt::format("rank {} on {}: {}", rank, said[0], said[1]), "every rank reads the same files");
        if (said.size() != 3 || said[1] != work)
            return fail(fmt::format("rank {} on {} has read other input than rank 0", rank, said.empty() ? "" : said[0]),
                        "give all ranks the same files and options");
        slots[rank] = static_cast<unsigned>(std::clamp<std::uint64_t>(wholeNumberIn(said[2]).value_or(1), 1, 1024));
    }
    return slots;
}

Result<std::string> Ranks::ask(unsigned rank, std::string_view text, const std::stop_token &stop) {
    std::unique_lock lock(m_mutex);
    const std::uint64_t id = m_questions++;
    AskedQuestion &asked = m_asked[id] = {rank, {}, m_peers[rank].isGone()};
    if (!asked.lost)
        send(rank, question, fmt::format("{}\n{}", id, text));
    m_changed.wait(lock, stop, [&asked] { return asked.answer || asked.lost; });
    const AskedQuestion ended = std::move(m_asked.extract(id).mapped());
    if (ended.answer)
        return *ended.answer;
    if (!ended.lost)
        return cancelled();
    return Unexpected(Error{fmt::format("rank {} is lost", rank), {}, {}, {}, ErrorKind::Unavailable});
}

std::vector<unsigned> Ranks::lost() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<unsigned> ranks;
    for (unsigned rank = 0; rank < m_peers.size(); ++rank)
        if (m_peers[rank].lost)
            ranks.push_back(rank);
    return ranks;
}

void Ranks::abandon() {
    const std::scoped_lock lock(m_mutex);
    m_abandoned = true;
}

bool Ranks::isDismissed() const { return m_dismissed || m_peers[0].lost; }

void Ranks::answerQuestions(const Answer &answer, const std::stop_token &stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_received.empty(); })) {
        const ReceivedQuestion received = std::move(m_received.front());
        m_received.pop_front();
        lock.unlock();
        std::string text; // empty: rank 0 must do it itself
        try {
            text = answer(received.text, stop);
        } catch (const std::exception &) { // out of memory here
        }
        lock.lock();
        send(0, answered, received.id + "\n" + text);
    }
}

Result<void> Ranks::help(const std::string &work, unsigned threads, const Answer &answer) {
    {
        std::vector<std::jthread> workers;
        std::unique_lock lock(m_mutex);
        // One more than the number of threads: the next question is here when one is done.
        send(0, hello, packTexts({hostName(), work, fmt::format("{}", threads + 1)}));
        for (unsigned t = 0; t < threads; ++t)
            workers.emplace_back([&](const std::stop_token &stop) { answerQuestions(answer, stop); });
        m_changed.wait(lock, [this] { return isDismissed(); });
        lock.unlock();
        for (std::jthread &worker : workers)
            worker.request_stop();
    } // joins the threads
    const std::scoped_lock lock(m_mutex);
    if (m_peers[0].lost)
        return Unexpected(Error{"rank 0 is lost", "start the command again", {}, {}, ErrorKind::Unavailable});
    return {};
}

void Ranks::refuse(const Error &error) {
    std::unique_lock lock(m_mutex);
    send(0, hello, packTexts({hostName(), error.toString()}));
    m_changed.wait(lock, [this] { return isDismissed(); });
}

} // namespace syncopate::cli
