// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/ranks/rank_set.h"

#include "engine/parse/archive.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/autograd/autograd_trace.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/foreign_formats.h"
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/ranks/rank_merge.h"
#include "engine/profile/tensorflow/tensorflow.h"
#include "engine/profile/torch/execution_trace.h"
#include "engine/profile/torch/kineto.h"
#include "engine/profile/torch/rank_in_name.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace syncopate {

namespace {

using kineto::RankFacts;

constexpr std::size_t maxRanks = 4096;

/// Kind of a file in the set, recognised by its beginning.
enum class PartKind : std::uint8_t { Kineto, Execution, Other };

PartKind kindOf(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos || (head[first] != '{' && head[first] != '['))
        return PartKind::Other;
    return looksLikeExecutionTrace(head) ? PartKind::Execution : PartKind::Kineto;
}

/// "run" from "dir/run.tar.gz" or the folder "dir/run/".
std::string setName(std::string path) {
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    std::string name = std::filesystem::path(path).filename().string();
    for (const char *ending : {".gz", ".tgz", ".tar", ".zip"}) {
        if (name.ends_with(ending))
            name.resize(name.size() - std::string_view(ending).size());
    }
    return name.empty() || name == "." || name == ".." ? "ranks" : name;
}

class RankSet {
public:
    RankSet(const std::vector<std::string> &paths, const ImportOptions &options, std::stop_token stop, Progress *progress)
        : m_paths(paths), m_options(options), m_stop(std::move(stop)), m_progress(progress) {}

    Result<std::shared_ptr<const ImportedProfile>> import() {
        TRY(pass(true));
        // Execution traces may have come after the ranks that need them.
        if (m_missedCompanions) {
            m_ranks.clear();
            m_used.assign(m_companions.size(), false);
            TRY(pass(false));
        }
        if (m_ranks.empty())
            return noRanks();
        for (std::size_t i = 0; i < m_companions.size(); ++i) {
            if (!m_used[i])
                return fail(
                    m_companions[i].rank < 0
                        ? std::string("nothing says which rank's execution trace this is")
                        : fmt::format("no Kineto trace of rank {} was given with this execution trace", m_companions[i].rank),
                    "give both of the same rank, with the rank in the files' names (rank_0.json)", m_companions[i].file);
        }
        auto merged = TRY(kineto::mergeRanks(std::move(m_ranks)));
        if (m_paths.size() == 1 && !merged->ranks.empty()) {
            merged->file = m_paths.front();
            merged->job.name = setName(m_paths.front());
        }
        if (!m_others.empty())
            merged->read.push_back(fmt::format("{} other files were left unread: {}{}.", m_others.size(), m_others.front(),
                                               m_others.size() > 1 ? ", ..." : ""));
        makeNamesValid(*merged);
        return merged;
    }

    Result<std::vector<OverlapFigures>> overlap() {
        std::vector<OverlapFigures> all;
        const auto take = [&](const std::string &name, ByteSource &source, PartKind kind) -> Result<void> {
            if (kind != PartKind::Kineto)
                return {};
            auto measured = TRY(measureKinetoOverlap(source, name, m_stop));
            for (OverlapFigures &figures : measured) {
                if (figures.rank < 0)
                    figures.rank = kineto::rankInName(name); // as in readRank()
                all.push_back(std::move(figures));
            }
            return {};
        };
        TRY(parts(take));
        if (all.empty())
            return fail("there is no Kineto trace in it", "give the file that torch.profiler's export_chrome_trace wrote",
                        m_paths.front());
        std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.rank < b.rank; });
        return all;
    }

