// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_file.h"

#include "engine/store/database.h"
#include "engine/store/project_curves.h"
#include "engine/store/project_objects.h"
#include "engine/store/project_scenario.h"
#include "engine/store/project_search.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace syncopate {

namespace {

constexpr std::int64_t applicationId = 0x53796e63; ///< "Sync", in the file's header, by which `file` and others know projects
constexpr std::int64_t formatVersion = 7;
constexpr ScenarioId presentScenario{0}; ///< the window's own state
constexpr ScenarioId searchScenario{-1}; ///< the state whose strategies were searched
constexpr std::int64_t maxScenarios = 100000;
/// Id of a past search's state, far below those of curves.
constexpr ScenarioId pastScenario(std::size_t past) { return {-1'000'000 - static_cast<std::int64_t>(past)}; }

/// Version 1 of the format; later versions add to it, so that older files can be upgraded.
constexpr const char *schema = R"(
    CREATE TABLE object(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, content BLOB NOT NULL);
    CREATE TABLE transfer(strategy INTEGER NOT NULL, node INTEGER NOT NULL, part INTEGER NOT NULL, device TEXT NOT NULL);
    CREATE TABLE scenario(id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT NOT NULL, kept_at INTEGER NOT NULL,
        source TEXT NOT NULL, job INTEGER, profile INTEGER, cluster_source TEXT NOT NULL, cluster INTEGER,
        cluster_edited INTEGER NOT NULL, bandwidth_gbits REAL, latency_seconds REAL, workers INTEGER, servers INTEGER,
        compare INTEGER NOT NULL, a_seconds REAL, b_seconds REAL);
    CREATE TABLE side(scenario INTEGER NOT NULL, side INTEGER NOT NULL, strategy TEXT NOT NULL, policy TEXT NOT NULL,
        edited INTEGER, cluster INTEGER, cluster_source TEXT NOT NULL, PRIMARY KEY(scenario, side));
    CREATE TABLE view(name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE save(revision INTEGER NOT NULL);
    INSERT INTO save VALUES(0);
    PRAGMA application_id = 1400467043;
    PRAGMA user_version = 1;
)";
constexpr const char *schemaOfVersion2 = R"(
    ALTER TABLE side ADD COLUMN edited_name TEXT NOT NULL DEFAULT '';
    PRAGMA user_version = 2;
)";
constexpr const char *schemaOfVersion5 = R"(
    ALTER TABLE side ADD COLUMN plan INTEGER;
    PRAGMA user_version = 5;
)";
static_assert(applicationId == 1400467043 && formatVersion == 7, "the schemas state both in digits");

/// `others` gets the states that are not the user's scenarios, by their negative ids: the search's and the curves'.
Result<void> readScenarios(Database &file, ObjectReader &objects, Project &project, std::map<ScenarioId, SessionState> &others) {
    Statement rows(file, "SELECT * FROM scenario ORDER BY id");
    std::vector<std::pair<ScenarioId, KeptScenario>> read;
    for (;;) {
        const auto row = TRY(rows.step());
        if (!row)
            break;
        if (static_cast<std::int64_t>(read.size()) >= maxScenarios)
            return fail(fmt::format("more than {} scenarios", maxScenarios), "the file is damaged: open an older copy",
                        file.path());
        const ScenarioId id{rows.integer()};
        read.emplace_back(id, TRY(readScenario(rows, objects)));
    }
    for (auto &[id, kept] : read) {
        TRY(readSides(file, objects, id, kept.state));
        if (id == presentScenario)
            project.present = std::move(kept.state);
        else if (id < presentScenario)
            others[id] = std::move(kept.state);
        else
            project.scenarios.push_back(std::move(kept));
    }
    return {};
}

