// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"

#include <memory>

namespace syncopate {

/// The same text as `source`. What comes after the first MiB is read up to 4 MiB ahead on a thread of its own, so that
/// decompressing costs its reader no time; most files end before that, or only their head is asked for. An error comes after
/// the whole MiBs of text before it.
[[nodiscard]] std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source);

} // namespace syncopate
