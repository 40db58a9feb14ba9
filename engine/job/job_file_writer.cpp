// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_writer.h"
#include "engine/job/job_file.h"

#include <unordered_map>

namespace syncopate {

namespace {

bool isChainParent(const Layer &layer, std::size_t index) {
    return index == 0 ? layer.parents.empty() : layer.parents == std::vector<std::int32_t>{static_cast<std::int32_t>(index - 1)};
}

void writeVariable(JsonWriter &json, const Variable &variable) {
    json.newLine().beginObject().member("name", variable.name).key("shape").beginArray();
    for (const std::int64_t dimension : variable.shape)
        json.value(dimension);
    json.endArray().member("dtype", nameOf(variable.dtype)).member("sparse", variable.sparse);
    if (variable.rowsTouched > 0)
        json.member("rows_touched", variable.rowsTouched);
    if (variable.controlFlow)
        json.member("control_flow", true);
    json.endObject();
}

} // namespace

std::string writeJobText(const Job &job) {
    std::unordered_map<std::string_view, int> uses;
    for (const Layer &layer : job.layers)
        ++uses[layer.name];

    JsonWriter json;
    json.beginObject().member("name", job.name).member("batch_size", job.batchSize);
    const auto optional = [&json](std::string_view key, double value) {
        if (value != 0)
            json.newLine().member(key, value);
    };
    optional("update_seconds", job.updateSeconds);
    optional("update_host_seconds", job.updateHostSeconds);
    optional("host_seconds_per_byte_before_send", job.hostSecondsPerByteBeforeSend);
    optional("host_seconds_per_byte_after_receive", job.hostSecondsPerByteAfterReceive);
    optional("encode_seconds_per_byte", job.encodeSecondsPerByte);
    optional("decode_seconds_per_byte", job.decodeSecondsPerByte);
    optional("compression_ratio", job.compressionRatio);
    if (!job.notes.empty()) {
        json.newLine().key("notes").beginArray();
        for (const std::string &note : job.notes)
            json.newLine().value(note);
        json.endArray();
    }

    std::size_t written = 0;
    bool layerOrder = true;
    json.newLine().key("layers").beginArray();
    for (std::size_t l = 0; l < job.layers.size(); ++l) {
        const Layer &layer = job.layers[l];
        json.newLine().beginObject().member("name", layer.name);
        json.member("forward_seconds", layer.forwardSeconds).member("backward_seconds", layer.backwardSeconds);
        if (layer.forwardHostSeconds != 0 || layer.backwardHostSeconds != 0)
            json.member("forward_host_seconds", layer.forwardHostSeconds)
                .member("backward_host_seconds", layer.backwardHostSeconds);
        if (!isChainParent(layer, l)) {
            json.key("parents").beginArray();
            for (const std::int32_t parent : layer.parents) {
                // By name where the name is unique, which is what people read; by index where it is not.
                const std::string &name = job.layers[static_cast<std::size_t>(parent)].name;
                if (uses.at(name) == 1)
                    json.value(name);
                else
                    json.value(parent);
            }
            json.endArray();
        }
        if (!layer.collectives.empty()) {
            json.key("collectives").beginArray();
            for (const CommOp &op : layer.collectives)
                json.beginObject()
                    .member("kind", nameOf(op.kind))
                    .member("size_bytes", op.sizeBytes)
                    .member("pass", op.backward ? "backward" : "forward")
                    .endObject();
            json.endArray();
        }
        if (!layer.variables.empty()) {
            json.key("variables").beginArray();
            for (const std::int32_t index : layer.variables) {
                const auto v = static_cast<std::size_t>(index);
                layerOrder = layerOrder && v == written++;
                writeVariable(json, job.variables[v]);
            }
            json.endArray();
        }
        json.endObject();
    }
    json.endArray();
    if (!layerOrder) {
        json.newLine().key("variable_order").beginArray();
        for (const Variable &variable : job.variables)
            json.value(variable.name);
        json.endArray();
    }
    json.endObject();
    return json.take() + "\n";
}

} // namespace syncopate
