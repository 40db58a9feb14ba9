// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/line_reader.h"

#include <utility>

namespace syncopate {

namespace {
constexpr std::size_t blockBytes = std::size_t{1} << 16;
} // namespace

Result<std::optional<TextLine>> LineReader::next() {
    TextLine line;
    while (TRY(readLine(line)))
        if (line.isTooLong || line.text.find_first_not_of(" \t\r") != std::string::npos)
            return std::optional(std::move(line));
    return std::optional<TextLine>();
}

Result<bool> LineReader::readLine(TextLine &line) {
    line = {++m_number, {}, false};
    bool any = false;
    for (;;) {
        if (const std::size_t end = m_buffer.find('\n', m_at); end != std::string::npos) {
            add(line, end);
            m_at = end + 1;
            if (line.text.ends_with('\r'))
                line.text.pop_back();
            return true;
        }
        any = any || m_at < m_buffer.size();
        add(line, m_buffer.size());
        m_at = 0;
        m_buffer.resize(blockBytes);
        auto count = m_read(m_buffer.data(), m_buffer.size());
        m_buffer.resize(count.value_or(0));
        if (!count)
            return Unexpected(std::move(count).error());
        if (*count == 0)
            return any;
    }
}

void LineReader::add(TextLine &line, std::size_t end) {
    if (line.isTooLong)
        return;
    if (line.text.size() + (end - m_at) > m_maximumBytes) {
        line.isTooLong = true;
        line.text = {};
        return;
    }
    line.text.append(m_buffer, m_at, end - m_at);
}

} // namespace syncopate
