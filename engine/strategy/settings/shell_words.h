// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Launch scripts set values indirectly: a size as $((64 * 1024 * 1024)) or ${SIZE:-8}, arguments as a variable or an array that a
// later command takes. Nothing is run here: such expressions are replaced where the text alone tells their values; the others
// stay as written.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A word of a shell's command.
struct ShellWord {
    std::string text;
    std::size_t line = 1;
    bool beginsCommand = false;          ///< not a value of the word before
    std::vector<std::size_t> joinedAt{}; ///< offsets in `text` of line ends that were left out, as a backslash escaped them
};

/// The words of a shell: quotes join, a backslash escapes the next character or joins two lines, # begins a comment, and line
/// ends, ; & | and parentheses end a command; elements of an array, NAME=( ... ), are words of a command of their own. A variable
/// that the text gives one word, its default where the text gives none, and integer arithmetic are replaced by their values; a
/// variable that holds arguments is not, nor is an expression whose value only running would tell. O(length).
[[nodiscard]] std::vector<ShellWord> shellWords(std::string_view text);

/// An assignment such as HOROVOD_CYCLE_TIME=5, or XLA_FLAGS+=" --x", as parts of its word.
struct ShellAssignment {
    std::string_view name; ///< empty: the word is no assignment
    std::string_view value;
    bool appends = false; ///< +=
};
[[nodiscard]] ShellAssignment assignmentOf(std::string_view word);

/// The words of the value that `assignment` gives a variable, as a command takes it: separated by blanks and line ends alone.
[[nodiscard]] std::vector<ShellWord> wordsOfValue(const ShellWord &assignment);

/// Whether it has an expression whose value the text does not tell.
[[nodiscard]] bool hasUnknown(std::string_view value);

} // namespace syncopate
