// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include "engine/base/units.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace syncopate::cli {

void print(const std::string &text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Outcome save(const Common &common, const std::string &path, std::string_view bytes) {
    return save(common, path, [bytes](const TextSink &sink) { return sink(bytes); });
}

Outcome save(const Common &common, const std::string &path, const TextSource &text) {
    std::size_t bytes = 0;
    const auto written = writeFile(path, [&](const TextSink &sink) {
        return text([&](std::string_view piece) {
            bytes += piece.size();
            return sink(piece);
        });
    });
    if (!written)
        return failedRunning(written.error());
    if (!common.json && !common.quiet)
        print(fmt::format("wrote {} ({})\n", path, formatBytes(static_cast<double>(bytes))));
    return {};
}

void sayWrote(const Common &common, const std::string &path) {
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(path, unknown);
    if (!common.json && !common.quiet && !unknown)
        print(fmt::format("wrote {} ({})\n", path, formatBytes(static_cast<double>(bytes))));
}

} // namespace syncopate::cli
