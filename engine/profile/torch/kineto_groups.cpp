// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_groups.h"

#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate::kineto {

namespace {

/// Distance between neighbouring ranks; 0 if it varies, 1 if no ranks were recorded.
std::int64_t strideOf(const std::vector<std::int64_t> &ranks) {
    if (std::any_of(ranks.begin(), ranks.end(), [](std::int64_t rank) { return rank < 0; })) // their differences may overflow
        return 0;
    const std::int64_t stride = ranks.size() > 1 ? ranks[1] - ranks[0] : 1;
    for (std::size_t r = 1; r < ranks.size(); ++r)
        if (ranks[r] - ranks[r - 1] != stride)
            return 0;
    return std::max<std::int64_t>(stride, 0);
}

double bytesOf(const PointToPoint &transfer) {
    return static_cast<double>(transfer.elements) * static_cast<double>(sizeOf(transfer.dtype));
}

} // namespace

ProcessGroups::ProcessGroups(const TraceEvents &trace) : m_trace(trace) {
    for (const RecordedGroup &group : trace.groups)
        m_listed.insert_or_assign(group.name, &group);
}

/// Shape of the group "RANKS|NAME", from its ranks or else from those in the header under its name.
ProcessGroups::Shape ProcessGroups::makeShape(std::string_view group) const {
    const std::size_t bar = std::min(group.find('|'), group.size());
    std::vector<std::int64_t> ranks = integersOf(group.substr(0, bar));
    const auto listed = bar < group.size() ? m_listed.find(group.substr(bar + 1)) : m_listed.end();
    if (ranks.empty() && listed != m_listed.end())
        ranks = listed->second->ranks;
    Shape shape{static_cast<std::int64_t>(ranks.size()), strideOf(ranks), {}};
    for (std::size_t r = 0; r < ranks.size(); ++r)
        shape.places.emplace(ranks[r], static_cast<std::int64_t>(r));
    return shape;
}

const ProcessGroups::Shape &ProcessGroups::shapeOf(const Collective &collective) {
    const auto [known, isNew] = m_shapes.try_emplace(collective.group);
    if (isNew)
        known->second = makeShape(collective.group);
    return known->second;
}

void ProcessGroups::setGroup(const Collective &collective, RecordedOp &op) {
    const Shape &shape = shapeOf(collective);
    op.groupSize = shape.size > 0 ? shape.size : collective.groupSize;
    op.groupStride = shape.stride;
}

std::vector<PlacedTransfer> ProcessGroups::transfersOf(const Collective &collective) {
    const Shape &shape = shapeOf(collective);
    const bool isOfAll = shape.size == 0 && (collective.groupSize <= 0 || collective.groupSize == m_trace.worldSize);
    const auto placeOf = [&](std::int64_t member, std::int64_t rank) {
        if (member >= 0)
            return member;
        const auto at = shape.places.find(rank);
        return at != shape.places.end() ? at->second : isOfAll ? rank : -1;
    };
    std::vector<PlacedTransfer> placed;
    for (const PointToPoint &transfer : collective.transfers) {
        const std::int64_t self = placeOf(transfer.selfMember, m_trace.rank);
        const std::int64_t peer = placeOf(transfer.peerMember, transfer.peerRank);
        placed.push_back({transfer, transfer.isSend ? TransferEnds{self, peer} : TransferEnds{peer, self}});
    }
    return placed;
}

std::optional<RecordedOp> permuteOf(const PlacedTransfer &one, const PlacedTransfer &other, const RecordedOp &group) {
    const double bytes = bytesOf(one.transfer);
    if (one.transfer.isSend == other.transfer.isSend || bytes <= 0 || bytes != bytesOf(other.transfer))
        return std::nullopt;
    const PlacedTransfer &sent = one.transfer.isSend ? one : other, &got = one.transfer.isSend ? other : one;
    const auto permute = permuteShift(sent.ends, got.ends, group.groupSize);
    if (!permute)
        return std::nullopt;
    RecordedOp op = group;
    op.collective = "permute";
    op.sizeBytes = bytes;
    op.shift = permute->shift;
    op.groupSize = permute->ranks;
    return op;
}

std::string leftOutText(const PlacedTransfer &placed) {
    const auto &[transfer, ends] = placed;
    return fmt::format("{} ({})", transfer.isSend ? "send" : "receive",
                       ends.from < 0 || ends.to < 0 ? "partner not recorded"
                       : transfer.elements <= 0     ? "size not recorded"
                       : transfer.isSend            ? "no receive goes with it"
                                                    : "no send goes with it");
}

} // namespace syncopate::kineto
