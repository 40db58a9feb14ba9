// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/parse/read_limits.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace syncopate {

/// Reads the text of an input piece by piece: from a plain file, a gzip file (recognised by its magic bytes, not its name) or
/// memory.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Fills up to `size` bytes of text; 0 = the end. An error says at which byte of the file the data is damaged.
    [[nodiscard]] virtual Result<std::size_t> read(char *into, std::size_t size) = 0;
    /// True when the text comes out of gzip data: offsets in the text are then not offsets in the file.
    [[nodiscard]] virtual bool isCompressed() const = 0;
    /// How much of the file has been read so far; may run ahead of the text.
    [[nodiscard]] virtual Stored stored() const { return {}; }

    /// Limits the memory and text of readers of this source; ReadLimits::ofThisMachine() unless set. A source made of this one
    /// has limits of its own.
    void setLimits(const ReadLimits &limits) { m_limits = limits; }
    /// Called by readers every few hundred kilobytes. An error if the bytes that they keep or have read exceed the limits.
    [[nodiscard]] Result<void> checkLimits(std::uint64_t keptBytes, std::uint64_t textBytes) {
        if (!m_limits) {
            if (keptBytes < alwaysAllowed && textBytes < alwaysAllowed)
                return {}; // not worth asking the system
            m_limits = ReadLimits::ofThisMachine();
        }
        return syncopate::checkLimits(*m_limits, keptBytes, textBytes, stored());
    }

    /// Opens a regular file and decompresses it where it is gzip. `progress`, if not null, has the file's size as its total and
    /// counts bytes of the file as they are read.
    [[nodiscard]] static Result<std::unique_ptr<ByteSource>> openFile(const std::string &path, Progress *progress = nullptr);
    /// Opens one of several files: `progress`, if not null, counts from `before`, and its total is left alone. The bytes are not
    /// decompressed.
    [[nodiscard]] static Result<std::unique_ptr<ByteSource>> openPart(const std::string &path, Progress *progress,
                                                                      std::uint64_t before);
    /// Decompresses `packed` where it begins with gzip's magic bytes, else passes it on as it is.
    [[nodiscard]] static Result<std::unique_ptr<ByteSource>> unpack(std::unique_ptr<ByteSource> packed);
    /// A source of `head`, followed by the remainder of `rest`.
    [[nodiscard]] static std::unique_ptr<ByteSource> putBack(std::string head, std::unique_ptr<ByteSource> rest);
    /// Reads `bytes`, which must outlive the source, and decompresses them where they are gzip, as openFile() does.
    [[nodiscard]] static std::unique_ptr<ByteSource> fromMemory(std::string_view bytes);

private:
    static constexpr std::uint64_t alwaysAllowed = std::uint64_t{1} << 25;
    std::optional<ReadLimits> m_limits;
};

/// Up to `size` bytes of the source's text, fewer only at its end.
[[nodiscard]] Result<std::string> readHead(ByteSource &source, std::size_t size);

/// The first `size` bytes of text of the file (decompressed), fewer when the file is shorter.
[[nodiscard]] Result<std::string> readTextHead(const std::string &path, std::size_t size);

} // namespace syncopate
