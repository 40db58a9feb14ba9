// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/strategy/arguments.h"

#include <array>
#include <cstddef>
#include <vector>

namespace syncopate {

/// A kind of object that expressions make (a search method, a judge, a ranker): its declaration, and the function that makes it.
/// A room lists its kinds in one table.
template <class Make> struct ExpressionKind {
    const ExpressionInfo &(*info)();
    Make *make;
};

/// The declarations of a table's kinds, in its order.
template <class Make, std::size_t N>
[[nodiscard]] std::vector<ExpressionInfo> infosOf(const std::array<ExpressionKind<Make>, N> &kinds) {
    std::vector<ExpressionInfo> infos;
    infos.reserve(N);
    for (const ExpressionKind<Make> &kind : kinds)
        infos.push_back(kind.info());
    return infos;
}

/// The kind with the name of `expression`; `infos` are the table's. Errors as findExpression().
template <class Make, std::size_t N>
[[nodiscard]] Result<const ExpressionKind<Make> *> findKind(const Expression &expression,
                                                            const std::array<ExpressionKind<Make>, N> &kinds,
                                                            const std::vector<ExpressionInfo> &infos, const char *what) {
    const ExpressionInfo *info = TRY(findExpression(expression, infos, what));
    return &kinds[static_cast<std::size_t>(info - infos.data())];
}

} // namespace syncopate
