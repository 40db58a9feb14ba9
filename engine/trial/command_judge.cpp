// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/command_judge.h"

#include "engine/base/temporary_folder.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/job/job_file.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy_file.h"
#include "engine/trial/program.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace syncopate {

namespace {

/// Writes a file of a trial into its folder; returns the file's path.
Result<std::string> written(const TemporaryFolder &folder, const char *name, const std::string &bytes) {
    const std::string path = (folder.path() / name).string();
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.close();
    if (!file)
        return programFailed("a trial's files cannot be written", "make room in the folder for temporary files", path);
    return path;
}

/// The first line of a text, shortened.
std::string firstLine(std::string_view text, std::size_t longest = 80) {
    const std::string_view line = text.substr(0, text.find('\n'));
    return std::string(line.substr(0, longest)) + (line.size() > longest ? "..." : "");
}

/// A program's complaint about its failure: the last line that begins with "error: ", because launchers such as mpirun write more
/// below their programs' messages; otherwise the last line with text. Without its full stop: more text follows.
std::string complaintIn(std::string_view text) {
    constexpr std::string_view mark = "error: ";
    constexpr std::size_t longest = 300; // room for a file name and a remedy
    std::string_view last, complaint;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line = line.substr(0, line.find_last_not_of(" \r.") + 1);
        if (line.starts_with(mark))
            complaint = line.substr(mark.size());
        if (!line.empty())
            last = line;
    }
    return complaint.empty() ? firstLine(last) : firstLine(complaint, longest);
}

Result<std::vector<double>> parseTimes(const ProgramResult &result) {
    std::vector<double> times;
    std::size_t at = 0;
    const std::string &text = result.output;
    constexpr const char *blanks = " \t\r\n";
    while ((at = text.find_first_not_of(blanks, at)) != std::string::npos) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        const auto seconds = parseNumber(text.substr(at, end - at));
        if (!seconds || !(*seconds > 0) || !std::isfinite(*seconds))
            return programFailed(
                fmt::format("the program prints '{}', which is not a time", firstLine(std::string_view(text).substr(at))),
                "print only seconds, and everything else to the standard error");
        times.push_back(*seconds);
        at = end;
    }
    if (times.empty() || result.truncated)
        return programFailed(times.empty() ? "the program prints no time" : "the program prints too many times",
                             "print the seconds of an iteration, or a few of them");
    return times;
}

} // namespace

const ExpressionInfo &CommandJudge::info() {
    static const ExpressionInfo info{
        "command",
        "a program that gets the files of strategy, job and cluster, runs them and prints the seconds of an iteration; not "
        "deterministic",
        {{"timeout", ArgumentKind::Integer, "600", 1, 1'000'000, {}, "seconds", "Time after which a trial is ended"},
         {"jobs", ArgumentKind::Integer, "1", 1, 1024, {}, "programs", "Trials at once"}},
        "program"};
    return info;
}

Result<std::unique_ptr<Judge>> CommandJudge::make(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, info()));
    std::vector<std::string> words = TRY(splitWords(values.subject()));
    Settings settings{values.subject(), static_cast<std::int32_t>(values.number("timeout")),
                      static_cast<std::int32_t>(values.number("jobs"))};
    return std::unique_ptr<Judge>(new CommandJudge(std::move(settings), std::move(words)));
}

std::string CommandJudge::text() const {
    ArgumentValues values(info());
    values.setSubject(m_settings.program);
    values.setNumber("timeout", m_settings.timeoutSeconds);
    values.setNumber("jobs", m_settings.jobs);
    return values.text();
}

Result<Verdict> CommandJudge::judge(const Scenario &scenario, std::stop_token stop) {
    const auto begin = std::chrono::steady_clock::now();
    TRY(checkForAutoDist(*scenario.strategy));
    const auto folder = TemporaryFolder::make();
    if (!folder)
        return programFailed(folder.error().what, folder.error().remedy);
    std::vector<std::string> words = m_words;
    words.push_back(TRY(written(*folder, "strategy.json", writeStrategyJson(*scenario.strategy))));
    TRY(written(*folder, "strategy.pb", writeStrategyProto(*scenario.strategy)));
    TRY(written(*folder, "policy.txt", formatPolicy(scenario.policy) + "\n"));
    words.push_back(TRY(written(*folder, "job.json", writeJobText(*scenario.job))));
    words.push_back(TRY(written(*folder, "resource_spec.yml", writeResourceSpec(*scenario.cluster))));
    const ProgramResult result = TRY(runProgram(words, std::chrono::seconds(m_settings.timeoutSeconds), stop));
    if (result.exitCode != 0)
        return programFailed(fmt::format("'{}' failed with exit code {}{}{}", m_words.front(), result.exitCode,
                                         result.errors.empty() ? "" : ": ", complaintIn(result.errors)),
                             "run it by hand with such files");
    const std::vector<double> times = TRY(parseTimes(result));
    Verdict verdict;
    double sum = 0, squares = 0;
    for (const double seconds : times)
        sum += seconds;
    verdict.iterationSeconds = sum / static_cast<double>(times.size());
    for (const double seconds : times)
        squares += (seconds - verdict.iterationSeconds) * (seconds - verdict.iterationSeconds);
    if (times.size() > 1)
        verdict.spreadSeconds = std::sqrt(squares / static_cast<double>(times.size() - 1));
    const auto workers = static_cast<double>(scenario.strategy->replicas.size());
    verdict.samplesPerSecond = countOfStep(*scenario.job) * workers / verdict.iterationSeconds;
    verdict.costSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    verdict.assumptions.push_back(fmt::format("Measured by '{}', {}.", m_settings.program, counted(times.size(), "time")));
    return verdict;
}

} // namespace syncopate
