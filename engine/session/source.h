// SPDX-License-Identifier: GPL-3.0-or-later
// A side shows one of six sources: a builder, a strategy file, edits of either, a profile, steps played for a throughput curve,
// or a plan of collectives. A strategy file is read when it is chosen and kept as a value, so undo, knobs and kept scenarios do
// not depend on later changes of the file.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/predict/trace_run.h"
#include "engine/space/recipe.h"
#include "engine/strategy/strategy.h"

#include <memory>
#include <string>
#include <variant>

namespace syncopate {

struct PlannedWork;

/// The strategy that a builder makes for the job and the cluster at hand.
struct Built {
    std::string builder; ///< an expression, "AllReduce(chunk_size=128)"; empty = nothing was chosen yet
    bool operator==(const Built &) const = default;
};

/// The strategy that a file held when it was read, or why it could not be read.
struct FromFile {
    std::string path;
    Result<std::shared_ptr<const Strategy>> strategy;
    /// The same path and content.
    bool operator==(const FromFile &other) const;
};

/// Node configs that differ from the chosen strategy. Which devices train is up to the cluster.
struct Edited {
    std::shared_ptr<const Strategy> strategy;
    std::variant<Built, FromFile> from{};
    std::string name{}; ///< "trial 17" where it is not `from` with changes
    bool operator==(const Edited &) const = default;
};

/// The imported profile as it was recorded, beside a simulation of the same step.
struct Measured {
    bool operator==(const Measured &) const = default;
};

/// Steps of asynchronous training; not kept in project files.
struct Played {
    std::shared_ptr<const TraceRequest> steps;
    std::variant<Built, FromFile, Edited, Measured> before{}; ///< the source of the side until then
    bool operator==(const Played &) const = default;
};

/// A plan of collectives over a training DAG, kept as a value (engine/session/planned_work.h).
struct Planned {
    std::shared_ptr<const PlannedWork> work;
    std::variant<Built, FromFile, Edited, Measured> before{}; ///< the source of the side until then
    bool operator==(const Planned &) const = default;
};

using Source = std::variant<Built, FromFile, Edited, Measured, Played, Planned>;

/// Whether `text` is a path rather than a builder expression: a file has that name, or it holds a slash or ends like a file,
/// which no builder or argument does. Looks at the disk.
[[nodiscard]] bool namesStrategyFile(const std::string &text);
[[nodiscard]] FromFile readStrategySource(const std::string &path);
/// Interprets a user's `text`: "measured", the path of a strategy file, which is read (then not for the GUI thread), or a builder
/// expression.
[[nodiscard]] Source readSource(const std::string &text);
/// The text from which readSource() makes the chosen source: without edits, played steps and plans.
[[nodiscard]] std::string textOf(const Source &source);

/// Replaces played steps or a plan by the source before them.
[[nodiscard]] Source withoutRuns(const Source &source);
/// The chosen source, without edits, played steps and plans.
[[nodiscard]] Source withoutEdits(const Source &source);
/// Replaces `source` by `steps`.
[[nodiscard]] Played played(const Source &source, TraceRequest steps);
/// Replaces `source` by `work`.
[[nodiscard]] Planned planned(const Source &source, std::shared_ptr<const PlannedWork> work);
/// Replaces `source` by `strategy`, called `name`; taking it back restores the chosen source, or AllReduce where that was
/// measured.
[[nodiscard]] Edited replaced(const Source &source, std::shared_ptr<const Strategy> strategy, std::string name);
/// Makes `strategy` an edit of `source`; "trial 17" is then called "trial 17, edited".
[[nodiscard]] Edited edited(const Source &source, std::shared_ptr<const Strategy> strategy);

/// The recipe from which the strategy of `source` is remade whenever the cluster changes; a file's strategy is matched with the
/// job. Errors: those of matchStrategy(); why the file could not be read; a measured, played or planned source has none.
[[nodiscard]] Result<StrategyRecipe> strategyRecipe(const Source &source, const Job &job);

} // namespace syncopate
