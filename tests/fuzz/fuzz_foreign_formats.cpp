// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/utf8.h"
#include "engine/profile/foreign_formats.h"
#include "engine/profile/torch/kineto_raw_event.h"

#include <cstdlib>

/// The beginning of any file has exactly one format, and a foreign one is named; repaired text is valid UTF-8; sizes are unset or
/// not negative.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    for (const bool compressed : {false, true}) {
        const FileHead head{std::string(text), compressed};
        const ForeignFormat *const foreign = foreignFormatOf(head);
        if (!profileFormat(head).read || (foreign && (!*foreign->what || !*foreign->remedy)))
            std::abort();
        if (refuseSetOf("set", 2, "first", head).value().what.empty())
            std::abort();
    }
    if (!isValidUtf8(validUtf8(text)) || (isValidUtf8(text) && validUtf8(text) != text))
        std::abort();
    for (const bool separate : {false, true}) {
        if (kineto::elementsMoved(text, separate) < -1)
            std::abort();
    }
    return 0;
}
