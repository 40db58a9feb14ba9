// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra_recorded.h"

#include "engine/parse/read_limits.h"
#include "engine/profile/permute_pair.h"
#include "engine/profile/profile_formats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

using Index = std::size_t;
constexpr Index never = std::numeric_limits<Index>::max(); ///< index of no work

/// Names of et_def.proto's CollectiveCommType.
constexpr std::array<const char *, 10> collectiveNames{
    "all_reduce", "reduce",         "all_gather",           "gather", "scatter", "broadcast",
    "all_to_all", "reduce_scatter", "reduce_scatter_block", "barrier"};

double secondsOf(const ChakraNode &node) { return static_cast<double>(node.boundedMicros()) * 1e-6; }

class ChakraRecorder {
public:
    explicit ChakraRecorder(const ChakraTrace &trace)
        : m_trace(trace), m_count(trace.nodes.size()), m_launch(m_count, -1), m_work(m_count, never), m_before(m_count, 0),
          m_next(m_count, never), m_ownFirst(m_count, never), m_ownEnd(m_count, 0), m_place(m_count, never),
          m_seen(m_count, never), m_number(m_count, never) {}

    Result<RecordedStep> make(const std::string &name) {
        findOrder();
        gatherWork();
        if (m_steps.empty())
            return fail(fmt::format("its {} nodes hold no computation", m_count),
                        "give a trace with compute nodes: without them there is nothing to overlap with", name);
        if (std::none_of(m_steps.begin(), m_steps.end(), [](const StepWork &work) { return work.seconds > 0; }))
            return fail("none of its compute nodes has a duration", "convert the trace together with its Kineto trace", name);
        findWaits();
        std::vector<StepCollective> collectives = gatherCollectives();
        if (collectives.empty())
            return fail("there is no collective in it", "give the trace of a distributed run", name);
        RecordedStep step = assembleStep(m_steps, std::move(collectives));
        step.leftOut = std::move(m_leftOut);
        state(step.notes);
        return step;
    }

private:
    [[nodiscard]] const ChakraNode &node(Index i) const { return m_trace.nodes[i]; }
    [[nodiscard]] bool isWork(Index i) const { return m_work[i] != never; }
    /// For compute and communication nodes: whether they count. Host ops that launch device work do not.
    [[nodiscard]] bool counts(Index i) const { return node(i).onHost != m_onDevice; }

