// SPDX-License-Identifier: GPL-3.0-or-later
// Tools for Chakra traces take a file for each rank, NAME.RANK.et. They are written as one archive, so that an export stays one
// file, complete or absent. The format is ustar (POSIX.1-2001, pax): a block of 512 bytes for a member's name and size, its
// bytes, filled up to a block, and two empty blocks at the end.
#include "engine/base/units.h"
#include "engine/export/plan_export.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <numeric>

namespace syncopate {

namespace {

constexpr std::size_t tarBlock = 512, tarMaxBytes = std::size_t{1} << 30;
constexpr std::size_t tarNameBytes = 80; ///< of 100; the rest is for rank and suffix

void putTarField(std::string &header, std::size_t at, const std::string &text) { header.replace(at, text.size(), text); }

/// Appends a regular file. All members have the same date, so that the same plan gives the same bytes.
void addTarMember(std::string &tar, const std::string &name, const std::string &bytes) {
    std::string header(tarBlock, '\0');
    putTarField(header, 0, name);
    putTarField(header, 100, "0000644");
    putTarField(header, 108, "0000000"); // owner, group
    putTarField(header, 116, "0000000");
    putTarField(header, 124, fmt::format("{:011o}", bytes.size()));
    putTarField(header, 136, fmt::format("{:011o}", 0)); // date
    putTarField(header, 148, "        ");                // the checksum counts as blanks
    header[156] = '0';
    putTarField(header, 257, "ustar");
    putTarField(header, 263, "00");
    const auto sum = std::accumulate(header.begin(), header.end(), 0U,
                                     [](unsigned total, char byte) { return total + static_cast<unsigned char>(byte); });
    putTarField(header, 148, fmt::format("{:06o}", sum));
    header[154] = '\0';
    tar += header;
    tar += bytes;
    tar.resize((tar.size() + tarBlock - 1) / tarBlock * tarBlock);
}

} // namespace

Result<std::string> writeChakraArchive(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs,
                                       const std::stop_token &stop) {
    std::string name = dag.name.substr(0, tarNameBytes);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '_');
    std::string tar;
    for (ProcessId process(0); process.number() < dag.processes; process = process.next()) {
        if (stop.stop_requested())
            return cancelled();
        const std::string trace = TRY(writeChakra(plan, dag, costs, process));
        if (tar.size() + trace.size() > tarMaxBytes ||
            (process.number() == 0 && trace.size() > tarMaxBytes / static_cast<std::size_t>(dag.processes)))
            return fail(fmt::format("traces of {} processes are more than {}", dag.processes,
                                    formatBytes(static_cast<double>(tarMaxBytes))),
                        "export the trace of process 0 as chakra; the others differ in the peers of permutes and trees");
        if (process.number() == 0) // the others' are about as long; without this, growing copies up to a GiB
            tar.reserve(static_cast<std::size_t>(dag.processes) * (trace.size() + 2 * tarBlock) + 2 * tarBlock);
        addTarMember(tar, fmt::format("{}.{}.et", name, process.number()), trace);
    }
    tar.append(2 * tarBlock, '\0');
    return tar;
}

} // namespace syncopate