private:
    template <class Take> Result<void> parts(Take &&take) {
        std::uint64_t before = 0;
        startProgress();
        for (const std::string &path : m_paths) {
            const bool single = !isFolder(path) && m_paths.size() == 1;
            const auto part = [&](const std::string &name, std::unique_ptr<ByteSource> packed) -> Result<Walk> {
                PartKind kind = PartKind::Kineto;
                const auto source = TRY(openPart(std::move(packed), single && name == path, kind));
                TRY(take(name, *source, kind));
                return Walk::Continue;
            };
            TRY(forEachPart(path, part, m_stop, m_progress, before));
            before += sizeOfParts(path);
        }
        return {};
    }

    void startProgress() {
        if (!m_progress)
            return;
        std::uint64_t total = 0;
        for (const std::string &path : m_paths)
            total += sizeOfParts(path);
        m_progress->done = 0;
        m_progress->total = total;
    }

    /// Unpacks a part and recognises its kind. A single file counts as a Kineto trace, whose reader then reports what is wrong
    /// with it.
    Result<std::unique_ptr<ByteSource>> openPart(std::unique_ptr<ByteSource> packed, bool isSingle, PartKind &kind) {
        auto source = TRY(ByteSource::unpack(std::move(packed)));
        auto head = TRY(readHead(*source, FileHead::size));
        const FileHead begin{std::move(head), source->isCompressed()};
        kind = PartKind::Kineto;
        if (!isSingle)
            kind = foreignFormatOf(begin) ? PartKind::Other : kindOf(begin.text); // foreign formats may be JSON, too
        if (kind == PartKind::Other && m_otherHead.text.empty())
            m_otherHead = begin;
        source = ByteSource::putBack(begin.text, std::move(source));
        source->setLimits(ReadLimits::of(m_options.limitBytes));
        return source;
    }

    Result<void> pass(bool first) {
        return parts([&](const std::string &name, ByteSource &source, PartKind kind) -> Result<void> {
            if (kind == PartKind::Execution && first) {
                auto companion = TRY(readExecutionTrace(source, name, m_stop));
                m_missedCompanions |= !m_ranks.empty();
                m_companions.push_back(std::move(companion));
                m_used.push_back(false);
            } else if (kind == PartKind::Kineto && (!first || !m_missedCompanions)) {
                return readRank(source, name);
            } else if (kind == PartKind::Other && first) {
                m_others.push_back(name);
            }
            return {};
        });
    }

    Result<void> readRank(ByteSource &source, const std::string &name) {
        if (m_ranks.size() == maxRanks)
            return fail(fmt::format("these are more than {} ranks", maxRanks), "give a part of them", name);
        auto trace = TRY(inFile(readTraceEvents(source, m_stop), name));
        if (trace.rank < 0)
            trace.rank = kineto::rankInName(name);
        std::string used;
        TRY(applyCompanion(trace, name, used));
        RankFacts facts;
        const auto profile = TRY(analyseTrace(trace, name, m_options, m_stop, &facts));
        if (!used.empty())
            profile->read.push_back(std::move(used));
        m_ranks.push_back(std::move(facts));
        return {};
    }

    /// Joins the execution trace of the same rank; a single trace of each kind is a pair whatever their names. A trace from a
    /// folder or an archive may not be the only one.
    Result<void> applyCompanion(TraceEvents &trace, const std::string &name, std::string &used) {
        for (std::size_t i = 0; i < m_companions.size(); ++i) {
            const ExecutionTrace &companion = m_companions[i];
            const bool only = m_companions.size() == 1 && m_paths.size() == 2 &&
                              std::find(m_paths.begin(), m_paths.end(), name) != m_paths.end();
            if (m_used[i] || (!only && (companion.rank < 0 || companion.rank != trace.rank)))
                continue;
            const auto use = TRY(applyExecutionTrace(trace, companion));
            m_used[i] = true;
            used = fmt::format(
                "The execution trace {} (schema {}, {} nodes) gave the sizes of {} collectives, the process groups of {} "
                "and the shapes of {} gradients that {} lacks, joined by {}.",
                std::filesystem::path(companion.file).filename().string(), companion.schema, companion.nodeCount, use.sizes,
                use.groups, use.variables, std::filesystem::path(name).filename().string(),
                use.byRecordId ? "record function ids" : "order within each thread");
            return {};
        }
        return {};
    }

    [[nodiscard]] Unexpected noRanks() const {
        const std::string &path = m_paths.front();
        if (!m_companions.empty())
            return fail("this is an execution trace, which has no times",
                        "give it together with the Kineto trace of the same rank", m_companions.front().file);
        if (m_others.empty())
            return fail("there is no file in it", "give a folder or an archive of Kineto traces", path);
        return refuseSetOf(path, m_others.size(), m_others.front(), m_otherHead);
    }

    const std::vector<std::string> &m_paths;
    const ImportOptions &m_options;
    const std::stop_token m_stop;
    Progress *const m_progress;
    std::vector<RankFacts> m_ranks;
    std::vector<ExecutionTrace> m_companions;
    std::vector<bool> m_used;
    std::vector<std::string> m_others;
    FileHead m_otherHead; ///< beginning of the first of them
    bool m_missedCompanions = false;
};

} // namespace

