// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile_formats.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

enum class JsonKind : std::uint8_t { Job, Trace, Unknown };

/// The keys of the outermost object of a JSON or YAML text, as far as its head goes. The kind of a file follows from them, not
/// from words anywhere in it: a job or an op may be named like a key of another format. O(head).
class TopLevelKeys {
public:
    /// JSON counts as such by its first character; there are no keys where that is not '{'. Of any other text they are the words
    /// before a colon at the beginning of a line.
    explicit TopLevelKeys(const FileHead &head);

    [[nodiscard]] bool has(std::string_view key) const;
    /// The text begins like a JSON object.
    [[nodiscard]] bool areOfJson() const { return m_areOfJson; }
    /// The object goes on beyond the head, so keys after the last one are not known; there is at least one key then.
    [[nodiscard]] bool isCutOff() const { return m_isCutOff; }
    /// The first key that belongs to job files or to traces alone decides. A value that reaches beyond the head hides what
    /// follows it: there, keys that job files begin with count, too, since a name may be of any length. YAML is Unknown.
    [[nodiscard]] JsonKind kind() const;
    /// In their order in the text. Of JSON as written, with escapes.
    [[nodiscard]] const std::vector<std::string> &list() const { return m_list; }

private:
    void readJson(std::string_view text, bool isWhole);
    void readLines(std::string_view text);
    std::vector<std::string> m_list;
    bool m_areOfJson = false;
    bool m_isCutOff = false;
};

} // namespace syncopate
