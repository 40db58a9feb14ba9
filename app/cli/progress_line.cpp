// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace syncopate::cli {

namespace {

constexpr const char *clearLine = "\r\033[K";

void draw(const std::string &text) {
    std::fprintf(stderr, "%s%s", clearLine, text.c_str());
    std::fflush(stderr);
}

} // namespace

ProgressLine::ProgressLine(const Common &common, std::string what, std::string units, const Progress &progress) {
    if (common.quiet || ::isatty(STDERR_FILENO) == 0)
        return;
    m_drawer = std::jthread([what = std::move(what), units = std::move(units), &progress](const std::stop_token &stop) {
        using Clock = std::chrono::steady_clock;
        constexpr auto interval = std::chrono::milliseconds(250);
        const auto begin = Clock::now();
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        do {
            const std::uint64_t done = progress.done, total = progress.total;
            const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
            std::string text = fmt::format("{}: {}", what, done);
            if (total > 0)
                text += fmt::format(" of {}", total);
            text += fmt::format(" {}, {:.0f} s", units, seconds);
            if (done > 0 && total > done)
                text +=
                    fmt::format(", about {:.0f} s left", seconds * static_cast<double>(total - done) / static_cast<double>(done));
            draw(text);
        } while (!stopped.wait_for(lock, stop, interval, [&stop] { return stop.stop_requested(); }));
        draw({});
    });
}

ProgressLine::~ProgressLine() = default; // stops and joins the thread

} // namespace syncopate::cli
