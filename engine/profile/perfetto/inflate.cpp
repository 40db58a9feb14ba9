// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/perfetto/inflate.h"

#include <array>
#include <memory>
#include <zlib.h>

namespace syncopate {

Result<std::string> inflateZlib(std::string_view packed) {
    constexpr std::size_t maxBytes = std::size_t{1} << 28;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return internalError("zlib does not start");
    const std::unique_ptr<z_stream, int (*)(z_stream *)> owner(&stream, inflateEnd); // `text` may run out of memory
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string text;
    std::array<char, 1 << 16> buffer{};
    int status = Z_OK;
    while (status == Z_OK && text.size() <= maxBytes) {
        stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(buffer.data(), buffer.size() - stream.avail_out);
    }
    if (status == Z_OK)
        return fail("compressed packets unpack to more than 256 MiB", "the trace is damaged, or made to fill the memory");
    if (status != Z_STREAM_END)
        return fail("compressed packets are damaged or cut off", "copy or export the trace again, whole");
    return text;
}

} // namespace syncopate
