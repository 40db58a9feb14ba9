// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/platform_file.h"

#include "engine/base/input_file.h"

#include <fmt/format.h>
#include <utility>

namespace syncopate {

Result<PlatformFile> PlatformFile::read(const std::string &path, std::string_view example) {
    const std::string bytes = TRY(readInputFile(path));
    PlatformFile file;
    file.m_path = path;
    file.m_parser = std::make_unique<simdjson::dom::parser>();
    if (const auto status = file.m_parser->parse(bytes).get(file.m_root))
        return fail(simdjson::error_message(status), fmt::format("write {}", example), path);
    return file;
}

std::optional<simdjson::dom::element> PlatformFile::valueAt(std::string_view pointer) const {
    simdjson::dom::element value;
    if (m_root.at_pointer(pointer).get(value) || value.is_null())
        return {};
    return value;
}

Result<std::optional<double>> PlatformFile::number(std::string_view pointer, double min, double max) const {
    const auto value = valueAt(pointer);
    if (!value)
        return std::optional<double>();
    const std::string_view key = pointer.substr(pointer.rfind('/') + 1);
    double number = 0;
    if (value->get(number))
        return fail(fmt::format("{} is not a number", key),
                    fmt::format("write a number from {:g} to {:g}, without quotes", min, max), m_path);
    if (!(number >= min && number <= max))
        return fail(fmt::format("{} is {:g}", key, number), fmt::format("write a number from {:g} to {:g}", min, max), m_path);
    return std::optional(number);
}

Result<std::string> PlatformFile::text(std::string_view pointer) const {
    const auto value = valueAt(pointer);
    std::string_view text;
    if (value && value->get(text))
        return fail(fmt::format("{} is not a text", pointer.substr(pointer.rfind('/') + 1)), "write it in quotes", m_path);
    return std::string(text);
}

} // namespace syncopate
