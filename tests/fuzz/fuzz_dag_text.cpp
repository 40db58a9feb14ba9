// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/plans/*.dag
#include "engine/plan/dag_text.h"

#include <cstdlib>

/// A DAG as text: read or refused with a line; a DAG read is valid, and survives writing as JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto dag = syncopate::readDagText(text, "dag");
    if (!dag)
        return dag.error().what.empty() || dag.error().place.empty() ? (std::abort(), 0) : 0;
    if (!syncopate::looksLikeDagText(text) || !syncopate::validateDag(*dag) ||
        syncopate::readTrainingDagText(syncopate::writeTrainingDag(*dag)).value() != *dag)
        std::abort();
    return 0;
}
