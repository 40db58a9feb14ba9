// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace syncopate {

/// What went wrong with an input, where, and what the user can do about it.
/// `place` is a line number, a byte offset or a field path, as text ("12", "byte 812", "layers[3].name").
struct Error {
    std::string what;
    std::string remedy;
    std::string file;
    std::string place;

    /// "FILE:PLACE: what; remedy", leaving out what is not known. One line: line breaks in the parts are folded.
    [[nodiscard]] std::string toString() const;
};

/// A value or the Error that kept it from being made. Expected failures of input only: programmer errors are assertions.
template <class T> using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

/// Shorthand for `return fail("what", "what to do", ...)`.
[[nodiscard]] Unexpected fail(std::string what, std::string remedy = {}, std::string file = {}, std::string place = {});

/// The same error with `file` filled in when the reader that raised it did not know the file's name.
[[nodiscard]] Error inFile(Error error, const std::string &file);

} // namespace syncopate
