// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/strategy_file.h"

#include "engine/base/input_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/json_util.h>
#include <limits>
#include <strategy/autodist_strategy.pb.h>

namespace syncopate {

namespace {

namespace wire = autodist::proto;

void toWire(const Synchronizer &from, wire::Strategy::Node &node) {
    // mutable_...() marks a message as present even if all its fields are defaults, as AutoDist's reader requires.
    if (from.kind == SynchronizerKind::ParameterServer) {
        wire::PSSynchronizer &to = *node.mutable_pssynchronizer();
        to.set_reduction_destination(from.reductionDestination);
        to.set_local_replication(from.localReplication);
        to.set_sync(from.sync);
        to.set_staleness(from.staleness);
    } else {
        wire::AllReduceSynchronizer &to = *node.mutable_allreducesynchronizer();
        to.set_spec(static_cast<wire::AllReduceSynchronizer::Spec>(from.spec));
        to.set_compressor(static_cast<wire::AllReduceSynchronizer::Compressor>(from.compressor));
        to.set_group(from.group);
        to.set_syncopate_reduction(static_cast<wire::AllReduceSynchronizer::Reduction>(from.reduction));
    }
}

wire::Strategy toWire(const Strategy &from) {
    wire::Strategy to;
    to.set_id(from.id);
    to.set_path(from.path);
    for (const NodeConfig &node : from.nodes) {
        wire::Strategy::Node &out = *to.add_node_config();
        out.set_var_name(node.variableName);
        if (!node.isPartitioned()) {
            toWire(node.synchronizer, out);
            continue;
        }
        out.set_partitioner(fmt::format("{}", fmt::join(node.partitions, ",")));
        for (const PartConfig &part : node.parts) {
            wire::Strategy::Node &partOut = *out.add_part_config();
            partOut.set_var_name(part.name);
            toWire(part.synchronizer, partOut);
        }
    }
    auto &replicas = *to.mutable_graph_config()->mutable_replicas();
    for (const std::string &replica : from.replicas)
        *replicas.Add() = replica;
    return to;
}

const char *const otherVersion =
    "export the strategy again with AutoDist's master branch; the branch poseidon has another format";
constexpr int removedPowerSgd = 3;

/// Whether there are fields that this version of the format does not know; trailing garbage also reads as such.
bool hasUnknownFields(const google::protobuf::Message &message) {
    return !message.GetReflection()->GetUnknownFields(message).empty();
}

/// Reads "4,1": one number for each dimension.
Result<std::vector<std::int32_t>> readPartitioner(const std::string &text, const std::string &place) {
    std::vector<std::int32_t> partitions;
    const char *at = text.data();
    const char *const end = at + text.size();
    int split = 0;
    while (true) {
        std::int32_t count = 0;
        const auto [rest, status] = std::from_chars(at, end, count);
        if (status != std::errc() || count < 1 || partitions.size() >= 64)
            return fail(fmt::format("the partitioner '{}' is not a list of counts", text.substr(0, 80)),
                        "write one number for each dimension, such as 4,1", {}, place + ".partitioner");
        split += count > 1 ? 1 : 0;
        partitions.push_back(count);
        at = rest;
        if (at == end)
            break;
        if (*at++ != ',')
            return fail(fmt::format("the partitioner '{}' is not a list of counts", text.substr(0, 80)),
                        "write one number for each dimension, such as 4,1", {}, place + ".partitioner");
    }
    if (split != 1)
        return fail(fmt::format("the partitioner '{}' splits {} dimensions", text, split), "split exactly one", {},
                    place + ".partitioner");
    return partitions;
}

Result<Synchronizer> fromWire(const wire::Strategy::Node &node, const std::string &place) {
    Synchronizer to;
    switch (node.synchronizer_case()) {
    case wire::Strategy::Node::kPSSynchronizer: {
        const wire::PSSynchronizer &from = node.pssynchronizer();
        if (hasUnknownFields(from))
            return fail("the PSSynchronizer has unknown fields", otherVersion, {}, place + ".PSSynchronizer");
        if (from.reduction_destination().empty())
            return fail("the PSSynchronizer has no destination", "name a device such as 10.0.0.1:CPU:0", {},
                        place + ".PSSynchronizer.reduction_destination");
        to.kind = SynchronizerKind::ParameterServer;
        to.reductionDestination = from.reduction_destination();
        to.localReplication = from.local_replication();
        to.sync = from.sync();
        to.staleness = from.staleness();
        if (!hasValidStaleness(to))
            return fail(fmt::format("a staleness of {} with sync={}", to.staleness, to.sync),
                        "staleness is 0 or more, and above 0 only with sync", {}, place + ".PSSynchronizer.staleness");
        return to;
    }
    case wire::Strategy::Node::kAllReduceSynchronizer: {
        const wire::AllReduceSynchronizer &from = node.allreducesynchronizer();
        if (hasUnknownFields(from))
            return fail("the AllReduceSynchronizer has unknown fields", otherVersion, {}, place + ".AllReduceSynchronizer");
        if (!wire::AllReduceSynchronizer::Spec_IsValid(from.spec()))
            return fail(fmt::format("there is no all-reduce spec {}", static_cast<int>(from.spec())), "use AUTO, NCCL or RING",
                        {}, place + ".AllReduceSynchronizer.spec");
        if (static_cast<int>(from.compressor()) == removedPowerSgd)
            return fail("the compressor is PowerSGDCompressor, which AutoDist had until 2020-07-15",
                        "use NoneCompressor, HorovodCompressor or HorovodCompressorEF", {},
                        place + ".AllReduceSynchronizer.compressor");
        if (!wire::AllReduceSynchronizer::Compressor_IsValid(from.compressor()))
            return fail(fmt::format("there is no compressor {}", static_cast<int>(from.compressor())),
                        "use NoneCompressor, HorovodCompressor or HorovodCompressorEF", {},
                        place + ".AllReduceSynchronizer.compressor");
        if (from.group() < 0)
            return fail(fmt::format("the group is {}", from.group()), "groups count from 0", {},
                        place + ".AllReduceSynchronizer.group");
        to.kind = SynchronizerKind::AllReduce;
        to.spec = static_cast<AllReduceSpec>(from.spec());
        to.compressor = static_cast<Compressor>(from.compressor());
        if (!wire::AllReduceSynchronizer::Reduction_IsValid(from.syncopate_reduction()))
            return fail(fmt::format("there is no reduction {}", static_cast<int>(from.syncopate_reduction())),
                        "use ALL_REDUCE, REDUCE_SCATTER_ALL_GATHER or REDUCE_BROADCAST", {},
                        place + ".AllReduceSynchronizer.syncopate_reduction");
        to.group = from.group();
        to.reduction = static_cast<Reduction>(from.syncopate_reduction());
        return to;
    }
    case wire::Strategy::Node::SYNCHRONIZER_NOT_SET:
        break;
    }
    return fail(fmt::format("'{}' has no synchronizer", node.var_name()), "give it a PSSynchronizer or an AllReduceSynchronizer",
                {}, place);
}

Result<NodeConfig> fromWire(const wire::Strategy::Node &from, std::int32_t index) {
    const std::string place = fmt::format("node_config[{}]", index);
    NodeConfig to;
    to.variableName = from.var_name();
    if (to.variableName.empty())
        return fail("a node has no variable name", "name the variable", {}, place + ".var_name");
    if (hasUnknownFields(from))
        return fail(fmt::format("the node of '{}' has unknown fields", to.variableName), otherVersion, {}, place);
    if (from.partitioner().empty()) {
        if (from.part_config_size() > 0)
            return fail(fmt::format("'{}' has parts but no partitioner", to.variableName), "give the counts, such as 4,1", {},
                        place + ".partitioner");
        auto synchronizer = TRY(fromWire(from, place));
        to.synchronizer = std::move(synchronizer);
        return to;
    }
    auto partitions = TRY(readPartitioner(from.partitioner(), place));
    to.partitions = std::move(partitions);
    const std::int32_t count = to.partitions[static_cast<std::size_t>(to.partitionAxis())];
    if (from.part_config_size() != count)
        return fail(fmt::format("'{}' has {} parts, its partitioner makes {}", to.variableName, from.part_config_size(), count),
                    "configure every part", {}, place + ".part_config");
    if (from.synchronizer_case() != wire::Strategy::Node::SYNCHRONIZER_NOT_SET)
        return fail(fmt::format("'{}' has parts and a synchronizer of its own", to.variableName),
                    "leave the synchronizer to the parts", {}, place);
    to.parts.reserve(static_cast<std::size_t>(count));
    for (std::int32_t p = 0; p < count; ++p) {
        const wire::Strategy::Node &part = from.part_config(p);
        const std::string partPlace = fmt::format("{}.part_config[{}]", place, p);
        if (part.part_config_size() > 0 || !part.partitioner().empty())
            return fail(fmt::format("'{}' is a part and has parts", part.var_name()), "partition a variable once", {}, partPlace);
        if (hasUnknownFields(part))
            return fail(fmt::format("the part '{}' has unknown fields", part.var_name()), otherVersion, {}, partPlace);
        auto synchronizer = TRY(fromWire(part, partPlace));
        to.parts.push_back({part.var_name(), std::move(synchronizer)});
    }
    return to;
}

Result<Strategy> fromWire(const wire::Strategy &from, const std::string &file) {
    if (hasUnknownFields(from) || hasUnknownFields(from.graph_config()))
        return fail("the strategy has unknown fields", otherVersion, file);
    Strategy to{from.id(), from.path(), {}, {from.graph_config().replicas().begin(), from.graph_config().replicas().end()}};
    to.nodes.reserve(static_cast<std::size_t>(from.node_config_size()));
    for (std::int32_t n = 0; n < from.node_config_size(); ++n) {
        auto node = TRY(inFile(fromWire(from.node_config(n), n), file));
        to.nodes.push_back(std::move(node));
    }
    if (to.nodes.empty())
        return fail("the strategy configures no variables", "check that this is a strategy", file, "node_config");
    return to;
}

/// Converts a strategy from before 2020-04-29 in place. `message` was parsed from the same bytes, so it has everything but the
/// second and later destinations. Only a variable with several destinations identifies such a file for certain.
void modernise(std::string_view bytes, wire::Strategy &message) {
    wire::OldStrategy old;
    if (!old.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || old.node_config_size() != message.node_config_size())
        return;
    const auto isSplit = [](const wire::OldStrategy::Node &node) {
        return node.pssynchronizer().reduction_destinations_size() > 1;
    };
    if (std::none_of(old.node_config().begin(), old.node_config().end(), isSplit))
        return;
    std::int32_t reduced = 0;
    for (std::int32_t n = 0; n < old.node_config_size(); ++n) {
        const wire::OldStrategy::Node &from = old.node_config(n);
        wire::Strategy::Node &to = *message.mutable_node_config(n);
        if (const std::int32_t chunk = from.allreducesynchronizer().chunk_size(); from.has_allreducesynchronizer() && chunk > 0)
            to.mutable_allreducesynchronizer()->set_group(reduced++ / chunk);
        if (!isSplit(from) || !to.partitioner().empty() || to.part_config_size() > 0)
            continue;
        const wire::PSSynchronizer whole = to.pssynchronizer();
        to.clear_synchronizer();
        const std::int32_t parts = from.pssynchronizer().reduction_destinations_size();
        to.set_partitioner(std::to_string(parts)); // matchStrategy() adds the other dimensions
        for (std::int32_t p = 0; p < parts; ++p) {
            wire::Strategy::Node &part = *to.add_part_config();
            part.set_var_name(fmt::format("{}/part_{}:0", from.var_name().substr(0, from.var_name().find(':')), p));
            *part.mutable_pssynchronizer() = whole;
            part.mutable_pssynchronizer()->set_reduction_destination(from.pssynchronizer().reduction_destinations(p));
        }
    }
}

/// The field's path, with which protobuf begins some of its JSON errors: "node_config[3].spec: invalid value ...".
std::string pathOf(const std::string &message) {
    std::size_t end = 0;
    while (end < message.size() && (std::isalnum(static_cast<unsigned char>(message[end])) != 0 || message[end] == '_' ||
                                    message[end] == '.' || message[end] == '[' || message[end] == ']'))
        ++end;
    const std::string path = message.substr(0, end);
    return path.find_first_of("._[") == std::string::npos ? std::string{} : path;
}

} // namespace

Result<void> checkForAutoDist(const Strategy &strategy) {
    TRY(checkWritable(strategy));
    const auto isOurs = [](const Synchronizer &synchronizer) {
        return synchronizer.kind == SynchronizerKind::AllReduce && synchronizer.reduction != Reduction::AllReduce;
    };
    for (const NodeConfig &node : strategy.nodes)
        if (anySynchronizer(node, isOurs))
            return fail(
                fmt::format("'{}' is reduced by two collectives, which AutoDist's format has no field for", node.variableName),
                "choose ALL_REDUCE, or write JSON, whose field for this only Syncopate reads");
    return {};
}

Result<void> checkWritable(const Strategy &strategy) {
    const auto viaStation = [](const Synchronizer &synchronizer) {
        return synchronizer.kind == SynchronizerKind::ParameterServer && !synchronizer.transferDestination.empty();
    };
    for (const NodeConfig &node : strategy.nodes)
        if (anySynchronizer(node, viaStation))
            return fail(fmt::format("'{}' is summed at a transfer destination first, which AutoDist's format has no field for",
                                    node.variableName),
                        "let its gradients go straight to the reduction destination, or keep the strategy in a project");
    return {};
}

std::string writeStrategyProto(const Strategy &strategy) { return toWire(strategy).SerializeAsString(); }

Result<Strategy> readStrategyProto(std::string_view bytes, const std::string &file) {
    const google::protobuf::LogSilencer quiet; // the Error has what protobuf would print on stderr
    wire::Strategy message;
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return fail("a strategy of this size is not read", "check that this is the file you meant", file);
    if (bytes.empty())
        return fail("the file is empty", "export the strategy again", file, "byte 0");
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return fail(fmt::format("these {} bytes are not a whole AutoDist strategy", bytes.size()),
                    "the file may be cut off or of another kind; copy or export it again", file, "byte 0");
    modernise(bytes, message);
    return fromWire(message, file);
}

std::string writeStrategyJson(const Strategy &strategy) {
    google::protobuf::util::JsonPrintOptions options;
    options.add_whitespace = true;
    options.always_print_primitive_fields = false; // omitted defaults read back the same
    options.preserve_proto_field_names = true;
    std::string json;
    const google::protobuf::LogSilencer quiet;
    if (!google::protobuf::util::MessageToJsonString(toWire(strategy), &json, options).ok())
        json.clear();
    return json;
}

Result<Strategy> readStrategyJson(std::string_view json, const std::string &file) {
    const google::protobuf::LogSilencer quiet;
    wire::Strategy message;
    const auto status = google::protobuf::util::JsonStringToMessage(google::protobuf::StringPiece(json.data(), json.size()),
                                                                    &message, google::protobuf::util::JsonParseOptions());
    if (!status.ok()) {
        const std::string what(status.message());
        return fail(fmt::format("this is not a strategy: {}", what.substr(0, 300)),
                    "field names and values are those of AutoDist's strategy.proto", file, pathOf(what));
    }
    return fromWire(message, file);
}

Result<Strategy> readStrategyFile(const std::string &path) {
    const auto content = TRY(readInputFile(path));
    const std::size_t first = content.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || content[first] != '{')
        return readStrategyProto(content, path);
    // The wire format starts with a field's tag, 0x0a to 0x22, and a length, so "\n{" is the beginning of either.
    auto json = readStrategyJson(content, path);
    if (json || content[0] != '\n' || first > 2)
        return json;
    auto proto = readStrategyProto(content, path);
    return proto ? std::move(proto) : std::move(json);
}

} // namespace syncopate
