// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// Writes JSON text, one value after the other, commas and escapes taken care of. Numbers are written so that they read
/// back to the same value; NaN and infinity, which JSON lacks, become null. Texts leave as valid UTF-8 without control bytes.
class JsonWriter {
public:
    JsonWriter &beginObject() { return open('{'); }
    JsonWriter &endObject() { return close('}'); }
    JsonWriter &beginArray() { return open('['); }
    JsonWriter &endArray() { return close(']'); }
    JsonWriter &key(std::string_view name);
    JsonWriter &value(std::string_view text);
    JsonWriter &value(const char *text) { return value(std::string_view(text)); }
    JsonWriter &value(double number);
    JsonWriter &value(std::int64_t number);
    JsonWriter &value(std::uint64_t number);
    JsonWriter &value(std::int32_t number) { return value(static_cast<std::int64_t>(number)); }
    JsonWriter &value(bool flag);
    /// A value that is JSON text already.
    JsonWriter &json(std::string_view text);
    template <class T> JsonWriter &member(std::string_view name, const T &what) { return key(name).value(what); }
    /// A line break where it makes long arrays readable.
    JsonWriter &newLine();
    /// What was written since the last time.
    [[nodiscard]] std::string take() { return std::exchange(m_text, {}); }
    [[nodiscard]] std::size_t size() const { return m_text.size(); } ///< bytes to take

private:
    JsonWriter &open(char bracket);
    JsonWriter &close(char bracket);
    void separate();
    void addEscaped(std::string_view text); ///< valid UTF-8
    std::string m_text;
    std::vector<bool> m_first{true}; ///< per nesting level: nothing written yet
    bool m_afterKey = false;
};

/// The text of a cell, as valid UTF-8. A spreadsheet runs what begins with =, +, -, @, a tab or a carriage return as a formula:
/// an apostrophe before it keeps it a text (CWE-1236). Numbers stay numbers.
[[nodiscard]] std::string inertCell(std::string_view text);
/// inertCell() as a CSV field (RFC 4180): quoted when it holds a comma, quote, tab, line break or an apostrophe in front.
[[nodiscard]] std::string csvField(std::string_view text);

} // namespace syncopate
