// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/settings/launcher_settings_text.h"

#include "engine/base/units.h"
#include "engine/base/yaml_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <simdjson.h>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr std::size_t maxNameBytes = 200;
constexpr std::size_t maxYamlEntries = 10'000;

std::string textOf(simdjson::dom::element value) {
    std::string_view text;
    if (!value.get(text))
        return std::string(text);
    return simdjson::minify(value);
}

void flatten(simdjson::dom::object object, const std::string &prefix, std::map<std::string, WrittenSetting> &settings) {
    for (const auto field : object) {
        if (prefix.size() + field.key.size() > maxNameBytes) // no system has such names, and many of them would fill the memory
            continue;
        const std::string name = prefix + std::string(field.key);
        simdjson::dom::object inner;
        if (!field.value.get(inner))
            flatten(inner, name + ".", settings);
        else
            settings[name] = {textOf(field.value), {}};
    }
}

/// Whether the first line that is no comment is a key: of horovodrun's config file, or of another YAML.
bool isYaml(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
        if (line.empty() || line.starts_with('#') || line.starts_with("---"))
            continue;
        const std::size_t colon = line.find(':');
        const auto isKey = [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_'; };
        return colon != 0 && colon != std::string_view::npos && std::all_of(line.begin(), line.begin() + colon, isKey) &&
               (colon + 1 == line.size() || std::isspace(static_cast<unsigned char>(line[colon + 1])) != 0);
    }
    return false;
}

/// `visits`: entries so far, which aliases could repeat without end. Errors: more than maxYamlEntries.
Result<void> flatten(const YAML::Node &node, const std::string &prefix, std::map<std::string, WrittenSetting> &settings,
                     std::size_t &visits) {
    for (const auto &entry : node) {
        if (++visits > maxYamlEntries)
            return fail(fmt::format("the YAML has more than {} entries", maxYamlEntries), "give the launcher's own alone");
        if (!entry.first.IsScalar() || prefix.size() + entry.first.Scalar().size() > maxNameBytes)
            continue;
        const std::string name = prefix + entry.first.Scalar();
        if (entry.second.IsMap())
            TRY(flatten(entry.second, name + ".", settings, visits));
        else if (entry.second.IsScalar())
            settings[name] = {entry.second.Scalar(), fmt::format("{}", entry.first.Mark().line + 1)};
    }
    return {};
}

Result<void> readYamlSettings(std::string_view text, const std::string &file, std::map<std::string, WrittenSetting> &settings) {
    return readYaml<void>(text, file, {"settings in YAML", "not YAML", WrittenSettings::maxBytes},
                          [&settings](const YAML::Node &root) {
                              std::size_t visits = 0;
                              return root.IsMap() ? flatten(root, "", settings, visits) : Result<void>();
                          });
}

} // namespace

void WrittenSettings::addAssignment(const ShellAssignment &assignment, const ShellWord &word) {
    const std::string name(assignment.name);
    if (std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; }))
        m_settings[name] = {std::string(assignment.value), fmt::format("{}", word.line)};
    if (name == "LIBTPU_INIT_ARGS") // flags of another program
        return;
    if (name == "XLA_FLAGS" && !assignment.appends && !hasUnknown(assignment.value))
        std::erase_if(m_settings, [](const auto &setting) { return setting.first.starts_with("--xla"); });
    addWords(wordsOfValue(word), false);
}

void WrittenSettings::addWords(const std::vector<ShellWord> &words, bool readsValues) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i].text;
        if (const ShellAssignment assignment = assignmentOf(word); readsValues && !assignment.name.empty()) {
            addAssignment(assignment, words[i]);
            continue;
        }
        if (!word.starts_with("--") || word.size() < 3) {
            m_words.insert(word.substr(word.rfind('/') + 1, maxNameBytes));
            continue;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        std::string name = word.substr(0, equals);
        const bool ofXla = name.starts_with("--xla");
        if (!ofXla)
            std::replace(name.begin(), name.end(), '_', '-');
        std::string value = "true";
        if (equals < word.size())
            value = word.substr(equals + 1);
        else if (!ofXla && i + 1 < words.size() && !words[i + 1].beginsCommand && !words[i + 1].text.starts_with("--"))
            value = words[i + 1].text;
        m_settings[name] = {std::move(value), fmt::format("{}", words[i].line)};
    }
}

Result<WrittenSettings> WrittenSettings::parse(std::string_view text, const std::string &file) {
    if (text.size() > maxBytes)
        return fail(fmt::format("the text has {} bytes, more than {}", text.size(), maxBytes), "give the settings alone", file);
    WrittenSettings written;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '{') {
        simdjson::dom::parser parser;
        simdjson::dom::object root;
        const simdjson::padded_string padded(text);
        if (const auto status = parser.parse(padded).get(root))
            return fail(fmt::format("the JSON cannot be read: {}", simdjson::error_message(status)),
                        "write one object, as DeepSpeed's configuration is", file);
        flatten(root, "", written.m_settings);
    } else if (isYaml(text)) {
        TRY(readYamlSettings(text, file, written.m_settings));
    } else {
        written.addWords(shellWords(text), true);
    }
    if (written.m_settings.empty())
        return fail("no settings found",
                    "give DeepSpeed's JSON, Horovod's YAML, arguments such as --ddp-bucket-size 40000000, or assignments such as "
                    "HOROVOD_CYCLE_TIME=5",
                    file);
    return written;
}

const WrittenSetting *WrittenSettings::find(const std::string &name) const {
    const auto found = m_settings.find(name);
    return found == m_settings.end() ? nullptr : &found->second;
}

std::optional<double> WrittenSettings::number(const std::string &name) const {
    const WrittenSetting *setting = find(name);
    if (setting == nullptr)
        return std::nullopt;
    const auto number = parseNumber(setting->value);
    return number && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

bool WrittenSettings::flag(const std::string &name, bool unset) const {
    const WrittenSetting *setting = find(name);
    if (setting == nullptr)
        return unset;
    std::string value = setting->value;
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name.starts_with("--")) // the word after a flag may be its value
        return value != "0" && value != "false" && value != "off" && value != "no";
    return value == "1" || value == "true" || value == "on" || value == "yes";
}

bool WrittenSettings::hasAny(std::string_view prefix) const {
    const auto found = m_settings.lower_bound(std::string(prefix));
    return found != m_settings.end() && found->first.starts_with(prefix);
}

} // namespace syncopate
