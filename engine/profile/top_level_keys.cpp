// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/top_level_keys.h"

#include "engine/parse/json_stream.h"

#include <algorithm>

namespace syncopate {

TopLevelKeys::TopLevelKeys(const FileHead &head) {
    const std::size_t first = head.text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string::npos || head.text[first] == '[')
        return;
    m_areOfJson = head.text[first] == '{';
    const std::string_view text = std::string_view(head.text).substr(first);
    if (m_areOfJson)
        readJson(text.substr(1), head.isWhole());
    else
        readLines(text);
}

bool TopLevelKeys::has(std::string_view key) const { return std::find(m_list.begin(), m_list.end(), key) != m_list.end(); }

JsonKind TopLevelKeys::kind() const {
    if (!m_areOfJson)
        return JsonKind::Unknown;
    for (const std::string &key : m_list) {
        if (key == "layers")
            return JsonKind::Job;
        for (const char *own : {"traceEvents", "schema", "schemaVersion", "deviceProperties", "distributedInfo",
                                "baseTimeNanoseconds", "displayTimeUnit"}) {
            if (key == own)
                return JsonKind::Trace;
        }
    }
    if (m_isCutOff)
        for (const char *header : {"name", "notes", "step_samples", "variable_order"})
            if (m_list.back() == header)
                return JsonKind::Job;
    return JsonKind::Unknown;
}

void TopLevelKeys::readJson(std::string_view text, bool isWhole) {
    const std::string padded = std::string(text) + std::string(65, '\0'); // the scanner needs padding
    JsonScanner scanner{padded.data(), padded.data() + text.size()};
    const auto isRead = [&](Scan scan) {
        m_isCutOff = scan == Scan::NeedMore && !isWhole && !m_list.empty();
        return scan == Scan::Ok;
    };
    for (bool more = true; more;) {
        std::string_view key;
        if (!isRead(scanner.key(key)))
            return;
        m_list.emplace_back(key);
        JsonScanner::Value value;
        if (!isRead(scanner.value(value)) || !isRead(scanner.another('}', more)))
            return;
    }
}

void TopLevelKeys::readLines(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0)
            continue;
        const std::string_view key = line.substr(0, colon);
        const bool isWord = std::all_of(key.begin(), key.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
        if (isWord)
            m_list.emplace_back(key);
    }
}

} // namespace syncopate
