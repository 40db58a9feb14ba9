// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/execution_trace.h"

#include "engine/parse/json_stream.h"
#include "engine/profile/torch/kineto_raw_event.h"
#include "engine/profile/torch/rank_in_name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace syncopate {

namespace {

using namespace kineto;

constexpr const char *communicationNode = "record_param_comms";
constexpr const char *gradientNode = "torch::autograd::AccumulateGrad";
constexpr const char *groupNode = "## process_group:init ##";
constexpr int deepestList = 8;
/// A group that is named by a number above this is named by a pointer; names and ids that schemas from 1.0.2 on write are counted
/// from 0.
constexpr std::int64_t maxGroupNumber = 1'000'000;
/// A node's values as written, with attributes in the flat form of schema 1.0.1.
struct RawNode {
    std::string_view id, name, recordId, thread;
    std::string_view inputs, inputShapes, inputTypes, outputs;
    std::string_view collective, dtype, inElements, outElements, groupName, groupSize;
};

Scan readPorts(std::string_view text, std::string_view &values, std::string_view *shapes, std::string_view *types) {
    JsonScanner scanner = inside(text);
    return forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan read = s.value(value);
        if (key == "values")
            values = value.text;
        else if (key == "shapes" && shapes)
            *shapes = value.text;
        else if (key == "types" && types)
            *types = value.text;
        return read;
    });
}

void takeAttribute(std::string_view name, std::string_view value, RawNode &node) {
    const std::pair<std::string_view, std::string_view RawNode::*> known[] = {{"rf_id", &RawNode::recordId},
                                                                              {"tid", &RawNode::thread},
                                                                              {"collective_name", &RawNode::collective},
                                                                              {"dtype", &RawNode::dtype},
                                                                              {"in_msg_nelems", &RawNode::inElements},
                                                                              {"out_msg_nelems", &RawNode::outElements},
                                                                              {"pg_name", &RawNode::groupName},
                                                                              {"pg_size", &RawNode::groupSize}};
    for (const auto &[key, member] : known) {
        if (name == key)
            node.*member = value;
    }
}

Scan readAttributes(std::string_view text, RawNode &node) {
    JsonScanner scanner = inside(text);
    return forEachItem(scanner, [&](JsonScanner &element) {
        std::string_view name, content;
        const Scan read = forEachMember(element, [&](std::string_view key, JsonScanner &s) {
            JsonScanner::Value value;
            const Scan scanned = s.value(value);
            if (key == "name")
                name = value.text;
            else if (key == "value")
                content = value.text;
            return scanned;
        });
        takeAttribute(name, content, node);
        return read;
    });
}

Scan readNode(JsonScanner &scanner, RawNode &node) {
    std::string_view inputs, outputs, attributes;
    const Scan read = forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        JsonScanner::Value value;
        if (const Scan scanned = s.value(value); scanned != Scan::Ok)
            return scanned;
        if (key == "id")
            node.id = value.text;
        else if (key == "name")
            node.name = value.text;
        else if (key == "inputs")
            inputs = value.text;
        else if (key == "outputs")
            outputs = value.text;
        else if (key == "attrs")
            attributes = value.text;
        else if (key == "input_shapes")
            node.inputShapes = value.text;
        else if (key == "input_types")
            node.inputTypes = value.text;
        else if (key == "rf_id" || key == "tid")
            takeAttribute(key, value.text, node);
        return Scan::Ok;
    });
    if (read != Scan::Ok || (node.name != communicationNode && node.name != gradientNode && node.name != groupNode))
        return read;
    // Damage inside loses only the facts in it: the brackets have been checked already.
    [[maybe_unused]] Scan outcome = Scan::Ok;
    if (inputs.starts_with('{'))
        outcome = readPorts(inputs, node.inputs, &node.inputShapes, &node.inputTypes);
    else
        node.inputs = inputs;
    if (outputs.starts_with('{'))
        outcome = readPorts(outputs, node.outputs, nullptr, nullptr);
    else
        node.outputs = outputs;
    if (attributes.starts_with('['))
        outcome = readAttributes(attributes, node);
    return Scan::Ok;
}

/// Elements of the tensors in a value: [id, storage, offset, elements, bytes, device] or lists of such; -1 = no tensor.
std::int64_t tensorElements(std::string_view text, int depth = 0) {
    if (!text.starts_with('[') || depth > deepestList)
        return -1;
    std::vector<JsonScanner::Value> parts;
    JsonScanner scanner = inside(text);
    const Scan read = forEachItem(scanner, [&](JsonScanner &s) {
        parts.emplace_back();
        return s.value(parts.back());
    });
    if (read != Scan::Ok || parts.empty())
        return -1;
    if (parts.size() >= 5 && parts[0].kind != '[')
        return std::clamp<std::int64_t>(integer(parts[3].text), -1, maxElements);
    std::int64_t sum = -1;
    for (const JsonScanner::Value &part : parts) {
        if (const std::int64_t count = part.kind == '[' ? tensorElements(part.text, depth + 1) : -1; count >= 0)
            sum = std::min(maxElements, std::max<std::int64_t>(sum, 0) + count);
    }
    return sum;
}

