// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/id.h"
#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The type of a variable's elements.
enum class DataType : std::uint8_t { Float16, BFloat16, Float32, Float64, Int8, Int16, Int32, Int64, Bool };

[[nodiscard]] std::int64_t sizeOf(DataType type);                       ///< bytes of one element
[[nodiscard]] std::string_view nameOf(DataType type);                   ///< "float32", as in job files
[[nodiscard]] Result<DataType> dataTypeFromName(std::string_view name); ///< accepts job-file and PyTorch spellings

/// One trainable variable. Its gradient has the same shape and type; `sparse` says that the gradient is IndexedSlices.
struct Variable {
    std::string name;
    std::vector<std::int64_t> shape; ///< empty = scalar, one element
    DataType dtype = DataType::Float32;
    bool sparse = false;
    /// Consumed by a control-flow op: AutoDist's PartitionedPS leaves such a variable whole.
    bool controlFlow = false;
    /// Sparse only: rows of dimension 0 that one replica's gradient has in a step, at most all of them. 0 = unknown, counted as
    /// every row: an upper bound of the traffic. (AutoSync takes batch size x sequence length.)
    double rowsTouched = 0;

    /// Saturates at the type's maximum, as do sizeBytes() and a Job's sums: shapes from a file are unchecked until validateJob().
    [[nodiscard]] std::int64_t elementCount() const;
    [[nodiscard]] std::int64_t sizeBytes() const;
    /// Values of one replica's gradient, without indices: of a sparse variable only the rows that a step touches.
    [[nodiscard]] double gradientBytes() const;
    bool operator==(const Variable &) const = default;
};

/// A collective operation.
enum class CollectiveKind : std::uint8_t {
    AllReduce,
    ReduceScatter,
    AllGather,
    Reduce,
    Broadcast,
    AllToAll,
    Permute, ///< each sends its buffer to one other and gets another one's; of training DAGs
};
[[nodiscard]] std::string_view nameOf(CollectiveKind kind); ///< "all_to_all", as in job files
/// The collective that nameOf() writes so; none for any other text.
[[nodiscard]] std::optional<CollectiveKind> collectiveFromName(std::string_view name);

/// A collective that the model itself needs, whatever the strategy (expert or tensor parallelism): all replicas take part.
/// It follows the layer's op of its pass, and ops that read that op's output wait for it.
struct CommOp {
    CollectiveKind kind = CollectiveKind::AllToAll;
    /// All-to-all: all bytes that one replica sends. Others: the whole buffer.
    double sizeBytes = 0;
    bool backward = false; ///< pass
    bool operator==(const CommOp &) const = default;
};

/// Index into Job::layers.
using LayerId = Id<struct LayerKind>;

/// One layer: a forward op, its backward op, and the variables whose gradients that backward op completes.
struct Layer {
    std::string name;
    double forwardSeconds = 0;
    double backwardSeconds = 0;
    std::vector<std::int32_t> parents;    ///< indices of the layers whose forward output this one reads, all smaller
    std::vector<std::int32_t> variables;  ///< indices into Job::variables
    std::vector<CommOp> collectives = {}; ///< in the order in which they are done
    /// Time within the two above in which the device waits for the host (launch gaps), where a profile shows it; else 0.
    double forwardHostSeconds = 0, backwardHostSeconds = 0;
    bool operator==(const Layer &) const = default;
};

/// The dataflow of one training step on one worker (G of AutoDist section 3): layers in forward order, a DAG.
/// A gradient is ready when its layer's backward ends.
struct Job {
    std::string name;
    double batchSize = 1; ///< samples per worker and iteration; 0 = not known (engine/job/batch.h)
    /// batchSize was stated for a job that does not say its own (withBatch()). Times do not depend on it, so another may be
    /// stated.
    bool batchStated = false;
    std::vector<Layer> layers;
    std::vector<Variable> variables; ///< registration order (TensorFlow graph order, PyTorch parameters())
    double updateSeconds = 0;        ///< the optimizer's update, ends an iteration
    double updateHostSeconds = 0;    ///< of these: the device waits for the host
    /// Host time per gradient byte beyond the layers' own times (allocating and copying gradients):
    /// `...BeforeSend` when a gradient is produced, `...AfterReceive` when a reduced gradient is copied back.
    double hostSecondsPerByteBeforeSend = 0;
    double hostSecondsPerByteAfterReceive = 0;
    /// Compressor time on the compute stream, per byte of the uncompressed gradient. A cast is nearly free.
    double encodeSecondsPerByte = 0;
    double decodeSecondsPerByte = 0;
    /// Bytes on the wire per byte of a compressed gradient. 0 = Horovod's cast to float16: half of float32, all of others.
    double compressionRatio = 0;
    /// Where the numbers come from and what was inferred, one sentence each; shown to the user and put into reports.
    std::vector<std::string> notes;

    [[nodiscard]] double forwardSeconds() const;
    [[nodiscard]] double backwardSeconds() const;
    [[nodiscard]] double hostSeconds() const;          ///< part of a step's time in which the device waits for the host
    [[nodiscard]] std::int64_t parameterCount() const; ///< elements over all variables
    [[nodiscard]] std::int64_t parameterBytes() const;
};

/// Checks the invariants on which every later room relies: at least one layer, times of 0 to 1e7 s, positive shapes, at most 2^60
/// bytes of variables, collectives of up to 1e15 bytes, a batch up to maxBatch, parents that come earlier, every variable owned
/// by exactly one layer, unique variable names. `file` names the source in the error.
[[nodiscard]] Result<void> validateJob(const Job &job, const std::string &file = {});

} // namespace syncopate
