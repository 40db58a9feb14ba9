// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/job.h"

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/job/batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_set>

namespace syncopate {

namespace {

struct TypeRow {
    DataType type;
    std::string_view name;
    std::string_view other; ///< a second spelling in PyTorch ("float", "long", ...)
    std::int64_t bytes;
};

constexpr std::array<TypeRow, 9> typeRows{{{DataType::Float16, "float16", "half", 2},
                                           {DataType::BFloat16, "bfloat16", "bf16", 2},
                                           {DataType::Float32, "float32", "float", 4},
                                           {DataType::Float64, "float64", "double", 8},
                                           {DataType::Int8, "int8", "char", 1},
                                           {DataType::Int16, "int16", "short", 2},
                                           {DataType::Int32, "int32", "int", 4},
                                           {DataType::Int64, "int64", "long", 8},
                                           {DataType::Bool, "bool", "boolean", 1}}};

/// In the order of CollectiveKind.
constexpr std::array<std::string_view, 7> collectiveNames{"all_reduce", "reduce_scatter", "all_gather", "reduce",
                                                          "broadcast",  "all_to_all",     "permute"};

const TypeRow &rowOf(DataType type) {
    const auto row = std::find_if(typeRows.begin(), typeRows.end(), [type](const TypeRow &r) { return r.type == type; });
    return row == typeRows.end() ? typeRows[2] : *row;
}

/// Below these limits, sums of times and of bytes stay exact enough and never overflow.
constexpr double maxSeconds = 1e7;
constexpr std::int64_t maxBytes = std::int64_t{1} << 60;

bool isTime(double seconds) { return std::isfinite(seconds) && seconds >= 0 && seconds <= maxSeconds; }
/// Whether `part` of a time lies between 0 and all of it.
bool isPart(double part, double whole) { return std::isfinite(part) && part >= 0 && part <= whole; }

std::int64_t saturatingProduct(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

Result<void> validateVariables(const Job &job, const std::string &file) {
    std::unordered_set<std::string_view> names;
    std::int64_t total = 0;
    for (std::size_t v = 0; v < job.variables.size(); ++v) {
        const Variable &variable = job.variables[v];
        const std::string place = fmt::format("variables[{}]", v);
        if (variable.name.empty())
            return fail("a variable has no name", "name it", file, place);
        if (!names.insert(variable.name).second)
            return fail(fmt::format("two variables are named '{}'", variable.name), "give every variable its own name", file,
                        place);
        for (const std::int64_t dimension : variable.shape)
            if (dimension < 1)
                return fail(fmt::format("variable '{}' has a dimension of {}", variable.name, dimension),
                            "dimensions are 1 or more", file, place);
        if (!std::isfinite(variable.rowsTouched) || variable.rowsTouched < 0)
            return fail(fmt::format("variable '{}' has a gradient of {} rows", variable.name, variable.rowsTouched),
                        "give 0 (not known) or more", file, place);
        const std::int64_t bytes = variable.sizeBytes();
        if (bytes > maxBytes || (total += bytes) > maxBytes)
            return fail(fmt::format("variable '{}' brings the job over 2^60 bytes", variable.name), "check its shape", file,
                        place);
    }
    return {};
}

/// Checks the batch, and times that belong to no layer.
Result<void> validateFigures(const Job &job, const std::string &file) {
    if (!std::isfinite(job.batchSize) || job.batchSize < 0 || job.batchSize > maxBatch)
        return fail(fmt::format("the batch size is {}", job.batchSize),
                    fmt::format("give the samples per worker and iteration, 0 (not known) to {:g}", maxBatch), file,
                    "batch_size");
    if (!isTime(job.updateSeconds))
        return fail(fmt::format("the update takes {} s", job.updateSeconds), "times are 0 to 1e7 seconds", file,
                    "update_seconds");
    if (!isPart(job.updateHostSeconds, job.updateSeconds))
        return fail(fmt::format("the update waits {} s of its {} s for the host", job.updateHostSeconds, job.updateSeconds),
                    "give 0 to all of its time", file, "update_host_seconds");
    for (const auto &[name, seconds] : {std::pair{"host_seconds_per_byte_before_send", job.hostSecondsPerByteBeforeSend},
                                        {"host_seconds_per_byte_after_receive", job.hostSecondsPerByteAfterReceive},
                                        {"encode_seconds_per_byte", job.encodeSecondsPerByte},
                                        {"decode_seconds_per_byte", job.decodeSecondsPerByte}})
        if (!isTime(seconds))
            return fail(fmt::format("{} is {}", name, seconds), "times are 0 to 1e7 seconds", file, name);
    if (!std::isfinite(job.compressionRatio) || job.compressionRatio < 0 || job.compressionRatio > 1)
        return fail(fmt::format("the compression ratio is {}", job.compressionRatio),
                    "give the share of the bytes that is sent, above 0 and up to 1, or 0 for a cast to float16", file,
                    "compression_ratio");
    return {};
}

/// Checks the times and transfers of layer `l`.
Result<void> validateTimes(const Layer &layer, std::size_t l, const std::string &file) {
    const auto place = [l](const char *field) { return fmt::format("layers[{}].{}", l, field); };
    if (!isTime(layer.forwardSeconds))
        return fail(fmt::format("the forward of '{}' takes {} s", layer.name, layer.forwardSeconds), "times are 0 to 1e7 seconds",
                    file, place("forward_seconds"));
    for (std::size_t c = 0; c < layer.collectives.size(); ++c)
        if (const double bytes = layer.collectives[c].sizeBytes; !std::isfinite(bytes) || bytes < 0 || bytes > 1e15)
            return fail(fmt::format("a collective of '{}' moves {} bytes", layer.name, bytes), "give 0 to 1e15 bytes", file,
                        place(fmt::format("collectives[{}].size_bytes", c).c_str()));
    if (!isTime(layer.backwardSeconds))
        return fail(fmt::format("the backward of '{}' takes {} s", layer.name, layer.backwardSeconds),
                    "times are 0 to 1e7 seconds", file, place("backward_seconds"));
    for (const auto &[pass, host, all] : {std::tuple{"forward", layer.forwardHostSeconds, layer.forwardSeconds},
                                          {"backward", layer.backwardHostSeconds, layer.backwardSeconds}})
        if (!isPart(host, all))
            return fail(fmt::format("the {} of '{}' waits {} s of its {} s for the host", pass, layer.name, host, all),
                        "give 0 to all of its time", file, place(fmt::format("{}_host_seconds", pass).c_str()));
    return {};
}

} // namespace

std::int64_t sizeOf(DataType type) { return rowOf(type).bytes; }
std::string_view nameOf(DataType type) { return rowOf(type).name; }

std::string_view nameOf(CollectiveKind kind) { return collectiveNames[static_cast<std::size_t>(kind)]; }

std::optional<CollectiveKind> collectiveFromName(std::string_view name) {
    const auto found = std::ranges::find(collectiveNames, name);
    return found == collectiveNames.end() ? std::nullopt
                                          : std::optional(static_cast<CollectiveKind>(found - collectiveNames.begin()));
}

Result<DataType> dataTypeFromName(std::string_view name) {
    std::string_view plain = name;
    if (plain.starts_with("torch."))
        plain.remove_prefix(6);
    // The autograd profiler writes C++ names such as "c10::Half".
    if (plain.starts_with("c10::"))
        plain.remove_prefix(5);
    std::string lower(plain);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const TypeRow &row : typeRows)
        if (lower == row.name || lower == row.other)
            return row.type;
    return fail(fmt::format("'{}' is not a data type", name),
                fmt::format("use one of {}", listOfNames(typeRows, &TypeRow::name)));
}

std::int64_t Variable::sizeBytes() const { return saturatingProduct(elementCount(), sizeOf(dtype)); }

double Variable::gradientBytes() const {
    const auto bytes = static_cast<double>(sizeBytes());
    if (!sparse || rowsTouched <= 0 || shape.empty() || shape.front() <= 0)
        return bytes;
    return bytes * std::min(1.0, rowsTouched / static_cast<double>(shape.front()));
}

std::int64_t Variable::elementCount() const {
    std::int64_t count = 1;
    for (const std::int64_t dimension : shape)
        count = saturatingProduct(count, dimension);
    return count;
}

double Job::forwardSeconds() const {
    double sum = 0;
    for (const Layer &layer : layers)
        sum += layer.forwardSeconds;
    return sum;
}

double Job::hostSeconds() const {
    double sum = updateHostSeconds;
    for (const Layer &layer : layers)
        sum += layer.forwardHostSeconds + layer.backwardHostSeconds;
    return sum;
}

double Job::backwardSeconds() const {
    double sum = 0;
    for (const Layer &layer : layers)
        sum += layer.backwardSeconds;
    return sum;
}

std::int64_t Job::parameterCount() const {
    std::int64_t sum = 0;
    for (const Variable &variable : variables)
        sum = saturatingSum(sum, variable.elementCount());
    return sum;
}

std::int64_t Job::parameterBytes() const {
    std::int64_t sum = 0;
    for (const Variable &variable : variables)
        sum = saturatingSum(sum, variable.sizeBytes());
    return sum;
}

Result<void> validateJob(const Job &job, const std::string &file) {
    if (job.layers.empty())
        return fail("the job has no layers", "give it at least one", file, "layers");
    TRY(validateFigures(job, file));
    TRY(validateVariables(job, file));

    constexpr std::size_t unowned = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> owner(job.variables.size(), unowned);
    for (std::size_t l = 0; l < job.layers.size(); ++l) {
        const Layer &layer = job.layers[l];
        TRY(validateTimes(layer, l, file));
        const auto place = [l](const char *field) { return fmt::format("layers[{}].{}", l, field); };
        for (const std::int32_t parent : layer.parents)
            if (parent < 0 || static_cast<std::size_t>(parent) >= l)
                return fail(fmt::format("'{}' reads layer {}, which does not come before it", layer.name, parent),
                            "list layers in forward order", file, place("parents"));
        for (const std::int32_t v : layer.variables) {
            if (v < 0 || static_cast<std::size_t>(v) >= job.variables.size())
                return fail(fmt::format("'{}' owns variable {}, which does not exist", layer.name, v),
                            "check the variable's index", file, place("variables"));
            std::size_t &mine = owner[static_cast<std::size_t>(v)];
            if (mine != unowned)
                return fail(fmt::format("variable '{}' belongs to '{}' and to '{}'",
                                        job.variables[static_cast<std::size_t>(v)].name, job.layers[mine].name, layer.name),
                            "give it to the layer whose backward completes its gradient", file, place("variables"));
            mine = l;
        }
    }
    const auto orphan = std::find(owner.begin(), owner.end(), unowned);
    if (orphan != owner.end())
        return fail(fmt::format("variable '{}' belongs to no layer",
                                job.variables[static_cast<std::size_t>(orphan - owner.begin())].name),
                    "give it to the layer whose backward completes its gradient", file, "variables");
    return {};
}

} // namespace syncopate
