// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace syncopate {

/// Why something failed, for code that decides what to do next. The text of an error is for people only.
enum class ErrorKind : std::uint8_t {
    Input,     ///< a file, an option or a value that the user can correct
    Cancelled, ///< the caller requested a stop; nothing is wrong
    /// Valid, but not available now: a project that another window holds, a program that failed, a lost rank, a query beyond its
    /// limits. A file that cannot be read is Input: the user can name another.
    Unavailable,
    Internal, ///< a fault of this program, which no input should reach
};

/// What went wrong, where, and what the user can do about it.
/// `place` is a line number, a byte offset or a field path, as text ("12", "byte 812", "layers[3].name").
struct Error {
    std::string what;
    std::string remedy;
    std::string file;
    std::string place;
    ErrorKind kind = ErrorKind::Input;
    bool isInExpression = false; ///< `place` is an offset in an expression (parseExpression()), not in a file
    bool operator==(const Error &) const = default;

    [[nodiscard]] bool isCancelled() const { return kind == ErrorKind::Cancelled; }
    /// "FILE:PLACE: what; remedy", leaving out unknown parts. One line, fit for a terminal (terminalText()): line breaks in
    /// the parts are folded, and very long parts are cut in the middle.
    [[nodiscard]] std::string toString() const;
};

/// A value or the Error that kept it from being made. Expected failures of input only: programmer errors are assertions.
template <class T> using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

/// Fails with an error of kind Input: `return fail("what", "what to do", ...)`.
[[nodiscard]] Unexpected fail(std::string what, std::string remedy = {}, std::string file = {}, std::string place = {});
/// Fails because the caller requested a stop.
[[nodiscard]] Unexpected cancelled(std::string file = {});
/// Fails because of a fault of this program; `what` names the broken expectation.
[[nodiscard]] Unexpected internalError(std::string what);

/// The same error with `file` filled in when the reader that raised it did not know the file's name.
[[nodiscard]] Error inFile(Error error, const std::string &file);
/// The same result; an error without a file gets `file`.
template <class T> [[nodiscard]] Result<T> inFile(Result<T> result, const std::string &file) {
    if (!result)
        return Unexpected(inFile(std::move(result).error(), file));
    return result;
}

namespace detail {
template <class T, class E> T valueOf(tl::expected<T, E> &&result) {
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}
} // namespace detail

} // namespace syncopate

/// The value of a Result, or a return of its error from the enclosing function: `auto units = TRY(makeUnits(scenario));`.
/// A statement expression, which GCC and Clang both have: C++20 offers no other way to return from inside an expression.
/// Never within braces that make an aggregate or a list: when it returns, GCC leaks the members before it. A call or a variable
/// of its own frees them.
#define TRY(...)                                                                                                                 \
    __extension__({                                                                                                              \
        auto tryResult_ = (__VA_ARGS__);                                                                                         \
        if (!tryResult_)                                                                                                         \
            return ::tl::make_unexpected(std::move(tryResult_).error());                                                         \
        ::syncopate::detail::valueOf(std::move(tryResult_));                                                                     \
    })
