// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/foreign_formats.h"

#include "engine/base/utf8.h"
#include "engine/parse/byte_source.h"
#include "engine/parse/proto_stream.h"
#include "engine/profile/chakra/chakra.h"
#include "engine/profile/foreign_texts.h"
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/perfetto/pftrace.h"
#include "engine/profile/ranks/rank_set.h"
#include "engine/profile/rocm/rocpd.h"
#include "engine/profile/xla/xplane.h"

#include <cstdint>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

/// XLA's profiler writes an XSpace: a list of planes in field 1, with their names near the beginning (tsl xplane.proto).
bool isXPlane(std::string_view text) {
    if (text.size() < 8 || text[0] != '\n')
        return false;
    const std::string_view name = text.substr(1, 48); // behind lengths that may be damaged
    for (const char *plane : {"/device:", "/host:", "Task Environment", "/job:"}) {
        if (name.find(plane) != std::string_view::npos)
            return true;
    }
    return false;
}

/// A Perfetto trace: a list of TracePackets in field 1 (perfetto trace.proto). Most of their fields have numbers that neither
/// XPlane nor Chakra's metadata use: timestamp 8, trusted_packet_sequence_id 10, track_event 11, timestamp_clock_id 58,
/// track_descriptor 60; compressed_packets 50, which may be the whole trace, and reach far beyond its beginning.
bool isPerfetto(std::string_view text) {
    std::size_t at = 1;
    std::uint64_t size = 0, tag = 0, value = 0;
    if (text.size() < 8 || text[0] != '\n' || !takeVarint(text, at, size) || size == 0)
        return false;
    const std::string_view packet = text.substr(at, size);
    for (std::size_t in = 0; in < packet.size();) {
        if (!takeVarint(packet, in, tag) || tag >> 3U == 0)
            return false;
        const std::uint64_t field = tag >> 3U;
        switch (tag & 7U) {
        case 0:
            if (!takeVarint(packet, in, value))
                return false;
            break;
        case 1:
            in += 8;
            break;
        case 2:
            if (!takeVarint(packet, in, value))
                return false;
            if (field == 50)
                return true;
            if (value > packet.size() - in)
                return false;
            in += value;
            break;
        case 5:
            in += 4;
            break;
        default:
            return false;
        }
        if (field == 8 || field == 10 || field == 11 || field == 58 || field == 60)
            return true;
    }
    return false;
}

/// Text workloads of ASTRA-sim 1 and SimAI: a kind of parallelism in capitals, then a line with only the number of layers.
bool isAstraWorkload(std::string_view text) {
    const auto lineFrom = [&](std::size_t from) {
        std::string_view line = text.substr(from, text.find('\n', from) - from);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        return line;
    };
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
        return false;
    const std::string_view first = lineFrom(0), second = lineFrom(end + 1);
    const std::string_view kind = first.substr(0, first.find_first_of(" \t"));
    bool known = kind.starts_with("HYBRID_") || kind.starts_with("DISTRIBUTED_");
    for (const char *word : {"DATA", "MODEL", "MICRO", "TRANSFORMER", "DLRM"})
        known |= kind == word;
    return known && !second.empty() && second.find_first_not_of("0123456789") == std::string_view::npos;
}

/// CSV written by rocprof and rocprofv3.
bool isRocprofTable(std::string_view text) {
    const std::string_view header = text.substr(0, text.find('\n'));
    const bool kernel =
        header.find("KernelName") != std::string_view::npos || header.find("Kernel_Name") != std::string_view::npos;
    return kernel && (header.find("gpu-id") != std::string_view::npos || header.find("Agent_Id") != std::string_view::npos ||
                      header.find("Dispatch_Id") != std::string_view::npos);
}

/// AutoDist's strategy.proto begins with the id, field 1: "20200601T080115M902347".
bool isStrategyProto(std::string_view text) {
    constexpr std::size_t idBytes = 22, dateBytes = 8, timeBytes = 6;
    if (text.size() < idBytes + 2 || text[0] != '\n' || text[1] != static_cast<char>(idBytes))
        return false;
    const std::string_view id = text.substr(2, idBytes);
    const auto isNumber = [](std::string_view digits) {
        return digits.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return id[dateBytes] == 'T' && id[dateBytes + 1 + timeBytes] == 'M' && isNumber(id.substr(0, dateBytes)) &&
           isNumber(id.substr(dateBytes + 1, timeBytes)) && isNumber(id.substr(dateBytes + timeBytes + 2));
}

/// Nsight Compute's reports begin with this magic.
bool isNsightCompute(std::string_view text) { return text.starts_with(std::string_view("NVR\0", 4)); }

constexpr ForeignFormat nsightCompute{"this is a report of Nsight Compute: counters of single kernels, without a step's order",
                                      "record the step with torch.profiler, or with nsys and nsys export --type sqlite"};

using Imported = Result<std::shared_ptr<const ImportedProfile>>;

Imported readRocpd(const std::string &path, const FileHead &head, const ImportOptions &options, std::stop_token stop,
                   Progress *progress) {
    if (head.compressed)
        return fail("this is a database of ROCm's profilers (rocpd) that is packed with gzip",
                    "unpack it (gunzip) and give the database", path);
    return importRocpd(path, options, std::move(stop), progress);
}

Imported readXPlane(const std::string &path, const FileHead &head, const ImportOptions &options, std::stop_token stop,
                    Progress *progress) {
    const auto source = TRY(openLimited(path, options, progress));
    return importXPlane(*source, path, head.text, std::move(stop));
}

Imported readPerfetto(const std::string &path, const FileHead &, const ImportOptions &options, std::stop_token stop,
                      Progress *progress) {
    const auto source = TRY(openLimited(path, options, progress));
    return importPerfetto(*source, path, std::move(stop));
}

} // namespace

