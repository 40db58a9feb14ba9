// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/meta_origin.h"

#include "engine/base/json_writer.h"

#include <cmath>
#include <fmt/format.h>
#include <simdjson.h>
#include <string_view>

namespace syncopate {

namespace {

constexpr std::size_t maxCommand = 400; ///< bytes
constexpr double maxStatedError = 1e6;
constexpr const char *statedRemedy = "load a file that `tune --train` wrote";

double fourDecimals(double value) { return std::round(value * 1e4) / 1e4; }

/// Two digits, or more before the point; 0 below a ten-thousandth of a percent.
std::string shareText(double share) {
    const double percent = share < 1e-6 ? 0 : 100 * share;
    return percent < 10 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string errorsText(const char *what, const MetaOrigin::Errors &errors) {
    if (errors.conditions == 0)
        return fmt::format("not tested on {}", what);
    return fmt::format(
        "on {} {}, speeds are off by {} (median) and {} (90 %), and {:.0f} % of the choices are within {} of the best",
        errors.conditions, what, shareText(errors.medianError), shareText(errors.p90Error), 100 * errors.withinGoal,
        shareText(errors.goal));
}

void writeStated(JsonWriter &json, const char *name, const MetaOrigin::Errors &errors) {
    json.newLine().key(name).beginObject().member("conditions", errors.conditions);
    json.member("median_error", fourDecimals(errors.medianError)).member("p90_error", fourDecimals(errors.p90Error));
    json.member("goal", errors.goal).member("within_goal", fourDecimals(errors.withinGoal)).endObject();
}

Result<MetaOrigin::Errors> readStated(const simdjson::dom::element &root, const char *name) {
    MetaOrigin::Errors errors;
    simdjson::dom::element found;
    if (root[name].get(found) || found["conditions"].get(errors.conditions))
        return fail(fmt::format("the network does not state its errors: {}", name), statedRemedy);
    const auto share = [&](const char *member, double max, double &value) -> Result<void> {
        if (found[member].get(value) || !(value >= 0 && value <= max))
            return fail(fmt::format("{}.{} is not a number from 0 to {}", name, member, max), statedRemedy);
        return {};
    };
    TRY(share("median_error", maxStatedError, errors.medianError));
    TRY(share("p90_error", maxStatedError, errors.p90Error));
    TRY(share("goal", 1, errors.goal));
    TRY(share("within_goal", 1, errors.withinGoal));
    return errors;
}

} // namespace

std::string MetaOrigin::describe() const {
    return fmt::format("{}: {}; {}", command, errorsText("other conditions of its models", heldOut),
                       errorsText("conditions of other models", leftOut));
}

void MetaOrigin::write(JsonWriter &json) const {
    json.member("origin", std::string_view(command)).member("seed", seed);
    writeStated(json, "held_out", heldOut);
    writeStated(json, "left_out", leftOut);
}

Result<MetaOrigin> MetaOrigin::read(const simdjson::dom::element &root) {
    MetaOrigin origin;
    std::string_view command;
    if (root["origin"].get(command) || command.size() > maxCommand || root["seed"].get(origin.seed))
        return fail("the network lacks its origin or its seed", statedRemedy);
    origin.command = command;
    origin.heldOut = TRY(readStated(root, "held_out"));
    origin.leftOut = TRY(readStated(root, "left_out"));
    return origin;
}

} // namespace syncopate