/// Reads the curves and gives forecasts the states that they were made from, which are among `others`.
Result<void> readForecasts(Database &file, std::map<ScenarioId, SessionState> &others, Project &project) {
    project.curves = TRY(readCurves(file));
    for (std::size_t c = 0; c < project.curves.size(); ++c)
        if (const auto &forecast = project.curves[c].forecast) {
            auto whole = std::make_shared<Forecast>(*forecast);
            whole->state = others[curveScenario(c)];
            if (!whole->state.job || !whole->state.cluster)
                return fail(fmt::format("the project lacks the job or cluster of its throughput curve {}", c),
                            "the file is damaged: open an older copy", file.path(), fmt::format("curve {}", c));
            project.curves[c].forecast = std::move(whole);
        }
    return {};
}

/// Null if the project has no search.
Result<std::shared_ptr<SearchState>> readSearchFrom(Database &file, std::int64_t version, ObjectReader &objects, SearchId id,
                                                    const SessionState &state) {
    auto search = std::make_shared<SearchState>();
    search->plan.state = state;
    if (!state.job || !state.cluster || !TRY(readSearch(file, version, objects, id, *search)))
        search.reset();
    return search;
}

Result<void> readSearches(Database &file, std::int64_t version, ObjectReader &objects, std::map<ScenarioId, SessionState> &others,
                          Project &project) {
    if (version < 2)
        return {};
    project.search = TRY(readSearchFrom(file, version, objects, presentSearch, others[searchScenario]));
    for (std::size_t s = 0; version >= 6 && s < maxPastSearches && others.contains(pastScenario(s)); ++s)
        if (auto past = TRY(readSearchFrom(file, version, objects, pastSearch(s), others[pastScenario(s)])))
            project.pastSearches.push_back(std::move(past));
    return {};
}

Result<void> readViews(Database &file, Project &project) {
    Statement views(file, "SELECT name, value FROM view");
    for (;;) {
        const auto row = TRY(views.step());
        if (!row)
            return {};
        std::string name = views.text();
        project.views[std::move(name)] = views.text();
    }
}

/// The version of the file's format, which this program can read; 0 = an empty file, to which nothing was saved.
Result<std::int64_t> versionOf(Database &file) {
    const auto application = TRY(file.number("PRAGMA application_id"));
    const auto version = TRY(file.number("PRAGMA user_version"));
    const auto tables = TRY(file.number("SELECT EXISTS(SELECT 1 FROM sqlite_schema)"));
    if (application == 0 && tables == 0)
        return 0;
    if (application != applicationId)
        return fail("is a database of another program", "choose another file", file.path());
    if (version < 1)
        return fail("the project does not say which format it has", "the file is damaged: open an older copy", file.path());
    if (version > formatVersion)
        return fail(fmt::format("the project was saved by a newer Syncopate (format {})", version),
                    fmt::format("update Syncopate; this one reads formats up to {}", formatVersion), file.path());
    return version;
}

/// Refuses a schema that has more than tables and indices: no project has views, triggers or virtual tables, which SQLite would
/// compile, and whose modules it would call.
Result<void> checkSchema(Database &file) {
    const auto others = TRY(file.number("SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL "
                                        "AND sql NOT LIKE 'CREATE TABLE %' AND sql NOT LIKE 'CREATE INDEX %'"));
    if (others != 0)
        return fail("the file holds views, triggers or virtual tables, which no project has",
                    "it was changed by another program: open an older copy of it", file.path());
    return {};
}

