// SPDX-License-Identifier: GPL-3.0-or-later
// syncopate-cli: the engine on the command line (docs/command-line.md). Exit 0 done, 1 a run-time failure, 2 bad usage or
// input, with one line "error: FILE:PLACE: what; what to do" on stderr.
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/ranks/ranks.h"
#include "engine/strategy/settings/near_names.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

using namespace syncopate;
using namespace syncopate::cli;

namespace {

/// The files that an expression names, as imported("times.csv") or command("python3 'my run.py'"): its quoted texts, the texts
/// quoted in these, and their words.
void addQuoted(std::string_view text, std::vector<std::string> &names) {
    for (std::size_t from = text.find_first_of("'\""); from != std::string_view::npos;) {
        const std::size_t to = text.find(text[from], from + 1);
        if (to == std::string_view::npos)
            return;
        const std::string quoted(text.substr(from + 1, to - from - 1));
        names.push_back(quoted);
        addQuoted(quoted, names);
        std::istringstream words(quoted);
        for (std::string word; words >> word;)
            names.push_back(word);
        from = text.find_first_of("'\"", to + 1);
    }
}

/// The existing files and folders that an option's value names: the whole value, and files after a "=", as in --costs LINK=FILE.
/// Of what expressions name only files: a program's argument "." would make every output one of its inputs.
void addInputs(const std::string &value, std::vector<std::string> &inputs) {
    std::error_code ignored;
    if (std::filesystem::exists(value, ignored))
        inputs.push_back(value);
    for (std::size_t at = value.find('='); at != std::string::npos; at = value.find('=', at + 1))
        if (std::filesystem::is_regular_file(value.substr(at + 1), ignored))
            inputs.push_back(value.substr(at + 1));
    std::vector<std::string> names;
    addQuoted(value, names);
    for (const std::string &name : names)
        if (std::filesystem::is_regular_file(name, ignored))
            inputs.push_back(name);
}

/// The existing files and folders that the command's options name, except outputs.
std::vector<std::string> inputsOf(const CLI::App &command, const Common &common) {
    std::vector<std::string> inputs;
    for (const CLI::Option *option : command.get_options())
        if (std::find(common.outputOptions.begin(), common.outputOptions.end(), option) == common.outputOptions.end())
            for (const std::string &value : option->results())
                addInputs(value, inputs);
    return inputs;
}

struct Command {
    std::string_view name;
    Action action;
    bool spreads = false;
};

Outcome runCommand(const Command &command, Common &common) {
    const Launched launched = cli::launched();
    std::unique_ptr<Ranks> ranks;
    if (launched.size > 1 && command.spreads) {
        auto joined = Ranks::join();
        if (!joined)
            return failedRunning(joined.error());
        ranks = *std::move(joined);
        common.ranks = ranks.get();
    }
    if (launched.rank == 0)
        TRY(checkOutputs(common));
    else if (!command.spreads) {
        if (launched.rank == 1) // only one of them reports it
            printNote(fmt::format("'{}' is not spread over ranks: rank 0 alone runs it. Without OMPI_COMM_WORLD_SIZE in its "
                                  "environment each rank runs its own",
                                  command.name));
        return {};
    }
    TRY(command.action());
    return flushPrinted();
}

int report(const Failure &failure) {
    printError(failure.error.toString());
    return failure.exitCode;
}

/// Prints --help or --version.
int exitWith(const CLI::App &app, const CLI::Success &request) {
    std::ostringstream text;
    const int code = app.exit(request, text, text);
    print(text.str());
    const auto printed = flushPrinted();
    return printed ? code : report(printed.error());
}

/// The first word, if it is neither an option nor a command. Options that all commands have may stand before it.
std::string unknownCommand(int argc, char **argv) {
    int at = 1;
    for (; at < argc; ++at) {
        const std::string_view word = argv[at];
        if (word == "--seed")
            ++at;
        else if (word != "--json" && word != "--quiet" && word != "--force" && !word.starts_with("--seed="))
            break;
    }
    const std::string first = at < argc ? argv[at] : "";
    const auto &all = commands();
    const bool isKnown = std::any_of(all.begin(), all.end(), [&](const CommandEntry &entry) { return entry.name == first; });
    return first.starts_with('-') || isKnown ? std::string() : first;
}

Error noCommand(const std::string &name) {
    constexpr std::size_t slips = 2; // of a finger, in words as short as commands
    std::string nearest;
    std::size_t least = slips + 1;
    for (const CommandEntry &entry : commands())
        if (const std::size_t edits = editDistance(name, entry.name, slips); edits < least) {
            least = edits;
            nearest = entry.name;
        }
    return {fmt::format("there is no command '{}'", name),
            nearest.empty() ? "see syncopate-cli --help" : fmt::format("did you mean {}?", nearest),
            {},
            {}};
}

int run(int argc, char **argv) {
    CLI::App app{"Syncopate: how every way of synchronising a training job's variables would play out."};
    app.name("syncopate-cli");
    app.set_version_flag("--version", "syncopate-cli " SYNCOPATE_VERSION);
    app.require_subcommand(1);
    app.footer("Exit status: 0 done, 1 a run-time failure, 2 bad usage or bad input (one line on stderr).");
    Common common;
    addCommon(app, common);
    std::map<const CLI::App *, Command> actions;
    for (const CommandEntry &entry : commands()) {
        CLI::App *command = app.add_subcommand(std::string(entry.name), std::string(entry.help));
        actions[command] = {entry.name, entry.declare(*command, common), entry.spreads};
        addCommon(*command, common);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &request) {
        return launched().rank == 0 ? exitWith(app, request) : 0;
    } catch (const CLI::ParseError &error) {
        if (launched().rank > 0) // only rank 0 reports it
            return 2;
        if (const std::string unknown = unknownCommand(argc, argv); !unknown.empty())
            return report({2, noCommand(unknown)});
        return report({2, Error{error.what(), "see syncopate-cli --help", {}, {}}});
    }
    const CLI::App *command = app.get_subcommands().front();
    common.inputs = inputsOf(*command, common);
    const Outcome outcome = runCommand(actions.at(command), common);
    return outcome ? 0 : report(outcome.error());
}

} // namespace

int main(int argc, char **argv) {
    ignoreFileSizeSignal();
    try {
        return run(argc, argv);
    } catch (const std::exception &error) { // such as out of memory
        return report({1, Error{error.what(), "try a smaller input", {}, {}}});
    }
}
