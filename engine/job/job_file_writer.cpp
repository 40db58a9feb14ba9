// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_writer.h"
#include "engine/job/batch.h"
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

void writeCollectives(JsonWriter &json, const std::vector<CommOp> &collectives) {
    if (collectives.empty())
        return;
    json.key("collectives").beginArray();
    for (const CommOp &op : collectives)
        json.beginObject()
            .member("kind", nameOf(op.kind))
            .member("size_bytes", op.sizeBytes)
            .member("pass", op.backward ? "backward" : "forward")
            .endObject();
    json.endArray();
}

/// Writes a job's layers, and tells whether their variables come in the job's order.
class LayerWriter {
public:
    LayerWriter(JsonWriter &json, const Job &job) : m_json(json), m_job(job) {
        for (const Layer &layer : job.layers)
            ++m_uses[layer.name];
    }

    void write(std::size_t l) {
        const Layer &layer = m_job.layers[l];
        m_json.newLine().beginObject().member("name", layer.name);
        m_json.member("forward_seconds", layer.forwardSeconds).member("backward_seconds", layer.backwardSeconds);
        if (layer.forwardHostSeconds != 0 || layer.backwardHostSeconds != 0)
            m_json.member("forward_host_seconds", layer.forwardHostSeconds)
                .member("backward_host_seconds", layer.backwardHostSeconds);
        if (!isChainParent(layer, l))
            writeParents(layer.parents);
        writeCollectives(m_json, layer.collectives);
        writeVariables(layer.variables);
        m_json.endObject();
    }

    [[nodiscard]] bool isJobOrder() const { return m_isJobOrder; }

private:
    void writeParents(const std::vector<std::int32_t> &parents) {
        m_json.key("parents").beginArray();
        for (const std::int32_t parent : parents) {
            // By name, which is what people read, unless it is ambiguous; then by index.
            const std::string &name = m_job.layers[static_cast<std::size_t>(parent)].name;
            if (m_uses.at(name) == 1)
                m_json.value(name);
            else
                m_json.value(parent);
        }
        m_json.endArray();
    }

    void writeVariables(const std::vector<std::int32_t> &variables) {
        if (variables.empty())
            return;
        m_json.key("variables").beginArray();
        for (const std::int32_t index : variables) {
            const auto v = static_cast<std::size_t>(index);
            m_isJobOrder = m_isJobOrder && v == m_written++;
            writeVariable(m_json, m_job.variables[v]);
        }
        m_json.endArray();
    }

    JsonWriter &m_json;
    const Job &m_job;
    std::unordered_map<std::string_view, int> m_uses; ///< number of layers by name
    std::size_t m_written = 0;                        ///< variables so far
    bool m_isJobOrder = true;
};

} // namespace

std::string writeJobText(const Job &job) {
    JsonWriter json;
    json.beginObject().member("name", job.name);
    if (statesBatch(job))
        json.member("batch_size", job.batchSize);
    if (job.batchStated || hasNoteOfStatedBatch(job))
        json.member("batch_stated", job.batchStated);
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
    LayerWriter layers(json, job);
    json.newLine().key("layers").beginArray();
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        layers.write(l);
    json.endArray();
    if (!layers.isJobOrder()) {
        json.newLine().key("variable_order").beginArray();
        for (const Variable &variable : job.variables)
            json.value(variable.name);
        json.endArray();
    }
    json.endObject();
    return json.take() + "\n";
}

} // namespace syncopate