    /// Calls take(input) for each input that precedes the node in the order. Control dependencies between communication nodes are
    /// skipped: they are the order of a channel, which is the plan's to choose.
    template <class Take> void forInputs(Index i, Take &&take) const {
        const auto inputs = m_trace.inputsOf(node(i));
        const std::size_t data = inputs.size() - node(i).controlCount;
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const auto input = static_cast<Index>(std::max(inputs[k], 0));
            const bool isOrder = k >= data && node(i).communicates() && node(input).communicates();
            if (inputs[k] >= 0 && !isOrder && m_place[input] < m_place[i])
                take(input);
        }
    }

    /// Orders nodes by id, but after their inputs; nodes that a host op launched come right after it.
    void findOrder() {
        for (const ChakraNode &each : m_trace.nodes)
            m_onDevice |= !each.onHost && each.kind == ChakraNode::Kind::Compute;
        const std::vector<Index> rank = ranks();
        for (Index i = 0; i < m_count; ++i)
            m_launch[i] = chakraLaunchOf(m_trace, i, [&](Index node) { return rank[node]; });
        const auto key = [&](Index i) {
            const Index first = m_launch[i] >= 0 ? rank[static_cast<Index>(m_launch[i])] : rank[i];
            return std::tuple(first, m_launch[i] >= 0, rank[i]);
        };
        for (Index i = 0; i < m_count; ++i)
            m_order.push_back(i);
        std::sort(m_order.begin(), m_order.end(), [&](Index a, Index b) { return key(a) < key(b); });
        for (Index place = 0; place < m_count; ++place)
            m_place[m_order[place]] = place;
    }

    /// Position of each node when nodes are visited by id, inputs first.
    [[nodiscard]] std::vector<Index> ranks() const {
        std::vector<Index> rank(m_count, never);
        Index next = 0;
        std::vector<std::pair<Index, std::uint32_t>> open; // node, and how many of its inputs have been visited
        for (Index i = 0; i < m_count; ++i) {
            if (rank[i] == never)
                open.emplace_back(i, 0);
            while (!open.empty()) {
                auto &[at, looked] = open.back();
                const auto inputs = m_trace.inputsOf(node(at));
                while (looked < inputs.size() && (inputs[looked] < 0 || rank[static_cast<Index>(inputs[looked])] != never))
                    ++looked;
                if (looked < inputs.size()) {
                    open.emplace_back(static_cast<Index>(inputs[looked]), 0);
                } else {
                    rank[at] = rank[at] == never ? next++ : rank[at];
                    open.pop_back();
                }
            }
        }
        return rank;
    }

    [[nodiscard]] const std::string &nameOf(Index i) const { return m_trace.names[node(i).name]; }

    void gatherWork() {
        bool anyBackward = false;
        for (const Index i : m_order) {
            if (node(i).communicates() && counts(i))
                gatherCommunication(i);
            if (node(i).kind != ChakraNode::Kind::Compute || !counts(i))
                continue;
            m_work[i] = m_steps.size();
            const auto launch = static_cast<Index>(std::max(m_launch[i], 0));
            const bool backward = isChakraBackward(nameOf(i)) || (m_launch[i] >= 0 && isChakraBackward(nameOf(launch)));
            anyBackward |= backward;
            const double seconds = secondsOf(node(i));
            m_steps.push_back({seconds, backward ? StepPhase::Backward : anyBackward ? StepPhase::Update : StepPhase::Forward});
            if (m_launch[i] >= 0) {
                m_ownFirst[launch] = std::min(m_ownFirst[launch], m_work[i]);
                m_ownEnd[launch] = m_work[i] + 1;
            }
        }
        bool later = false; // anything between two backward ops is backward, too
        for (auto work = m_steps.rbegin(); work != m_steps.rend(); ++work) {
            if (later && work->phase == StepPhase::Update)
                work->phase = StepPhase::Backward;
            later |= work->phase == StepPhase::Backward;
        }
    }

    void gatherCommunication(Index i) {
        const std::int64_t kind = node(i).collective;
        const bool isKnown = kind >= 0 && static_cast<Index>(kind) < collectiveNames.size();
        if (node(i).kind == ChakraNode::Kind::Collective && !isKnown)
            m_leftOut.emplace_back("collective of unknown kind");
        else if (node(i).kind != ChakraNode::Kind::Collective ||
                 collectiveNames[static_cast<Index>(kind)] != std::string_view("barrier"))
            m_communication.push_back(i);
    }

    /// The collectives, with adjacent sends and receives joined to permutes; the others are reported as left out.
    std::vector<StepCollective> gatherCollectives() {
        std::vector<StepCollective> collectives;
        for (Index c = 0; c < m_communication.size(); ++c) {
            const Index i = m_communication[c];
            if (node(i).kind == ChakraNode::Kind::Collective) {
                collectives.push_back(collectiveOf(i, collectives));
                continue;
            }
            auto permute = c + 1 < m_communication.size() ? permuteOf(i, m_communication[c + 1], collectives) : std::nullopt;
            if (permute) {
                collectives.push_back(*std::move(permute));
                ++c;
            } else {
                m_leftOut.emplace_back(node(i).kind == ChakraNode::Kind::Send ? "send" : "receive");
            }
        }
        return collectives;
    }

    /// A send and a receive as a permute, if all processes do the same and so each one's send is another one's receive. It waits
    /// for the inputs of both. nullopt if sizes or ranks do not match, no shift explains both, or the send needs the received
    /// data.
    std::optional<StepCollective> permuteOf(Index first, Index second, const std::vector<StepCollective> &before) {
        const bool inTurn = node(first).kind == ChakraNode::Kind::Send;
        const Index send = inTurn ? first : second, receive = inTurn ? second : first;
        const ChakraNode &sent = node(send), &got = node(receive);
        StepCollective permute;
        if (sent.kind != ChakraNode::Kind::Send || got.kind != ChakraNode::Kind::Receive || sent.sizeBytes <= 0 ||
            sent.sizeBytes != got.sizeBytes || sent.group != got.group || !takeShift(sent, got, permute.op))
            return std::nullopt;
        permute.from = std::max(m_before[send], m_before[receive]);
        permute.to = std::min({m_next[send], m_next[receive], m_steps.size()});
        if (permute.to < permute.from || waitsFor(send, receive) || !takeShiftedGroup(sent, permute.op))
            return std::nullopt;
        permute.op.collective = "permute";
        permute.op.seconds = std::max(secondsOf(sent), secondsOf(got));
        permute.op.sizeBytes = static_cast<double>(sent.sizeBytes);
        addCollectivesBefore(first, before, permute);
        addCollectivesBefore(second, before, permute);
        permute.after.erase(std::unique(permute.after.begin(), permute.after.end()), permute.after.end());
        m_number[first] = m_number[second] = before.size();
        return permute;
    }

    /// The shift of a permute, from the ranks that one process sends to and receives from. If the group is not recorded but the
    /// receive wraps around, the number of ranks follows, too.
    static bool takeShift(const ChakraNode &sent, const ChakraNode &got, RecordedOp &op) {
        const auto permute = permuteShift({sent.from, sent.to}, {got.from, got.to});
        if (!permute)
            return false;
        op.shift = permute->shift;
        op.groupSize = permute->ranks;
        return true;
    }

    /// Takes the group that its name describes, which must contain the shift; otherwise the ranks found by takeShift().
    bool takeShiftedGroup(const ChakraNode &sent, RecordedOp &op) {
        const std::int64_t ranks = std::exchange(op.groupSize, 0);
        setGroup(sent, op);
        if (op.groupSize == 0) {
            op.groupSize = ranks;
            return true;
        }
        if (op.shift % op.groupStride != 0 || ranks % op.groupStride != 0 ||
            (ranks > 0 && ranks / op.groupStride != op.groupSize))
            return false;
        op.shift /= op.groupStride;
        return true;
    }

    /// Whether a node waits for another one, directly or through nodes that are not work.
    bool waitsFor(Index i, Index other) {
        std::vector<Index> open{i};
        std::set<Index> seen;
        while (!open.empty() && m_looks > 0) {
            const Index at = open.back();
            open.pop_back();
            if (at == other)
                return true;
            forInputs(at, [&](Index input) {
                --m_looks;
                if (!isWork(input) && seen.insert(input).second)
                    open.push_back(input);
            });
        }
        return m_looks <= 0;
    }

    /// Finds, for every node, the last work that it waits for and the first work that waits for it.
    void findWaits() {
        for (const Index i : m_order)
            forInputs(i, [&](Index input) {
                const Index end = isWork(input) ? m_work[input] + 1 : std::max(m_before[input], m_ownEnd[input]);
                m_before[i] = std::max(m_before[i], end);
            });
        for (Index place = m_count; place-- > 0;) {
            const Index i = m_order[place];
            const bool isCollective = node(i).communicates() && counts(i);
            if (isCollective && m_launch[i] >= 0) // waiting for the call is waiting for the collective
                m_next[i] = std::min(m_next[i], m_next[static_cast<Index>(m_launch[i])]);
            const Index first = isWork(i) ? m_work[i] : std::min(m_next[i], isCollective ? never : m_ownFirst[i]);
            forInputs(i, [&](Index input) {
                if (m_launch[i] != static_cast<std::int32_t>(input))
                    m_next[input] = std::min(m_next[input], first);
            });
        }
    }

    StepCollective collectiveOf(Index i, const std::vector<StepCollective> &before) {
        StepCollective collective;
        collective.op.collective = collectiveNames[static_cast<Index>(node(i).collective)];
        collective.op.seconds = secondsOf(node(i));
        collective.op.sizeBytes = static_cast<double>(std::max<std::int64_t>(node(i).sizeBytes, 0));
        setGroup(node(i), collective.op);
        collective.from = m_before[i];
        collective.to = std::max(collective.from, std::min(m_next[i], m_steps.size()));
        addCollectivesBefore(i, before, collective);
        m_number[i] = before.size();
        return collective;
    }

    /// Adds the collectives that node `i` waits for directly or through nodes that are not work.
    void addCollectivesBefore(Index i, const std::vector<StepCollective> &before, StepCollective &made) {
        std::vector<Index> open{i};
        const auto take = [&](Index at) {
            if (m_number[at] != never && before[m_number[at]].to >= made.from)
                made.after.push_back(m_number[at]);
            return m_number[at] != never;
        };
        while (!open.empty() && m_looks > 0) {
            const Index at = open.back();
            open.pop_back();
            forInputs(at, [&](Index input) {
                --m_looks;
                if (m_seen[input] == i || isWork(input))
                    return;
                m_seen[input] = i;
                if (!take(input))
                    open.push_back(input);
            });
        }
        std::sort(made.after.begin(), made.after.end());
    }

    void setGroup(const ChakraNode &n, RecordedOp &op) {
        const std::string &group = m_trace.names[n.group];
        std::int64_t size = 0, stride = 0;
        const char *const end = group.data() + group.size();
        const auto first = std::from_chars(group.data(), end, size);
        const bool isSized = first.ec == std::errc() && first.ptr != end && *first.ptr == 'x' && size > 1;
        const auto second = isSized ? std::from_chars(first.ptr + 1, end, stride) : first;
        if (isSized && second.ec == std::errc() && second.ptr == end && stride > 0) {
            op.groupSize = size;
            op.groupStride = stride;
        } else if (!group.empty()) {
            ++m_unknownGroups;
        }
    }

    void state(std::vector<std::string> &notes) const {
        notes.emplace_back("Collectives wait for their data dependencies, and for the work that these ops of the host had "
                           "launched; a collective that nothing depends on is waited for at the beginning of the next step. "
                           "Sizes are taken as the whole buffer.");
        notes.emplace_back("All computation is one stream, in the order of launches, or of ids as far as dependencies allow. "
                           "Where it waited for the host is not in the trace.");
        if (m_trace.leftOutControls > 0)
            notes.push_back(fmt::format("{} control dependencies are left out: with the data dependencies they form a cycle.",
                                        m_trace.leftOutControls));
        if (m_trace.dangling > 0)
            notes.push_back(fmt::format("{} dependencies name nodes that are not in the file.", m_trace.dangling));
        if (m_unknownGroups > 0)
            notes.push_back(fmt::format("Of the groups of {} collectives only names are in the trace.", m_unknownGroups));
        if (m_looks <= 0)
            notes.emplace_back("Dependencies between collectives are too many to be followed; some are left out.");
    }

    const ChakraTrace &m_trace;
    const Index m_count;
    bool m_onDevice = false;
    std::vector<std::int32_t> m_launch;
    std::vector<Index> m_work;               ///< per node: index in the step's work
    std::vector<Index> m_before, m_next;     ///< end of the work that it waits for; first work that waits for it
    std::vector<Index> m_ownFirst, m_ownEnd; ///< per host op: range of the work that it launched
    std::vector<Index> m_order, m_place;     ///< nodes in order; each node's place in it
    std::vector<Index> m_seen;               ///< node whose walk last visited this one
    std::vector<Index> m_communication;      ///< collectives, sends and receives, in order
    std::vector<Index> m_number;             ///< per node: number of the collective, or never
    std::vector<StepWork> m_steps;
    std::vector<std::string> m_leftOut;
    std::int64_t m_looks = 20'000'000; ///< budget of visits to nodes between collectives
    int m_unknownGroups = 0;
};

} // namespace

bool isChakraFile(const std::string &path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) // opening a pipe would block until there is a writer
        return false;
    const auto head = readFileHead(path);
    return head && looksLikeChakra(head->text);
}

Result<RecordedStep> recordChakra(const ChakraTrace &trace, const std::string &name) { return ChakraRecorder(trace).make(name); }

Result<RecordedStep> recordChakraFile(const std::string &path, std::stop_token stop) {
    const auto source = TRY(inFile(ByteSource::openFile(path), path));
    source->setLimits(ReadLimits::of(0));
    return withinMemory(path, recordLess, [&]() -> Result<RecordedStep> {
        return recordChakra(TRY(inFile(readChakra(*source, std::move(stop)), path)), path);
    });
}

} // namespace syncopate
