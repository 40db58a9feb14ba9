// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/variables/variable_list.h"

#include "engine/base/input_file.h"
#include "engine/job/job_file.h"
#include "engine/parse/byte_order_mark.h"
#include "engine/parse/json_members.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/profile_formats.h"
#include "engine/profile/top_level_keys.h"
#include "engine/profile/variables/variable_list_rules.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace syncopate {

namespace {

constexpr std::uint64_t longestHeader = 100'000'000; // safetensors' own limit
constexpr std::uint64_t largestIndex = std::uint64_t{1} << 28;
constexpr std::string_view tableMagic("\x57\xfb\x80\x8b\x24\x75\x47\xdb", 8);

struct TensorType {
    std::string_view name;
    DataType type;
    bool real;
};
/// Spellings in safetensors and Hugging Face's lists. Any 8-bit float takes one byte.
constexpr TensorType tensorTypes[] = {
    {"F64", DataType::Float64, true},   {"F32", DataType::Float32, true}, {"F16", DataType::Float16, true},
    {"BF16", DataType::BFloat16, true}, {"I64", DataType::Int64, false},  {"I32", DataType::Int32, false},
    {"I16", DataType::Int16, false},    {"I8", DataType::Int8, false},    {"U8", DataType::Int8, false},
    {"U16", DataType::Int16, false},    {"U32", DataType::Int32, false},  {"U64", DataType::Int64, false},
    {"BOOL", DataType::Bool, false}};

bool typeOf(std::string_view name, DataType &type, bool &real) {
    for (const TensorType &known : tensorTypes) {
        if (name == known.name) {
            type = known.type;
            real = known.real;
            return true;
        }
    }
    if (name.starts_with("F8") || name.starts_with("float8")) {
        type = DataType::Int8;
        real = true;
        return true;
    }
    const auto known = dataTypeFromName(name);
    if (!known)
        return false;
    type = *known;
    real = type == DataType::Float16 || type == DataType::BFloat16 || type == DataType::Float32 || type == DataType::Float64;
    return true;
}

/// Reads a list of whole numbers; returns false if it is damaged or one of them is negative.
bool readNumbers(std::string_view list, std::vector<std::int64_t> &numbers) {
    JsonScanner scanner = inside(list);
    const Scan listed = forEachItem(scanner, [&](JsonScanner &number) {
        JsonScanner::Value n;
        const Scan one = number.value(n);
        const bool isWhole = one == Scan::Ok && n.kind == '0' && n.text.find_first_not_of("0123456789") == std::string_view::npos;
        numbers.push_back(isWhole ? integer(n.text) : -1);
        return one;
    });
    return listed == Scan::Ok && std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n >= 0; });
}

/// A list's entry for one tensor.
struct TensorEntry {
    std::string type;
    std::vector<std::int64_t> shape;
    bool hasShape = false, hasOffsets = true;
};

/// Reads {dtype, shape, ...} and raises `data` to the end of "data_offsets".
Scan readTensor(JsonScanner &scanner, TensorEntry &entry, std::uint64_t *data) {
    return forEachMember(scanner, [&](std::string_view field, JsonScanner &s) {
        JsonScanner::Value value;
        const Scan scanned = s.value(value);
        if (scanned != Scan::Ok)
            return scanned;
        if (field == "dtype") {
            entry.type = value.text;
        } else if (field == "shape") {
            entry.shape.clear();
            entry.hasShape = readNumbers(value.text, entry.shape);
        } else if (field == "data_offsets") {
            std::vector<std::int64_t> offsets;
            entry.hasOffsets = readNumbers(value.text, offsets);
            if (data && entry.hasOffsets && offsets.size() == 2)
                *data = std::max(*data, static_cast<std::uint64_t>(offsets[1]));
        }
        return Scan::Ok;
    });
}

