// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/archive.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <vector>

namespace syncopate {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxFiles = 100'000; ///< of a folder or an archive
constexpr int deepestFolder = 8;
constexpr std::size_t blockSize = std::size_t{1} << 18;

bool passedOver(const std::string &name) {
    for (const fs::path &piece : fs::path(name)) {
        const std::string text = piece.string();
        if ((text.size() > 1 && text.front() == '.' && text != "..") || text == "__MACOSX")
            return true;
    }
    return false;
}

struct Reader {
    std::unique_ptr<ByteSource> source;
    std::stop_token stop;
    std::vector<char> block = std::vector<char>(blockSize);
    Error error; ///< error of the source; libarchive only carries texts
    bool failed = false;
};

la_ssize_t readBlock(archive *a, void *data, const void **buffer) {
    auto &reader = *static_cast<Reader *>(data);
    *buffer = reader.block.data();
    Result<std::size_t> got = reader.stop.stop_requested() ? Result<std::size_t>(cancelled())
                                                           : reader.source->read(reader.block.data(), reader.block.size());
    if (got)
        return static_cast<la_ssize_t>(*got);
    reader.error = got.error();
    reader.failed = true;
    archive_set_error(a, EIO, "the source failed");
    return -1;
}

Unexpected archiveError(archive *a, const Reader &reader) {
    if (reader.failed)
        return Unexpected(reader.error);
    const char *const why = archive_error_string(a);
    return fail(fmt::format("the archive is damaged or cut off ({})", why ? why : "unknown reason"),
                "make or copy the archive again, or unpack it and give the folder", {},
                fmt::format("byte {}", archive_filter_bytes(a, -1)));
}

/// The data of libarchive's current member.
class Member final : public ByteSource {
public:
    Member(archive *a, const Reader &reader) : m_archive(a), m_reader(reader), m_from(reader.source->stored().read) {}
    Result<std::size_t> read(char *into, std::size_t size) override {
        const la_ssize_t got = archive_read_data(m_archive, into, size);
        if (got < 0)
            return archiveError(m_archive, m_reader);
        return static_cast<std::size_t>(got);
    }
    bool isCompressed() const override { return false; }
    /// Bytes read of the archive since this member began, which are whole blocks. No size: other members follow.
    Stored stored() const override { return {m_reader.source->stored().read - m_from + blockSize, 0}; }

private:
    archive *m_archive;
    const Reader &m_reader;
    const std::uint64_t m_from;
};

struct ArchiveCloser {
    void operator()(archive *a) const { archive_read_free(a); }
};

/// The files of a folder, sorted by name, or the file itself.
Result<std::vector<std::string>> filesOf(const std::string &path) {
    std::error_code status;
    if (!fs::is_directory(path, status))
        return std::vector<std::string>{path};
    std::vector<std::string> files;
    for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, status);
         !status && entry != fs::recursive_directory_iterator(); entry.increment(status)) {
        std::error_code unknown;
        const bool hidden = passedOver(entry->path().filename().string());
        if (entry->is_directory(unknown) && (hidden || entry.depth() >= deepestFolder))
            entry.disable_recursion_pending();
        else if (!hidden && entry->is_regular_file(unknown))
            files.push_back(entry->path().string());
        if (files.size() > maxFiles)
            return fail(fmt::format("this folder holds more than {} files", maxFiles), "name the folder with the traces only",
                        path);
    }
    if (status)
        return fail(fmt::format("the folder cannot be read: {}", status.message()), "check its permissions", path);
    std::sort(files.begin(), files.end());
    return files;
}

/// Visits a single file, or each member of an archive.
Result<Walk> walkFile(std::unique_ptr<ByteSource> source, const std::string &file, const TakePart &take,
                      const std::stop_token &stop) {
    auto text = TRY(ByteSource::unpack(std::move(source)));
    auto head = TRY(readHead(*text, 512));
    const bool isArchive = looksLikeArchive(head);
    text = ByteSource::putBack(std::move(head), std::move(text));
    return isArchive ? forEachMember(std::move(text), file, take, stop) : take(file, std::move(text));
}

} // namespace

bool looksLikeArchive(std::string_view head) {
    return head.starts_with("PK\x03\x04") || (head.size() > 262 && head.substr(257, 5) == "ustar");
}

Result<Walk> forEachMember(std::unique_ptr<ByteSource> source, const std::string &name, const TakePart &take,
                           std::stop_token stop) {
    Reader reader;
    reader.source = std::move(source);
    reader.stop = std::move(stop);
    const std::unique_ptr<archive, ArchiveCloser> a(archive_read_new());
    if (!a)
        return fail("not enough memory to read the archive", "close other programs and try again", name);
    archive_read_support_format_tar(a.get());
    archive_read_support_format_zip_streamable(a.get());
    if (archive_read_open(a.get(), &reader, nullptr, readBlock, nullptr) != ARCHIVE_OK)
        return Unexpected(inFile(archiveError(a.get(), reader).value(), name));
    for (std::size_t number = 0;; ++number) {
        archive_entry *entry = nullptr;
        const int status = archive_read_next_header(a.get(), &entry);
        if (status == ARCHIVE_EOF)
            return Walk::Continue;
        if (status < ARCHIVE_WARN)
            return Unexpected(inFile(archiveError(a.get(), reader).value(), name));
        if (number >= maxFiles)
            return fail(fmt::format("this archive holds more than {} files", maxFiles), "unpack it and give a folder", name);
        const char *const utf8 = archive_entry_pathname_utf8(entry), *const raw = archive_entry_pathname(entry);
        const std::string member = utf8 ? utf8 : raw ? raw : fmt::format("member {}", number);
        if (archive_entry_filetype(entry) != AE_IFREG || passedOver(member))
            continue;
        const std::string part = fmt::format("{}:{}", name, member);
        if (TRY(inFile(take(part, std::make_unique<Member>(a.get(), reader)), part)) == Walk::Stop)
            return Walk::Stop;
    }
}

Result<void> forEachPart(const std::string &path, const TakePart &take, const std::stop_token &stop, Progress *progress,
                         std::uint64_t before) {
    const auto files = TRY(filesOf(path));
    for (const std::string &file : files) {
        if (stop.stop_requested())
            return cancelled(path);
        auto source = TRY(ByteSource::openPart(file, progress, before));
        if (TRY(inFile(walkFile(std::move(source), file, take, stop), file)) == Walk::Stop)
            return {};
        std::error_code status;
        const std::uint64_t size = fs::file_size(file, status);
        before += status ? 0 : size;
        if (progress) // includes bytes that were not read: files passed over, or bytes after an archive's end
            progress->done.store(before, std::memory_order_relaxed);
    }
    return {};
}

std::uint64_t sizeOfParts(const std::string &path) {
    const auto files = filesOf(path);
    std::uint64_t size = 0;
    for (const std::string &file : files ? *files : std::vector<std::string>()) {
        std::error_code status;
        const std::uint64_t bytes = fs::file_size(file, status);
        size += status ? 0 : bytes;
    }
    return size;
}

} // namespace syncopate
