// SPDX-License-Identifier: GPL-3.0-or-later
// How readers of YAML fail in the middle of a file: the calls of yaml-cpp throw, so readers throw, too, and readYaml() alone
// catches.
#pragma once

#include "engine/base/alias_limit.h"
#include "engine/base/result.h"

#include <cstddef>
#include <exception>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <yaml-cpp/yaml.h>

namespace syncopate {

/// Thrown by readers, caught by readYaml().
struct YamlRefusal {
    Error error;
};

/// Throws with the line of `mark`, or without a place where there is none.
[[noreturn]] inline void refuse(const YAML::Mark &mark, std::string what, std::string remedy) {
    throw YamlRefusal{{std::move(what),
                       std::move(remedy),
                       {},
                       mark.is_null() || mark.line < 0 ? std::string{} : fmt::format("{}", mark.line + 1)}};
}

/// A format in YAML, as its errors name it.
struct YamlFormat {
    const char *file = "";  ///< "a network file"
    const char *isNot = ""; ///< of a text with another syntax: "not YAML"
    std::size_t maxBytes = 0;
};

/// Reads a YAML text with `read`, a Result<Value>(const YAML::Node &root), which may throw what refuse() and yaml-cpp throw.
/// Errors have `file`, and the line where it is known.
template <class Value, class Read>
[[nodiscard]] Result<Value> readYaml(std::string_view text, const std::string &file, const YamlFormat &format, const Read &read) {
    if (text.size() > format.maxBytes)
        return fail(fmt::format("{} of this size is not read", format.file), "check that this is the file you meant", file);
    try {
        const YAML::Node root = YAML::Load(std::string(text));
        limitAliases(root, text.size());
        return inFile(Result<Value>(read(root)), file);
    } catch (YamlRefusal &refusal) {
        return Unexpected(inFile(std::move(refusal.error), file));
    } catch (const YAML::Exception &exception) {
        return fail(fmt::format("this is {}: {}", format.isNot, exception.msg), "correct the text there", file,
                    exception.mark.is_null() ? std::string{"1"} : fmt::format("{}", exception.mark.line + 1));
    } catch (const std::exception &exception) {
        return fail(fmt::format("the file cannot be read: {}", exception.what()), fmt::format("check that it is {}", format.file),
                    file);
    }
}

} // namespace syncopate