/// Upgrades the file to the current format and empties it but for its profiles, some of which may be saved nowhere else; returns
/// the revision that was in it; of a new file the project's, so that an older one, put back, is recognised as another save.
Result<std::int64_t> makeRoom(const Project &project, Database &file) {
    const auto version = TRY(versionOf(file));
    if (version > 0) { // it may be any file under this name
        TRY(checkSchema(file));
        TRY(file.checkPages());
    }
    for (const auto &[since, schemas] : {std::pair{1, schema},
                                         {2, schemaOfVersion2},
                                         {3, curveSchema},
                                         {5, schemaOfVersion5},
                                         {6, searchSchema},
                                         {7, confidenceSchema}})
        if (version < since) // 4 changed the tables of searches, which 6 replaces
            TRY(file.run(schemas));
    const auto saved = version == 0 ? project.revision : TRY(file.number("SELECT revision FROM save"));
    if (project.revision != 0 && saved != project.revision) {
        auto error = fail("the project was saved by another window since it was opened",
                          "save under another name, or open it again", file.path());
        error.value().kind = ErrorKind::Unavailable;
        return error;
    }
    TRY(file.run("DELETE FROM scenario; DELETE FROM side; DELETE FROM view; DELETE FROM transfer; "
                 "DELETE FROM search; DELETE FROM candidate; DELETE FROM phase; DELETE FROM curve; DELETE FROM curve_setting; "
                 "DELETE FROM curve_point; DELETE FROM curve_start; DELETE FROM curve_busy; "
                 "DELETE FROM curve_note; DELETE FROM measured_point; DELETE FROM object WHERE kind <> 'profile'"));
    return saved;
}

/// Writes the user's scenarios, the searches with the ones that they started from, and those of the curves.
Result<void> writeScenarios(const Project &project, Database &file, ObjectWriter &objects) {
    KeptScenario present;
    present.state = project.present;
    ScenarioId id = presentScenario;
    TRY(writeScenario(file, objects, id, present));
    for (const KeptScenario &kept : project.scenarios) {
        ++id.number;
        TRY(writeScenario(file, objects, id, kept));
    }
    const auto writeSearched = [&](ScenarioId scenario, const SearchState &search) {
        KeptScenario searched;
        searched.state = search.plan.state;
        return writeScenario(file, objects, scenario, searched);
    };
    if (project.search)
        TRY(writeSearched(searchScenario, *project.search));
    for (std::size_t s = 0; s < project.pastSearches.size(); ++s)
        TRY(writeSearched(pastScenario(s), *project.pastSearches[s]));
    TRY(writeSearches(file, objects, project.search, project.pastSearches));
    for (std::size_t c = 0; c < project.curves.size(); ++c) {
        KeptScenario predicted;
        if (const auto &forecast = project.curves[c].forecast) {
            predicted.state = forecast->state;
            TRY(writeScenario(file, objects, curveScenario(c), predicted));
        }
    }
    return {};
}

Result<void> writeViews(const std::map<std::string, std::string> &views, Database &file) {
    for (const auto &[name, value] : views) {
        Statement view(file, "INSERT INTO view VALUES(?,?)");
        TRY(view.bind(std::string_view(name)).bind(std::string_view(value)).run());
    }
    return {};
}

Result<std::int64_t> writeAll(const Project &project, Database &file) {
    const auto saved = TRY(makeRoom(project, file));
    ObjectWriter objects(file);
    TRY(writeScenarios(project, file, objects));
    TRY(writeCurves(file, project.curves));
    TRY(objects.finish());
    TRY(writeViews(project.views, file));
    Statement revision(file, "UPDATE save SET revision = ?");
    TRY(revision.bind(saved + 1).run());
    return saved + 1;
}

/// Opening an absent file for writing creates it, and a save that then fails leaves it empty: the destructor removes it. A file
/// that was there before, or that another program saved meanwhile, stays.
class CreatedFile {
public:
    explicit CreatedFile(const std::string &path) : m_path(path) {
        std::error_code ignored;
        m_isNew = !std::filesystem::exists(path, ignored) && !ignored;
    }
    CreatedFile(const CreatedFile &) = delete;
    CreatedFile &operator=(const CreatedFile &) = delete;
    ~CreatedFile() {
        std::error_code failed;
        const auto created = std::filesystem::canonical(m_path, failed); // where a link led to nothing, not the link
        if (m_isNew && !failed && std::filesystem::file_size(created, failed) == 0 && !failed)
            std::filesystem::remove(created, failed);
    }

private:
    std::string m_path;
    bool m_isNew = false;
};

} // namespace

