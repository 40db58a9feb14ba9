// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// `Name` or `Name(key=value, value, ...)`: how builders, policies, search methods and judges are written. Values may be
/// quoted, with ' or ".
struct Expression {
    struct Argument {
        std::string key; ///< empty where the argument is positional
        std::string value;
        std::size_t offset = 0; ///< of the argument in the text
    };
    std::string name;
    std::vector<Argument> arguments;
};

/// Fails at a byte offset of an expression's text: Error::isInExpression.
[[nodiscard]] Unexpected failInExpression(std::string what, std::string remedy, std::size_t offset = 0);

/// Errors are in the expression, `text`.
[[nodiscard]] Result<Expression> parseExpression(std::string_view text);

/// The same result; an error in an expression names the command's option that gave the expression ("--policy").
template <class T> [[nodiscard]] Result<T> inOption(Result<T> result, const std::string &option) {
    return !result && result.error().isInExpression ? inFile(std::move(result), option) : std::move(result);
}

/// Two whole numbers, the first not above the second: both ends belong to the range.
using IntegerRange = std::pair<std::int32_t, std::int32_t>;

/// Reads the arguments of an expression one after the other. Keeps the first error until error() returns it, so a caller reads
/// all arguments and checks once.
class ArgumentReader {
public:
    /// `keys`: the accepted names, in the order of positional arguments.
    ArgumentReader(const Expression &expression, std::vector<std::string> keys);

    [[nodiscard]] std::int32_t integer(std::string_view key, std::int32_t usual, std::int32_t least);
    /// A whole number from `min` to 2^53 that may be written like 5e8; each of `words` stands for `meaning`.
    [[nodiscard]] double count(std::string_view key, double usual, double min, const std::vector<std::string> &words,
                               double meaning);
    [[nodiscard]] bool flag(std::string_view key, bool usual); ///< True/False, on/off, yes/no, 1/0
    [[nodiscard]] double bytes(std::string_view key, double usual);
    /// As bytes(), but each of `words` stands for `meaning`.
    [[nodiscard]] double bytesOr(std::string_view key, double usual, const std::vector<std::string> &words, double meaning);
    /// The meaning of a bare number: a count of `what`, of `unitBytes` each, as in the setting `countsAs`, up to `maxBytes` in
    /// all.
    struct Counted {
        std::string what, countsAs;
        double unitBytes = 0, maxBytes = 0;
    };
    /// As bytesOr() for a size with a unit; a bare integer is a count.
    [[nodiscard]] double countOrBytes(std::string_view key, double usual, const std::vector<std::string> &words, double meaning,
                                      const Counted &counted);
    /// A size of `min` to `max` bytes; `usual` is written as a value would be.
    [[nodiscard]] double bytesWithin(std::string_view key, const std::string &usual, double min, double max);
    /// "2..40", or "8" for 8..8, within `bounds`; `usual` is written like that, too. Without `wide` a single number only.
    [[nodiscard]] IntegerRange range(std::string_view key, const std::string &usual, IntegerRange bounds, bool wide);
    [[nodiscard]] double seconds(std::string_view key, double usual); ///< 0 to 1e6
    /// A required text that is not empty.
    [[nodiscard]] std::string text(std::string_view key);
    /// Index of the value among `choices`.
    [[nodiscard]] std::size_t choice(std::string_view key, std::size_t usual, const std::vector<std::string> &choices);
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    struct Value {
        std::string text;
        std::size_t offset = 0;
    };
    void assign(const Expression &expression);
    [[nodiscard]] const Value *find(std::string_view key) const;
    void refuse(std::size_t offset, std::string what, std::string remedy);

    std::string m_name;
    std::vector<std::string> m_keys;
    std::vector<std::optional<Value>> m_values; ///< aligned with m_keys
    std::optional<Error> m_error;               ///< the first one
};

} // namespace syncopate
