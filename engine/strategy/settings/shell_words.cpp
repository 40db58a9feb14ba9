// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/settings/shell_words.h"

#include "engine/strategy/settings/shell_arithmetic.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t maxSubstitutedBytes = 64; ///< of a variable's value: longer ones could fill the memory by repetition
constexpr int maxNestedDefaults = 8;            ///< ${A:-${B:-...}}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::size_t nameLength(std::string_view text) {
    if (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0)
        return 0;
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isNameCharacter) - text.begin());
}

/// Length of the expression at the beginning of `text`, which begins with $; 1 if it is a plain $.
std::size_t expressionLength(std::string_view text) {
    text = text.substr(0, maxExpressionBytes);
    if (text.size() < 2 || (text[1] != '(' && text[1] != '{'))
        return 1 + nameLength(text.substr(1));
    const char open = text[1], close = open == '(' ? ')' : '}';
    int depth = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
        depth += text[i] == open ? 1 : text[i] == close ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return 1;
}

/// The variables that the text has assigned so far.
class ShellVariables {
public:
    /// Keeps the value if it may be put in the variable's place: one short word, no arguments.
    void assign(const ShellAssignment &assignment) {
        const std::string_view value = assignment.value;
        const bool isWord = !assignment.appends && value.size() <= maxSubstitutedBytes && !value.starts_with('-') &&
                            std::none_of(value.begin(), value.end(), isBlank) && !hasUnknown(value);
        m_values.insert_or_assign(std::string(assignment.name), isWord ? std::optional(std::string(value)) : std::nullopt);
    }

    /// The value of an expression that begins with $; without one the expression itself.
    [[nodiscard]] std::string valueOf(std::string_view expression, int depth = 0) const {
        const std::string asWritten(expression);
        if (expression.starts_with("$((") && expression.ends_with("))")) {
            const auto value = shellArithmetic(expression.substr(3, expression.size() - 5),
                                               [this](std::string_view name) { return integerOf(name); });
            return value ? std::to_string(*value) : asWritten;
        }
        if (expression.starts_with("${"))
            return withDefault(expression.substr(2, expression.size() - 3), depth).value_or(asWritten);
        const auto found = m_values.find(expression.substr(1));
        return found == m_values.end() ? asWritten : found->second.value_or(asWritten);
    }

private:
    /// The value of the text between ${ and }: a name, or a name, :- or -, and a default where it is not set.
    [[nodiscard]] std::optional<std::string> withDefault(std::string_view inside, int depth) const {
        const std::string_view name = inside.substr(0, nameLength(inside));
        std::string_view rest = inside.substr(name.size());
        const bool coversEmpty = rest.starts_with(":-");
        const bool hasDefault = coversEmpty || rest.starts_with('-');
        if (name.empty() || (!rest.empty() && !hasDefault))
            return {};
        rest.remove_prefix(hasDefault ? (coversEmpty ? 2 : 1) : 0);
        const auto found = m_values.find(name);
        if (found != m_values.end() && !(coversEmpty && found->second && found->second->empty()))
            return found->second;
        if (!hasDefault)
            return {};
        if (!rest.starts_with('$'))
            return hasUnknown(rest) ? std::nullopt : std::optional(std::string(rest));
        if (depth == maxNestedDefaults || expressionLength(rest) != rest.size())
            return {};
        return valueOf(rest, depth + 1);
    }

    [[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view name) const {
        const auto found = m_values.find(name);
        return found == m_values.end() || !found->second ? std::nullopt : shellNumber(*found->second);
    }

    std::map<std::string, std::optional<std::string>, std::less<>> m_values; ///< none: it is not substituted
};

class WordSplitter {
public:
    explicit WordSplitter(std::string_view text) : m_text(text) {}

