// SPDX-License-Identifier: GPL-3.0-or-later
// completion: scripts with which bash and zsh complete this program's commands, options and values. They are generated from the
// CLI11 definitions that parse a command line, so they know every option, and from the catalogues, so they know names.
#include "app/cli/commands.h"

#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/search/plan_methods.h"
#include "engine/search/search_methods.h"
#include "engine/search/tune/tuners.h"
#include "engine/space/space.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "engine/trial/judge.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace syncopate::cli {

namespace {

using Words = std::vector<std::string>;

/// The completions of a value.
struct Values {
    Words words;
    bool files = false; ///< files as well
    auto operator<=>(const Values &) const = default;
};

/// An option or, if `names` is empty, a positional.
struct OptionWords {
    Words names; ///< "-o", "--output"
    std::string about;
    bool takesValue = false;
    Values values;
};

struct CommandWords {
    std::string name, about;
    std::vector<OptionWords> options;
};

/// The names of some entries, except those that a shell would split at a colon.
template <class Entries, class NameOf> Words namesOf(const Entries &entries, NameOf nameOf) {
    Words names;
    for (const auto &entry : entries)
        if (std::string name(nameOf(entry)); name.find(':') == std::string::npos)
            names.push_back(std::move(name));
    return names;
}

Words expressionNames(const std::vector<ExpressionInfo> &expressions) {
    return namesOf(expressions, [](const ExpressionInfo &info) { return info.name; });
}

Words methodNames(const std::string &command) {
    if (command == "tune")
        return expressionNames(tuners());
    return expressionNames(command == "plan" ? planMethods() : searchMethods());
}

/// The names that an option of `command` takes besides files; empty if it takes no names.
Words catalogueNames(const std::string &command, const std::string &option) {
    if (option == "--job" || (command == "predict" && option.empty()))
        return namesOf(catalogueJobs(), [](const CatalogueJob &job) { return job.name; });
    if (option == "--cluster")
        return namesOf(catalogueClusters(), [](const CatalogueCluster &cluster) { return cluster.name; });
    if (option == "--strategy" || option == "--builder" || option == "--a" || option == "--b")
        return namesOf(strategyBuilders(), [](const BuilderInfo &builder) { return builder.name; });
    if (option == "--policy" || option == "--policy-b")
        return namesOf(policies(), [](const Policy *policy) { return policy->name; });
    if (option == "--method")
        return methodNames(command);
    if (option == "--judge")
        return expressionNames(judges());
    if (option == "--knob")
        return namesOf(scenarioSpace(), [](const Dimension &dimension) { return dimension.id; });
    return {};
}

/// "a" and "b" from a type that CLI11 prints as "TEXT:{a,b}".
Words choicesOf(const std::string &type) {
    const auto begin = type.find('{'), end = type.find('}');
    Words choices;
    if (begin != std::string::npos && end != std::string::npos)
        choices = CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
    return choices;
}

OptionWords wordsOf(const std::string &command, const CLI::Option &option) {
    OptionWords words;
    for (const std::string &name : option.get_snames())
        words.names.push_back("-" + name);
    for (const std::string &name : option.get_lnames())
        words.names.push_back("--" + name);
    words.about = option.get_description();
    words.takesValue = option.get_items_expected_max() > 0;
    const std::string type = option.get_type_name();
    words.values.words = choicesOf(type);
    const bool isText = type.substr(0, 4) == "TEXT";
    if (words.takesValue && isText && words.values.words.empty()) {
        words.values.words = catalogueNames(command, words.names.empty() ? "" : words.names.back());
        words.values.files = true;
    }
    return words;
}

CommandWords wordsOf(const CLI::App &command) {
    CommandWords words{command.get_name(), command.get_description(), {}};
    for (const CLI::Option *option : command.get_options())
        words.options.push_back(wordsOf(words.name, *option));
    return words;
}

/// The program's own options first, under its name, then those of each command.
std::vector<CommandWords> wordsOfProgram(const CLI::App &program) {
    std::vector<CommandWords> commands{wordsOf(program)};
    for (const CLI::App *command : program.get_subcommands([](const CLI::App *) { return true; }))
        commands.push_back(wordsOf(*command));
    return commands;
}

Words commandNames(const std::vector<CommandWords> &commands) {
    return namesOf(commands, [](const CommandWords &command) { return command.name; });
}

/// Quoted for a shell.
std::string quoted(const std::string &text) {
    std::string inside;
    for (const char c : text)
        inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + inside + "'";
}

constexpr auto bashHead = R"(# Completes syncopate-cli in bash; written by `syncopate-cli completion bash`.
_syncopate_cli() {{
    local word command= words= files=
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    # bash makes words of their own of the equals sign and the value in --option=value.
    [[ $current == = ]] && current=
    [[ $before == = ]] && before=${{COMP_WORDS[COMP_CWORD-2]}}
    COMPREPLY=()
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $word in
        {}) command=$word; break ;;
        esac
    done
    case "$command $before" in
)";
constexpr auto bashTail = R"(    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ -n $files && ${#COMPREPLY[@]} -eq 0 ]] && compopt -o default
    return 0
}
complete -F _syncopate_cli syncopate-cli
)";

