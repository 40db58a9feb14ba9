// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/cluster/cluster_file.h"
#include "engine/cluster/described_node.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <expat.h>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr std::size_t maxTopologyFileBytes = 16U << 20;
constexpr std::size_t deepest = 64;
constexpr std::size_t maxHosts = 1024;

/// Bytes per second of one link, each way.
constexpr double nvLink1 = 20e9; ///< sm 60, Pascal
constexpr double nvLink = 25e9;  ///< sm 70 to 90
constexpr double nvLink5 = 50e9; ///< sm 100 and later, Blackwell
constexpr double xgmi = 46e9;    ///< gfx906, gfx908
constexpr double xgmi2 = 50e9;   ///< gfx90a, and what is not listed
constexpr double xgmi3 = 64e9;   ///< gfx942, MI300
constexpr double xgmi4 = 76.8e9; ///< gfx950, MI350: by AMD, 153.6 GB/s both ways together

struct Gpu {
    std::int32_t index = -1; ///< -1 in templates, which do not number GPUs
    std::int64_t nvLinks = 0;
    std::int64_t xgmiLinks = 0;
    double nvLinkBytesPerSecond = nvLink; ///< of a link of its generation
    double xgmiBytesPerSecond = xgmi2;    ///< the same
    double pciBytesPerSecond = 0;
};

struct Host {
    std::vector<Gpu> gpus;
    std::vector<Gpu> templateGpus; ///< PCI devices of the display class
    double netBytesPerSecond = 0;
    std::int32_t nets = 0;
    double templateNetBytesPerSecond = 0;
    std::int32_t templateNets = 0;
};

using Attributes = std::map<std::string, std::string, std::less<>>;