    std::vector<ShellWord> split() {
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
    [[nodiscard]] char next() const { return m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0'; }

    void takeQuoted(char c) {
        if (c == m_quote)
            m_quote = 0;
        else if (m_quote == '"' && c == '$')
            takeExpression();
        else if (m_quote == '"' && c == '\\' && std::string_view("\"\\$`\n").find(next()) != std::string_view::npos)
            keepNext();
        else
            m_word += c;
    }

    void take(char c) {
        const bool endsCommand = c == '\n' || c == ';' || c == '|' || c == '&';
        if (c == '"' || c == '\'') {
            m_quote = c;
            m_inWord = true;
        } else if (c == '$') {
            takeExpression();
        } else if (c == '\\' && m_at + 1 < m_text.size()) {
            keepNext();
        } else if (c == '#' && !m_inWord) {
            while (m_at + 1 < m_text.size() && m_text[m_at + 1] != '\n')
                ++m_at;
        } else if (c == '(' || c == ')') {
            takeParenthesis(c);
        } else if (endsCommand || isBlank(c)) {
            endWord();
            m_beginsCommand = m_beginsCommand || (endsCommand && !m_inArray);
        } else {
            m_word += c;
            m_inWord = true;
        }
    }

    /// Of NAME=( the elements follow, and its end ends them.
    void takeParenthesis(char c) {
        if (c == '(' && m_inWord && m_word.ends_with('=')) {
            if (const ShellAssignment array = assignmentOf(m_word); !array.name.empty()) {
                m_variables.assign({array.name, "", true});
                m_inArray = true;
                m_inWord = false;
                m_word.clear();
                m_joinedAt.clear();
            }
        }
        endWord();
        m_inArray = m_inArray && c == '(';
        m_beginsCommand = true;
    }

    void takeExpression() {
        const std::string_view expression = m_text.substr(m_at, expressionLength(m_text.substr(m_at)));
        const std::string value = m_variables.valueOf(expression);
        m_word += value;
        m_inWord = m_inWord || !value.empty(); // outside of quotes an empty value makes no word
        m_line += static_cast<std::size_t>(std::count(expression.begin(), expression.end(), '\n'));
        m_at += expression.size() - 1;
    }

    /// Takes the character after a backslash; an escaped line end joins lines.
    void keepNext() {
        const char escaped = m_text[++m_at];
        if (escaped == '\n') {
            ++m_line;
            if (m_inWord)
                m_joinedAt.push_back(m_word.size());
        } else {
            m_word += escaped;
            m_inWord = true;
        }
    }

    void endWord() {
        if (m_inWord) {
            if (const ShellAssignment assignment = assignmentOf(m_word); !assignment.name.empty())
                m_variables.assign(assignment);
            m_words.push_back({std::exchange(m_word, {}), m_begun, m_beginsCommand, std::exchange(m_joinedAt, {})});
            m_beginsCommand = false;
        }
        m_inWord = false;
    }

    std::string_view m_text;
    std::size_t m_at = 0, m_line = 1, m_begun = 1;
    ShellVariables m_variables;
    std::vector<ShellWord> m_words;
    std::string m_word;
    std::vector<std::size_t> m_joinedAt; ///< of m_word
    bool m_inWord = false, m_beginsCommand = true, m_inArray = false;
    char m_quote = 0;
};

} // namespace

std::vector<ShellWord> shellWords(std::string_view text) { return WordSplitter(text).split(); }

std::vector<ShellWord> wordsOfValue(const ShellWord &assignment) {
    const std::string_view text = assignment.text, value = assignmentOf(text).value;
    std::vector<ShellWord> words;
    std::size_t line = assignment.line, joins = 0;
    bool inWord = false;
    for (std::size_t i = text.size() - value.size(); i < text.size(); ++i) {
        for (; joins < assignment.joinedAt.size() && assignment.joinedAt[joins] <= i; ++joins)
            ++line;
        const bool separates = isBlank(text[i]);
        if (!separates && !inWord)
            words.push_back({{}, line, words.empty()});
        if (!separates)
            words.back().text += text[i];
        line += text[i] == '\n' ? 1 : 0;
        inWord = !separates;
    }
    return words;
}

ShellAssignment assignmentOf(std::string_view word) {
    const std::size_t length = nameLength(word);
    const std::string_view rest = word.substr(length);
    const bool appends = rest.starts_with("+=");
    if (length == 0 || !(appends || rest.starts_with('=')))
        return {};
    return {word.substr(0, length), rest.substr(appends ? 2 : 1), appends};
}

bool hasUnknown(std::string_view value) { return value.find_first_of("$`") != std::string_view::npos; }

} // namespace syncopate