const ForeignFormat *foreignFormatOf(const FileHead &head) {
    static constexpr ForeignFormat pickle{
        "this is a Python pickle, which would have to be executed",
        "write the step's timeline as JSON: timeline.Timeline(..).generate_chrome_trace_format()"};
    static constexpr ForeignFormat chakraJson{"this is a Chakra workload converted to JSON, which changes its field names",
                                              "give the .et file"};
    static constexpr ForeignFormat rocprof{"this is a rocprof trace: kernels without the framework's ops",
                                           "record with torch.profiler, activities CPU and CUDA"};
    static constexpr ForeignFormat rocpd{"this is a database of ROCm's profilers (rocpd): kernels without the framework's ops",
                                         "look at it in the explorer or with syncopate-cli query; to simulate, record with "
                                         "torch.profiler, activities CPU and CUDA (ROCm counts as CUDA there)",
                                         readRocpd};
    static constexpr ForeignFormat packedDatabase{"this is an SQLite database that is packed with gzip",
                                                  "unpack it (gunzip) and give the database"};
    static constexpr ForeignFormat xplane{
        "this is an XPlane profile of XLA's profiler (JAX, TensorFlow), which has no layers to simulate",
        "look at it in the explorer or with syncopate-cli query; to simulate, write a job file with the times of the layers, or "
        "record the model with torch.profiler or a TensorFlow timeline",
        readXPlane};
    static constexpr ForeignFormat perfetto{"this is a Perfetto trace (protobuf), which has no layers to simulate",
                                            "look at it in the explorer or with syncopate-cli query; to simulate, give the JSON "
                                            "trace that torch.profiler's export_chrome_trace wrote",
                                            readPerfetto};
    static constexpr ForeignFormat astra{
        "this is a workload of ASTRA-sim or SimAI: cycles and bytes of layers, written for a simulator, not measured",
        "write its layers, with their times in seconds, as a job file (docs/job-file.md), or give a profile"};
    if (const ForeignFormat *const other = foreignTextOf(head))
        return other;
    const std::string &text = head.text;
    if (text.size() > 2 && text[0] == '\x80' && (text[1] >= 2 && text[1] <= 5))
        return &pickle;
    if (text.find("\"workload_graph\"") != std::string::npos && text.find("\"traceEvents\"") == std::string::npos)
        return &chakraJson;
    if (text.find("\"rocprofiler-sdk-tool\"") != std::string::npos || isRocprofTable(text))
        return &rocprof;
    if (looksLikeRocpd(text))
        return &rocpd;
    if (isNsightCompute(text))
        return &nsightCompute;
    if (isStrategyProto(text))
        return &foreignStrategy;
    if (head.compressed && looksLikeSqlite(text))
        return &packedDatabase;
    if (isAstraWorkload(text))
        return &astra;
    if (looksLikeChakra(text)) // its framing may look like a protobuf message
        return nullptr;
    return isXPlane(text) ? &xplane : isPerfetto(text) ? &perfetto : nullptr;
}

const ForeignFormat *foreignFormatNamed(std::string_view path) {
    static constexpr ForeignFormat nsightSystems{"this is a report of Nsight Systems in its own format",
                                                 "export it: nsys export --type sqlite FILE"};
    if (path.ends_with(".nsys-rep") || path.ends_with(".qdrep"))
        return &nsightSystems;
    return path.ends_with(".ncu-rep") || path.ends_with(".nsight-cuprof-report") ? &nsightCompute : nullptr;
}

Unexpected refuseSetOf(const std::string &set, std::size_t files, const std::string &first, const FileHead &head) {
    const std::string which = fmt::format("{}{}", validUtf8(first), files > 1 ? ", ..." : "");
    const std::string none =
        files == 1 ? "its only file is not a Kineto trace" : fmt::format("none of its {} files is a Kineto trace", files);
    const std::string_view format = profileFormat(head).name;
    if (const ForeignFormat *const foreign = foreignFormatOf(head))
        return fail(fmt::format("{}: of {}, {}", none, which, foreign->what), foreign->remedy, set);
    if (format != rankFormats[0]) // the format assumed for anything unknown
        return fail(fmt::format("{}: {} has the format \"{}\", in which one file is a whole profile", none, which, format),
                    isFolder(set) ? "import one of them: " + validUtf8(first) : "unpack it and import one of its files", set);
    return fail(fmt::format("{} ({})", none, which),
                "give the file that torch.profiler's export_chrome_trace wrote for each rank", set);
}

} // namespace syncopate
