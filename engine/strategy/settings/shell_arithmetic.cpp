// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/settings/shell_arithmetic.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <span>

namespace syncopate {

namespace {

using Integer = std::optional<std::int64_t>;

Integer power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0)
        return {};
    std::int64_t product = 1;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(product, base, &product))
            return {};
        if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
            return {};
    }
    return product;
}

/// None where `b` is no divisor, or the quotient is beyond 64 bits.
Integer quotient(std::int64_t a, std::int64_t b) {
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min()))
        return {};
    return a / b;
}

Integer shifted(std::int64_t a, std::int64_t bits, bool left) {
    if (a < 0 || bits < 0 || bits > 62)
        return {};
    const std::int64_t factor = std::int64_t{1} << bits;
    std::int64_t product = 0;
    if (left)
        return __builtin_mul_overflow(a, factor, &product) ? Integer() : Integer(product);
    return a / factor;
}

/// The result of an operator on two operands.
Integer combined(std::int64_t a, std::string_view operation, std::int64_t b) {
    std::int64_t result = 0;
    if (operation == "+")
        return __builtin_add_overflow(a, b, &result) ? Integer() : Integer(result);
    if (operation == "-")
        return __builtin_sub_overflow(a, b, &result) ? Integer() : Integer(result);
    if (operation == "*")
        return __builtin_mul_overflow(a, b, &result) ? Integer() : Integer(result);
    if (operation == "/")
        return quotient(a, b);
    if (operation == "%") {
        const Integer whole = quotient(a, b);
        return whole ? Integer(a - *whole * b) : Integer();
    }
    return shifted(a, b, operation == "<<");
}

/// Reads an expression from its beginning, removing from `m_rest` the text that it has read.
class ExpressionReader {
public:
    ExpressionReader(std::string_view text, const std::function<Integer(std::string_view)> &valueOf)
        : m_rest(text), m_valueOf(valueOf) {}

    Integer read() {
        const Integer value = readLevel(0);
        skipBlanks();
        return m_rest.empty() ? value : Integer();
    }

private:
    // Operators that bind alike, the weakest first; within a level from left to right.
    static constexpr std::array<std::array<std::string_view, 3>, 3> levels{{{"<<", ">>", ""}, {"+", "-", ""}, {"*", "/", "%"}}};

    Integer readLevel(std::size_t level) {
        if (level == levels.size())
            return readPower();
        Integer value = readLevel(level + 1);
        while (value) {
            const std::string_view operation = takeOperator(levels[level]);
            if (operation.empty())
                return value;
            const Integer right = readLevel(level + 1);
            value = right ? combined(*value, operation, *right) : Integer();
        }
        return value;
    }

    Integer readPower() { // from right to left
        const Integer base = readOperand();
        if (!base || !take("**"))
            return base;
        const Integer exponent = readPower();
        return exponent ? power(*base, *exponent) : Integer();
    }

    Integer readOperand() {
        if (take("("))
            return readEnclosed(")");
        if (take("-")) {
            const Integer value = readOperand();
            return value ? combined(0, "-", *value) : Integer();
        }
        if (take("+"))
            return readOperand();
        skipBlanks();
        if (!m_rest.empty() && std::isdigit(static_cast<unsigned char>(m_rest.front())) != 0)
            return readNumber();
        if (take("${")) {
            const Integer value = readName();
            return take("}") ? value : Integer();
        }
        (void)take("$");
        return readName();
    }

    Integer readEnclosed(std::string_view end) {
        const Integer value = readLevel(0);
        return take(end) ? value : Integer();
    }

    Integer readNumber() { return shellNumber(takeWord()); }

    Integer readName() {
        const std::string_view name = takeWord();
        return name.empty() ? Integer() : m_valueOf(name);
    }

    /// The letters, digits and underscores at the beginning.
    std::string_view takeWord() {
        std::size_t length = 0;
        while (length < m_rest.size() && (std::isalnum(static_cast<unsigned char>(m_rest[length])) != 0 || m_rest[length] == '_'))
            ++length;
        const std::string_view word = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        return word;
    }

    void skipBlanks() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\r\n"), m_rest.size())); }

    bool take(std::string_view token) {
        skipBlanks();
        if (!m_rest.starts_with(token))
            return false;
        m_rest.remove_prefix(token.size());
        return true;
    }

    /// One of `operators`; empty if none is next.
    std::string_view takeOperator(std::span<const std::string_view> operators) {
        skipBlanks();
        for (const std::string_view operation : operators)
            if (!operation.empty() && !(operation == "*" && m_rest.starts_with("**")) && take(operation))
                return operation;
        return {};
    }

    std::string_view m_rest;
    const std::function<Integer(std::string_view)> &m_valueOf;
};

} // namespace

std::optional<std::int64_t> shellNumber(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const int base = isHex ? 16 : text.starts_with('0') ? 8 : 10;
    text.remove_prefix(isHex ? 2 : 0);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    const bool isWhole = error == std::errc() && end == text.data() + text.size() && !text.starts_with('-');
    return isWhole ? Integer(value) : Integer();
}

std::optional<std::int64_t> shellArithmetic(std::string_view expression,
                                            const std::function<std::optional<std::int64_t>(std::string_view name)> &valueOf) {
    if (expression.size() > maxExpressionBytes)
        return {};
    return ExpressionReader(expression, valueOf).read();
}

} // namespace syncopate
