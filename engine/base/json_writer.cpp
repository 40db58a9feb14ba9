// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_writer.h"

#include "engine/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

void JsonWriter::separate() {
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (!m_first.back())
        m_text += ',';
    m_first.back() = false;
}

JsonWriter &JsonWriter::open(char bracket) {
    separate();
    m_text += bracket;
    m_first.push_back(true);
    return *this;
}

JsonWriter &JsonWriter::close(char bracket) {
    m_first.pop_back();
    m_text += bracket;
    return *this;
}

JsonWriter &JsonWriter::json(std::string_view text) {
    separate();
    m_text += text;
    return *this;
}

JsonWriter &JsonWriter::key(std::string_view name) {
    value(name);
    m_text += ": ";
    m_afterKey = true;
    return *this;
}

JsonWriter &JsonWriter::value(std::string_view text) {
    separate();
    m_text += '"';
    if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        addEscaped(text);
    else
        addEscaped(validUtf8(text, unknownCharacter));
    m_text += '"';
    return *this;
}

void JsonWriter::addEscaped(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        switch (c) {
        case '"':
            m_text += "\\\"";
            break;
        case '\\':
            m_text += "\\\\";
            break;
        case '\n':
            m_text += "\\n";
            break;
        case '\r':
            m_text += "\\r";
            break;
        case '\t':
            m_text += "\\t";
            break;
        default:
            if (c < 0x20 || c == 0x7f) {
                m_text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            } else if (c == 0xc2 && next < 0xa0) { // U+0080 to U+009F: terminals obey them like those below U+0020
                m_text += fmt::format("\\u{:04x}", next);
                ++i;
            } else {
                m_text += text[i];
            }
        }
    }
}

JsonWriter &JsonWriter::value(double number) {
    separate();
    m_text += std::isfinite(number) ? fmt::format("{}", number) : "null";
    return *this;
}

JsonWriter &JsonWriter::value(std::int64_t number) {
    separate();
    m_text += fmt::format("{}", number);
    return *this;
}

JsonWriter &JsonWriter::value(std::uint64_t number) {
    separate();
    m_text += fmt::format("{}", number);
    return *this;
}

JsonWriter &JsonWriter::value(bool flag) {
    separate();
    m_text += flag ? "true" : "false";
    return *this;
}

JsonWriter &JsonWriter::newLine() {
    m_text += '\n';
    return *this;
}

} // namespace syncopate
