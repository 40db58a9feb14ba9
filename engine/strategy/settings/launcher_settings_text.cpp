// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/settings/launcher_settings_text.h"

#include "engine/base/units.h"

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

struct Word {
    std::string text;
    std::size_t line = 1;
    bool beginsCommand = false; ///< not a value of the word before
};

/// Splits text into words like a shell: quotes join, a backslash escapes the next character, # begins a comment, and line ends, ;
/// & and | end a command.
class WordSplitter {
public:
    WordSplitter(std::string_view text, std::size_t line) : m_text(text), m_line(line) {}

    std::vector<Word> split() {
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (!m_inWord)
                m_begun = m_line;
            m_line += c == '\n' ? 1 : 0;
            if (m_quote != 0)
                takeQuoted(c);
            else
                take(c);
        }
        endWord();
        return std::move(m_words);
    }

private:
    void takeQuoted(char c) {
        if (c == m_quote)
            m_quote = 0;
        else
            m_word += c;
    }

    void take(char c) {
        const bool endsCommand = c == '\n' || c == ';' || c == '|' || c == '&';
        if (c == '"' || c == '\'') {
            m_quote = c;
            m_inWord = true;
        } else if (c == '\\' && m_at + 1 < m_text.size()) {
            keepNext();
        } else if (c == '#' && !m_inWord) {
            while (m_at + 1 < m_text.size() && m_text[m_at + 1] != '\n')
                ++m_at;
        } else if (endsCommand || std::isspace(static_cast<unsigned char>(c)) != 0) {
            endWord();
            m_beginsCommand = m_beginsCommand || endsCommand;
        } else {
            m_word += c;
            m_inWord = true;
        }
    }

    /// Takes the character after a backslash; an escaped line end joins lines.
    void keepNext() {
        const char next = m_text[++m_at];
        if (next == '\n') {
            ++m_line;
        } else {
            m_word += next;
            m_inWord = true;
        }
    }

    void endWord() {
        if (m_inWord) {
            m_words.push_back({std::exchange(m_word, {}), m_begun, m_beginsCommand});
            m_beginsCommand = false;
        }
        m_inWord = false;
    }

    std::string_view m_text;
    std::size_t m_at = 0, m_line, m_begun = 0;
    std::vector<Word> m_words;
    std::string m_word;
    bool m_inWord = false, m_beginsCommand = true;
    char m_quote = 0;
};

/// Length of the name in an assignment such as "HOROVOD_CYCLE_TIME=5"; 0 if the word is not an assignment.
std::size_t assignedName(const std::string &word) {
    std::size_t i = 0;
    while (i < word.size() && (std::isupper(static_cast<unsigned char>(word[i])) != 0 || word[i] == '_' ||
                               (i > 0 && std::isdigit(static_cast<unsigned char>(word[i])) != 0)))
        ++i;
    return i > 0 && i < word.size() && word[i] == '=' ? i : 0;
}

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

} // namespace

void WrittenSettings::addWords(std::string_view text, std::size_t firstLine, bool xla) {
    const std::vector<Word> words = WordSplitter(text, firstLine).split();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i].text;
        const std::string place = fmt::format("{}", words[i].line);
        if (const std::size_t length = xla ? 0 : assignedName(word); length > 0) {
            if (word.substr(0, length) == "XLA_FLAGS")
                addWords(std::string_view(word).substr(length + 1), words[i].line, true);
            m_settings[word.substr(0, length)] = {word.substr(length + 1), place};
            continue;
        }
        if (!word.starts_with("--") || word.size() < 3)
            continue;
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
        m_settings[name] = {std::move(value), place};
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
    } else {
        written.addWords(text, 1, false);
    }
    if (written.m_settings.empty())
        return fail(
            "no settings found",
            "give DeepSpeed's JSON, arguments such as --ddp-bucket-size 40000000, or assignments such as HOROVOD_CYCLE_TIME=5",
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
