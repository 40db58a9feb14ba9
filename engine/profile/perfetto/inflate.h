// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace syncopate {

/// The text of zlib data (RFC 1950), as it stands in a message: no more than 256 MiB of it. Errors: damaged, cut off, larger.
[[nodiscard]] Result<std::string> inflateZlib(std::string_view packed);

} // namespace syncopate
