// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"

#include <memory>

namespace syncopate {

/// Returns a source of the same text that reads up to 4 MiB ahead on a thread of its own, so that decompressing costs the reader
/// no time. The thread starts after the first MiB: most files end before that, or only their head is read. An error is reported
/// after the whole MiBs of text before it.
[[nodiscard]] std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source);

} // namespace syncopate
