// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/space/dimension.h"

#include "engine/base/units.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace syncopate {

namespace {

template <class... Cases> struct Overloaded : Cases... { using Cases::operator()...; };
template <class... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

/// The cluster's own value, without knobs.
double ownValue(const Cluster &cluster, const Dimension::ClusterSetting &setting) {
    if (const auto *real = std::get_if<std::optional<double> ClusterKnobs::*>(&setting)) {
        if (*real == &ClusterKnobs::latencySeconds)
            return cluster.latencySeconds;
        return cluster.nodes.empty() ? 0 : gbitsFromBytesPerSecond(cluster.nodes.front().bandwidthBytesPerSecond);
    }
    if (std::get<std::optional<std::int32_t> ClusterKnobs::*>(setting) == &ClusterKnobs::workers)
        return cluster.replicaCount();
    return static_cast<double>(cluster.serverOnly.size());
}

/// Value of a policy's setting; the policy must have it.
double valueIn(const CommPolicy &policy, const Dimension &dimension) { return policy.value(*policy.keyOfKnob(dimension.id)); }
void setIn(CommPolicy &policy, const Dimension &dimension, double value) { policy.set(*policy.keyOfKnob(dimension.id), value); }
double shippedValue(const Policy &policy, const Dimension &dimension) { return valueIn(CommPolicy(policy), dimension); }

/// Strips spaces and replaces the Greek mu of micro by "u".
std::string tidied(std::string_view text) {
    std::string tidy;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "\u00b5" || text.substr(i, 2) == "\u03bc") {
            tidy += 'u';
            ++i;
        } else if (std::isspace(static_cast<unsigned char>(text[i])) == 0) {
            tidy += text[i];
        }
    }
    return tidy;
}

/// Accepts bits only: "GB/s" would be bytes.
Result<double> parseGbits(const std::string &text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
    const auto number = parseNumber(text.substr(0, digits));
    if (!number)
        return fail(fmt::format("'{}' is not a bandwidth", text), "write a number of Gbit/s, or one with its unit");
    std::string unit = text.substr(digits);
    const bool bits = unit.find('B') == std::string::npos;
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
    double factor = 1;
    if (unit.starts_with('m')) {
        factor = 1e-3;
        unit.front() = 'g';
    }
    for (const char *known : {"", "g", "gb", "gb/s", "gbps", "gbit", "gbits", "gbit/s"})
        if (bits && unit == known)
            return *number * factor;
    return fail(fmt::format("'{}' has an unknown unit '{}'", text, text.substr(digits)), "use Gbit/s or Mbit/s");
}

Result<void> checkWhole(const Dimension &dimension, double value) {
    if (dimension.integer && value != std::round(value))
        return fail(fmt::format("{} {} is not a whole number", dimension.id, value), "write a whole number");
    return {};
}

std::string joined(const std::vector<const Policy *> &policies) {
    std::string names;
    for (const Policy *policy : policies)
        names += (names.empty() ? "" : ", ") + policy->name;
    return names;
}

} // namespace

const char *nameOf(Unit unit) {
    switch (unit) {
    case Unit::GbitsPerSecond:
        return "Gbit/s";
    case Unit::Seconds:
        return "s";
    case Unit::Bytes:
        return "bytes";
    case Unit::Count:
        break;
    }
    return "";
}

Result<void> Dimension::checkUnit(const std::string &text, double value) const {
    const bool isBytes = unit == Unit::Bytes;
    if ((!isBytes && unit != Unit::Seconds) || !parseNumber(text) || value == 0 || (value >= min && value <= max))
        return {};
    return fail(fmt::format("{} {} has no unit, which makes it {}", id, text, format(value)),
                isBytes ? fmt::format("write {0}MiB or {0}KiB, or {0}B if bytes are meant", text)
                        : fmt::format("write {0}us or {0}ms, or {0}s if seconds are meant", text));
}

std::string Dimension::whyNot(const ScenarioRecipe &recipe) const {
    if (isOfCluster())
        return recipe.cluster ? "" : "there is no cluster";
    if (recipe.policy.keyOfKnob(id))
        return {};
    return fmt::format("the policy is {}, and {} is a setting of {}", recipe.policy.kind().name, id, joined(policies));
}

