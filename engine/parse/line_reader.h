// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace syncopate {

/// A line of a text, without its line break ("\n" or "\r\n").
struct TextLine {
    std::uint64_t number = 0; ///< from 1
    std::string text;
    bool isTooLong = false; ///< longer than the reader keeps; `text` is empty then
};

/// Splits a text of any length into lines, also one that comes from a pipe. Keeps one line at a time, and nothing of a line
/// longer than `maximumBytes`.
class LineReader {
public:
    /// Fills up to `size` bytes and returns their number; 0 = the end. A pipe may return fewer as soon as it has any.
    using Read = std::function<Result<std::size_t>(char *into, std::size_t size)>;

    LineReader(Read read, std::size_t maximumBytes) : m_read(std::move(read)), m_maximumBytes(maximumBytes) {}

    /// The next line that is not blank; nullopt at the end. Errors: those of the source.
    [[nodiscard]] Result<std::optional<TextLine>> next();

private:
    [[nodiscard]] Result<bool> readLine(TextLine &line);
    void add(TextLine &line, std::size_t end); ///< the buffer up to `end`

    Read m_read;
    std::size_t m_maximumBytes;
    std::uint64_t m_number = 0;
    std::string m_buffer;
    std::size_t m_at = 0; ///< read so far of the buffer
};

} // namespace syncopate
