// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/phrase.h"
#include "engine/strategy/policy.h"

namespace syncopate::policy {

const Policy &fifo() {
    static const Policy policy{.name = "fifo", .about = translatable("each message when it is ready, one at a time per sender")};
    return policy;
}

} // namespace syncopate::policy
