// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/platform_file.h"

#include "engine/base/input_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

/// The last of a path of keys: "window_bytes" of "/tcp_observed/window_bytes".
std::string_view lastOf(std::string_view keys) { return keys.substr(keys.rfind('/') + 1); }

} // namespace

Result<PlatformFile> PlatformFile::read(const std::string &path, std::string_view example) {
    const std::string bytes = TRY(readInputFile(path));
    PlatformFile file;
    file.m_path = path;
    file.m_parser = std::make_unique<simdjson::dom::parser>();
    if (const auto status = file.m_parser->parse(bytes).get(file.m_root))
        return fail(simdjson::error_message(status), fmt::format("write {}", example), path);
    if (!file.m_root.is_object())
        return fail("the file is not a JSON object", fmt::format("write {}", example), path);
    return file;
}

Result<std::optional<simdjson::dom::element>> PlatformFile::valueAt(std::string_view keys) const {
    simdjson::dom::element value = m_root;
    for (std::size_t at = 0; at < keys.size();) {
        const std::size_t end = std::min(keys.find('/', at + 1), keys.size());
        simdjson::dom::object object;
        if (value.get(object))
            return fail(fmt::format("{} is not an object", lastOf(keys.substr(0, at))), "write it in braces: {\"key\": value}",
                        m_path, std::string(keys.substr(0, at)));
        if (object.at_key(keys.substr(at + 1, end - at - 1)).get(value) || value.is_null())
            return std::nullopt;
        at = end;
    }
    return value;
}

Result<std::optional<double>> PlatformFile::number(std::string_view keys, double min, double max) const {
    const auto value = TRY(valueAt(keys));
    if (!value)
        return std::optional<double>();
    double number = 0;
    if (value->get(number))
        return fail(fmt::format("{} is not a number", lastOf(keys)),
                    fmt::format("write a number from {:g} to {:g}, without quotes", min, max), m_path, std::string(keys));
    if (!(number >= min && number <= max))
        return fail(fmt::format("{} is {:g}", lastOf(keys), number), fmt::format("write a number from {:g} to {:g}", min, max),
                    m_path, std::string(keys));
    return std::optional(number);
}

Result<std::string> PlatformFile::text(std::string_view keys) const {
    const auto value = TRY(valueAt(keys));
    std::string_view text;
    if (value && value->get(text))
        return fail(fmt::format("{} is not a text", lastOf(keys)), "write it in quotes", m_path, std::string(keys));
    return std::string(text);
}

} // namespace syncopate
