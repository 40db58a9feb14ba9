// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>
#include <functional>
#include <span>
#include <variant>
#include <vector>

namespace syncopate::ui {

/// A column's name in filters, and the kind of its values.
struct FilterField {
    enum class Kind : std::uint8_t {
        Text,
        Number,
        Seconds, ///< values are seconds; written with a unit: "2ms"
        Bytes    ///< values are bytes: "4MiB"
    };
    QString name; ///< letters, digits, '.', '_'
    Kind kind = Kind::Text;
};

/// One cell: nothing, a number (seconds, bytes) or a text.
using FilterValue = std::variant<std::monostate, double, QString>;

/// A condition on the rows to show:
///
///   exposed<2ms iteration<=40ms servers>2     all of these
///   kind=PS or bytes>4MiB                     one of these; "or" binds weaker than a space
///   name~embedding  name="layer 1"            contains, is; case does not matter
///   where~" 10.0.0.1:"                        a word of it begins so, the first one included
///   !sparse=yes     !kernel                   not
///   kernel                                    a word alone: one of the text fields contains it
///
/// Comparisons are < <= > >= = == != (= and == are the same) and, for text, ~. Values of time and size take units
/// (engine/base/units.h). A quoted text ends at the next quotation mark, and there is no escape: a quotation mark can be written
/// only inside a word without spaces and operators, not at its beginning (name~a"b). A cell without a value satisfies no
/// comparison, not even !=, so a term negated by ! matches it.
class FilterExpression final {
public:
    /// Errors name the character and say what is accepted. An empty text matches every row.
    [[nodiscard]] static Result<FilterExpression> parse(const QString &text, std::span<const FilterField> fields);

    [[nodiscard]] bool isEmpty() const { return m_alternatives.empty(); }
    /// Whether a row matches; `valueOf` gives its cells by index into the fields given to parse().
    [[nodiscard]] bool matches(const std::function<FilterValue(std::size_t field)> &valueOf) const;

private:
    enum class Comparison : std::uint8_t { Less, LessOrEqual, Greater, GreaterOrEqual, Equal, Unequal, Contains };
    struct Term {
        bool negated = false;
        std::vector<std::size_t> fields; ///< one of them has to satisfy the comparison
        Comparison comparison = Comparison::Contains;
        double number = 0;
        QString text;
        bool numeric = false;
        [[nodiscard]] bool holds(const FilterValue &value) const;
    };
    class Parser;

    std::vector<std::vector<Term>> m_alternatives; ///< all terms of at least one of them have to hold
};

} // namespace syncopate::ui