/// Shell assignments `words=.. files=..`.
std::string assignment(const Values &values) {
    return fmt::format("words='{}'{}", fmt::join(values.words, " "), values.files ? " files=1" : "");
}

/// A branch of the outer case for all options that take the same values.
std::string bashValues(const std::vector<CommandWords> &commands) {
    std::map<Values, Words> patterns;
    for (const CommandWords &command : commands)
        for (const OptionWords &option : command.options)
            for (const std::string &name : option.names)
                if (option.takesValue) // the program's own stand before a command
                    patterns[option.values].push_back(
                        fmt::format("\"{} {}\"", &command == &commands.front() ? "" : command.name, name));
    std::string text;
    for (const auto &[values, options] : patterns)
        text += fmt::format("    {}) {} ;;\n", fmt::join(options, " | "), assignment(values));
    return text;
}

/// The completions where no value is expected: the command's options and positionals.
Values freeValues(const CommandWords &command) {
    Values values;
    for (const OptionWords &option : command.options) {
        values.words.insert(values.words.end(), option.names.begin(), option.names.end());
        if (!option.names.empty())
            continue;
        values.words.insert(values.words.end(), option.values.words.begin(), option.values.words.end());
        values.files = values.files || option.values.files;
    }
    return values;
}

std::string bashScript(const std::vector<CommandWords> &commands) {
    Words names = commandNames(commands);
    names.erase(names.begin());
    std::string text = fmt::format(bashHead, fmt::join(names, " | ")) + bashValues(commands);
    Values first = freeValues(commands.front());
    first.words.insert(first.words.begin(), names.begin(), names.end());
    text += fmt::format("    \" \"*) {} ;;\n", assignment(first));
    for (auto command = commands.begin() + 1; command != commands.end(); ++command)
        text += fmt::format("    \"{} \"*) {} ;;\n", command->name, assignment(freeValues(*command)));
    return text + bashTail;
}

/// A description in the brackets of zsh's _arguments, shortened to fit beside the option.
std::string zshAbout(std::string about) {
    constexpr std::size_t longest = 100;
    if (about.size() > longest)
        about = about.substr(0, about.rfind(' ', longest)) + " ..";
    std::replace(about.begin(), about.end(), '[', '(');
    std::replace(about.begin(), about.end(), ']', ')');
    return about;
}

std::string zshAction(const Values &values) {
    if (values.files)
        return values.words.empty() ? "_files" : fmt::format(" _syncopate_cli_value {}", fmt::join(values.words, " "));
    return values.words.empty() ? " " : fmt::format("({})", fmt::join(values.words, " "));
}

std::string zshArguments(const CommandWords &command) {
    std::string text;
    for (const OptionWords &option : command.options) {
        const std::string value = option.takesValue ? ":value:" + zshAction(option.values) : "";
        for (const std::string &name : option.names)
            text += " \\\n            " + quoted(fmt::format("*{}[{}]{}", name, zshAbout(option.about), value));
        if (option.names.empty())
            text += " \\\n            " + quoted("*:value:" + zshAction(option.values));
    }
    return text;
}

std::string zshScript(const std::vector<CommandWords> &commands) {
    std::string text = "#compdef syncopate-cli\n# Completes syncopate-cli in zsh; written by `syncopate-cli completion zsh`.\n"
                       "_syncopate_cli_value() {\n    compadd -- \"$@\"\n    _files\n}\n"
                       "_syncopate_cli() {\n    local curcontext=$curcontext state line\n    local -a commands=(\n";
    for (auto command = commands.begin() + 1; command != commands.end(); ++command)
        text += fmt::format("        {}\n", quoted(command->name + ":" + zshAbout(command->about)));
    text += "    )\n    _arguments -C" + zshArguments(commands.front()) +
            " \\\n            '1:command:->command' '*::argument:->argument'\n"
            "    case $state in\n    command) _describe -t commands command commands ;;\n"
            "    argument)\n        case $words[1] in\n";
    for (auto command = commands.begin() + 1; command != commands.end(); ++command)
        text += fmt::format("        {}) _arguments{} ;;\n", command->name, zshArguments(*command));
    return text + "        esac ;;\n    esac\n}\n"
                  "if [[ $funcstack[1] == _syncopate-cli ]]; then _syncopate_cli \"$@\"\n"
                  "else compdef _syncopate_cli syncopate-cli\nfi\n";
}

Action declareCompletion(CLI::App &command, Common &common) {
    auto shell = std::make_shared<std::string>();
    command.add_option("shell", *shell, "bash: source <(syncopate-cli completion bash); zsh: the same after compinit")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));
    return [shell, &command, &common]() -> Outcome {
        const auto commands = wordsOfProgram(*command.get_parent());
        const std::string script = *shell == "bash" ? bashScript(commands) : zshScript(commands);
        JsonWriter json;
        json.beginObject().member("shell", *shell).member("script", script).endObject().newLine();
        printEither(common, json, script);
        return {};
    };
}

} // namespace

const CommandEntry completionEntry{"completion", "Print a script by which a shell completes commands, options and values",
                                   declareCompletion};

} // namespace syncopate::cli