/// "long int" from "GenericList[Tensor(long int)]".
std::string typeInside(std::string_view types) {
    const std::size_t open = types.find("Tensor(");
    const std::size_t close = open == std::string_view::npos ? open : types.find(')', open);
    return close == std::string_view::npos ? std::string() : unescapeJson(types.substr(open + 7, close - open - 7));
}

/// The group's name in an input such as 93 or ["0", "default_pg"]; empty if it is neither.
std::string groupNameOf(const JsonScanner::Value &value) {
    if (value.kind == '0' && integer(value.text) > 0)
        return std::string(value.text);
    const std::size_t from = value.kind == '[' ? value.text.find('"') : std::string_view::npos;
    const std::size_t to = from == std::string_view::npos ? from : value.text.find('"', from + 1);
    return to == std::string_view::npos ? std::string() : unescapeJson(value.text.substr(from + 1, to - from - 1));
}

/// Reads the inputs of record_param_comms: tensors if there are any, a sequence number (or a list with it), the group, the rank,
/// then the collective, which is the only plain string.
void takeCommunicationInputs(std::string_view inputs, ExecutionTrace::Communication &communication) {
    JsonScanner scanner = inside(inputs);
    std::array<JsonScanner::Value, 2> before; // the two values before the present one
    bool isFirst = true, isNamed = false;
    [[maybe_unused]] const Scan outcome = forEachItem(scanner, [&](JsonScanner &s) {
        JsonScanner::Value value;
        const Scan read = s.value(value);
        if (std::exchange(isFirst, false) && communication.inElements < 0)
            communication.inElements = tensorElements(value.text);
        if (value.kind == '"' && !std::exchange(isNamed, true)) {
            if (communication.name.empty())
                communication.name = plainName(value.text);
            if (communication.groupName.empty())
                communication.groupName = groupNameOf(before[0]);
        }
        before = {before[1], value};
        return read;
    });
}

/// As the other functions that take a node: returns the approximate bytes that `trace` keeps of it.
std::uint64_t takeCommunication(const RawNode &node, ExecutionTrace &trace) {
    ExecutionTrace::Communication communication;
    communication.id = integer(node.id);
    communication.thread = integer(node.thread);
    communication.recordId = node.recordId.empty() ? -1 : integer(node.recordId);
    communication.name = plainName(node.collective);
    communication.type = node.dtype.empty() ? typeInside(node.inputTypes) : unescapeJson(node.dtype);
    const auto count = [](std::string_view text) {
        return text.empty() ? std::int64_t{-1} : std::clamp<std::int64_t>(integer(text), -1, maxElements);
    };
    communication.inElements = count(node.inElements);
    communication.outElements = node.outElements.empty() ? tensorElements(node.outputs) : count(node.outElements);
    communication.groupName = unescapeJson(node.groupName);
    communication.groupSize = count(node.groupSize);
    takeCommunicationInputs(node.inputs, communication);
    const std::size_t texts = communication.name.size() + communication.type.size() + communication.groupName.size();
    trace.communications.push_back(std::move(communication));
    return sizeof(ExecutionTrace::Communication) + texts;
}

/// The init node's only value is a string that contains JSON.
std::uint64_t takeGroups(std::string_view inputs, ExecutionTrace &trace) {
    const std::size_t from = inputs.find('"'), to = inputs.rfind('"');
    if (from == std::string_view::npos || to <= from)
        return 0;
    std::uint64_t bytes = 0;
    const std::string text = unescapeJson(inputs.substr(from + 1, to - from - 1)) + std::string(64, '\0');
    JsonScanner scanner = inside(std::string_view(text).substr(0, text.size() - 64));
    [[maybe_unused]] const Scan outcome = forEachItem(scanner, [&](JsonScanner &element) {
        RecordedGroup group;
        const Scan read = forEachMember(element, [&](std::string_view key, JsonScanner &s) {
            JsonScanner::Value value;
            const Scan scanned = s.value(value);
            if (key == "pg_name")
                group.name = unescapeJson(value.text);
            else if (key == "backend_id") // schema 1.0.2 refers to groups by this id
                group.id = value.text;
            else if (key == "group_size")
                group.size = integer(value.text);
            else if (key == "ranks")
                group.ranks = integersOf(value.text);
            return scanned;
        });
        std::sort(group.ranks.begin(), group.ranks.end());
        bytes += sizeof(RecordedGroup) + group.name.size() + group.id.size() + group.ranks.size() * sizeof(std::int64_t);
        trace.groups.push_back(std::move(group));
        return read;
    });
    return bytes;
}

std::uint64_t takeNode(const RawNode &node, ExecutionTrace &trace) {
    ++trace.nodeCount;
    if (node.name == communicationNode)
        return takeCommunication(node, trace);
    if (node.name == groupNode)
        return takeGroups(node.inputs, trace);
    if (node.name != gradientNode)
        return 0;
    trace.gradients.push_back({integer(node.id), firstDims(node.inputShapes),
                               node.inputTypes.find("Tensor") != std::string_view::npos, typeInside(node.inputTypes)});
    const ExecutionTrace::Gradient &gradient = trace.gradients.back();
    return sizeof(gradient) + gradient.dims.size() * sizeof(std::int64_t) + gradient.type.size();
}

