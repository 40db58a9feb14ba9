// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_writer.h"

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
    for (const char c : text) {
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
            if (static_cast<unsigned char>(c) < 0x20)
                m_text += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
            else
                m_text += c;
        }
    }
    m_text += '"';
    return *this;
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

std::string csvField(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace syncopate
