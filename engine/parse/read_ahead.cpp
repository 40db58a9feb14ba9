// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace syncopate {

namespace {

constexpr std::size_t readAheadBytes = std::size_t{1} << 20;
constexpr std::size_t blocksAhead = 3;

class ReadAhead final : public ByteSource {
public:
    explicit ReadAhead(std::unique_ptr<ByteSource> source) : m_source(std::move(source)) {}

    Result<std::size_t> read(char *into, std::size_t size) override {
        if (!m_reader.joinable()) {
            if (m_direct < readAheadBytes) {
                const auto got = m_source->read(into, size);
                m_direct += got.value_or(0);
                return got;
            }
            m_reader = std::jthread([this](const std::stop_token &stop) { readBlocks(stop); });
        }
        std::size_t filled = 0;
        while (filled < size && !(m_at == m_text.size() && m_last)) {
            if (m_at == m_text.size()) {
                auto block = takeBlock();
                m_last = !block || block->size() < readAheadBytes;
                if (!block)
                    m_error = std::move(block.error());
                m_text = block ? std::move(*block) : std::string();
                m_at = 0;
            }
            const std::size_t taken = std::min(size - filled, m_text.size() - m_at);
            std::memcpy(into + filled, m_text.data() + m_at, taken);
            filled += taken;
            m_at += taken;
        }
        if (filled == 0 && m_error)
            return Unexpected(*m_error);
        return filled;
    }
    bool isCompressed() const override { return m_source->isCompressed(); }
    Stored stored() const override { return m_source->stored(); }

private:
    /// Only the last block is shorter than the others.
    Result<std::string> takeBlock() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return !m_blocks.empty(); });
        auto block = std::move(m_blocks.front());
        m_blocks.pop_front();
        m_changed.notify_all();
        return block;
    }
    void readBlocks(const std::stop_token &stop) {
        for (bool last = false; !last;) {
            auto block = readHead(*m_source, readAheadBytes);
            last = !block || block->size() < readAheadBytes;
            std::unique_lock lock(m_mutex);
            if (!m_changed.wait(lock, stop, [this] { return m_blocks.size() < blocksAhead; }))
                return;
            m_blocks.push_back(std::move(block));
            m_changed.notify_all();
        }
    }

    std::unique_ptr<ByteSource> m_source; // used by the thread once it runs
    std::size_t m_direct = 0;             // bytes read without the thread
    std::string m_text;
    std::size_t m_at = 0;
    std::optional<Error> m_error;
    bool m_last = false;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Result<std::string>> m_blocks;
    std::jthread m_reader; // last member: joined before the members it uses are destroyed
};

} // namespace

std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source) {
    return std::make_unique<ReadAhead>(std::move(source));
}

} // namespace syncopate
