// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace syncopate {

/// Decompresses zlib data (RFC 1950) of a message, up to 256 MiB. Errors: damaged, cut off, larger.
[[nodiscard]] Result<std::string> inflateZlib(std::string_view packed);

} // namespace syncopate
