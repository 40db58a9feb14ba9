// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/strategy/expression.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// How the value of an argument is written.
enum class ArgumentKind : std::uint8_t {
    Integer, ///< a whole number: 32
    Range,   ///< two whole numbers in order, or one for both: 2..40
    Bytes,   ///< a size with or without a unit: 100KB
    Flag,    ///< on or off
    Choice,  ///< one of a few words
};

/// One argument as it is declared: enough to parse it, explain it and lay out an input field for it.
struct ArgumentInfo {
    std::string name; ///< "parts"
    ArgumentKind kind = ArgumentKind::Integer;
    std::string usual;                ///< the default, as a user writes it: "2..40"
    double min = 0, max = 0;          ///< bounds, inclusive, of Integer, Range (both ends) and Bytes; in `unit`
    std::vector<std::string> choices; ///< of Choice
    std::string unit;                 ///< "bytes", "parts"; empty for Flag, Choice, and numbers without one, such as a seed
    std::string help;                 ///< one line
    std::string off{};                ///< of Bytes: a word for `usual`, which can be written in its place: "off"
};

/// The declaration of an expression's name, with its arguments in their positional order.
struct ExpressionInfo {
    std::string name;        ///< "random"
    std::string description; ///< one sentence
    std::vector<ArgumentInfo> arguments;
    /// Name of a required text before all arguments: "program". Empty = none.
    std::string subject{};

    /// "random(whole=100KB, parts=2..40, ...)" with all defaults.
    [[nodiscard]] std::string signature() const;
};

/// The values of all arguments of an expression: the given ones and the defaults of the others. Getters and setters take the name
/// of a declared argument of their kind; any other name is a programmer error.
class ArgumentValues {
public:
    /// All defaults.
    explicit ArgumentValues(const ExpressionInfo &info);
    /// Reads `expression` by the declaration of its name. Errors name the argument that is unknown, of the wrong kind or out
    /// of bounds, and say what is accepted; their place is a byte offset.
    [[nodiscard]] static Result<ArgumentValues> read(const Expression &expression, const ExpressionInfo &info);

    [[nodiscard]] const std::string &subject() const { return m_subject; } ///< the text of ExpressionInfo::subject
    [[nodiscard]] double number(std::string_view name) const;              ///< of Integer or Bytes
    [[nodiscard]] IntegerRange range(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::size_t choice(std::string_view name) const; ///< index into ArgumentInfo::choices

    void setSubject(std::string text) { m_subject = std::move(text); }
    // The setters do not check: a bad value is refused where the text is read.
    void setNumber(std::string_view name, double value);
    void setRange(std::string_view name, IntegerRange range);
    void setFlag(std::string_view name, bool on);
    void setChoice(std::string_view name, std::size_t choice);

    /// The shortest expression with these values: defaults are left out, "random()". read() gives back equal values.
    [[nodiscard]] std::string text() const;

private:
    struct Value {
        double from = 0; ///< the number; 0 or 1 of a flag; the index of a choice
        double to = 0;   ///< the upper end of a range
        bool operator==(const Value &) const = default;
    };
    [[nodiscard]] Result<void> assign(Expression expression);
    [[nodiscard]] std::size_t indexOf(std::string_view name) const;
    [[nodiscard]] std::string format(std::size_t argument) const;

    const ExpressionInfo *m_info; ///< declarations live as long as the program
    std::string m_subject;
    std::vector<Value> m_values; ///< aligned with m_info->arguments
};

/// The declaration with the name of `expression`. The error lists all names; `kind` says what they are: "search method".
[[nodiscard]] Result<const ExpressionInfo *> findExpression(const Expression &expression,
                                                            const std::vector<ExpressionInfo> &known, const char *kind);

} // namespace syncopate