std::optional<double> leadingNumber(const Attributes &attributes, std::string_view key) {
    const auto found = attributes.find(key);
    if (found == attributes.end())
        return std::nullopt;
    const std::string &text = found->second;
    double value = 0;
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// Bytes per second of an xGMI link of a GPU called "908" or "gfx908:sramecc+".
double xgmiOf(std::string_view gcn) {
    gcn.remove_prefix(gcn.starts_with("gfx") ? 3 : 0);
    if (gcn.starts_with("906") || gcn.starts_with("908"))
        return xgmi;
    return gcn.starts_with("942") ? xgmi3 : gcn.starts_with("950") ? xgmi4 : xgmi2;
}

/// Virtual devices carry no traffic between machines.
bool isVirtual(const std::string &name) {
    for (const char *prefix : {"veth", "docker", "virbr", "br-", "lo"})
        if (name.starts_with(prefix) && !(std::string_view(prefix) == "lo" && name != "lo"))
            return true;
    return false;
}

/// Builds the hosts while expat parses the file.
class TopologyReader {
public:
    explicit TopologyReader(std::string_view xml) : m_parser(XML_ParserCreate(nullptr), &XML_ParserFree) {
        XML_SetUserData(m_parser.get(), this);
        XML_SetElementHandler(m_parser.get(), &TopologyReader::onStart, &TopologyReader::onEnd);
        XML_SetStartDoctypeDeclHandler(m_parser.get(), &TopologyReader::onDoctype);
        if (XML_Parse(m_parser.get(), xml.data(), static_cast<int>(xml.size()), XML_TRUE) == XML_STATUS_OK || m_error)
            return;
        m_error = Error{fmt::format("this is not XML: {}", XML_ErrorString(XML_GetErrorCode(m_parser.get()))),
                        "the file may be cut off; dump it again with NCCL_TOPO_DUMP_FILE",
                        {},
                        line()};
    }

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    [[nodiscard]] const std::map<std::string, Host> &hosts() const { return m_hosts; }

private:
    struct Open {
        std::string name;
        double pciBytesPerSecond = std::numeric_limits<double>::infinity(); ///< of the narrowest link up to the CPU
        bool link = false;                                                  ///< this or an enclosing PCI element states its link
    };

    static void onStart(void *self, const char *name, const char **attributes) {
        static_cast<TopologyReader *>(self)->start(name, attributes);
    }
    static void onEnd(void *self, const char *) { static_cast<TopologyReader *>(self)->m_open.pop_back(); }
    static void onDoctype(void *self, const char *, const char *, const char *, int) {
        static_cast<TopologyReader *>(self)->refuse("the file declares a document type", "topology files have none");
    }

    [[nodiscard]] std::string line() const { return fmt::format("{}", XML_GetCurrentLineNumber(m_parser.get())); }

    void refuse(std::string what, std::string remedy) {
        if (!m_error)
            m_error = Error{std::move(what), std::move(remedy), {}, line()};
        XML_StopParser(m_parser.get(), XML_FALSE);
    }

    void start(const std::string &name, const char **list) {
        if (m_error) {
            m_open.emplace_back(); // onEnd() may still be called for it
            return;
        }
        Attributes attributes;
        for (; list[0] != nullptr; list += 2)
            attributes.emplace(list[0], list[1]);
        if (m_open.empty() && name != "system")
            return refuseOpen(fmt::format("the root element is <{}>", name.substr(0, 40)),
                              "an NCCL topology starts with <system>");
        if (m_open.size() >= deepest)
            return refuseOpen("elements are nested too deep", "check that this is an NCCL topology");
        Open open = m_open.empty() ? Open{} : m_open.back();
        open.name = name;
        if (name == "cpu") {
            const auto hash = attributes.find("host_hash");
            m_host = hash == attributes.end() ? std::string{} : hash->second;
            m_hosts.try_emplace(m_host);
            if (m_hosts.size() > maxHosts)
                return refuseOpen(fmt::format("there are more than {} hosts", maxHosts), "give fewer");
        } else if (name == "pci") {
            startPci(attributes, open);
        } else if (name == "gpu") {
            startGpu(attributes, open);
        } else if (name == "nvlink" || name == "xgmi") {
            startLink(name == "xgmi", attributes);
        } else if (name == "net") {
            startNet(attributes);
        }
        m_open.push_back(std::move(open));
    }

    void refuseOpen(std::string what, std::string remedy) {
        refuse(std::move(what), std::move(remedy));
        m_open.emplace_back();
    }

    void startPci(const Attributes &attributes, Open &open) {
        const auto speed = leadingNumber(attributes, "link_speed");
        const auto width = leadingNumber(attributes, "link_width");
        if ((speed && *speed < 0) || (width && (*width < 0 || *width > 255)))
            return refuse("a PCI link has an impossible speed or width", "dump the topology again");
        // Drivers report 0 or 255 if they do not know.
        if (speed && width && *speed > 0 && *speed < 1000 && *width > 0 && *width <= 32) {
            const double coding = *speed <= 5 ? 8.0 / 10 : 128.0 / 130;
            open.pciBytesPerSecond = std::min(open.pciBytesPerSecond, *speed * 1e9 * *width / 8 * coding);
            open.link = true;
        }
        const auto kind = attributes.find("class");
        if (kind == attributes.end())
            return;
        Host &host = m_hosts[m_host];
        const double rate = open.link ? open.pciBytesPerSecond : 0;
        if (kind->second.starts_with("0x03")) {
            Gpu gpu;
            gpu.pciBytesPerSecond = rate;
            host.templateGpus.push_back(gpu);
        } else if (kind->second.starts_with("0x02")) {
            host.templateNetBytesPerSecond += rate;
            ++host.templateNets;
        }
    }

    void startGpu(const Attributes &attributes, const Open &open) {
        Host &host = m_hosts[m_host];
        Gpu gpu;
        const auto index = leadingNumber(attributes, "dev");
        if (!index || *index < 0 || *index > 65535 || *index != std::floor(*index))
            return refuse("a GPU has no dev, or one that is not an index", "dump the topology again");
        gpu.index = static_cast<std::int32_t>(*index);
        if (std::any_of(host.gpus.begin(), host.gpus.end(), [&gpu](const Gpu &other) { return other.index == gpu.index; }))
            return refuse(fmt::format("two GPUs of a host are number {}", gpu.index), "give every GPU its own dev");
        if (host.gpus.size() >= static_cast<std::size_t>(maxDevicesOfNode))
            return refuse(fmt::format("a host has more than {} GPUs", maxDevicesOfNode), "check the file");
        const auto gcn = attributes.find("gcn");
        if (gcn != attributes.end())
            gpu.xgmiBytesPerSecond = xgmiOf(gcn->second);
        else if (const double sm = leadingNumber(attributes, "sm").value_or(70); sm < 70 || sm >= 100)
            gpu.nvLinkBytesPerSecond = sm < 70 ? nvLink1 : nvLink5;
        gpu.pciBytesPerSecond = open.link ? open.pciBytesPerSecond : 0;
        host.gpus.push_back(gpu);
    }

    void startLink(bool isXgmi, const Attributes &attributes) {
        std::vector<Gpu> &gpus = m_hosts[m_host].gpus;
        const auto count = leadingNumber(attributes, "count");
        if (m_open.back().name != "gpu" || gpus.empty() || !count || *count < 1 || *count > 1024)
            return refuse("a link between GPUs is outside a GPU, or has no valid count", "dump the topology again");
        (isXgmi ? gpus.back().xgmiLinks : gpus.back().nvLinks) += static_cast<std::int64_t>(*count);
    }

    void startNet(const Attributes &attributes) {
        const auto name = attributes.find("name");
        if (name != attributes.end() && isVirtual(name->second))
            return;
        const auto megabits = leadingNumber(attributes, "speed");
        if (!megabits || *megabits < 0 || *megabits > 1e8)
            return refuse("a network device has no speed, or an impossible one", "speed is in Mbit/s");
        Host &host = m_hosts[m_host];
        host.netBytesPerSecond += bytesPerSecondFromGbits(*megabits / 1000);
        ++host.nets;
    }

    std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> m_parser;
    std::optional<Error> m_error;
    std::map<std::string, Host> m_hosts;
    std::string m_host; ///< of the <cpu> opened last
    std::vector<Open> m_open;
};

/// Bandwidth between GPUs of a host, each way; 0 if unknown. `how` describes it. A cloud's template lists PCI devices only and so
/// does not tell whether GPUs have other links: NCCL detects those when it runs.
double betweenGpus(const std::vector<Gpu> &gpus, bool isTemplate, std::string &how) {
    const auto fewest = [&gpus](std::int64_t Gpu::*links) {
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const Gpu &gpu : gpus)
            least = std::min(least, gpu.*links);
        return least;
    };
    if (const std::int64_t links = fewest(&Gpu::nvLinks); links > 0) {
        const double rate = gpus.front().nvLinkBytesPerSecond;
        how = fmt::format("Assumed: {} NVLinks a GPU of {:g} GB/s each way.", links, rate / 1e9);
        return static_cast<double>(links) * rate;
    }
    if (const std::int64_t links = fewest(&Gpu::xgmiLinks); links > 0) {
        const double rate = gpus.front().xgmiBytesPerSecond;
        how = fmt::format("Assumed: {} xGMI links a GPU of {:g} GB/s each way.", links, rate / 1e9);
        return static_cast<double>(links) * rate;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const Gpu &gpu : gpus)
        least = std::min(least, gpu.pciBytesPerSecond);
    if (least > 0 && isTemplate)
        how =
            fmt::format("Assumed: GPUs talk over PCI Express, {:.4g} GB/s each way at the narrowest link to a CPU; this template "
                        "says nothing of links between GPUs (NVLink, xGMI), which are faster where there are any: "
                        "intra_node_bandwidth states them.",
                        least / 1e9);
    else if (least > 0)
        how = fmt::format("Read: GPUs talk over PCI Express, {:.4g} GB/s each way at the narrowest link to a CPU; links that "
                          "GPUs share count as their own.",
                          least / 1e9);
    return least;
}

