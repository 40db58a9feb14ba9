// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_objects.h"

#include "engine/base/input_file.h"
#include "engine/base/temporary_folder.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job_file.h"
#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "engine/store/project_file.h"
#include "engine/strategy/strategy_file.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

namespace fs = std::filesystem;

/// Their kinds in the table of objects.
template <class T> constexpr const char *kindOf = nullptr;
template <> constexpr const char *kindOf<Job> = "job";
template <> constexpr const char *kindOf<Cluster> = "cluster";
template <> constexpr const char *kindOf<Strategy> = "strategy";
template <> constexpr const char *kindOf<PlannedWork> = "plan";
template <> constexpr const char *kindOf<ImportedProfile> = "profile";

/// Calls `visit(node, part, synchronizer)` for each synchroniser; part is -1 for that of a whole variable.
template <class SomeStrategy, class Visit> void forEachSynchronizer(SomeStrategy &strategy, Visit visit) {
    for (std::size_t n = 0; n < strategy.nodes.size(); ++n) {
        auto &node = strategy.nodes[n];
        visit(n, std::int64_t{-1}, node.synchronizer);
        for (std::size_t p = 0; p < node.parts.size(); ++p)
            visit(n, static_cast<std::int64_t>(p), node.parts[p].synchronizer);
    }
}

/// Identifies a state of a profile's file; empty if it is not to be stored in the project.
std::string keyOf(const std::string &path, const std::optional<FileState> &state) {
    return state && state->sizeBytes <= static_cast<std::uint64_t>(projectProfileLimit)
               ? fmt::format("{}\n{}\n{}", path, state->sizeBytes, state->changedAt)
               : std::string();
}
std::string keyOf(const std::string &path) { return keyOf(path, stateOfFile(path)); }

/// keyOf() when the profile was read, from the copy in a project or from its own file. Recordings stay outside: such a file may
/// hold what its owner would not give away, such as rocpd's copy of the environment.
std::string keyWhenRead(const ImportedProfile &profile, const std::string &path) {
    if (!profile.projectKey.empty() || isRecordingOnly(profile.job))
        return profile.projectKey;
    return keyOf(path, profile.fileState);
}

/// Whether `key` is of a state of the file at `path` that is no longer there.
bool isOfAnotherState(const std::string &key, const std::string &path) {
    return key.size() > path.size() + 1 && key.starts_with(path + "\n") && key != keyOf(path);
}

} // namespace

bool ObjectWriter::keep(Result<void> result) {
    const bool done = result.has_value();
    if (!done && m_result)
        m_result = std::move(result);
    return done;
}

template <class T> std::optional<RowId<T>> ObjectWriter::known(const std::shared_ptr<const T> &object) const {
    const auto found = m_ids.find(object.get());
    return found != m_ids.end() ? std::optional(RowId<T>{found->second}) : std::nullopt;
}

template <class T> std::optional<RowId<T>> ObjectWriter::put(const std::shared_ptr<const T> &object, const std::string &key,
                                                             const std::string &content) {
    const auto next = m_file.number("SELECT coalesce(max(id), 0) + 1 FROM object");
    if (!next) {
        keep(Unexpected(next.error()));
        return {};
    }
    const RowId<T> id{*next};
    Statement row(m_file, "INSERT INTO object VALUES(?,?,?,?)");
    row.bind(id).bind(std::string_view(kindOf<T>)).bind(std::string_view(key)).bindBytes(content);
    m_ids[object.get()] = id.number;
    return keep(row.run()) ? std::optional(id) : std::nullopt;
}

std::optional<RowId<Job>> ObjectWriter::job(const std::shared_ptr<const Job> &job, bool isDag) {
    if (!job)
        return {};
    const auto there = known(job);
    // The sides' plans have the DAG. A recording's job comes with its profile.
    return there ? there : put(job, isDag ? job->name : std::string(), job->layers.empty() ? std::string() : writeJobText(*job));
}

std::optional<RowId<Cluster>> ObjectWriter::cluster(const std::shared_ptr<const Cluster> &cluster) {
    if (!cluster)
        return {};
    const auto there = known(cluster);
    return there ? there : put(cluster, {}, writeResourceSpec(*cluster));
}

std::optional<RowId<PlannedWork>> ObjectWriter::plan(const std::shared_ptr<const PlannedWork> &work) {
    if (!work)
        return {};
    const auto there = known(work);
    return there ? there : put(work, {}, writePlannedWork(*work));
}