Result<std::int64_t> writeProject(const Project &project, const std::string &path) {
    const CreatedFile created(path); // ends after `file`, which rolls back as it closes
    auto file = TRY(Database::open(path, Database::Mode::Write));
    TRY(file.run("BEGIN IMMEDIATE"));
    auto revision = writeAll(project, file);
    if (!revision)
        return revision; // closing rolls back
    TRY(file.run("COMMIT"));
    return revision;
}

Result<SavedProject> saveProject(Project project, const std::string &path) {
    auto revision = writeProject(project, path);
    if (revision)
        return SavedProject{path, *revision};
    if (revision.error().kind != ErrorKind::Unavailable)
        return Unexpected(revision.error());
    const std::filesystem::path taken(path);
    constexpr int maxCopies = 1000;
    for (int copy = 2; copy < maxCopies; ++copy) {
        const std::string beside =
            (taken.parent_path() / fmt::format("{} ({}){}", taken.stem().string(), copy, taken.extension().string())).string();
        std::error_code ignored;
        if (std::filesystem::exists(beside, ignored))
            continue;
        TRY(copyProject(path, beside)); // brings along profiles whose own files are gone
        project.revision = 0;
        const auto saved = writeProject(project, beside);
        if (!saved) { // else the copy of the other program's save would pass for this one
            std::filesystem::remove(beside, ignored);
            return Unexpected(saved.error());
        }
        return SavedProject{beside, *saved};
    }
    return Unexpected(revision.error());
}

Result<SavedProject> saveProjectAs(Project project, const std::string &path, const std::string &from) {
    namespace fs = std::filesystem;
    const std::string part = fmt::format("{}.{}.part", path, getpid());
    std::error_code failed;
    project.revision = 0; // the copy has that of the file copied
    Result<std::int64_t> revision = 0;
    const auto savesWith = [&](const std::string &profiles) { // false: damaged, or the copy does not fit
        fs::remove(part, failed);
        if (!copyProject(profiles, part))
            return false;
        revision = writeProject(project, part);
        return revision.has_value();
    };
    const bool hasCopy = savesWith(from);
    if (!hasCopy && !savesWith(path)) { // an earlier save may have profiles; saving without any is better than not saving
        fs::remove(part, failed);
        revision = writeProject(project, part);
    }
    if (revision) {
        fs::remove(path + "-journal", failed); // of an older file's interrupted save
        fs::rename(part, path, failed);
        if (!failed)
            return SavedProject{path, *revision, hasCopy};
        revision = fail("the file cannot be replaced: " + failed.message(), "choose another name", path);
    }
    fs::remove(part, failed);
    revision.error().file = path;
    return Unexpected(std::move(revision.error()));
}

Result<void> copyProject(const std::string &from, const std::string &to) {
    std::error_code ignored;
    if (std::filesystem::exists(to, ignored))
        return fail("there is a file already", "choose another name", to);
    auto source = TRY(Database::open(from, Database::Mode::Read));
    TRY(versionOf(source));
    auto copied = source.copyTo(to);
    if (!copied)
        std::filesystem::remove(to, ignored);
    return copied;
}

Result<Project> readProject(const std::string &path, std::stop_token stop, Progress *progress) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return fail("this is a folder", "name a project file", path);
    if (!std::filesystem::is_regular_file(path, ignored))
        return fail("there is no such file", "check the path", path);
    auto file = TRY(Database::open(path, Database::Mode::Read, stop));
    TRY(file.run("BEGIN")); // one snapshot, even if another program saves meanwhile
    const auto version = TRY(versionOf(file));
    if (version == 0)
        return fail("the project is empty", "nothing was saved to it; delete it, or save a project over it", path);
    TRY(checkSchema(file));
    Project project;
    project.revision = TRY(file.number("SELECT revision FROM save"));
    ObjectReader objects(file, std::move(stop), progress, project.losses);
    std::map<ScenarioId, SessionState> others;
    TRY(readScenarios(file, objects, project, others));
    TRY(readSearches(file, version, objects, others, project));
    if (version >= 3)
        TRY(readForecasts(file, others, project));
    TRY(readViews(file, project));
    return project;
}

} // namespace syncopate