DescribedNode nodeOf(const Host &host, const std::vector<Gpu> &gpus, bool isTemplate, std::vector<std::string> &notes) {
    DescribedNode node;
    for (const Gpu &gpu : gpus)
        node.gpus.push_back(isTemplate ? static_cast<std::int32_t>(node.gpus.size()) : gpu.index);
    std::sort(node.gpus.begin(), node.gpus.end());
    const bool stated = host.nets > 0;
    node.bandwidthBytesPerSecond = stated ? host.netBytesPerSecond : host.templateNetBytesPerSecond;
    const std::string rate = fmt::format("{:.4g} Gbit/s", gbitsFromBytesPerSecond(node.bandwidthBytesPerSecond));
    if (node.bandwidthBytesPerSecond <= 0)
        notes.push_back(fmt::format("Assumed: 1 Gbit/s of network, AutoDist's default; the topology has no network device{}.",
                                    host.nets + host.templateNets > 0 ? " whose speed it states" : ""));
    else if (stated)
        notes.push_back(fmt::format("Read: {} GPUs and {} network devices of {} together.", gpus.size(), host.nets, rate));
    else
        notes.push_back(fmt::format(
            "Assumed: {} GPUs; {} network devices are as fast as their PCI Express links, {} together, an upper bound.",
            gpus.size(), host.templateNets, rate));
    return node;
}

} // namespace

Result<Cluster> readNcclTopology(std::string_view xml, const std::string &file) {
    if (xml.size() > maxTopologyFileBytes)
        return fail("a topology of this size is not read", "check that this is the file you meant", file);
    const TopologyReader reader(xml);
    if (reader.error())
        return Unexpected(inFile(*reader.error(), file));

    std::vector<DescribedNode> nodes;
    std::vector<std::string> notes;
    double intra = std::numeric_limits<double>::infinity();
    const bool isTemplate =
        std::none_of(reader.hosts().begin(), reader.hosts().end(), [](const auto &entry) { return !entry.second.gpus.empty(); });
    for (const auto &[hash, host] : reader.hosts()) {
        const std::vector<Gpu> &gpus = isTemplate ? host.templateGpus : host.gpus;
        if (gpus.empty())
            continue;
        if (gpus.size() > static_cast<std::size_t>(maxDevicesOfNode))
            return fail(fmt::format("a host has {} GPUs", gpus.size()), "check the file", file, "1");
        nodes.push_back(nodeOf(host, gpus, isTemplate, notes));
        if (gpus.size() > 1) {
            std::string how;
            if (const double mine = betweenGpus(gpus, isTemplate, how); mine > 0) {
                intra = std::min(intra, mine);
                notes.push_back(std::move(how));
            }
        }
    }
    if (nodes.empty())
        return fail("the topology has no GPU", "give the topology of a machine with GPUs", file, "1");
    Cluster cluster = clusterOf(nodes);
    if (std::isfinite(intra))
        cluster.intraNodeBandwidthBytesPerSecond = intra;
    for (std::string &note : notes) // hosts that are alike have equal notes
        if (std::find(cluster.notes.begin(), cluster.notes.end(), note) == cluster.notes.end())
            cluster.notes.push_back(std::move(note));
    return cluster;
}

} // namespace syncopate
