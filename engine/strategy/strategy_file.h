// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <string>
#include <string_view>

namespace syncopate {

/// AutoDist's wire format (autodist/proto/strategy.proto), the bytes that Strategy.serialize() writes. Older files are read too:
/// a variable with several destinations (before 2020-04-29) is split along dimension 0, and in such a file the chunk sizes
/// become groups. An old file of all-reduced variables alone looks like one of today whose variables are all in one group; lint()
/// points that out. PowerSGDCompressor (until 2020-07-15) and the branch poseidon are refused.
[[nodiscard]] std::string writeStrategyProto(const Strategy &strategy);
[[nodiscard]] Result<Strategy> readStrategyProto(std::string_view bytes, const std::string &file = {});
/// An error where the strategy has a transfer destination, which these files cannot hold: the functions that write them leave it
/// out.
[[nodiscard]] Result<void> checkWritable(const Strategy &strategy);
/// Also rejects reductions other than all-reduce, which AutoDist's files cannot hold.
[[nodiscard]] Result<void> checkForAutoDist(const Strategy &strategy);
/// The same content as JSON, for people and scripts. A reduction that AutoDist has no field for is syncopate_reduction there.
/// Empty where protobuf cannot print it: a name that is not UTF-8.
[[nodiscard]] std::string writeStrategyJson(const Strategy &strategy);
[[nodiscard]] Result<Strategy> readStrategyJson(std::string_view json, const std::string &file = {});
/// Reads either, deciding by content.
[[nodiscard]] Result<Strategy> readStrategyFile(const std::string &path);

/// A new id the way AutoDist makes them: UTC "20200601T080115M902347".
[[nodiscard]] std::string newStrategyId();

/// Checks that `strategy` fits `job`: every variable exactly once (in any order; returned in the job's order), part counts
/// that the shapes allow; a partitioner of one number, as old files have it, splits dimension 0 whatever the rank. The error
/// names the variable.
[[nodiscard]] Result<Strategy> matchStrategy(const Strategy &strategy, const Job &job, const std::string &file = {});

} // namespace syncopate
