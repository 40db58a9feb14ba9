// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/byte_source.h"
#include "engine/parse/read_ahead.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <vector>
#include <zlib.h>

namespace syncopate {

namespace {

struct FileCloser {
    void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

class PlainFile final : public ByteSource {
public:
    PlainFile(File file, std::uint64_t size, Progress *progress, std::uint64_t before = 0)
        : m_file(std::move(file)), m_size(size), m_progress(progress), m_before(before) {}
    Result<std::size_t> read(char *into, std::size_t size) override {
        const std::size_t got = std::fread(into, 1, size, m_file.get());
        if (got < size && std::ferror(m_file.get()))
            return fail(fmt::format("the file cannot be read: {}", std::strerror(errno)), "check the disk and its permissions",
                        {}, fmt::format("byte {}", m_read.load()));
        m_read += got;
        if (m_progress)
            m_progress->done.store(m_before + m_read, std::memory_order_relaxed);
        return got;
    }
    bool isCompressed() const override { return false; }
    Stored stored() const override { return {m_read.load(std::memory_order_relaxed), m_size}; }

private:
    File m_file;
    const std::uint64_t m_size;
    Progress *m_progress;
    std::uint64_t m_before;
    std::atomic<std::uint64_t> m_read = 0; ///< may be polled while another thread reads ahead
};

/// Text that was read already, followed by the rest of the source that it came from.
class PutBack final : public ByteSource {
public:
    PutBack(std::string head, std::unique_ptr<ByteSource> rest) : m_head(std::move(head)), m_rest(std::move(rest)) {}
    Result<std::size_t> read(char *into, std::size_t size) override {
        if (m_at == m_head.size())
            return m_rest->read(into, size);
        const std::size_t got = std::min(size, m_head.size() - m_at);
        std::memcpy(into, m_head.data() + m_at, got);
        m_at += got;
        if (got == size)
            return got;
        const auto more = m_rest->read(into + got, size - got);
        return more ? Result<std::size_t>(got + *more) : more;
    }
    bool isCompressed() const override { return m_rest->isCompressed(); }
    Stored stored() const override { return m_rest->stored(); }

private:
    std::string m_head;
    std::unique_ptr<ByteSource> m_rest;
    std::size_t m_at = 0;
};

class Memory final : public ByteSource {
public:
    explicit Memory(std::string_view bytes) : m_size(bytes.size()), m_left(bytes.size()), m_rest(bytes) {}
    Result<std::size_t> read(char *into, std::size_t size) override {
        const std::size_t got = std::min(size, m_rest.size());
        if (got > 0)
            std::memcpy(into, m_rest.data(), got);
        m_rest.remove_prefix(got);
        m_left.store(m_rest.size(), std::memory_order_relaxed);
        return got;
    }
    bool isCompressed() const override { return false; }
    Stored stored() const override { return {m_size - m_left.load(std::memory_order_relaxed), m_size}; }

private:
    const std::uint64_t m_size;
    std::atomic<std::uint64_t> m_left; ///< may be polled while another thread reads ahead
    std::string_view m_rest;
};

/// Inflates gzip data (RFC 1952), including several consecutive members, as gzip(1) does.
class Gunzip final : public ByteSource {
public:
    explicit Gunzip(std::unique_ptr<ByteSource> packed) : m_packed(std::move(packed)), m_input(std::size_t{1} << 18) {
        m_usable = inflateInit2(&m_stream, 15 + 16) == Z_OK;
    }
    ~Gunzip() override {
        if (m_usable)
            inflateEnd(&m_stream);
    }
    Gunzip(const Gunzip &) = delete;
    Gunzip &operator=(const Gunzip &) = delete;

    Result<std::size_t> read(char *into, std::size_t size) override {
        if (!m_usable)
            return fail("not enough memory to decompress", "close other programs and try again");
        size = std::min<std::size_t>(size, std::size_t{1} << 30); // zlib counts in 32 bits
        m_stream.next_out = reinterpret_cast<Bytef *>(into);
        m_stream.avail_out = static_cast<uInt>(size);
        while (m_stream.avail_out > 0 && !m_finished) {
            const bool isEnd = m_stream.avail_in == 0 && !TRY(fill());
            if (isEnd && !m_betweenMembers)
                return fail("the gzip data is cut off", "export or copy the trace again, whole", {}, place());
            // Padding after the last member is not data: gzip(1) ignores it too.
            m_finished = isEnd || (m_betweenMembers && *m_stream.next_in != 0x1f);
            if (m_finished)
                break;
            if (m_betweenMembers)
                inflateReset(&m_stream);
            m_betweenMembers = false;
            const int status = inflate(&m_stream, Z_NO_FLUSH);
            if (status == Z_STREAM_END)
                m_betweenMembers = true;
            else if (status == Z_MEM_ERROR)
                return fail("not enough memory to decompress", "close other programs and try again", {}, place());
            else if (status != Z_OK && status != Z_BUF_ERROR)
                return fail(fmt::format("the gzip data is damaged ({})", m_stream.msg ? m_stream.msg : "unknown reason"),
                            "export or copy the trace again", {}, place());
        }
        return size - m_stream.avail_out;
    }
    bool isCompressed() const override { return true; }
    /// Progress in the compressed file: input that still waits to be inflated counts as read.
    Stored stored() const override { return {m_consumed.load(std::memory_order_relaxed), m_packed->stored().size}; }

private:
    Result<bool> fill() {
        const auto got = TRY(m_packed->read(reinterpret_cast<char *>(m_input.data()), m_input.size()));
        m_consumed += got;
        m_stream.next_in = m_input.data();
        m_stream.avail_in = static_cast<uInt>(got);
        return got > 0;
    }
    [[nodiscard]] std::string place() const { return fmt::format("byte {}", m_consumed.load() - m_stream.avail_in); }

