// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/permute_pair.h"
#include "engine/profile/recorded_step.h"
#include "engine/profile/torch/kineto_analysis.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace syncopate::kineto {

/// A send or a receive with its ends as places in its group, or as ranks where no group was recorded; -1 = an unknown end.
struct PlacedTransfer {
    PointToPoint transfer;
    TransferEnds ends;
};

/// The process groups of a trace: how their ranks are spaced, and who sends to whom in them.
class ProcessGroups {
public:
    /// `trace` outlives it.
    explicit ProcessGroups(const TraceEvents &trace);

    /// Sets the op's groupSize and groupStride.
    void setGroup(const Collective &collective, RecordedOp &op);
    /// The transfers of a kernel.
    [[nodiscard]] std::vector<PlacedTransfer> transfersOf(const Collective &collective);

private:
    struct Shape {
        std::int64_t size = 0;                                 ///< 0 = not recorded
        std::int64_t stride = 1;                               ///< as RecordedOp::groupStride
        std::unordered_map<std::int64_t, std::int64_t> places; ///< by rank
    };
    [[nodiscard]] Shape makeShape(std::string_view group) const;
    const Shape &shapeOf(const Collective &collective);

    const TraceEvents &m_trace;
    std::map<std::string_view, const RecordedGroup *> m_listed; ///< from the trace's header, by name
    std::map<std::string, Shape> m_shapes;                      ///< cache, by Collective::group
};

/// The permute that a send and a receive make: a copy of `group`, which has the size and stride of their group, with kind, bytes,
/// shift and number of ranks set. Null unless one is a send, the other a receive of the same, known size, and permuteShift()
/// finds a shift.
[[nodiscard]] std::optional<RecordedOp> permuteOf(const PlacedTransfer &one, const PlacedTransfer &other,
                                                  const RecordedOp &group);
/// "send (partner not recorded)": why a transfer is left out.
[[nodiscard]] std::string leftOutText(const PlacedTransfer &placed);

} // namespace syncopate::kineto
