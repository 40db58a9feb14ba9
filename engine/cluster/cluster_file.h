// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace syncopate {

// Reads descriptions of machines in other tools' formats as clusters. Facts that they do not state are assumed, and the cluster's
// notes say so. Every reader refuses damaged text or text of another kind, naming the line or the key.

/// The formats below; of unknown text, a resource_spec.yml.
enum class ClusterFormat : std::uint8_t { ResourceSpec, TopologyMatrix, NcclTopology, InfraGraph, AstraNetwork };
[[nodiscard]] ClusterFormat clusterFormatOf(std::string_view text);

/// Any of the formats below or a resource_spec.yml, told apart by content. A file gives its name to a nameless cluster.
[[nodiscard]] Result<Cluster> readClusterText(std::string_view text, const std::string &file = {});
[[nodiscard]] Result<Cluster> readClusterFile(const std::string &path);

/// The matrix that `nvidia-smi topo -m` prints: one node, its GPUs, and what connects them. Bandwidth between GPUs: where NVLinks
/// connect all of them, the links of the GPU that has fewest x 25 GB/s each way (NVLink 2 to 4); else PCI Express, 12 GB/s.
/// GPUs that list more than 18 links behind a switch (18 is an H100's number), which the matrix repeats for every peer, have
/// the links of one peer. The matrix has no network bandwidth: 1 Gbit/s, AutoDist's default.
[[nodiscard]] Result<Cluster> readTopologyMatrix(std::string_view text, const std::string &file = {});

/// NCCL's and RCCL's topology XML (NCCL_TOPO_DUMP_FILE, or a cloud's template): one node for each host hash. Bandwidth between
/// GPUs: NVLinks (20 GB/s each way for sm 60, 50 from sm 100 on, else 25) or xGMI links (gfx906 and gfx908 46 GB/s, gfx942 64,
/// gfx950 76.8, all others 50) of the GPU that has fewest, where every GPU has some; else the narrowest PCI Express link between
/// a GPU and its CPU, GT/s x width / 8 x 128/130 (8/10 up to 5 GT/s). Network: the sum of the NICs' speeds, virtual ones left
/// out; in a template, which has no speeds, the sum of their PCI Express links, which no NIC exceeds.
[[nodiscard]] Result<Cluster> readNcclTopology(std::string_view xml, const std::string &file = {});

/// ASTRA-sim's analytical network files, v2 (YAML: topology, npus_count, bandwidth, latency) and v1 (JSON: topologies-per-dim,
/// units-count, link-bandwidth, link-latency, links-count), with ASTRA-sim's meaning: 1 GB is 2^30 bytes, a latency is that of
/// one hop and a switch is two hops. One dimension: every NPU is a node. More: NPUs of the first dimension share a node, whose
/// NIC has the bandwidth of all of them in the narrowest outer dimension and the latency of the slowest.
[[nodiscard]] Result<Cluster> readAstraNetwork(std::string_view text, const std::string &file = {});

/// InfraGraph documents (github.com/Keysight/infragraph; also what ASTRA-sim 3 takes), YAML or JSON: devices of components,
/// instances of devices, edges. An instance with accelerators (components of choice xpu) is a node; instances without any are the
/// network between them, which does not block. Network: a machine's links to other instances together, those of NICs and ports
/// where it has some. Latency: of the fastest path from the first machine to the one farthest from it. Between GPUs: the links of
/// one name that join all of them, of the GPU that has fewest; else the narrowest link on the widest path. A single device is one
/// node. GT/s are no bandwidth.
[[nodiscard]] Result<Cluster> readInfraGraph(std::string_view text, const std::string &file = {});

} // namespace syncopate