std::optional<RowId<Strategy>> ObjectWriter::strategy(const std::shared_ptr<const Strategy> &strategy) {
    if (!strategy)
        return {};
    if (const auto there = known(strategy))
        return there;
    const auto id = put(strategy, {}, writeStrategyProto(*strategy));
    if (!id)
        return {};
    // Stored separately, because AutoDist's wire format has no field for it.
    forEachSynchronizer(*strategy, [&](std::size_t node, std::int64_t part, const Synchronizer &synchronizer) {
        if (synchronizer.transferDestination.empty())
            return;
        Statement transfer(m_file, "INSERT INTO transfer VALUES(?,?,?,?)");
        transfer.bind(*id).bind(static_cast<std::int64_t>(node)).bind(part);
        keep(transfer.bind(std::string_view(synchronizer.transferDestination)).run());
    });
    return id;
}

std::optional<RowId<ImportedProfile>> ObjectWriter::savedProfile(const std::string &key) {
    Statement saved(m_file, "SELECT id FROM object WHERE kind = 'profile' AND key = ?");
    const Result<bool> found = saved.bind(std::string_view(key)).step();
    if (!found)
        keep(Unexpected(found.error()));
    return found.value_or(false) ? std::optional(RowId<ImportedProfile>{saved.integer()}) : std::nullopt;
}

std::optional<RowId<ImportedProfile>> ObjectWriter::profile(const std::shared_ptr<const ImportedProfile> &profile,
                                                            const std::string &source) {
    if (!profile)
        return {};
    if (const auto there = known(profile))
        return there;
    // Another recording may have taken its file's name since; without a key it stays outside.
    const std::string whenRead = keyWhenRead(*profile, source);
    const std::string ownKey = whenRead.empty() ? source + "\n" : whenRead;
    const std::optional<RowId<ImportedProfile>> saved = savedProfile(ownKey);
    if (!m_result)
        return {};
    if (saved) {
        m_ids[profile.get()] = saved->number;
        return saved;
    }
    Result<std::string> content = std::string();
    if (!whenRead.empty() && keyOf(source) == whenRead) // else the name alone would stand for the other recording
        content = readInputFile(source, static_cast<std::uint64_t>(projectProfileLimit));
    if (!content)
        content = std::string();
    return put(profile, ownKey, *content);
}

Result<void> ObjectWriter::finish() {
    if (m_result)
        m_result = m_file.run("DELETE FROM object WHERE kind = 'profile' AND id NOT IN "
                              "(SELECT profile FROM scenario WHERE profile IS NOT NULL)");
    return m_result;
}

template <class T> Result<std::string> ObjectReader::content(RowId<T> id) {
    if (m_stop.stop_requested()) // reading an object may take long, and statements about small tables never look
        return cancelled(m_file.path());
    Statement object(m_file, "SELECT content FROM object WHERE id = ? AND kind = ?");
    const auto there = TRY(object.bind(id).bind(std::string_view(kindOf<T>)).step());
    if (!there)
        return fail(fmt::format("the project lacks the {} {} that a scenario names", kindOf<T>, id.number),
                    "open an older copy of it", m_file.path());
    return object.text();
}

template <class T> Result<std::string> ObjectReader::key(RowId<T> id) {
    Statement row(m_file, "SELECT key FROM object WHERE id = ?");
    return TRY(row.bind(id).step()) ? row.text() : std::string();
}

Result<std::shared_ptr<const Job>> ObjectReader::job(std::optional<RowId<Job>> id) {
    if (!id)
        return nullptr;
    if (const auto known = m_jobs.find(*id); known != m_jobs.end())
        return known->second;
    const auto text = TRY(content(*id));
    if (text.empty()) { // a training DAG's, or a recording's, which comes with its profile
        const std::string dag = TRY(key(*id));
        return m_jobs[*id] = dag.empty() ? nullptr : jobOfDag(dag);
    }
    auto job = TRY(readJobText(text, m_file.path()));
    return m_jobs[*id] = std::make_shared<const Job>(std::move(job));
}

Result<std::shared_ptr<const Cluster>> ObjectReader::cluster(std::optional<RowId<Cluster>> id) {
    if (!id)
        return nullptr;
    if (const auto known = m_clusters.find(*id); known != m_clusters.end())
        return known->second;
    const auto text = TRY(content(*id));
    auto cluster = TRY(readResourceSpecText(text, m_file.path()));
    return m_clusters[*id] = std::make_shared<const Cluster>(std::move(cluster));
}

