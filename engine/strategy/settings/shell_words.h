// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Launch scripts set one thing by way of another: a size as $((64 * 1024 * 1024)) or ${SIZE:-8}, arguments as a variable or an
// array that a later command takes. Nothing is run here: what the text alone says is put in place of such expressions, and the
// others stay as they are written.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A word of a shell's command.
struct ShellWord {
    std::string text;
    std::size_t line = 1;
    bool beginsCommand = false; ///< not a value of the word before
};

/// The words of a shell: quotes join, a backslash escapes the next character, # begins a comment, and line ends, ; & | and
/// parentheses end a command; elements of an array, NAME=( ... ), are words of a command of their own. A variable that the text
/// gives one word, its default where the text gives none, and integer arithmetic are replaced by their values; a variable that
/// holds arguments is not, nor what only running would tell. O(length).
[[nodiscard]] std::vector<ShellWord> shellWords(std::string_view text);

/// The words of a variable's value as a command takes it: separated by blanks and line ends alone. `line`: of its beginning.
[[nodiscard]] std::vector<ShellWord> wordsOfValue(std::string_view value, std::size_t line);

/// An assignment such as HOROVOD_CYCLE_TIME=5, or XLA_FLAGS+=" --x", as parts of its word.
struct ShellAssignment {
    std::string_view name; ///< empty: the word is none
    std::string_view value;
    bool appends = false; ///< +=
};
[[nodiscard]] ShellAssignment assignmentOf(std::string_view word);

/// Whether it has an expression whose value the text does not tell.
[[nodiscard]] bool hasUnknown(std::string_view value);

} // namespace syncopate
