// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/profile/op_graph/op_graph.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// True for the beginning of a file of tensorflow.python.client.timeline.
[[nodiscard]] bool looksLikeTensorFlowTimeline(std::string_view head);

/// Reads one TensorFlow timeline (one session.run), streaming. Rows of the same device are joined; of a GPU's
/// kernels, which are written twice, those of `stream:all` are kept where there is such a row. `name` is the file's.
/// Sizes are known only where the timeline was written with show_memory=True.
[[nodiscard]] Result<std::shared_ptr<const OpGraph>> readTensorFlowTimeline(ByteSource &source, const std::string &name,
                                                                            std::stop_token stop = {});

/// The training step of one or several timelines of the same graph, each a step: the job is of the chosen one, or of the one of
/// median length. Layers are the forward ops from one that reads a trainable variable to the next, by the graph's edges.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>>
importOpGraphs(const std::vector<std::shared_ptr<const OpGraph>> &steps, const std::string &name,
               const ImportOptions &options = {}, std::stop_token stop = {});

/// Imports timelines from files, folders and archives; other files in them are ignored.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importTensorFlow(const std::vector<std::string> &paths,
                                                                              const ImportOptions &options = {},
                                                                              std::stop_token stop = {},
                                                                              Progress *progress = nullptr);

/// Figures of each task's compute and its received tensors, of any timeline. Kernels and copies are those of the worker that
/// receives tensors, if it is the only one; else, as a timeline does not say whose an accelerator is, each accelerator has
/// figures of its own.
[[nodiscard]] std::vector<OverlapFigures> overlapFigures(const OpGraph &graph);

} // namespace syncopate
