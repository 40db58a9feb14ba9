// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/proto_stream.h"
#include "engine/profile/variables/variable_list.h"
#include "engine/profile/variables/variable_list_rules.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

namespace syncopate {

namespace {

// onnx.proto: ModelProto.graph = 7; GraphProto.node = 1, initializer = 5; TensorProto.dims = 1, data_type = 2, int64_data = 7,
// name = 8, raw_data = 9; NodeProto.input = 1, output = 2, op_type = 4.
constexpr std::uint64_t int64Type = 7;
constexpr std::size_t maxDims = 64;
constexpr std::uint64_t bytesOfTensor = 256, bytesOfName = 128; ///< of memory, roughly, in all tables together

struct Tensor {
    std::string name;
    std::vector<std::int64_t> dims, values; ///< values: of short int64 tensors, which may be shapes
    std::uint64_t type = 0;
};

/// Converts TensorProto.DataType; returns false if it is not a floating-point type.
bool onnxRealType(std::uint64_t type, DataType &ours) {
    switch (type) {
    case 1:
        ours = DataType::Float32;
        return true;
    case 10:
        ours = DataType::Float16;
        return true;
    case 11:
        ours = DataType::Float64;
        return true;
    case 16:
        ours = DataType::BFloat16;
        return true;
    default:
        ours = type == int64Type ? DataType::Int64 : type == 6 ? DataType::Int32 : DataType::Int8;
        return false;
    }
}

class OnnxReader {
public:
    OnnxReader(ByteSource &source, std::stop_token stop) : m_in(source, std::move(stop)) {}

    Result<VariableList> read() {
        bool graph = false;
        TRY(m_in.forEachField([&](const ProtoStream::Field &field) -> Result<void> {
            if (field.number != 7 || field.kind != ProtoStream::Kind::Bytes)
                return {};
            graph = true;
            return m_in.forEachFieldInside([&](const ProtoStream::Field &inner) { return readGraphField(inner); });
        }));
        if (!graph)
            return fail("there is no graph in it: this is not an ONNX model", "give a .onnx file");
        VariableList list;
        list.format = "ONNX model";
        for (Tensor &tensor : m_initializers)
            add(list, std::move(tensor.name), std::move(tensor.dims), tensor.type);
        for (const auto &[output, shape] : m_constants) { // weights that a constant of their shape replaced
            const auto known = m_shapes.find(shape);
            if (known == m_shapes.end())
                continue;
            TRY(keep(bytesOfTensor + known->second.size() * sizeof(std::int64_t)));
            add(list, output, known->second, 1);
        }
        // Nodes are in an order of execution, initializers in any order.
        const auto order = [&](const Variable &variable) {
            const auto read = m_read.find(variable.name);
            return read == m_read.end() ? m_read.size() : read->second;
        };
        std::stable_sort(list.variables.begin(), list.variables.end(),
                         [&](const Variable &a, const Variable &b) { return order(a) < order(b); });
        return list;
    }

private:
    Result<void> readGraphField(const ProtoStream::Field &field) {
        if (field.kind != ProtoStream::Kind::Bytes)
            return {};
        if (field.number == 1)
            return readNode();
        if (field.number == 5)
            return readTensor();
        return {};
    }

    /// Counts what is kept, since a field of two bytes may be a tensor or the name of one.
    Result<void> keep(std::uint64_t bytes) {
        m_keptBytes += bytes;
        if (m_keptBytes < m_checkedBytes + (std::uint64_t{1} << 20))
            return {};
        m_checkedBytes = m_keptBytes;
        return m_in.checkKept(m_keptBytes);
    }

