// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/dag_text.h"

#include "engine/base/units.h"
#include "engine/parse/byte_order_mark.h"
#include "engine/plan/plan_json.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr std::size_t maxLineBytes = std::size_t{4} << 20;

struct Word {
    std::string_view text;
    bool isQuoted = false; ///< a name, even if it is a word of the format
    [[nodiscard]] bool is(std::string_view keyword) const { return !isQuoted && text == keyword; }
};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// The words of a line up to a comment; null if a quotation mark is not closed.
std::optional<std::vector<Word>> wordsOf(std::string_view line) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < line.size();) {
        if (isBlank(line[at])) {
            ++at;
        } else if (line[at] == '#') {
            break;
        } else if (line[at] == '"') {
            const std::size_t end = line.find('"', at + 1);
            if (end == std::string_view::npos)
                return std::nullopt;
            words.push_back({line.substr(at + 1, end - at - 1), true});
            at = end + 1;
        } else {
            const std::size_t from = at;
            while (at < line.size() && !isBlank(line[at]))
                ++at;
            words.push_back({line.substr(from, at - from), false});
        }
    }
    return words;
}

bool readWhole(std::string_view text, std::int32_t &number) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && stop == text.data() + text.size();
}

class DagTextReader {
public:
    explicit DagTextReader(const std::string &file) : m_file(file) {}

    Result<TrainingDag> read(std::string_view text) {
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            ++m_line;
            if (end - from > maxLineBytes)
                return refuse(fmt::format("the line has more than {} bytes", maxLineBytes), "continue an order on a second line");
            auto words = wordsOf(text.substr(from, end - from));
            if (!words)
                return refuse("a name's quotation mark is not closed", "close it on the same line; a name cannot hold one");
            m_words = std::move(*words);
            if (!m_words.empty())
                TRY(readLine());
            from = end + 1;
        }
        if (m_headerLine == 0)
            return refuse("the file names no DAG", "begin with a line such as: dag NAME processes 8");
        TRY(resolve());
        return checked();
    }

