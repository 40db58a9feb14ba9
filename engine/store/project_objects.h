// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/profile/profile.h"
#include "engine/session/planned_work.h"
#include "engine/session/source.h"
#include "engine/store/database.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Writes objects that scenarios share by pointer into a project, each once, and returns their ids. Keeps the first failure for
/// finish().
class ObjectWriter {
public:
    explicit ObjectWriter(Database &file) : m_file(file) {}

    /// `isDag`: it stands for a training DAG (jobOfDag()), of which only the name is kept.
    [[nodiscard]] std::optional<RowId<Job>> job(const std::shared_ptr<const Job> &job, bool isDag);
    [[nodiscard]] std::optional<RowId<Cluster>> cluster(const std::shared_ptr<const Cluster> &cluster);
    [[nodiscard]] std::optional<RowId<Strategy>> strategy(const std::shared_ptr<const Strategy> &strategy);
    [[nodiscard]] std::optional<RowId<PlannedWork>> plan(const std::shared_ptr<const PlannedWork> &work);
    /// Embeds the profile's file; profiles that the project has already stay. Where another file has taken its place since the
    /// profile was read, and the project has no copy, it is lost rather than mistaken. A file that no longer exists, a folder or
    /// one that is too large is referred to by its path.
    [[nodiscard]] std::optional<RowId<ImportedProfile>> profile(const std::shared_ptr<const ImportedProfile> &profile,
                                                                const std::string &source);
    /// Returns the first failure, if any, and removes profiles that no scenario uses any more.
    [[nodiscard]] Result<void> finish();

private:
    /// The object's id, if it is in the project already.
    template <class T> [[nodiscard]] std::optional<RowId<T>> known(const std::shared_ptr<const T> &object) const;
    /// The id of the profile that an earlier save left in the project; none where there is none, or after a failure, which is
    /// kept.
    [[nodiscard]] std::optional<RowId<ImportedProfile>> savedProfile(const std::string &key);
    template <class T>
    std::optional<RowId<T>> put(const std::shared_ptr<const T> &object, const std::string &key, const std::string &content);
    /// Keeps the first failure; false = this is one.
    bool keep(Result<void> result);

    Database &m_file;
    std::map<const void *, std::int64_t> m_ids; ///< of objects of all kinds
    Result<void> m_result;
};

/// Reads the objects back, each once.
class ObjectReader {
public:
    /// `losses` receives profiles that could not be restored.
    ObjectReader(Database &file, std::stop_token stop, Progress *progress, std::vector<Error> &losses)
        : m_file(file), m_stop(std::move(stop)), m_progress(progress), m_losses(losses) {}

    // Null for no id; an id of a missing or damaged object is an error.
    [[nodiscard]] Result<std::shared_ptr<const Job>> job(std::optional<RowId<Job>> id);
    [[nodiscard]] Result<std::shared_ptr<const Cluster>> cluster(std::optional<RowId<Cluster>> id);
    [[nodiscard]] Result<std::shared_ptr<const Strategy>> strategy(std::optional<RowId<Strategy>> id,
                                                                   const std::shared_ptr<const Job> &job);
    [[nodiscard]] Result<std::shared_ptr<const PlannedWork>> plan(std::optional<RowId<PlannedWork>> id);
    /// readSource(), which reads a strategy file from where it is, once.
    [[nodiscard]] const Source &source(const std::string &text);
    /// Null, with an error in `losses`, where the profile is neither in the project nor at its path.
    [[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> profile(std::optional<RowId<ImportedProfile>> id,
                                                                         const std::string &source);

private:
    template <class T> [[nodiscard]] Result<std::string> content(RowId<T> id);
    /// The object's key; "" where there is no such object.
    template <class T> [[nodiscard]] Result<std::string> key(RowId<T> id);

    Database &m_file;
    std::stop_token m_stop;
    Progress *m_progress;
    std::vector<Error> &m_losses;
    std::map<RowId<Job>, std::shared_ptr<const Job>> m_jobs;
    std::map<RowId<Cluster>, std::shared_ptr<const Cluster>> m_clusters;
    std::map<RowId<Strategy>, std::shared_ptr<const Strategy>> m_strategies;
    std::map<RowId<PlannedWork>, std::shared_ptr<const PlannedWork>> m_plans;
    std::map<RowId<ImportedProfile>, std::shared_ptr<const ImportedProfile>> m_profiles;
    std::map<std::string, Source> m_sources;
};

} // namespace syncopate