Result<void> readNodes(JsonStream &stream, ExecutionTrace &trace) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('['); }); !open)
        return open;
    std::uint64_t keptBytes = 0;
    for (bool more = true; more;) {
        if (trace.nodeCount % 1024 == 0 && stream.stopRequested())
            return cancelled();
        if (trace.nodeCount % 1024 == 0)
            TRY(stream.checkKept(keptBytes));
        RawNode node;
        bool empty = false;
        const auto read = stream.scan([&](JsonScanner &s) {
            node = RawNode();
            char c = 0;
            if (const Scan peeked = s.peek(c); peeked != Scan::Ok)
                return peeked;
            empty = c == ']' && trace.nodeCount == 0;
            if (empty) {
                ++s.at;
                return Scan::Ok;
            }
            return readNode(s, node);
        });
        if (!read || empty)
            return read;
        keptBytes += takeNode(node, trace);
        if (const auto next = stream.scan([&](JsonScanner &s) { return s.another(']', more); }); !next)
            return next;
    }
    return {};
}

Result<void> readObject(JsonStream &stream, ExecutionTrace &trace) {
    if (const auto open = stream.scan([](JsonScanner &s) { return s.expect('{'); }); !open)
        return open;
    bool found = false;
    for (bool more = true; more;) {
        std::string key;
        const auto named = stream.scan([&](JsonScanner &s) {
            std::string_view name;
            const Scan read = s.key(name);
            key.assign(name.substr(0, 64));
            return read;
        });
        if (!named)
            return named;
        if (key == "nodes") {
            found = true;
            TRY(readNodes(stream, trace));
        } else {
            const auto read = stream.scan([&](JsonScanner &s) {
                JsonScanner::Value value;
                const Scan outcome = s.value(value);
                if (outcome == Scan::Ok && key == "schema")
                    trace.schema = unescapeJson(value.text.substr(0, 64));
                return outcome;
            });
            if (!read)
                return read;
        }
        if (const auto next = stream.scan([&](JsonScanner &s) { return s.another('}', more); }); !next)
            return next;
    }
    if (!found)
        return fail("there is no \"nodes\" array: this is not an execution trace",
                    "give the file that ExecutionTraceObserver wrote");
    return {};
}

/// Old schemas name a group by a pointer, which differs between ranks. If the init node does not give its name, it becomes "#0",
/// "#1", ... by first use, or empty if there is only one.
void nameGroups(ExecutionTrace &trace) {
    std::map<std::string_view, const RecordedGroup *> listed; // by name and by id
    for (const RecordedGroup &group : trace.groups)
        for (const std::string *called : {&group.name, &group.id})
            if (!called->empty())
                listed.try_emplace(*called, &group);
    std::map<std::string, std::string> unknown;
    for (ExecutionTrace::Communication &communication : trace.communications) {
        if (communication.groupName.empty()) // the node does not say
            continue;
        if (const auto known = listed.find(communication.groupName); known != listed.end()) {
            communication.groupName = known->second->name;
            communication.groupSize = communication.groupSize < 0 ? known->second->size : communication.groupSize;
        } else if (integer(communication.groupName) > maxGroupNumber) {
            const auto place = unknown.try_emplace(communication.groupName, fmt::format("#{}", unknown.size())).first;
            communication.groupName = place->second;
        }
    }
    if (unknown.size() == 1) {
        for (ExecutionTrace::Communication &communication : trace.communications) {
            if (communication.groupName == "#0")
                communication.groupName.clear();
        }
    }
}

} // namespace

bool looksLikeExecutionTrace(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos || head[first] != '{')
        return false;
    const std::string padded = std::string(head.substr(first + 1)) + std::string(64, '\0'); // the scanner needs padding
    JsonScanner scanner = inside(std::string_view(padded).substr(0, padded.size() - 64));
    bool schema = false;
    for (bool more = true; more;) {
        std::string_view key;
        if (scanner.key(key) != Scan::Ok || key == "traceEvents")
            return false;
        if (key == "nodes")
            return schema;
        schema |= key == "schema";
        JsonScanner::Value value;
        if (scanner.value(value) != Scan::Ok || scanner.another('}', more) != Scan::Ok)
            return false;
    }
    return false;
}

Result<ExecutionTrace> readExecutionTrace(ByteSource &source, const std::string &name, std::stop_token stop) {
    ExecutionTrace trace;
    trace.file = name;
    trace.rank = rankInName(name);
    JsonStream stream(source, std::move(stop));
    TRY(inFile(stream.skipByteOrderMark(), name));
    TRY(inFile(readObject(stream, trace), name));
    const auto byId = [](const auto &a, const auto &b) { return a.id < b.id; };
    std::stable_sort(trace.communications.begin(), trace.communications.end(), byId);
    std::stable_sort(trace.gradients.begin(), trace.gradients.end(), byId);
    nameGroups(trace);
    return trace;
}

} // namespace syncopate