    Result<void> readNode() {
        std::vector<std::string> inputs, outputs;
        std::string type;
        const std::uint64_t keptBefore = m_keptBytes;
        TRY(m_in.forEachFieldInside([&](const ProtoStream::Field &field) -> Result<void> {
            if (field.kind != ProtoStream::Kind::Bytes || (field.number != 1 && field.number != 2 && field.number != 4))
                return {};
            TRY(keep(bytesOfName + std::min<std::uint64_t>(field.size, ProtoStream::longestText)));
            return m_in.textInto(field.number == 1 ? inputs.emplace_back() : field.number == 2 ? outputs.emplace_back() : type);
        }));
        m_keptBytes = keptBefore; // only names that are new stay
        for (const std::string &input : inputs)
            if (m_read.try_emplace(input, m_read.size()).second)
                TRY(keep(bytesOfName + input.size()));
        if (type == "ConstantOfShape" && inputs.size() == 1 && outputs.size() == 1) {
            TRY(keep(2 * bytesOfName + outputs.front().size() + inputs.front().size()));
            m_constants.emplace_back(outputs.front(), inputs.front());
        } else if (type == "BatchNormalization" && inputs.size() >= 5)
            m_statistics.insert({inputs[3], inputs[4]}); // running mean and variance
        return {};
    }

    Result<void> readTensor() {
        Tensor tensor;
        TRY(m_in.forEachFieldInside([&](const ProtoStream::Field &field) { return readTensorField(field, tensor); }));
        TRY(keep(bytesOfTensor + tensor.name.size() + (tensor.dims.size() + tensor.values.size()) * sizeof(std::int64_t)));
        if (tensor.type == int64Type && tensor.dims.size() <= 1)
            m_shapes[tensor.name] = tensor.values;
        tensor.values.clear();
        m_initializers.push_back(std::move(tensor));
        return {};
    }

    Result<void> readTensorField(const ProtoStream::Field &field, Tensor &tensor) {
        const bool bytes = field.kind == ProtoStream::Kind::Bytes;
        if (field.number == 1)
            return readNumbers(field, tensor.dims);
        if (field.number == 7)
            return readNumbers(field, tensor.values);
        if (field.number == 2 && !bytes)
            tensor.type = field.value;
        if (field.number == 8 && bytes)
            return m_in.textInto(tensor.name);
        if (field.number == 9 && bytes && field.size <= maxDims * 8 && field.size % 8 == 0) {
            const auto raw = TRY(m_in.text());
            for (std::size_t at = 0; at < raw.size(); at += 8)
                std::memcpy(&tensor.values.emplace_back(), raw.data() + at, 8);
        }
        return {};
    }

    /// Reads one of a field's numbers, or all of them if packed; drops more numbers than a shape has.
    Result<void> readNumbers(const ProtoStream::Field &field, std::vector<std::int64_t> &into) {
        if (field.kind != ProtoStream::Kind::Bytes) {
            if (into.size() < maxDims)
                into.push_back(static_cast<std::int64_t>(field.value));
            return {};
        }
        if (field.size > maxDims * 10)
            return {}; // weights, not a shape
        const auto packed = TRY(m_in.varints());
        for (const std::uint64_t value : packed)
            into.push_back(static_cast<std::int64_t>(value));
        return {};
    }

    void add(VariableList &list, std::string name, std::vector<std::int64_t> dims, std::uint64_t type) const {
        if (type == int64Type && name.ends_with("__SHAPE"))
            return; // from a light model: no tensor of the model itself
        Variable variable;
        variable.name = std::move(name);
        variable.shape = std::move(dims);
        const bool real = onnxRealType(type, variable.dtype);
        const bool unused = !m_read.empty() && !m_read.contains(variable.name); // a weight is read by some op
        if (unused || m_statistics.contains(variable.name))
            list.leftOut.push_back(std::move(variable));
        else
            addTensor(list, std::move(variable), real);
    }

    ProtoStream m_in;
    std::uint64_t m_keptBytes = 0, m_checkedBytes = 0;
    std::vector<Tensor> m_initializers;
    std::vector<std::pair<std::string, std::string>> m_constants; ///< output, name of the shape
    std::map<std::string, std::vector<std::int64_t>> m_shapes;
    std::set<std::string> m_statistics;
    std::unordered_map<std::string, std::size_t> m_read; ///< inputs of nodes, numbered by first use
};

} // namespace

Result<VariableList> readOnnx(ByteSource &source, std::stop_token stop) { return OnnxReader(source, std::move(stop)).read(); }

} // namespace syncopate
