// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/profile/chakra/chakra.h"
#include "engine/profile/recorded_step.h"

#include <stop_token>
#include <string>

namespace syncopate {

/// Whether a file begins as an .et file does.
[[nodiscard]] bool isChakraFile(const std::string &path);

/// The trace as one step with its collectives, by its dependencies: those of a host op stand for the nodes that it launched, and
/// the control dependencies that ChakraTrace keeps count, except between two communication nodes. A send and a receive one behind
/// the other are a permute where each rank can have done the same. Computation is that of the device, else of the host, in the
/// order of launches; of a group only size and stride are known, and only where its name tells them, as in our own traces
/// ("8x1"). Unlike importChakra() it needs no training pass. Errors, which name `name`: no computation, no durations, no
/// collective.
[[nodiscard]] Result<RecordedStep> recordChakra(const ChakraTrace &trace, const std::string &name);
[[nodiscard]] Result<RecordedStep> recordChakraFile(const std::string &path, std::stop_token stop = {});

} // namespace syncopate