Result<std::shared_ptr<const PlannedWork>> ObjectReader::plan(std::optional<RowId<PlannedWork>> id) {
    if (!id)
        return nullptr;
    if (const auto known = m_plans.find(*id); known != m_plans.end())
        return known->second;
    const auto text = TRY(content(*id));
    auto work = readPlannedWork(text, m_file.path());
    if (!work) { // within the project, the error is in this object
        Error error = work.error();
        error.place = fmt::format("plan {}{}{}", id->number, error.place.empty() ? "" : ", ", error.place);
        return Unexpected(std::move(error));
    }
    return m_plans[*id] = std::make_shared<const PlannedWork>(*std::move(work));
}

const Source &ObjectReader::source(const std::string &text) {
    const auto known = m_sources.find(text);
    return known != m_sources.end() ? known->second : m_sources.emplace(text, readSource(text)).first->second;
}

Result<std::shared_ptr<const Strategy>> ObjectReader::strategy(std::optional<RowId<Strategy>> id,
                                                               const std::shared_ptr<const Job> &job) {
    if (!id || !job)
        return nullptr;
    if (const auto known = m_strategies.find(*id); known != m_strategies.end())
        return known->second;
    const auto bytes = TRY(content(*id));
    auto read = TRY(readStrategyProto(bytes, m_file.path()));
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> transfers;
    Statement rows(m_file, "SELECT node, part, device FROM transfer WHERE strategy = ?");
    rows.bind(*id);
    for (;;) {
        const auto row = TRY(rows.step());
        if (!row)
            break;
        const std::int64_t node = rows.integer(), part = rows.integer();
        transfers[{node, part}] = rows.text();
    }
    forEachSynchronizer(read, [&](std::size_t node, std::int64_t part, Synchronizer &synchronizer) {
        if (const auto found = transfers.find({static_cast<std::int64_t>(node), part}); found != transfers.end())
            synchronizer.transferDestination = found->second;
    });
    auto matched = TRY(matchStrategy(read, *job, m_file.path()));
    return m_strategies[*id] = std::make_shared<const Strategy>(std::move(matched));
}

Result<std::shared_ptr<const ImportedProfile>> ObjectReader::profile(std::optional<RowId<ImportedProfile>> id,
                                                                     const std::string &source) {
    if (!id)
        return nullptr;
    if (const auto known = m_profiles.find(*id); known != m_profiles.end())
        return known->second;
    const auto bytes = TRY(content(*id));
    std::error_code ignored;
    if (bytes.empty() && isOfAnotherState(TRY(key(*id)), source) && fs::exists(source, ignored)) {
        m_losses.push_back({"the measured timeline is not shown: the project has no copy of it, and its file has changed",
                            "open the profile again where it is now; its job is in the project",
                            source,
                            {}});
        return m_profiles[*id] = nullptr;
    }
    std::string path = source;
    std::optional<TemporaryFolder> folder;
    if (!bytes.empty()) {
        auto made = TemporaryFolder::make();
        if (!made)
            return fail("cannot unpack the profile: " + made.error().what, made.error().remedy, m_file.path());
        folder.emplace(*std::move(made));
        // Keeps the file's name, after which a reader may name the job.
        path = (folder->path() / fs::path(source).filename()).string();
        std::ofstream file(path, std::ios::binary);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!file.flush())
            return fail("cannot unpack the profile: no room for temporary files", "free some, or set TMPDIR", m_file.path());
    }
    auto imported = importRecording(path, {}, m_stop, m_progress);
    if (!imported && imported.error().isCancelled())
        return imported;
    if (!imported) {
        Error loss = imported.error();
        loss.what = "the measured timeline is not shown: " + loss.what;
        loss.file = source; // not the temporary file
        loss.remedy = bytes.empty() ? "put the profile back where it was, or open it where it is now; its job is in the project"
                                    : "open the profile again from its own file; its job is in the project";
        m_losses.push_back(std::move(loss));
        return m_profiles[*id] = nullptr;
    }
    if (path == source)
        return m_profiles[*id] = *imported;
    auto named = std::make_shared<ImportedProfile>(**imported);
    named->file = source;
    named->projectKey = TRY(key(*id));
    return m_profiles[*id] = std::move(named);
}

} // namespace syncopate
