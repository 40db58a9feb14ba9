// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/picture.h"

#include "engine/cluster/cluster.h"
#include "engine/export/export.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace syncopate::cli {

namespace {

/// Runs `program` to its end, offscreen; its exit status, or -1.
int runOffscreen(const std::string &program, std::vector<std::string> arguments) {
    std::vector<char *> argv{const_cast<char *>(program.c_str())};
    for (std::string &argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    setenv("QT_LOGGING_RULES", "*=false", 1); // stderr is for our one line
    pid_t child = 0;
    if (posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ) != 0)
        return -1;
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

Result<void> drawPicture(const Run &run, const ScenarioOptions &options, const PictureSide &a,
                         const std::optional<PictureSide> &b, const std::string &file, const std::string &format) {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path explorer = fs::read_symlink("/proc/self/exe", failed).parent_path() / "syncopate";
    if (failed || !fs::exists(explorer, failed))
        return fail("the explorer 'syncopate' is not beside syncopate-cli",
                    "install both in one folder: pictures are drawn by it");
    // The cluster as the options made it, by way of a file.
    const fs::path folder = fs::temp_directory_path(failed) / fmt::format("syncopate-{}", getpid());
    fs::create_directories(folder, failed);
    const fs::path spec = folder / (fs::path(options.cluster).stem().string() + ".yml"); // its name is in the picture
    auto written = writeFile(spec.string(), writeResourceSpec(*run.scenario.cluster));
    if (written) {
        std::vector<std::string> arguments{options.job, "--cluster",        spec.string(), "--a",    a.strategy, "--policy-a",
                                           a.policy,    "--picture",        file,          "--size", "1600x900", "--theme",
                                           "light",     "--picture-format", format};
        if (b)
            arguments.insert(arguments.end(), {"--b", b->strategy, "--policy-b", b->policy});
        if (runOffscreen(explorer.string(), arguments) != 0)
            written = fail("the explorer could not draw the picture", "choose a file you may write to", file);
    }
    fs::remove_all(folder, failed);
    return written;
}

} // namespace syncopate::cli
