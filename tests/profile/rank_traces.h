// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/files.h"
#include "tests/profile/tiny_trace.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <string>
#include <vector>

/// Synthetic ranks of one job with known answers: tiny::trace() with a clock offset and delay per rank.
namespace ranks {

struct Rank {
    int rank = 0, world = 2;
    double clock = 0; ///< microseconds by which its clock is ahead
    double late = 0;  ///< its first all-reduce begins this much later and ends together with the others'
    int elements = 2; ///< of the first all-reduce
    std::string step = "ProfilerStep#4";
    std::string group = "[0, 1]";
    std::string more;   ///< further events
    bool named = true;  ///< distributedInfo states the rank
    bool extra = false; ///< one collective more than the other ranks
    long long base = 0; ///< baseTimeNanoseconds
};

inline std::string trace(const Rank &r) {
    tiny::Spelling s;
    s.base = 1000 + r.clock;
    s.step = false;
    std::string events = tiny::events(s);
    const auto group = [&](const std::string &text) {
        return tiny::replaced(
            text, "\"Group size\": 2",
            fmt::format("\"Group size\": {}, \"Process Group Name\": \"0\", \"Process Group Ranks\": \"{}\"", r.world, r.group));
    };
    // The first all-reduce lasts 40 us; a late rank waits less in it.
    events =
        tiny::replaced(events, tiny::collective(s, 350, 40, 6, 2), tiny::collective(s, 350 + r.late, 40 - r.late, 6, r.elements));
    if (r.extra)
        events += ",\n" + tiny::collective(s, 476, 2, 7, 2);
    events = group(events);
    events += ",\n" + tiny::host(s, s.annotation, s.mainThread, r.step, 0, 400, "");
    if (!r.more.empty())
        events += ",\n" + r.more;
    const std::string info = r.named
                                 ? fmt::format(R"("backend": "nccl", "rank": {}, "world_size": {}, "pg_config": [{{"pg_name": "0",
        "pg_size": {}, "ranks": {}}}])",
                                               r.rank, r.world, r.world, r.group)
                                 : std::string("\"backend\": \"nccl\"");
    return fmt::format(R"({{"traceEvents": [{}], "distributedInfo": {{{}}}, "baseTimeNanoseconds": {}}})", events, info, r.base);
}

/// One of two ranks whose first forward op takes `extra` microseconds longer; `most` for the slower one.
inline std::string straggler(int rank, double extra, double most) {
    const tiny::Spelling s;
    const auto moved = [&](std::string events, const std::string &from, const std::string &to) {
        return tiny::replaced(std::move(events), from, to);
    };
    std::string events = tiny::events(s);
    const auto kernel = [&](const char *name, double at, double length, double newAt, double newLength, int correlation) {
        events = moved(events, tiny::device(s, s.stream, name, at, length, correlation),
                       tiny::device(s, s.stream, name, newAt, newLength, correlation));
    };
    kernel("void conv<float>(float const*, \\\"q\\\")", 100, 100, 100, 100 + extra, 1);
    kernel("norm", 200, 50, 200 + extra, 50, 2);
    kernel("norm_backward", 280, 60, 280 + extra, 60, 3);
    kernel("conv_backward", 340, 120, 340 + extra, 120, 4);
    kernel("sgd", 480, 10, 480 + most, 10, 5);
    events = moved(events, tiny::collective(s, 350, 40, 6, 2), tiny::collective(s, 350 + extra, 40 + most - extra, 6, 2));
    events = moved(events, tiny::collective(s, 460, 15, 7, 6), tiny::collective(s, 460 + extra, 15 + most - extra, 7, 6));
    return fmt::format(R"({{"traceEvents": [{}], "distributedInfo": {{"backend": "nccl", "rank": {}, "world_size": 2}}}})",
                       events, rank);
}

inline void write(const QString &path, const std::string &bytes) { syncopate::testing::writeFile(path, bytes); }

/// A tar archive (POSIX ustar) of (name, content) pairs.
inline std::string tar(const std::vector<std::pair<std::string, std::string>> &files) {
    std::string all;
    for (const auto &[name, content] : files) {
        std::string header(512, '\0');
        const auto put = [&](std::size_t at, const std::string &text) { std::ranges::copy(text, header.begin() + at); };
        put(0, name);
        put(100, "0000644");
        put(108, "0000000");
        put(116, "0000000");
        put(124, fmt::format("{:011o}", content.size()));
        put(136, "00000000000");
        put(148, "        ");
        put(156, "0");
        put(257, std::string("ustar\0"
                             "00",
                             8));
        unsigned sum = 0;
        for (const char c : header)
            sum += static_cast<unsigned char>(c);
        put(148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
        all += header + content + std::string((512 - content.size() % 512) % 512, '\0');
    }
    return all + std::string(1024, '\0');
}

/// A zip archive of (name, content) pairs, every second one deflated.
inline std::string zip(const std::vector<std::pair<std::string, std::string>> &files) {
    const auto number = [](std::uint64_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text += static_cast<char>(value >> (8 * i) & 0xff);
        return text;
    };
    std::string all, directory;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto &[name, content] = files[i];
        std::string data = content;
        if (i % 2 == 1) { // zip's deflated data is gzip's without header and trailer
            const std::string packed = tiny::gzip(content);
            data = packed.substr(10, packed.size() - 18);
        }
        const auto crc = crc32(0, reinterpret_cast<const Bytef *>(content.data()), static_cast<uInt>(content.size()));
        const std::string common = number(20, 2) + number(0, 2) + number(i % 2 == 1 ? 8 : 0, 2) + number(0, 4) + number(crc, 4) +
                                   number(data.size(), 4) + number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
        directory += "PK\x01\x02" + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) +
                     number(all.size(), 4) + name;
        all += "PK\x03\x04" + common + name + data;
    }
    const std::string end = "PK\x05\x06" + number(0, 4) + number(files.size(), 2) + number(files.size(), 2) +
                            number(directory.size(), 4) + number(all.size(), 4) + number(0, 2);
    return all + directory + end;
}

} // namespace ranks
