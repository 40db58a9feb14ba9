// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/foreign_texts.h"

#include "engine/cluster/cluster_file.h"
#include "engine/profile/top_level_keys.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace syncopate {

namespace {

constexpr const char *asCluster =
    "give it as the cluster (--cluster, or the cluster in the explorer), and a profile, job file or "
    "job of the catalogue as the job";
constexpr const char *asCurves = "give it to calibrate, or as --curves, beside a profile or job";
constexpr const char *recordTensorFlow = "record a step with TensorFlow's timeline, or with torch.profiler";

/// A text, its outermost keys, and whether it is free of control characters, as far as its head goes.
struct ForeignText {
    explicit ForeignText(const FileHead &head)
        : text(
              std::string_view(head.text).substr(std::min(head.text.find_first_not_of(" \t\r\n\xef\xbb\xbf"), head.text.size()))),
          line(text.substr(0, text.find('\n'))), keys(head), isPlain(std::none_of(text.begin(), text.end(), [](unsigned char c) {
              return c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\x1b'; // terminals' colours begin with an escape
          })) {}

    std::string_view text, line;
    TopLevelKeys keys;
    bool isPlain;

    [[nodiscard]] bool holds(std::string_view words) const { return text.find(words) != std::string_view::npos; }
    [[nodiscard]] bool hasKeys(std::initializer_list<std::string_view> all) const {
        return std::all_of(all.begin(), all.end(), [this](std::string_view key) { return keys.has(key); });
    }
    [[nodiscard]] bool hasOneOf(std::initializer_list<std::string_view> any) const {
        return std::any_of(any.begin(), any.end(), [this](std::string_view key) { return keys.has(key); });
    }
};

/// nccl-tests -J (NVIDIA/nccl-tests src/util.cu).
bool isNcclTestsResult(const ForeignText &file) {
    return file.keys.areOfJson() && file.hasKeys({"nccl_version"}) && file.hasOneOf({"config", "args", "results"});
}

/// Lines of NCCL's Inspector plugin (NVIDIA/nccl plugins/profiler/inspector).
bool isInspectorRecord(const ForeignText &file) {
    return file.keys.areOfJson() && file.hasOneOf({"header", "metadata", "coll_perf"}) &&
           file.holds("\"inspector_output_format_version\"");
}

/// Tables that nccl-tests, OSU's benchmarks and vTrain print.
bool isCollectiveTable(const ForeignText &file) {
    return !file.keys.areOfJson() && (file.holds("# nccl-tests") || file.holds("# OSU") || file.line.starts_with("size(B),") ||
                                      (file.holds("algbw") && file.holds("busbw")));
}

/// Chakra's nodes as chakra_jsonizer prints them: objects one after the other, metadata first.
bool isChakraListing(const ForeignText &file) {
    return file.keys.areOfJson() && file.hasOneOf({"version", "type"}) &&
           (file.holds("\"COMP_NODE\"") || file.holds("\"COMM_COLL_NODE\"") || file.holds("\"COMM_SEND_NODE\"") ||
            file.holds("\"COMM_RECV_NODE\"") || file.holds("\"MEM_LOAD_NODE\"") || file.holds("\"METADATA_NODE\""));
}

/// ASTRA-sim's system file, JSON or in version 1 lines, and its file of remote memory.
bool isAstraSystem(const ForeignText &file) {
    return file.hasOneOf({"scheduling-policy", "all-reduce-implementation", "active-chunks-per-dimension",
                          "preferred-dataset-splits", "remote-mem-bw"});
}

bool isNcclTopologyFile(const ForeignText &file) { return file.text.starts_with('<') && file.holds("<system"); }

bool isInfraGraphFile(const ForeignText &file) {
    return clusterFormatOf(file.text) == ClusterFormat::InfraGraph && file.hasOneOf({"components", "devices", "instances"});
}

bool isAstraNetworkFile(const ForeignText &file) {
    return file.hasOneOf({"npus_count", "topologies-per-dim", "units-count", "logical-dims"});
}

bool isTopologyMatrixFile(const ForeignText &file) {
    return !file.keys.areOfJson() && clusterFormatOf(file.text) == ClusterFormat::TopologyMatrix;
}

bool isResourceSpecFile(const ForeignText &file) {
    return file.hasKeys({"nodes"}) && (file.holds("address") || file.holds("network_bandwidth"));
}

bool isStrategyJson(const ForeignText &file) { return file.keys.areOfJson() && file.hasOneOf({"node_config", "nodeConfig"}); }

/// The figures beside measured runs that validate and calibrate read.
bool isPlatformFile(const ForeignText &file) {
    return file.keys.areOfJson() && file.hasOneOf({"link_efficiency", "message_seconds"});
}

/// rocprof --stats and rocprofv3 --stats.
bool isRocprofStatistics(const ForeignText &file) {
    return file.line.find("Name") != std::string_view::npos && file.line.find("Calls") != std::string_view::npos &&
           file.line.find("TotalDurationNs") != std::string_view::npos;
}

/// A protobuf message as text: its first line opens a field of one of these names.
bool opensField(const ForeignText &file, std::initializer_list<std::string_view> names) {
    std::string_view rest = file.text;
    while (rest.starts_with('#')) // a comment
        rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    const std::string_view name = rest.substr(0, rest.find_first_of(" \t:{<"));
    const std::size_t after = rest.find_first_not_of(" \t:", name.size());
    return after != std::string_view::npos && rest[after] == '{' && std::find(names.begin(), names.end(), name) != names.end();
}

bool isStepStatsText(const ForeignText &file) { return opensField(file, {"step_stats", "dev_stats"}); }
bool isXSpaceText(const ForeignText &file) { return opensField(file, {"planes"}); }
bool isGraphText(const ForeignText &file) {
    return opensField(file, {"node", "versions", "library", "graph", "graph_def", "meta_graphs", "hlo_module", "computations"}) ||
           file.line.starts_with("HloModule ");
}

struct ForeignTextFormat {
    bool (*is)(const ForeignText &file);
    ForeignFormat format;
};

/// The first that recognises a text names it.
constexpr std::array foreignTextFormats{
    ForeignTextFormat{isNcclTestsResult, {"this is a log of collectives that nccl-tests wrote with -J", asCurves}},
    ForeignTextFormat{isInspectorRecord, {"this is a log of NCCL's Inspector, of the collectives of one process", asCurves}},
    ForeignTextFormat{isCollectiveTable, {"this is a log of collectives (nccl-tests, OSU or vTrain)", asCurves}},
    ForeignTextFormat{isChakraListing,
                      {"this is a Chakra workload converted to JSON, which changes its field names", "give the .et file"}},
    ForeignTextFormat{isAstraSystem,
                      {"this is ASTRA-sim's description of a system: algorithms and queues of its simulator",
                       "choose them with the policy (--policy), and give ASTRA-sim's network file as the cluster"}},
    ForeignTextFormat{isNcclTopologyFile, {"this is a topology of NCCL or RCCL (XML)", asCluster}},
    ForeignTextFormat{isInfraGraphFile, {"this is an InfraGraph, a description of machines", asCluster}},
    ForeignTextFormat{isAstraNetworkFile, {"this is a network file of ASTRA-sim", asCluster}},
    ForeignTextFormat{isTopologyMatrixFile, {"this is the matrix of nvidia-smi topo -m", asCluster}},
    ForeignTextFormat{isResourceSpecFile, {"this is a cluster file", asCluster}},
    ForeignTextFormat{isStrategyJson, foreignStrategy},
    ForeignTextFormat{isPlatformFile,
                      {"this is the platform.json of a folder of measured runs", "give the folder to syncopate-cli validate"}},
    ForeignTextFormat{isRocprofStatistics,
                      {"this is a table of rocprof's statistics: sums by kernel, without the order of a step",
                       "record with torch.profiler, activities CPU and CUDA (ROCm counts as CUDA there)"}},
    ForeignTextFormat{isStepStatsText,
                      {"these are TensorFlow's step statistics as a text (.pbtxt)",
                       "write the step's timeline as JSON: timeline.Timeline(..).generate_chrome_trace_format()"}},
    ForeignTextFormat{isXSpaceText, {"this is an XPlane profile as a text (.pbtxt)", "give the .xplane.pb file itself"}},
    ForeignTextFormat{isGraphText, {"this is a graph of TensorFlow or XLA as a text: ops without times", recordTensorFlow}},
};

} // namespace

const ForeignFormat *foreignTextOf(const FileHead &head) {
    static constexpr ForeignFormat jobFile{"this is a job file, which is not a profile",
                                           "give it as the job (--job); if it is packed with gzip, unpack it first"};
    const ForeignText file(head);
    const JsonKind kind = file.keys.kind();
    if (kind == JsonKind::Job)
        return &jobFile;
    if (file.text.empty() || !file.isPlain || file.text.front() == '[' || kind == JsonKind::Trace)
        return nullptr;
    for (const ForeignTextFormat &known : foreignTextFormats)
        if (known.is(file))
            return &known.format;
    return nullptr;
}

} // namespace syncopate
