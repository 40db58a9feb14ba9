// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/arguments.h"

#include "engine/base/units.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace syncopate {

std::string ExpressionInfo::signature() const {
    std::string text = subject.empty() ? std::string() : fmt::format("\"{}\"", subject);
    for (const ArgumentInfo &argument : arguments)
        text +=
            fmt::format("{}{}={}", text.empty() ? "" : ", ", argument.name, argument.off.empty() ? argument.usual : argument.off);
    return fmt::format("{}({})", name, text);
}

ArgumentValues::ArgumentValues(const ExpressionInfo &info) : m_info(&info), m_values(info.arguments.size()) {
    Expression usual{info.name, {}};
    if (!info.subject.empty())
        usual.arguments.push_back({info.subject, info.subject, 0}); // stands for the subject until one is read
    const auto assigned = assign(usual);
    assert(assigned.has_value()); // defaults are valid
    static_cast<void>(assigned);
}

Result<ArgumentValues> ArgumentValues::read(const Expression &expression, const ExpressionInfo &info) {
    ArgumentValues values(info);
    TRY(values.assign(expression));
    return values;
}

Result<void> ArgumentValues::assign(Expression expression) {
    const std::size_t first = m_info->subject.empty() ? 0 : 1; // position of the first argument after the subject
    for (std::size_t position = 0; position < expression.arguments.size(); ++position) {
        auto &given = expression.arguments[position];
        for (std::size_t i = 0; i < m_info->arguments.size(); ++i)
            if (const ArgumentInfo &argument = m_info->arguments[i];
                (given.key == argument.name || (given.key.empty() && position == first + i)) && !argument.off.empty() &&
                given.value == argument.off)
                given.value = argument.usual;
    }
    std::vector<std::string> names;
    if (!m_info->subject.empty())
        names.push_back(m_info->subject);
    for (const ArgumentInfo &argument : m_info->arguments)
        names.push_back(argument.name);
    ArgumentReader reader(expression, std::move(names));
    if (!m_info->subject.empty())
        m_subject = reader.text(m_info->subject);
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const ArgumentInfo &argument = m_info->arguments[i];
        Value &value = m_values[i];
        switch (argument.kind) {
        case ArgumentKind::Integer:
        case ArgumentKind::Range: {
            const bool wide = argument.kind == ArgumentKind::Range;
            const IntegerRange bounds{static_cast<std::int32_t>(argument.min), static_cast<std::int32_t>(argument.max)};
            const IntegerRange range = reader.range(argument.name, argument.usual, bounds, wide);
            value = {static_cast<double>(range.first), wide ? static_cast<double>(range.second) : 0};
            break;
        }
        case ArgumentKind::Bytes:
            value.from = reader.bytesWithin(argument.name, argument.usual, argument.min, argument.max);
            break;
        case ArgumentKind::Flag:
            value.from = reader.flag(argument.name, argument.usual == "on") ? 1 : 0;
            break;
        case ArgumentKind::Choice: {
            const auto usual = std::find(argument.choices.begin(), argument.choices.end(), argument.usual);
            const auto index = static_cast<std::size_t>(usual - argument.choices.begin());
            value.from = static_cast<double>(reader.choice(argument.name, index, argument.choices));
            break;
        }
        }
    }
    return reader.error() ? Result<void>(Unexpected(*reader.error())) : Result<void>();
}

std::size_t ArgumentValues::indexOf(std::string_view name) const {
    const auto &arguments = m_info->arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const ArgumentInfo &a) { return a.name == name; });
    assert(found != arguments.end());
    return static_cast<std::size_t>(found - arguments.begin());
}

double ArgumentValues::number(std::string_view name) const { return m_values[indexOf(name)].from; }

IntegerRange ArgumentValues::range(std::string_view name) const {
    const Value &value = m_values[indexOf(name)];
    return {static_cast<std::int32_t>(value.from), static_cast<std::int32_t>(value.to)};
}

bool ArgumentValues::flag(std::string_view name) const { return m_values[indexOf(name)].from != 0; }

std::size_t ArgumentValues::choice(std::string_view name) const { return static_cast<std::size_t>(m_values[indexOf(name)].from); }

void ArgumentValues::setNumber(std::string_view name, double value) { m_values[indexOf(name)].from = value; }

void ArgumentValues::setRange(std::string_view name, IntegerRange range) {
    m_values[indexOf(name)] = {static_cast<double>(range.first), static_cast<double>(range.second)};
}

void ArgumentValues::setFlag(std::string_view name, bool on) { m_values[indexOf(name)].from = on ? 1 : 0; }

void ArgumentValues::setChoice(std::string_view name, std::size_t choice) {
    m_values[indexOf(name)].from = static_cast<double>(choice);
}

std::string ArgumentValues::format(std::size_t i) const {
    const ArgumentInfo &argument = m_info->arguments[i];
    const Value &value = m_values[i];
    switch (argument.kind) {
    case ArgumentKind::Integer:
        return fmt::format("{}", value.from);
    case ArgumentKind::Range:
        return fmt::format("{}..{}", value.from, value.to);
    case ArgumentKind::Bytes:
        return formatExactBytes(value.from);
    case ArgumentKind::Flag:
        return value.from != 0 ? "on" : "off";
    case ArgumentKind::Choice:
        return argument.choices[static_cast<std::size_t>(value.from)];
    }
    return {};
}

std::string ArgumentValues::text() const {
    const ArgumentValues usual(*m_info);
    std::string given;
    if (!m_info->subject.empty()) { // the text of an expression cannot contain both kinds of quotes
        const char quote = m_subject.find('"') == std::string::npos ? '"' : '\'';
        given = fmt::format("{0}{1}{0}", quote, m_subject);
    }
    for (std::size_t i = 0; i < m_values.size(); ++i)
        if (m_values[i] != usual.m_values[i])
            given += fmt::format("{}{}={}", given.empty() ? "" : ",", m_info->arguments[i].name, format(i));
    return fmt::format("{}({})", m_info->name, given);
}

Result<const ExpressionInfo *> findExpression(const Expression &expression, const std::vector<ExpressionInfo> &known,
                                              const char *kind) {
    std::string names;
    for (const ExpressionInfo &info : known) {
        if (info.name == expression.name)
            return &info;
        names += (names.empty() ? "" : ", ") + info.name;
    }
    return failInExpression(fmt::format("there is no {} '{}'", kind, expression.name), fmt::format("use one of: {}", names));
}

} // namespace syncopate
