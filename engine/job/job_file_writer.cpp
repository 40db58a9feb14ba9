// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/job_file.h"

#include <fmt/format.h>
#include <iterator>
#include <unordered_map>

namespace syncopate {

namespace {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out + '"';
}

std::string quotedList(const std::vector<std::string> &texts) {
    std::string out = "[";
    for (const std::string &text : texts)
        out += (out.size() > 1 ? ", " : "") + quoted(text);
    return out + "]";
}

bool isChainParent(const Layer &layer, std::size_t index) {
    return index == 0 ? layer.parents.empty() : layer.parents == std::vector<std::int32_t>{static_cast<std::int32_t>(index - 1)};
}

/// Parents by name where the name is unique, which is what people read; by index where it is not.
std::string parentList(const Job &job, const Layer &layer, const std::unordered_map<std::string_view, int> &uses) {
    std::string out = "[";
    for (const std::int32_t parent : layer.parents) {
        const std::string &name = job.layers[static_cast<std::size_t>(parent)].name;
        out += out.size() > 1 ? ", " : "";
        out += uses.at(name) == 1 ? quoted(name) : fmt::format("{}", parent);
    }
    return out + "]";
}

std::string variableObject(const Variable &variable) {
    return fmt::format(R"({{"name": {}, "shape": [{}], "dtype": "{}", "sparse": {}{}}})", quoted(variable.name),
                       fmt::join(variable.shape, ", "), nameOf(variable.dtype), variable.sparse,
                       variable.controlFlow ? ", \"control_flow\": true" : "");
}

} // namespace

std::string writeJobText(const Job &job) {
    std::unordered_map<std::string_view, int> uses;
    for (const Layer &layer : job.layers)
        ++uses[layer.name];

    std::string out;
    const auto append = std::back_inserter(out);
    fmt::format_to(append, "{{\n  \"name\": {},\n  \"batch_size\": {},\n", quoted(job.name), job.batchSize);
    if (job.updateSeconds != 0)
        fmt::format_to(append, "  \"update_seconds\": {},\n", job.updateSeconds);
    if (job.hostSecondsPerByteBeforeSend != 0)
        fmt::format_to(append, "  \"host_seconds_per_byte_before_send\": {},\n", job.hostSecondsPerByteBeforeSend);
    if (job.hostSecondsPerByteAfterReceive != 0)
        fmt::format_to(append, "  \"host_seconds_per_byte_after_receive\": {},\n", job.hostSecondsPerByteAfterReceive);
    if (!job.notes.empty())
        fmt::format_to(append, "  \"notes\": {},\n", quotedList(job.notes));

    std::vector<std::string> order;
    bool layerOrder = true;
    out += "  \"layers\": [";
    for (std::size_t l = 0; l < job.layers.size(); ++l) {
        const Layer &layer = job.layers[l];
        fmt::format_to(append, "{}\n    {{\"name\": {}, \"forward_seconds\": {}, \"backward_seconds\": {}", l == 0 ? "" : ",",
                       quoted(layer.name), layer.forwardSeconds, layer.backwardSeconds);
        if (!isChainParent(layer, l))
            fmt::format_to(append, ", \"parents\": {}", parentList(job, layer, uses));
        out += ", \"variables\": [";
        for (std::size_t i = 0; i < layer.variables.size(); ++i) {
            const auto v = static_cast<std::size_t>(layer.variables[i]);
            layerOrder = layerOrder && v == order.size();
            order.push_back(job.variables[v].name);
            fmt::format_to(append, "{}\n      {}", i == 0 ? "" : ",", variableObject(job.variables[v]));
        }
        out += "]}";
    }
    out += "\n  ]";
    if (!layerOrder) {
        for (std::size_t v = 0; v < job.variables.size(); ++v)
            order[v] = job.variables[v].name;
        fmt::format_to(append, ",\n  \"variable_order\": {}", quotedList(order));
    }
    return out + "\n}\n";
}

} // namespace syncopate
