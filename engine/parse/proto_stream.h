// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/parse/byte_source.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// Reads a varint of `bytes` and advances `at` past it; false if none is whole there.
[[nodiscard]] bool takeVarint(std::string_view bytes, std::size_t &at, std::uint64_t &value);

/// Reads the fields of protobuf messages one by one, from a source of any length: unwanted fields are skipped, not kept, and
/// unknown ones are not errors. (libprotobuf reads whole messages, and its CodedInputStream ends at 2 GB; models and traces may
/// be larger.) Wire format: protobuf.dev/programming-guides/encoding.
class ProtoStream {
public:
    ProtoStream(ByteSource &source, std::stop_token stop);
    ~ProtoStream();
    ProtoStream(const ProtoStream &) = delete;
    ProtoStream &operator=(const ProtoStream &) = delete;

    enum class Kind : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
    struct Field {
        std::uint32_t number = 0;
        Kind kind = Kind::Varint;
        std::uint64_t value = 0; ///< of numbers: as on the wire
        std::uint64_t size = 0;  ///< of bytes; they are still to be read, entered or skipped
    };
    static constexpr std::size_t longestText = std::size_t{1} << 20;

    /// Advances to the next field of the innermost message that was entered; false at its end. Unread bytes of the field before
    /// are skipped.
    [[nodiscard]] Result<bool> next(Field &field);
    /// The bytes of the present field, valid until the next call; an error when there are more than `maxBytes`.
    [[nodiscard]] Result<std::string_view> view(std::size_t maxBytes = longestText);
    [[nodiscard]] Result<std::string> text(std::size_t maxBytes = longestText);
    /// Appends the present field's packed varints to `into`.
    [[nodiscard]] Result<void> varintsInto(std::vector<std::uint64_t> &into);
    [[nodiscard]] Result<std::vector<std::uint64_t>> varints();
    /// Enters the present field's message; leave() goes back to the message around it, from any place inside.
    [[nodiscard]] Result<void> enter();
    [[nodiscard]] Result<void> leave();
    /// A length-delimited message of a sequence (Chakra): enters it; false at the end of the source.
    [[nodiscard]] Result<bool> enterDelimited();
    /// An error where about `bytes` of kept data exceed the source's limits.
    [[nodiscard]] Result<void> checkKept(std::uint64_t bytes) { return m_source.checkLimits(bytes, offset()); }

    /// Calls take(field), which returns a Result<void>, for each remaining field of the innermost message.
    template <class Take> [[nodiscard]] Result<void> forEachField(Take &&take) {
        Field field;
        for (;;) {
            const auto more = next(field);
            if (!more || !*more)
                return more ? Result<void>() : Unexpected(more.error());
            TRY(take(std::as_const(field)));
        }
    }
    /// The same for the message in the present field, which is entered and left.
    template <class Take> [[nodiscard]] Result<void> forEachFieldInside(Take &&take) {
        TRY(enter());
        TRY(forEachField(take));
        return leave();
    }
    [[nodiscard]] Result<void> textInto(std::string &into) {
        auto read = TRY(text());
        into = std::move(read);
        return {};
    }

    [[nodiscard]] std::uint64_t offset() const { return m_before + m_at; }

private:
    static constexpr std::size_t deepest = 64;
    [[nodiscard]] Result<bool> fill();
    [[nodiscard]] Result<int> byte();                        ///< -1 at the end of the source
    [[nodiscard]] Result<void> varint(std::uint64_t &value); ///< after varintAtHand() could not
    /// Reads a varint that is completely in the buffer; else returns false and reads nothing.
    [[nodiscard]] bool varintAtHand(std::uint64_t &value);
    /// Reads a field's tag and its number or size if they are completely in the buffer; else returns false and reads nothing.
    /// Returning Result<void> would double the time of this fast path, so readHead() handles heads cut by the buffer's end,
    /// fixed-length fields and damage.
    [[nodiscard]] bool headAtHand(Field &field);
    [[nodiscard]] Result<void> readHead(Field &field); ///< after headAtHand() could not
    [[nodiscard]] Result<void> take(char *into, std::uint64_t size);
    [[nodiscard]] Result<void> skip(std::uint64_t size);
    [[nodiscard]] Unexpected broken(const char *what) const;

    ByteSource &m_source;
    std::stop_token m_stop;
    std::vector<char> m_buffer;
    std::string m_text; ///< of a view that the buffer's end cuts
    std::size_t m_at = 0, m_filled = 0;
    std::uint64_t m_before = 0;        ///< bytes of the source before the buffer
    std::vector<std::uint64_t> m_ends; ///< of the messages entered
    std::uint64_t m_pending = 0;       ///< bytes of the present field not read yet
};

} // namespace syncopate
