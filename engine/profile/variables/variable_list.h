// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/job/job.h"
#include "engine/parse/byte_source.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The variables of a model as a file lists them, for profiles that lack their sizes.
struct VariableList {
    std::string file;
    std::string format;              ///< "safetensors", "ONNX model", ...
    std::vector<Variable> variables; ///< in the file's order; of an ONNX model, in the order in which its nodes read them
    std::vector<Variable> leftOut;   ///< tensors without gradients: integers, running statistics, optimizer slots, counters
    std::vector<std::string> notes;
    bool sorted = false; ///< the format sorts by name: its order says nothing about the layers'
};

/// Reads a job file, a safetensors file (its header only), a list {tensor: {shape, dtype}}, an ONNX model (weights are skipped,
/// never kept) or a TensorFlow checkpoint index, decided by content. Errors name file and byte offset; memory is bounded by
/// the names and shapes.
[[nodiscard]] Result<VariableList> readVariableList(const std::string &path, std::stop_token stop = {},
                                                    Progress *progress = nullptr);

/// The same from bytes of a known format. `fileBytes` is the size of the whole file, 0 = not known.
[[nodiscard]] Result<VariableList> readSafetensors(ByteSource &source, std::uint64_t fileBytes);
[[nodiscard]] Result<VariableList> readTensorList(std::string_view json);
[[nodiscard]] Result<VariableList> readOnnx(ByteSource &source, std::stop_token stop = {});
[[nodiscard]] Result<VariableList> readCheckpointIndex(std::string_view bytes, const std::stop_token &stop = {});

/// Takes the sizes of the profile's variables from the list:
///
///   - variables whose names the profile has, but not their sizes: by name;
///   - variables with shapes but made-up names: the k-th of a shape is the list's k-th of that shape, and gets its name;
///   - gradient buckets: the list's variables in order, where their sums meet the buckets' bounds;
///   - no variables at all: modules of the list (variables up to the last dot or slash) go to layers by name, else in order where
///     there are as many modules as layers that can own variables.
///
/// States the matches in `inferred` and the job's notes. An error when nothing matches.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> withVariables(const ImportedProfile &profile,
                                                                           const VariableList &list);

} // namespace syncopate
