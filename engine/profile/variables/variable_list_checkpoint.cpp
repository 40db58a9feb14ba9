// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/proto_stream.h"
#include "engine/profile/variables/variable_list.h"
#include "engine/profile/variables/variable_list_rules.h"

#include <cstring>
#include <fmt/format.h>
#include <snappy.h>

namespace syncopate {

namespace {

// LevelDB's table format (doc/table_format.md): blocks of prefix-compressed entries, each block followed by a byte for its
// compression and a checksum; then a footer of two block handles and a magic number. TensorFlow's bundle stores each variable's
// BundleEntryProto under its name: dtype = 1, shape = 2 {dim = 2 {size = 1}}.
constexpr std::size_t footerBytes = 48;
constexpr std::string_view magic("\x57\xfb\x80\x8b\x24\x75\x47\xdb", 8);
constexpr std::size_t largestBlock = std::size_t{1} << 26;
constexpr std::size_t maxTensors = 10'000'000;
// An entry of a few bytes may repeat the name before it, so neither the file's size nor the unpacked bytes bound the names.
constexpr std::size_t maxNameBytes = 4096;
constexpr std::size_t maxNamesBytes = std::size_t{1} << 28; ///< of all names

Unexpected damaged(const char *what, std::size_t at) {
    return fail(what, "copy the checkpoint's .index file again, whole", {}, fmt::format("byte {}", at));
}

/// The content of the block at `offset`, decompressed.
Result<std::string> block(std::string_view file, std::uint64_t offset, std::uint64_t size) {
    if (offset > file.size() || size > file.size() - offset || file.size() - offset - size < 5)
        return damaged("a block lies outside the file", static_cast<std::size_t>(std::min<std::uint64_t>(offset, file.size())));
    const auto at = static_cast<std::size_t>(offset), length = static_cast<std::size_t>(size);
    const std::string_view packed = file.substr(at, length);
    switch (file[at + length]) {
    case 0:
        return std::string(packed);
    case 1: {
        std::size_t whole = 0;
        std::string text;
        if (!snappy::GetUncompressedLength(packed.data(), packed.size(), &whole) || whole > largestBlock ||
            !snappy::Uncompress(packed.data(), packed.size(), &text))
            return damaged("a block's Snappy data is damaged", at);
        return text;
    }
    default:
        return damaged("a block is packed in an unknown way", at + length);
    }
}

/// Calls take(key, value) for each entry of a block; `place` is the block's offset in the file.
template <class Take> Result<void> entries(std::string_view text, std::size_t place, Take &&take) {
    if (text.size() < 4)
        return damaged("a block is too short", place);
    std::uint32_t restarts = 0;
    std::memcpy(&restarts, text.data() + text.size() - 4, 4);
    if (restarts > (text.size() - 4) / 4)
        return damaged("a block's restart points do not fit into it", place);
    const std::string_view body = text.substr(0, text.size() - 4 - std::size_t{restarts} * 4);
    std::string key;
    for (std::size_t at = 0; at < body.size();) {
        std::uint64_t shared = 0, own = 0, length = 0;
        if (!takeVarint(body, at, shared) || !takeVarint(body, at, own) || !takeVarint(body, at, length) || shared > key.size() ||
            own > body.size() - at || length > body.size() - at - own)
            return damaged("an entry reaches beyond its block", place);
        if (shared + own > maxNameBytes)
            return damaged("a name is longer than any variable's", place);
        key.resize(static_cast<std::size_t>(shared));
        key.append(body.substr(at, static_cast<std::size_t>(own)));
        at += static_cast<std::size_t>(own);
        TRY(take(key, body.substr(at, static_cast<std::size_t>(length))));
        at += static_cast<std::size_t>(length);
    }
    return {};
}

/// Converts TensorFlow's DataType (types.proto); returns false if it is not a floating-point type.
bool checkpointRealType(std::uint64_t type, DataType &ours) {
    switch (type) {
    case 1:
        ours = DataType::Float32;
        return true;
    case 2:
        ours = DataType::Float64;
        return true;
    case 14:
        ours = DataType::BFloat16;
        return true;
    case 19:
        ours = DataType::Float16;
        return true;
    default:
        ours = type == 9 ? DataType::Int64 : type == 3 ? DataType::Int32 : type == 5 ? DataType::Int16 : DataType::Int8;
        return false;
    }
}

Unexpected damagedEntry(const std::string &name, std::string_view why) {
    return fail(fmt::format("the entry of '{}' is damaged: {}", name, why), "copy the checkpoint's .index file again, whole");
}

Result<void> readEntry(std::string name, std::string_view value, VariableList &list) {
    // A source would unpack gzip data, whose first byte is no field of this message: an entry could be of any length.
    if (value.starts_with("\x1f\x8b"))
        return damagedEntry(name, "a field has an unknown wire type: this is not such a message");
    const auto source = ByteSource::fromMemory(value);
    ProtoStream in(*source, {});
    Variable variable;
    std::uint64_t type = 0;
    bool unknownRank = false;
    using Field = ProtoStream::Field;
    const auto walked = in.forEachField([&](const Field &field) -> Result<void> {
        if (field.number == 1)
            type = field.value;
        if (field.number != 2 || field.kind != ProtoStream::Kind::Bytes)
            return {};
        return in.forEachFieldInside([&](const Field &shape) -> Result<void> {
            unknownRank |= shape.number == 3 && shape.value != 0;
            if (shape.number != 2 || shape.kind != ProtoStream::Kind::Bytes)
                return {};
            std::int64_t size = 0;
            const auto dim = in.forEachFieldInside([&](const Field &d) -> Result<void> {
                if (d.number == 1)
                    size = static_cast<std::int64_t>(d.value);
                return {};
            });
            variable.shape.push_back(size);
            return dim;
        });
    });
    if (!walked)
        return damagedEntry(name, walked.error().what);
    const std::string_view ending = "/.ATTRIBUTES/VARIABLE_VALUE";
    if (name.ends_with(ending))
        name.resize(name.size() - ending.size());
    variable.name = std::move(name);
    const bool real = checkpointRealType(type, variable.dtype) && !unknownRank;
    addTensor(list, std::move(variable), real);
    return {};
}

/// Bytes of the blocks read so far, and their number of entries.
struct ReadBytes {
    std::uint64_t unpacked = 0, names = 0, entries = 0;
};

/// Reads the tensors of a block into `list`, and adds its bytes to those read before.
Result<void> readBlock(std::string_view tables, std::uint64_t offset, std::uint64_t size, ReadBytes &bytes, VariableList &list,
                       const std::stop_token &stop) {
    const auto content = TRY(block(tables, offset, size));
    bytes.unpacked += content.size();
    if (bytes.unpacked > std::uint64_t{1} << 31) // handles may all name the same block
        return damaged("the blocks are larger than any checkpoint's", static_cast<std::size_t>(offset));
    return entries(content, static_cast<std::size_t>(offset),
                   [&](const std::string &key, std::string_view value) -> Result<void> {
                       if (bytes.entries++ % 1024 == 0 && stop.stop_requested())
                           return cancelled();
                       // The header of the bundle, or a slice (saved_tensor_slice_util.cc: the keys of slices begin
                       // with 0) of a partitioned variable, which has an entry of its own.
                       if (key.empty() || key.front() == '\0')
                           return {};
                       bytes.names += key.size();
                       if (bytes.names > maxNamesBytes)
                           return damaged("the names are longer than any checkpoint's", static_cast<std::size_t>(offset));
                       if (list.variables.size() + list.leftOut.size() >= maxTensors)
                           return fail("there are too many variables in it", "give a checkpoint of one model");
                       return readEntry(key, value, list);
                   });
}

} // namespace

Result<VariableList> readCheckpointIndex(std::string_view file, const std::stop_token &stop) {
    if (file.size() < footerBytes || !file.ends_with(magic))
        return fail("this does not end as a checkpoint's index does", "give the .index file of a TensorFlow checkpoint", {},
                    fmt::format("byte {}", file.size()));
    const std::size_t footer = file.size() - footerBytes;
    std::size_t at = footer;
    std::uint64_t handle[4] = {};
    for (std::uint64_t &number : handle) {
        if (!takeVarint(file, at, number))
            return damaged("the footer is damaged", at);
    }
    const std::string_view tables = file.substr(0, footer);
    const auto index = TRY(block(tables, handle[2], handle[3]));
    VariableList list;
    list.format = "TensorFlow checkpoint index";
    list.sorted = true;
    ReadBytes bytes;
    TRY(entries(index, static_cast<std::size_t>(handle[2]), [&](const std::string &, std::string_view place) -> Result<void> {
        std::size_t in = 0;
        std::uint64_t offset = 0, size = 0;
        if (!takeVarint(place, in, offset) || !takeVarint(place, in, size))
            return damaged("an entry of the index is damaged", static_cast<std::size_t>(handle[2]));
        return readBlock(tables, offset, size, bytes, list, stop);
    }));
    return list;
}

} // namespace syncopate
