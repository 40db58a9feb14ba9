// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// DAGs of recorded steps for tests, and look-ups of a DAG's ops by name.

#include "engine/plan/recorded_dag.h"
#include "engine/profile/profile.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace syncopate::testing {

using Names = std::vector<std::string>;
using Profile = std::shared_ptr<const ImportedProfile>;

/// The trace of tests/mutants/hybrid_trace.py; null if it cannot be read.
inline Profile hybrid() {
    const auto profile = importProfile(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json");
    return profile ? *profile : nullptr;
}

inline Result<RecordedDag> dagOf(const ImportedProfile &profile, std::int32_t processes) {
    return dagOfStep(*profile.recorded, "dag", profile.platform.ranks, processes, "test");
}

/// The op of that name; null if there is none.
inline const DagOp *named(const TrainingDag &dag, const std::string &name) {
    const auto op = std::find_if(dag.ops.begin(), dag.ops.end(), [&](const DagOp &each) { return each.name == name; });
    return op == dag.ops.end() ? nullptr : &*op;
}

inline Names namesOf(const TrainingDag &dag, const std::vector<DagOpId> &ops) {
    Names names;
    for (const DagOpId op : ops)
        names.push_back(dag.ops[op.index()].name);
    return names;
}

/// The dependencies of each op; collectives by kind and size, since their names differ.
inline std::map<std::string, std::multiset<std::string>> edgesOf(const TrainingDag &dag) {
    const auto nameOfOp = [&](const DagOp &op) {
        return op.isCompute() ? op.name
                              : fmt::format("{} of {} among {}x{}", nameOf(*op.collective), op.sizeBytes, dag.groupSize(op),
                                            op.group.stride);
    };
    std::map<std::string, std::multiset<std::string>> edges;
    for (const DagOp &op : dag.ops) {
        auto &dependencies = edges[nameOfOp(op)];
        for (const DagOpId parent : op.parents)
            dependencies.insert(nameOfOp(dag.ops[parent.index()]));
        for (const DagOpId parent : op.previousParents)
            dependencies.insert("before: " + nameOfOp(dag.ops[parent.index()]));
    }
    return edges;
}

} // namespace syncopate::testing
