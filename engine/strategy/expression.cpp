// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/expression.h"

#include "engine/base/units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <tuple>

namespace syncopate {

namespace {

constexpr double mostBytes = 9007199254740992.0; // 2^53: every whole number of bytes up to here is exact

constexpr std::string_view shape = "write Name or Name(key=value, ...)";

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<Expression> parse() {
        Expression expression;
        skipBlanks();
        expression.name = word();
        if (expression.name.empty())
            return failHere("an expression starts with a name");
        skipBlanks();
        if (take('(')) {
            skipBlanks();
            while (!take(')')) {
                auto argument = TRY(parseArgument());
                expression.arguments.push_back(std::move(argument));
                skipBlanks();
                if (!take(',') && peek() != ')')
                    return failHere("expected ',' or ')'");
                skipBlanks();
            }
            skipBlanks();
        }
        if (m_at != m_text.size())
            return failHere("the expression goes on after its end");
        return expression;
    }

private:
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool take(char c) {
        if (peek() != c || m_at == m_text.size())
            return false;
        ++m_at;
        return true;
    }
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
    static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '+'; }
    void skipBlanks() {
        while (m_at < m_text.size() && isBlank(m_text[m_at]))
            ++m_at;
    }
    std::string word() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isWord(m_text[m_at]))
            ++m_at;
        return std::string(m_text.substr(begin, m_at - begin));
    }
    [[nodiscard]] Unexpected failHere(std::string what) const {
        return failInExpression(std::move(what), std::string(shape), m_at);
    }

    Result<Expression::Argument> parseArgument() {
        Expression::Argument argument;
        argument.offset = m_at;
        const std::size_t begin = m_at;
        std::string key = word();
        skipBlanks();
        if (!key.empty() && take('=')) {
            argument.key = std::move(key);
            skipBlanks();
        } else
            m_at = begin;
        if (const char quote = peek(); quote == '\'' || quote == '"') {
            ++m_at;
            const std::size_t end = m_text.find(quote, m_at);
            if (end == std::string_view::npos)
                return failHere("a quoted value does not end");
            argument.value = m_text.substr(m_at, end - m_at);
            m_at = end + 1;
            return argument;
        }
        const std::size_t from = m_at;
        m_at = std::min(m_text.find_first_of(",()='\"", m_at), m_text.size());
        std::string_view value = m_text.substr(from, m_at - from);
        while (!value.empty() && isBlank(value.back()))
            value.remove_suffix(1);
        if (value.empty())
            return failHere("an argument has no value");
        argument.value = value;
        return argument;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

std::pair<const char *, std::errc> parseInteger(const char *begin, const char *end, std::int32_t &number) {
    const auto [rest, status] = std::from_chars(begin, end, number);
    return {rest, status};
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

} // namespace

Unexpected failInExpression(std::string what, std::string remedy, std::size_t offset) {
    Error error{std::move(what), std::move(remedy), {}, fmt::format("byte {}", offset)};
    error.isInExpression = true;
    return Unexpected(std::move(error));
}

Result<Expression> parseExpression(std::string_view text) { return Parser(text).parse(); }

ArgumentReader::ArgumentReader(const Expression &expression, std::vector<std::string> keys)
    : m_name(expression.name), m_keys(std::move(keys)), m_values(m_keys.size()) {
    assign(expression);
}

void ArgumentReader::assign(const Expression &expression) {
    const std::string accepted = m_keys.empty() ? fmt::format("{} takes no arguments", m_name)
                                                : fmt::format("{} takes {}", m_name, fmt::join(m_keys, ", "));
    bool named = false;
    for (std::size_t i = 0; i < expression.arguments.size(); ++i) {
        const Expression::Argument &argument = expression.arguments[i];
        std::size_t k = i;
        if (!argument.key.empty()) {
            k = static_cast<std::size_t>(std::find(m_keys.begin(), m_keys.end(), argument.key) - m_keys.begin());
            named = true;
        } else if (named)
            return refuse(argument.offset, fmt::format("'{}' has no name but follows a named argument", argument.value),
                          accepted);
        if (k >= m_keys.size())
            return refuse(argument.offset,
                          argument.key.empty() ? fmt::format("{} has too many arguments", m_name)
                                               : fmt::format("{} has no argument '{}'", m_name, argument.key),
                          accepted);
        if (m_values[k])
            return refuse(argument.offset, fmt::format("the argument '{}' is given twice", m_keys[k]), "keep one of them");
        m_values[k] = Value{argument.value, argument.offset};
    }
}

const ArgumentReader::Value *ArgumentReader::find(std::string_view key) const {
    const auto known = std::find(m_keys.begin(), m_keys.end(), key);
    if (m_error || known == m_keys.end())
        return nullptr;
    const auto &value = m_values[static_cast<std::size_t>(known - m_keys.begin())];
    return value ? &*value : nullptr;
}

void ArgumentReader::refuse(std::size_t offset, std::string what, std::string remedy) {
    if (!m_error)
        m_error = failInExpression(std::move(what), std::move(remedy), offset).value();
}

std::int32_t ArgumentReader::integer(std::string_view key, std::int32_t usual, std::int32_t least) {
    const Value *value = find(key);
    if (value == nullptr)
        return usual;
    std::int32_t number = 0;
    const char *end = value->text.data() + value->text.size();
    const auto [rest, status] = std::from_chars(value->text.data(), end, number);
    if (status != std::errc() || rest != end || number < least) {
        refuse(value->offset, fmt::format("{} is '{}'", key, value->text),
               fmt::format("write a whole number from {} to {}", least, std::numeric_limits<std::int32_t>::max()));
        return usual;
    }
    return number;
}

double ArgumentReader::count(std::string_view key, double usual, double min, const std::vector<std::string> &words,
                             double meaning) {
    constexpr double max = 9007199254740992; // 2^53
    const Value *value = find(key);
    if (value == nullptr)
        return usual;
    if (std::find(words.begin(), words.end(), lower(value->text)) != words.end())
        return meaning;
    const auto number = parseNumber(value->text);
    if (number && *number >= min && *number <= max && *number == std::floor(*number))
        return *number;
    refuse(value->offset, fmt::format("{} is '{}'", key, value->text),
           fmt::format("write a whole number from {:.0f} on, such as 5e8, without a unit", min));
    return usual;
}

std::string ArgumentReader::text(std::string_view key) {
    const Value *value = find(key);
    if (value == nullptr || value->text.empty())
        refuse(value == nullptr ? 0 : value->offset, fmt::format("{} has no {}", m_name, key),
               fmt::format("write {}(\"{}\")", m_name, key));
    return value == nullptr ? std::string() : value->text;
}

bool ArgumentReader::flag(std::string_view key, bool usual) {
    const Value *value = find(key);
    if (value == nullptr)
        return usual;
    const std::string text = lower(value->text);
    for (const char *yes : {"true", "on", "yes", "1"})
        if (text == yes)
            return true;
    for (const char *no : {"false", "off", "no", "0"})
        if (text == no)
            return false;
    refuse(value->offset, fmt::format("{} is '{}'", key, value->text), "write on or off");
    return usual;
}

double ArgumentReader::bytes(std::string_view key, double usual) {
    const Value *value = find(key);
    if (value == nullptr)
        return usual;
    const Result<double> size = parseBytes(value->text);
    if (!size) {
        refuse(value->offset, fmt::format("{}: {}", key, size.error().what), size.error().remedy);
        return usual;
    }
    if (!(*size > 0) || *size > mostBytes) {
        refuse(value->offset, fmt::format("{} is {} bytes", key, *size), "write a size above 0 and up to 2^53 bytes");
        return usual;
    }
    return *size;
}

double ArgumentReader::bytesOr(std::string_view key, double usual, const std::vector<std::string> &words, double meaning) {
    const Value *value = find(key);
    if (value != nullptr && std::find(words.begin(), words.end(), lower(value->text)) != words.end())
        return meaning;
    return bytes(key, usual);
}

double ArgumentReader::countOrBytes(std::string_view key, double usual, const std::vector<std::string> &words, double meaning,
                                    const Counted &counted) {
    const Value *value = find(key);
    const bool isWord = value != nullptr && std::find(words.begin(), words.end(), value->text) != words.end();
    if (value == nullptr || isWord || value->text.find_first_not_of("0123456789") != std::string::npos)
        return bytesOr(key, usual, words, meaning);
    double count = 0;
    std::from_chars(value->text.data(), value->text.data() + value->text.size(), count);
    if (!(count >= 1) || !(count * counted.unitBytes <= counted.maxBytes)) {
        refuse(
            value->offset,
            fmt::format("{} is {} {}s of {:.15g} bytes; beyond {:.0f} it limits nothing", key, value->text, counted.what,
                        counted.unitBytes, std::floor(counted.maxBytes / counted.unitBytes)),
            fmt::format("a bare number counts {}s, as in {}: write {}B for bytes", counted.what, counted.countsAs, value->text));
        return usual;
    }
    return count * counted.unitBytes;
}

double ArgumentReader::bytesWithin(std::string_view key, const std::string &usual, double min, double max) {
    const Value *value = find(key);
    const Result<double> size = parseBytes(value == nullptr ? usual : value->text);
    if (size && *size >= min && *size <= max)
        return *size;
    if (value == nullptr)
        return min;
    if (!size)
        refuse(value->offset, fmt::format("{}: {}", key, size.error().what), size.error().remedy);
    else
        refuse(value->offset, fmt::format("{} is {} bytes", key, *size),
               fmt::format("write a size from {} to {}", formatExactBytes(min), formatExactBytes(max)));
    return min;
}

IntegerRange ArgumentReader::range(std::string_view key, const std::string &usual, IntegerRange bounds, bool wide) {
    const Value *value = find(key);
    const std::string &text = value == nullptr ? usual : value->text;
    IntegerRange range = bounds;
    const char *end = text.data() + text.size();
    auto [rest, status] = parseInteger(text.data(), end, range.first);
    range.second = range.first;
    if (wide && status == std::errc() && std::string_view(rest, static_cast<std::size_t>(end - rest)).starts_with(".."))
        std::tie(rest, status) = parseInteger(rest + 2, end, range.second);
    if (status == std::errc() && rest == end && range.first >= bounds.first && range.second <= bounds.second &&
        range.first <= range.second)
        return range;
    if (value != nullptr)
        refuse(
            value->offset, fmt::format("{} is '{}'", key, text),
            wide ? fmt::format("write two whole numbers in order, such as {}, from {} to {}", usual, bounds.first, bounds.second)
                 : fmt::format("write a whole number from {} to {}", bounds.first, bounds.second));
    return bounds;
}

double ArgumentReader::seconds(std::string_view key, double usual) {
    const Value *value = find(key);
    if (value == nullptr)
        return usual;
    const Result<double> time = parseSeconds(value->text);
    if (!time) {
        refuse(value->offset, fmt::format("{}: {}", key, time.error().what), time.error().remedy);
        return usual;
    }
    if (*time > 1e6) {
        refuse(value->offset, fmt::format("{} is {} s", key, *time), "write a time of 0 to 1e6 s, such as 1ms");
        return usual;
    }
    return *time;
}

std::size_t ArgumentReader::choice(std::string_view key, std::size_t usual, const std::vector<std::string> &choices) {
    const Value *value = find(key);
    if (value == nullptr)
        return usual;
    const auto known = std::find(choices.begin(), choices.end(), value->text);
    if (known == choices.end()) {
        refuse(value->offset, fmt::format("{} is '{}'", key, value->text),
               fmt::format("use one of {}", fmt::join(choices, ", ")));
        return usual;
    }
    return static_cast<std::size_t>(known - choices.begin());
}

} // namespace syncopate