double Dimension::get(const ScenarioRecipe &recipe) const {
    if (!appliesTo(recipe))
        return isOfCluster() ? 0 : shippedValue(*policies.front(), *this);
    return std::visit(Overloaded{[&](auto ClusterKnobs::*knob) {
                                     const auto &value = recipe.knobs.*knob;
                                     return value ? static_cast<double>(*value) : ownValue(*recipe.cluster, clusterSetting);
                                 },
                                 [&](std::monostate) { return valueIn(recipe.policy, *this); }},
                      clusterSetting);
}

Result<ScenarioRecipe> Dimension::with(ScenarioRecipe recipe, double value) const {
    if (std::string reason = whyNot(recipe); !reason.empty())
        return fail(std::move(reason), isOfCluster() ? "choose a cluster" : "choose such a policy");
    if (unit == Unit::Bytes)
        value = std::round(value);
    TRY(check(value));
    std::visit(Overloaded{[&](std::optional<double> ClusterKnobs::*knob) { recipe.knobs.*knob = value; },
                          [&](std::optional<std::int32_t> ClusterKnobs::*knob) {
                              recipe.knobs.*knob = static_cast<std::int32_t>(value);
                          },
                          [&](std::monostate) { setIn(recipe.policy, *this, value); }},
               clusterSetting);
    return recipe;
}

bool Dimension::isTurned(const ScenarioRecipe &recipe) const {
    return std::visit(
        Overloaded{[&](auto ClusterKnobs::*knob) { return (recipe.knobs.*knob).has_value(); },
                   [&](std::monostate) { return appliesTo(recipe) && get(recipe) != shippedValue(recipe.policy.kind(), *this); }},
        clusterSetting);
}

ScenarioRecipe Dimension::reset(ScenarioRecipe recipe) const {
    std::visit(Overloaded{[&](auto ClusterKnobs::*knob) { (recipe.knobs.*knob).reset(); },
                          [&](std::monostate) {
                              if (appliesTo(recipe))
                                  setIn(recipe.policy, *this, shippedValue(recipe.policy.kind(), *this));
                          }},
               clusterSetting);
    return recipe;
}

Result<void> Dimension::check(double value) const {
    if (std::isnan(value))
        return fail(fmt::format("{} is not a number", id), fmt::format("write one of {} to {}", format(lowest), format(highest)));
    if (value < lowest || value > highest)
        return fail(fmt::format("{} {} is out of range", id, format(value)),
                    fmt::format("write one of {} to {}", format(lowest), format(highest)));
    return checkWhole(*this, value);
}

std::string Dimension::format(double value) const {
    if (std::isinf(value))
        return unlimited.empty() ? "infinite" : unlimited.front();
    switch (unit) {
    case Unit::GbitsPerSecond:
        return value < 0.01 ? fmt::format("{:.3g} Gbit/s", value) : formatBandwidth(bytesPerSecondFromGbits(value));
    case Unit::Seconds:
        return formatSeconds(value);
    case Unit::Bytes:
        return formatBytes(value);
    case Unit::Count:
        break;
    }
    return fmt::format("{}", std::round(value) + 0.0); // valid beyond 64 bits, too, and never -0
}

Result<double> Dimension::parse(std::string_view text) const {
    const std::string tidy = tidied(text);
    const auto read = [&]() -> Result<double> {
        if (std::find(unlimited.begin(), unlimited.end(), tidy) != unlimited.end())
            return std::numeric_limits<double>::infinity();
        switch (unit) {
        case Unit::GbitsPerSecond:
            return parseGbits(tidy);
        case Unit::Seconds:
            return parseSeconds(tidy);
        case Unit::Bytes:
            return parseBytes(tidy);
        case Unit::Count:
            break;
        }
        return parseNumber(tidy);
    };
    const double value = TRY(read());
    TRY(checkWhole(*this, value));
    return value;
}

std::string Dimension::column() const {
    switch (unit) {
    case Unit::GbitsPerSecond:
        return id + "_gbits";
    case Unit::Seconds:
        return id + "_seconds";
    case Unit::Bytes:
        return id + "_bytes";
    case Unit::Count:
        break;
    }
    return id;
}

double Dimension::clamp(double value) const {
    value = std::clamp(value, min, max);
    return integer ? std::round(value) : value;
}

} // namespace syncopate
