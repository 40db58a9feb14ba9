// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

namespace syncopate {

/// platform.json of a folder of measured runs: what is known of the machines that they ran on.
class PlatformFile final {
public:
    /// Errors: the file cannot be read or is not JSON; `example` is a text that would be right.
    [[nodiscard]] static Result<PlatformFile> read(const std::string &path, std::string_view example);

    /// The number at a JSON pointer such as "/tcp_observed/window_bytes"; empty where it is absent or null. Errors name file and
    /// key: it is not a number, or outside [min, max].
    [[nodiscard]] Result<std::optional<double>> number(std::string_view pointer, double min, double max) const;
    /// The text at a JSON pointer; empty where it is absent or null. Errors: it is not a text.
    [[nodiscard]] Result<std::string> text(std::string_view pointer) const;

private:
    /// The value, unless it is absent or null.
    [[nodiscard]] std::optional<simdjson::dom::element> valueAt(std::string_view pointer) const;

    std::string m_path;
    std::unique_ptr<simdjson::dom::parser> m_parser; ///< owns what m_root refers to
    simdjson::dom::element m_root;
};

} // namespace syncopate
