// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace syncopate::ui {

/// "samples/s", or of a job that does not state its batch "steps/s" (engine/job/batch.h).
[[nodiscard]] QString rateUnitText(bool statesBatch);
/// For tool tips of figures in samples/s: why there may be none, and how to have them.
[[nodiscard]] QString unknownBatchText();

} // namespace syncopate::ui