/// Reads {name: {dtype, shape, ...}, ...}, the form of both kinds of list. `data` gets the largest end of "data_offsets".
Result<VariableList> readTensors(const std::string &text, std::uint64_t offset, std::uint64_t *data) {
    const std::string padded = text + std::string(64, '\0'); // the scanner needs padding
    JsonScanner scanner{padded.data(), padded.data() + text.size()};
    scanner.remedy = "write the file again";
    VariableList list;
    std::string problem;
    const Scan read = forEachMember(scanner, [&](std::string_view key, JsonScanner &s) {
        char c = 0;
        if (const Scan peeked = s.peek(c); peeked != Scan::Ok)
            return peeked;
        const std::string name = unescapeJson(key);
        const bool isIndex = name == "weight_map"; // of a model in several files (Hugging Face), behind "metadata"
        if (isIndex)
            problem = "this index names the tensors but has no shapes";
        if (isIndex || name == "__metadata__" || name == "metadata" || c != '{') {
            JsonScanner::Value ignored;
            return s.value(ignored);
        }
        TensorEntry entry;
        if (const Scan inner = readTensor(s, entry, data); inner != Scan::Ok)
            return inner;
        Variable variable;
        variable.name = name;
        variable.shape = std::move(entry.shape);
        bool real = false;
        if (problem.empty() && !entry.hasShape)
            problem = fmt::format("tensor '{}' has no valid shape", name);
        else if (problem.empty() && !entry.hasOffsets)
            problem = fmt::format("tensor '{}' has no valid data_offsets", name);
        else if (problem.empty() && !typeOf(entry.type, variable.dtype, real))
            problem = fmt::format("tensor '{}' has the unknown type '{}'", name, entry.type);
        addTensor(list, std::move(variable), real);
        return Scan::Ok;
    });
    if (read != Scan::Ok)
        return fail(read == Scan::NeedMore ? "the list of tensors is cut off" : scanner.complaint,
                    read == Scan::NeedMore ? "copy the file again, whole" : scanner.remedy, {},
                    fmt::format("byte {}", offset + static_cast<std::uint64_t>(scanner.at - padded.data())));
    if (!problem.empty())
        return fail(problem, "give a .safetensors file, or a list {tensor: {\"shape\": [..], \"dtype\": \"F32\"}}");
    return list;
}

Result<std::string> readAll(ByteSource &source, std::uint64_t maxBytes) {
    std::string all;
    std::string block(std::size_t{1} << 20, '\0');
    for (;;) {
        const auto got = TRY(source.read(block.data(), block.size()));
        if (got == 0)
            return all;
        if (all.size() + got > maxBytes)
            return fail(fmt::format("the file is larger than {} MB", maxBytes >> 20),
                        "give a list of variables, not the weights");
        all.append(block, 0, got);
    }
}

Result<VariableList> fromJob(const std::string &path) {
    auto job = TRY(readJobFile(path));
    VariableList list;
    list.format = "job file";
    list.variables = std::move(job.variables);
    return list;
}

bool looksLikeSafetensors(std::string_view head) {
    if (head.size() < 10 || head[8] != '{')
        return false;
    std::uint64_t length = 0;
    std::memcpy(&length, head.data(), 8);
    return length <= longestHeader;
}

/// The last bytes of a LevelDB table, the format of a TensorFlow checkpoint's index.
bool endsAsTable(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(-static_cast<std::streamoff>(tableMagic.size()), std::ios::end);
    std::string end(tableMagic.size(), '\0');
    return file.read(end.data(), static_cast<std::streamsize>(end.size())) && end == tableMagic;
}

/// Reads the list from a file that begins with `head`.
Result<VariableList> readByHead(const std::string &path, const FileHead &head, const std::stop_token &stop, Progress *progress) {
    const std::size_t first = head.text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string::npos)
        return fail("the file is empty", "give a list of variables");
    if (!head.compressed && TopLevelKeys(head).kind() == JsonKind::Job)
        return fromJob(path);
    auto source = TRY(ByteSource::openFile(path, progress));
    std::error_code status;
    const std::uint64_t size = head.compressed ? 0 : std::filesystem::file_size(path, status);
    if (looksLikeSafetensors(head.text))
        return readSafetensors(*source, status ? 0 : size);
    if (head.text[first] == '{') {
        auto text = TRY(readAll(*source, std::uint64_t{1} << 28));
        return readTensorList(withoutByteOrderMark(text));
    }
    if (head.text.starts_with("PK\x03\x04") || head.text.starts_with("\x80\x02") || head.text.starts_with("\x80\x04"))
        return fail("this is a pickled PyTorch file, which would have to be executed",
                    "save the weights as .safetensors, or export the model as ONNX");
    if (endsAsTable(path)) {
        const auto bytes = TRY(readInputFile(path, largestIndex));
        return readCheckpointIndex(bytes, stop);
    }
    if (head.text.size() > 2 && head.text[0] == '\x08') // ir_version, the first field of every model
        return readOnnx(*source, stop);
    return fail("this lists no variables",
                "give a job file, a .safetensors file, an ONNX model or a TensorFlow checkpoint's .index file");
}

} // namespace

