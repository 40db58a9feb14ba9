// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rate.h"

#include "engine/job/batch.h"

namespace syncopate::cli {

void writeRate(JsonWriter &json, double batchSize, double rate, const std::string &prefix) {
    json.member(prefix + rateName(true), samplesOnly(batchSize > 0, rate));
    json.member(prefix + rateName(false), batchSize > 0 ? rate / batchSize : rate);
}

} // namespace syncopate::cli
