// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

namespace syncopate {

/// platform.json of a folder of measured runs: facts about the machines that they ran on.
class PlatformFile final {
public:
    /// Errors: the file cannot be read or is not a JSON object; `example` is a valid text, for the remedy.
    [[nodiscard]] static Result<PlatformFile> read(const std::string &path, std::string_view example);

    /// The number at a path of keys such as "/tcp_observed/window_bytes"; empty where it is absent or null. Errors name file and
    /// path: it is not a number, or outside [min, max], or what should contain it is not an object.
    [[nodiscard]] Result<std::optional<double>> number(std::string_view keys, double min, double max) const;
    /// The text at a path of keys; empty where it is absent or null. Errors: it is not a text, or what should contain it is not
    /// an object.
    [[nodiscard]] Result<std::string> text(std::string_view keys) const;

private:
    /// The value, or empty where it is absent or null. Errors: what should contain it is not an object.
    [[nodiscard]] Result<std::optional<simdjson::dom::element>> valueAt(std::string_view keys) const;

    std::string m_path;
    std::unique_ptr<simdjson::dom::parser> m_parser; ///< owns the memory of m_root
    simdjson::dom::element m_root;
};

} // namespace syncopate