void addTensor(VariableList &list, Variable variable, bool real) {
    const bool empty = std::any_of(variable.shape.begin(), variable.shape.end(), [](std::int64_t d) { return d < 1; });
    (real && !empty && isTrainable(variable.name) ? list.variables : list.leftOut).push_back(std::move(variable));
}

bool isTrainable(std::string_view name) {
    // TensorFlow counts what has the same name: "beta1_power_1", "w/Adam_2".
    std::string_view plain = name.substr(0, name.find_last_not_of("0123456789") + 1);
    plain = plain.ends_with('_') ? plain.substr(0, plain.size() - 1) : name;
    // Statistics of normalisations (PyTorch, Keras), counters, tables of positions, and optimizer slots.
    for (const std::string_view ending : {"running_mean",
                                          "running_var",
                                          "num_batches_tracked",
                                          "moving_mean",
                                          "moving_variance",
                                          "/Adam",
                                          "/Adamax",
                                          "/Momentum",
                                          "/RMSProp",
                                          "/Adagrad",
                                          "/Adadelta",
                                          "/Ftrl",
                                          "/adam_m",
                                          "/adam_v",
                                          "/ExponentialMovingAverage",
                                          "global_step",
                                          "beta1_power",
                                          "beta2_power",
                                          "/iter",
                                          "save_counter",
                                          "position_ids",
                                          "rotary_emb.inv_freq"}) {
        if (plain.ends_with(ending))
            return false;
    }
    return name.find(".OPTIMIZER_SLOT") == std::string_view::npos && !name.starts_with("optimizer/") &&
           !name.starts_with("_CHECKPOINTABLE") && !name.starts_with("save_counter");
}

Result<VariableList> readSafetensors(ByteSource &source, std::uint64_t fileBytes) {
    const auto prefix = TRY(readHead(source, 8));
    std::uint64_t length = 0;
    if (prefix.size() == 8) {
        for (std::size_t i = 8; i-- > 0;)
            length = length << 8 | static_cast<unsigned char>(prefix[i]);
    }
    if (prefix.size() < 8 || length > longestHeader ||
        (fileBytes > 0 && length > fileBytes - std::min<std::uint64_t>(fileBytes, 8)))
        return fail(fmt::format("the header claims {} bytes, and the file has {}", length, fileBytes),
                    "copy the file again, whole", {}, "byte 0");
    const auto header = TRY(readHead(source, static_cast<std::size_t>(length)));
    if (header.size() < length)
        return fail("the header is cut off", "copy the file again, whole", {}, fmt::format("byte {}", 8 + header.size()));
    std::uint64_t data = 0;
    auto list = TRY(readTensors(header, 8, &data));
    list.format = "safetensors";
    list.sorted = true;
    if (fileBytes > 0 && 8 + length + data > fileBytes)
        list.notes.push_back(fmt::format("The file ends before its weights do ({} of {} bytes); the header is whole.", fileBytes,
                                         8 + length + data));
    return list;
}

Result<VariableList> readTensorList(std::string_view json) {
    auto list = readTensors(std::string(json), 0, nullptr);
    if (list)
        list->format = "list of tensors";
    return list;
}

Result<VariableList> readVariableList(const std::string &path, std::stop_token stop, Progress *progress) {
    const auto head = TRY(readFileHead(path));
    return withinMemory(path, "give a list of variables, not the weights", [&]() -> Result<VariableList> {
        auto list = TRY(inFile(readByHead(path, head, stop, progress), path));
        list.file = path;
        if (list.variables.empty() && list.leftOut.empty())
            return fail("there is no variable in it", "give a list of the model's variables", path);
        return list;
    });
}

} // namespace syncopate
