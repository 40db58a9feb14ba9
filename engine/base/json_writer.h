// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// Writes JSON text, one value after the other, with commas and escapes. Numbers read back to the same value; NaN and infinity,
/// which JSON lacks, become null. Texts become valid UTF-8 without control bytes.
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
    /// Adds a value that is already JSON text.
    JsonWriter &json(std::string_view text);
    template <class T> JsonWriter &member(std::string_view name, const T &what) { return key(name).value(what); }
    /// Breaks the line, to make long arrays readable.
    JsonWriter &newLine();
    /// Returns what was written since the last call.
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

} // namespace syncopate
