// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/picture.h"

#include "engine/base/temporary_folder.h"
#include "engine/cluster/cluster.h"
#include "engine/export/write_file.h"
#include "engine/job/job_file.h"
#include "engine/store/project_file.h"
#include "engine/strategy/comm_policy.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
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
    std::filesystem::path explorer;
    TemporaryFolder folder;
};

Result<Studio> openStudio() {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path explorer = fs::read_symlink("/proc/self/exe", failed).parent_path() / "syncopate";
    if (failed || !fs::exists(explorer, failed))
        return fail("the explorer 'syncopate' is not beside syncopate-cli",
                    "install both in one folder: pictures are drawn by it");
    auto folder = TRY(TemporaryFolder::make());
    return Studio{explorer, std::move(folder)};
}

/// Lets the explorer draw the files and names in `opening`.
Result<void> draw(const Studio &studio, std::vector<std::string> opening, const std::string &file, const std::string &format) {
    opening.insert(opening.end(),
                   {"--picture", file, "--size", "1600x900", "--theme", "light", "--language", "en", "--picture-format", format});
    const int status = runOffscreen(studio.explorer.string(), std::move(opening));
    if (status != 0)
        return fail("the explorer could not draw the picture", "choose a file you may write to", file);
    return {};
}

/// The name of a job without its folders, also of a folder named with a slash at its end.
std::filesystem::path nameInPicture(const std::string &job) {
    const std::filesystem::path path = std::filesystem::absolute(job).lexically_normal();
    return path.has_filename() ? path.filename() : path.parent_path().filename();
}

} // namespace

Result<void> refuseUndrawn(const ScenarioOptions &options) {
    const ScenarioOptions usual;
    const std::pair<const char *, bool> undrawn[] = {{"--background", options.background != usual.background},
                                                     {"--curves", options.curves != usual.curves},
                                                     {"--iterations", options.iterations != usual.iterations},
                                                     {"--no-fold", options.fold != usual.fold}};
    for (const auto &[option, isGiven] : undrawn)
        if (isGiven)
            return fail("the explorer, which draws the picture, has no such option: it would draw another simulation",
                        "leave it out, or export svg or html", option);
    return {};
}

Result<void> drawPicture(const std::vector<ReportSide> &sides, const ScenarioOptions &options, const std::string &file,
                         const std::string &format) {
    const Studio studio = TRY(openStudio());
    const Scenario &scenario = sides.front().run->scenario;
    // Files hold job and cluster as they were simulated, all options applied. Their names appear in the picture.
    const std::string job = (studio.folder.path() / nameInPicture(options.job)).string();
    const std::string spec = (studio.folder.path() / (std::filesystem::path(options.cluster).stem().string() + ".yml")).string();
    TRY(writeFile(job, writeJobText(*scenario.job)));
    TRY(writeFile(spec, writeResourceSpec(*scenario.cluster)));
    std::vector<std::string> opening{job, "--cluster", spec};
    const auto show = [&opening](const ReportSide &side, const char *strategyOption, const char *policyOption) {
        opening.insert(opening.end(), {strategyOption, side.strategy, policyOption, formatPolicy(side.run->scenario.policy)});
    };
    show(sides[0], "--a", "--policy-a");
    if (sides.size() > 1)
        show(sides[1], "--b", "--policy-b");
    if (scenario.linkModel != LinkModel::Fluid)
        opening.insert(opening.end(), {"--sharing", std::string(nameOf(scenario.linkModel))});
    return draw(studio, std::move(opening), file, format);
}

Result<void> drawProject(const Project &project, const std::string &file, const std::string &format) {
    const Studio studio = TRY(openStudio());
    const std::string path = (studio.folder.path() / "project.syncopate").string();
    Project copy = project;
    copy.revision = 0;
    TRY(writeProject(copy, path));
    return draw(studio, {path}, file, format);
}

} // namespace syncopate::cli