bool isFolder(const std::string &path) {
    std::error_code status;
    return std::filesystem::is_directory(path, status);
}

Result<std::shared_ptr<const ImportedProfile>> importRanks(const std::vector<std::string> &paths, const ImportOptions &options,
                                                           std::stop_token stop, Progress *progress) {
    return withinMemory(paths.front(), "give fewer ranks or record fewer steps",
                        [&] { return RankSet(paths, options, std::move(stop), progress).import(); });
}

Result<std::vector<OverlapFigures>> measureOverlap(const std::string &path, std::stop_token stop, Progress *progress,
                                                   std::uint64_t limitBytes) {
    ImportOptions options;
    options.limitBytes = limitBytes;
    return withinMemory(path, recordLess, [&]() -> Result<std::vector<OverlapFigures>> {
        if (!isFolder(path)) {
            const auto head = TRY(readFileHead(path));
            if (looksLikeSqlite(head.text))
                return measureNsightOverlap(path, stop, progress, ReadLimits::of(limitBytes));
            if (looksLikeAutogradTrace(head.text)) {
                const auto source = TRY(openLimited(path, options, progress));
                return measureAutogradOverlap(*source, path, stop);
            }
            if (looksLikeTensorFlowTimeline(head.text)) {
                const auto source = TRY(openLimited(path, options, progress));
                const auto graph = TRY(readTensorFlowTimeline(*source, path, stop));
                return overlapFigures(*graph);
            }
            const std::size_t first = head.text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
            const bool isJson = first != std::string::npos && (head.text[first] == '{' || head.text[first] == '[');
            const ForeignFormat *const foreign = isJson || looksLikeArchive(head.text) ? nullptr : foreignFormatOf(head);
            if (foreign) // the reader of Kineto traces would only say that it is not JSON
                return foreign->read
                           ? fail("this is no trace of PyTorch, Nsight Systems or TensorFlow, whose overlap is measured",
                                  "look at it in the explorer or with syncopate-cli query", path)
                           : fail(foreign->what, foreign->remedy, path);
        }
        return RankSet({path}, options, std::move(stop), progress).overlap();
    });
}

Result<std::shared_ptr<const ImportedProfile>> importProfiles(const std::vector<std::string> &paths, const ImportOptions &options,
                                                              std::stop_token stop, Progress *progress) {
    if (paths.empty())
        return fail("no profile was given", "name one");
    if (paths.size() == 1)
        return importProfile(paths.front(), options, std::move(stop), progress);
    std::size_t timelines = 0;
    for (const std::string &path : paths) {
        if (isFolder(path))
            continue;
        const auto head = TRY(readFileHead(path));
        const std::string_view format = profileFormat(head).name;
        timelines += format == tensorFlowFormat ? 1 : 0;
        if (format == tensorFlowFormat && timelines == static_cast<std::size_t>(&path - paths.data()) + 1)
            continue; // timelines, unless something else follows
        if (std::find(rankFormats.begin(), rankFormats.end(), format) == rankFormats.end())
            return fail(fmt::format("this is a {}, which cannot be imported together with other files", format),
                        "give only PyTorch ranks and execution traces of one job", path);
    }
    if (timelines == paths.size())
        return withListedVariables(importTensorFlow(paths, options, stop, progress), options, stop);
    if (timelines > 0)
        return fail("these are TensorFlow timelines and something else", "give timelines of one job only", paths.front());
    return withListedVariables(importRanks(paths, options, stop, progress), options, stop);
}

} // namespace syncopate