    std::unique_ptr<ByteSource> m_packed;
    std::vector<Bytef> m_input;
    z_stream m_stream{};
    std::atomic<std::uint64_t> m_consumed = 0; ///< may be polled while another thread reads ahead
    bool m_usable = false;
    bool m_betweenMembers = false;
    bool m_finished = false;
};

bool isGzip(std::string_view head) { return head.size() >= 2 && head[0] == '\x1f' && head[1] == '\x8b'; }

} // namespace

namespace {

Result<File> openRegular(const std::string &path) {
    std::error_code status;
    const auto kind = std::filesystem::status(path, status).type();
    if (kind == std::filesystem::file_type::not_found)
        return fail("there is no such file", "check the path", path);
    if (kind == std::filesystem::file_type::directory)
        return fail("this is a folder", "name a file in it", path);
    if (kind != std::filesystem::file_type::regular)
        return fail("this is not a regular file", "copy the content to a file first", path);
    File file(std::fopen(path.c_str(), "rb"));
    if (!file)
        return fail(fmt::format("the file cannot be opened: {}", std::strerror(errno)), "check its permissions", path);
    return file;
}

/// Size of the file in bytes; 0 if unknown.
std::uint64_t sizeOf(const std::string &path) {
    std::error_code status;
    const std::uint64_t size = std::filesystem::file_size(path, status);
    return status ? 0 : size;
}

} // namespace

Result<std::unique_ptr<ByteSource>> ByteSource::openFile(const std::string &path, Progress *progress) {
    auto file = TRY(openRegular(path));
    const std::uint64_t size = sizeOf(path);
    if (progress) {
        progress->done = 0;
        progress->total = size;
    }
    return unpack(std::make_unique<PlainFile>(std::move(file), size, progress));
}

Result<std::unique_ptr<ByteSource>> ByteSource::openPart(const std::string &path, Progress *progress, std::uint64_t before) {
    auto file = TRY(openRegular(path));
    return std::make_unique<PlainFile>(std::move(file), sizeOf(path), progress, before);
}

Result<std::unique_ptr<ByteSource>> ByteSource::unpack(std::unique_ptr<ByteSource> packed) {
    auto head = TRY(readHead(*packed, 2));
    const bool gzip = isGzip(head);
    std::unique_ptr<ByteSource> source = std::make_unique<PutBack>(std::move(head), std::move(packed));
    if (gzip)
        source = readAhead(std::make_unique<Gunzip>(std::move(source)));
    return source;
}

std::unique_ptr<ByteSource> ByteSource::putBack(std::string head, std::unique_ptr<ByteSource> rest) {
    return std::make_unique<PutBack>(std::move(head), std::move(rest));
}

std::unique_ptr<ByteSource> ByteSource::fromMemory(std::string_view bytes) {
    std::unique_ptr<ByteSource> source = std::make_unique<Memory>(bytes);
    if (isGzip(bytes))
        source = readAhead(std::make_unique<Gunzip>(std::move(source)));
    return source;
}

Result<std::string> readHead(ByteSource &source, std::size_t size) {
    constexpr std::size_t first = std::size_t{1} << 20;
    std::string head;
    std::size_t filled = 0;
    while (filled < size) {
        if (filled == head.size()) // grows with the text: `size` may be a limit that few files come near
            head.resize(std::min(size, std::max(first, 2 * filled)));
        const auto got = TRY(source.read(head.data() + filled, head.size() - filled));
        if (got == 0)
            break;
        filled += got;
    }
    head.resize(filled);
    return head;
}

Result<std::string> readTextHead(const std::string &path, std::size_t size) {
    auto source = TRY(ByteSource::openFile(path));
    auto head = TRY(inFile(readHead(*source, size), path));
    return head;
}

} // namespace syncopate