private:
    /// The name of an op, which may be further down, and where its number goes.
    struct Mention {
        std::string_view name;
        std::int32_t line = 0;
        DagOpId op;            ///< of an edge: the op that waits; of an order: none
        bool isSecond = false; ///< of an edge: of the iteration before; of an order: submission
    };

    [[nodiscard]] Unexpected refuse(std::string what, std::string remedy) const {
        return refuseAt(m_line, std::move(what), std::move(remedy));
    }
    [[nodiscard]] Unexpected refuseAt(std::int32_t line, std::string what, std::string remedy) const {
        return fail(std::move(what), std::move(remedy), m_file, std::to_string(line));
    }

    [[nodiscard]] Unexpected refuseName() const {
        return refuse("this is not a name", "name it in 1 to 4096 bytes of UTF-8, without control characters");
    }

    Result<void> readLine() {
        const Word first = m_words.front();
        if (m_headerLine == 0 || first.is("dag"))
            return readHeader();
        if (first.is("op"))
            return readOp();
        if (first.is("order"))
            return readOrder();
        return refuse(fmt::format("\"{}\" cannot begin a line", first.text), "begin a line with op, order or #");
    }

    Result<void> readHeader() {
        if (m_headerLine > 0)
            return refuse("a second DAG begins here", "keep one in a file");
        if (m_words.size() != 4 || !m_words[0].is("dag") || !m_words[2].is("processes") ||
            !readWhole(m_words[3].text, m_dag.processes))
            return refuse("the DAG's name and processes are expected", "begin with a line such as: dag NAME processes 8");
        if (!planjson::isName(m_words[1].text))
            return refuseName();
        m_headerLine = m_line;
        m_dag.name = m_words[1].text;
        return {};
    }

    Result<void> readOp() {
        if (m_words.size() < 4)
            return refuse("an op has a name, a kind and a time or a size",
                          "write: op NAME compute 3ms after A B, or: op NAME all_reduce 4MB after A");
        if (m_dag.ops.size() == maxDagOps)
            return refuse(fmt::format("more than {} ops", maxDagOps), "plan a shorter part of the iteration");
        if (!planjson::isName(m_words[1].text))
            return refuseName();
        DagOp op{.name = std::string(m_words[1].text)};
        if (!m_byName.emplace(m_words[1].text, DagOpId(m_dag.ops.size())).second)
            return refuse(fmt::format("two ops are called \"{}\"", op.name), "give each op a name of its own");
        const std::string_view kind = m_words[2].text, amount = m_words[3].text;
        if (kind == "compute") {
            op.seconds = TRY(inLine(parseSeconds(amount)));
            op.backward = isBackwardName(op.name);
        } else if (op.collective = collectiveFromName(kind); op.collective) {
            op.sizeBytes = TRY(inLine(parseBytes(amount)));
        } else {
            return refuse(fmt::format("the kind \"{}\" is neither compute nor a collective", kind),
                          "write compute, all_reduce, reduce_scatter, all_gather, reduce, broadcast, all_to_all or permute");
        }
        TRY(readOptions(op));
        m_lines.push_back(m_line);
        m_dag.ops.push_back(std::move(op));
        return {};
    }

    static bool isList(const Word &word) { return word.is("after") || word.is("previous"); }
    static bool isSetting(const Word &word) { return word.is("group") || word.is("shift"); }

    /// "group 4x2", "shift -1", "after A B", "previous C", in any order; lists of names go on to the next of these words.
    Result<void> readOptions(DagOp &op) {
        const DagOpId self(m_dag.ops.size());
        bool inList = false, isSecond = false, hasShift = false;
        for (std::size_t w = 4; w < m_words.size(); ++w) {
            const Word word = m_words[w];
            const std::string_view value = w + 1 < m_words.size() ? m_words[w + 1].text : std::string_view();
            if (isList(word)) {
                if (w + 1 == m_words.size() || isList(m_words[w + 1]) || isSetting(m_words[w + 1]))
                    return refuse("after and previous need names", "name the ops that it waits for, or leave the word out");
                inList = true;
                isSecond = word.is("previous");
            } else if (isSetting(word)) {
                if (word.is("shift") && std::exchange(hasShift, true))
                    return refuse("the op has a second shift", "keep one");
                TRY(word.is("group") ? readGroup(op, value) : readShift(op, value));
                inList = false;
                ++w;
            } else if (inList) {
                if (m_mentions.size() == maxDagEdges)
                    return refuse(fmt::format("more than {} edges", maxDagEdges), "leave out edges that others imply");
                m_mentions.push_back({word.text, m_line, self, isSecond});
            } else {
                return refuse(fmt::format("\"{}\" is not expected here", word.text),
                              "after the time or size stand group, shift, after or previous");
            }
        }
        return {};
    }

    Result<void> readGroup(DagOp &op, std::string_view text) const {
        if (op.group != ProcessGroup() || op.isUneven())
            return refuse("the op has a second group", "keep one");
        if (text.find('+') != std::string_view::npos)
            return readGroupSizes(op, text);
        const std::size_t cross = std::min(text.find('x'), text.size());
        const bool isRead = readWhole(text.substr(0, cross), op.group.size) &&
                            (cross == text.size() || readWhole(text.substr(cross + 1), op.group.stride));
        if (op.isCompute() || !isRead || op.group.size < 2 || op.group.stride < 1)
            return refuse(op.isCompute() ? std::string("only a collective has a group")
                                         : fmt::format("\"{}\" is not a group", text),
                          "write group SIZE of neighbours, group SIZExSTRIDE, such as 4x2 for the ranks 0, 2, 4, 6, or group "
                          "SIZE+SIZE+... of different sizes");
        return {};
    }

    /// "2+6": neighbours, in the order of the processes.
    Result<void> readGroupSizes(DagOp &op, std::string_view text) const {
        if (op.isCompute())
            return refuse("only a collective has a group", "leave it out");
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t plus = std::min(text.find('+', from), text.size());
            std::int32_t size = 0;
            if (!readWhole(text.substr(from, plus - from), size) || size < 2)
                return refuse(fmt::format("\"{}\" is not a list of group sizes", text),
                              "write the sizes, each 2 or more, such as group 2+4+2");
            op.groupSizes.push_back(size);
            from = plus + 1;
        }
        return {};
    }

    Result<void> readShift(DagOp &op, std::string_view text) const {
        if (op.collective != CollectiveKind::Permute || !readWhole(text, op.shift) ||
            std::abs(std::int64_t{op.shift}) >= maxDagProcesses)
            return refuse(op.collective != CollectiveKind::Permute ? std::string("only a permute has a shift")
                                                                   : fmt::format("\"{}\" is not a shift", text),
                          "write shift N: member m sends to member m + N");
        return {};
    }

    Result<void> readOrder() {
        const bool isSubmission = m_words.size() > 1 && m_words[1].is("submission");
        if (!isSubmission && !(m_words.size() > 1 && m_words[1].is("compute")))
            return refuse("an order is for compute or for submission", "write: order compute A B, or: order submission C D");
        auto &first = isSubmission ? m_submissionLine : m_computeLine;
        first = first == 0 ? m_line : first;
        if (m_orders.size() + m_words.size() > 2 * maxDagOps)
            return refuse("the orders have more ops than a DAG", "name each op in one order");
        for (std::size_t w = 2; w < m_words.size(); ++w)
            m_orders.push_back({m_words[w].text, m_line, {}, isSubmission});
        return {};
    }

    Result<void> resolve() {
        for (const auto *mentions : {&m_mentions, &m_orders})
            for (const Mention &mention : *mentions) {
                const auto found = m_byName.find(mention.name);
                if (found == m_byName.end())
                    return refuseAt(mention.line, fmt::format("there is no op \"{}\"", mention.name), "name an op of this file");
                listOf(mention).push_back(found->second);
            }
        if (m_computeLine == 0)
            m_dag.computeOrder = defaultOrder(m_dag, true);
        if (m_submissionLine == 0)
            m_dag.submissionOrder = defaultOrder(m_dag, false);
        return {};
    }

    std::vector<DagOpId> &listOf(const Mention &mention) {
        if (!mention.op.exists())
            return mention.isSecond ? m_dag.submissionOrder : m_dag.computeOrder;
        DagOp &op = m_dag.ops[mention.op.index()];
        return mention.isSecond ? op.previousParents : op.parents;
    }

    /// The DAG if checkDag() accepts it; else an error at the op's line, or at the first line of the order that is wrong.
    Result<TrainingDag> checked() {
        simplifyGroups(m_dag);
        auto valid = checkDag(m_dag);
        if (valid)
            return std::move(m_dag);
        return fail(std::move(valid.error().what), "see docs/plan.md", m_file, std::to_string(lineOf(valid.error())));
    }

    [[nodiscard]] std::int32_t lineOf(const DagFault &fault) const {
        switch (fault.about) {
        case DagFault::About::Op:
            return m_lines[fault.op.index()];
        case DagFault::About::ComputeOrder:
            return m_computeLine;
        case DagFault::About::SubmissionOrder:
            return m_submissionLine;
        case DagFault::About::Dag:
            break;
        }
        return m_headerLine;
    }

    template <class T> [[nodiscard]] Result<T> inLine(Result<T> result) const {
        if (!result) {
            result.error().file = m_file;
            result.error().place = std::to_string(m_line);
        }
        return result;
    }

    const std::string &m_file;
    TrainingDag m_dag;
    std::int32_t m_line = 0;
    std::int32_t m_headerLine = 0, m_computeLine = 0, m_submissionLine = 0; ///< 0 = there is none
    std::vector<Word> m_words;                                              ///< of the line
    std::vector<std::int32_t> m_lines;                                      ///< of the ops
    std::unordered_map<std::string_view, DagOpId> m_byName;
    std::vector<Mention> m_mentions, m_orders;
};

} // namespace

Result<TrainingDag> readDagText(std::string_view text, const std::string &file) {
    return DagTextReader(file).read(withoutByteOrderMark(text));
}

bool looksLikeDagText(std::string_view text) {
    text = withoutByteOrderMark(text);
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        std::string_view line = text.substr(from, end - from);
        while (!line.empty() && isBlank(line.front()))
            line.remove_prefix(1);
        if (!line.empty() && line.front() != '#')
            return line.starts_with("dag") && line.size() > 3 && isBlank(line[3]);
        from = end + 1;
    }
    return false;
}

} // namespace syncopate
