// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/picture.h"

#include "engine/cluster/cluster.h"
#include "engine/export/export.h"
#include "engine/store/project_file.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace syncopate::cli {

namespace {

/// Runs `program` offscreen until it ends; returns its exit status, or -1.
int runOffscreen(const std::string &program, std::vector<std::string> arguments) {
    std::vector<char *> argv{const_cast<char *>(program.c_str())};
    for (std::string &argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    setenv("QT_LOGGING_RULES", "*=false", 1); // stderr is reserved for our one line
    pid_t child = 0;
    if (posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ) != 0)
        return -1;
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A temporary folder for the explorer's input, and the explorer's path.
struct Studio {
    std::filesystem::path explorer, folder;
};

Result<Studio> openStudio() {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path explorer = fs::read_symlink("/proc/self/exe", failed).parent_path() / "syncopate";
    if (failed || !fs::exists(explorer, failed))
        return fail("the explorer 'syncopate' is not beside syncopate-cli",
                    "install both in one folder: pictures are drawn by it");
    std::string folder = (fs::temp_directory_path(failed) / "syncopate-XXXXXX").string();
    if (failed || mkdtemp(folder.data()) == nullptr)
        return fail("there is no room for temporary files", "free some, or set TMPDIR");
    return Studio{explorer, folder};
}

/// Lets the explorer draw what `opening` names, then removes the folder.
Result<void> draw(const Studio &studio, std::vector<std::string> opening, const std::string &file, const std::string &format) {
    opening.insert(opening.end(),
                   {"--picture", file, "--size", "1600x900", "--theme", "light", "--language", "en", "--picture-format", format});
    const int status = runOffscreen(studio.explorer.string(), std::move(opening));
    std::error_code ignored;
    std::filesystem::remove_all(studio.folder, ignored);
    if (status != 0)
        return fail("the explorer could not draw the picture", "choose a file you may write to", file);
    return {};
}

} // namespace

Result<void> drawPicture(const Run &run, const ScenarioOptions &options, const PictureSide &a,
                         const std::optional<PictureSide> &b, const std::string &file, const std::string &format) {
    const auto studio = TRY(openStudio());
    // The cluster with the options applied is passed as a file, whose name appears in the picture.
    const auto spec = studio.folder / (std::filesystem::path(options.cluster).stem().string() + ".yml");
    TRY(writeFile(spec.string(), writeResourceSpec(*run.scenario.cluster)));
    std::vector<std::string> opening{options.job, "--cluster", spec.string(), "--a", a.strategy, "--policy-a", a.policy};
    if (run.scenario.linkModel != LinkModel::Fluid)
        opening.insert(opening.end(), {"--sharing", std::string(nameOf(run.scenario.linkModel))});
    if (b)
        opening.insert(opening.end(), {"--b", b->strategy, "--policy-b", b->policy});
    return draw(studio, std::move(opening), file, format);
}

Result<void> drawProject(const Project &project, const std::string &file, const std::string &format) {
    const auto studio = TRY(openStudio());
    const std::string path = (studio.folder / "project.syncopate").string();
    Project copy = project;
    copy.revision = 0;
    TRY(writeProject(copy, path));
    return draw(studio, {path}, file, format);
}

} // namespace syncopate::cli
