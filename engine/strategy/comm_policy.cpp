// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/comm_policy.h"

#include "engine/base/units.h"
#include "engine/strategy/expression.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

/// In the order of CollectiveAlgorithm.
const std::vector<std::string> &algorithmNames() {
    static const std::vector<std::string> names{"ring", "tree", "hd", "hierarchical", "rsag", "breduce"};
    return names;
}

/// In the order of ConnectionSharing.
const std::vector<std::string> &sharingNames() {
    static const std::vector<std::string> names{"messages", "all", "none"};
    return names;
}

/// In milliseconds below a second, if that reads back as exactly the same time.
std::string timeText(double seconds) {
    if (seconds < 1 && (seconds * 1e3) * 1e-3 == seconds)
        return fmt::format("{}ms", seconds * 1e3);
    return fmt::format("{}s", seconds);
}

std::string valueText(const PolicyParameter &parameter, double value) {
    if (parameter.unit != ParameterUnit::Choice && !parameter.words.empty() && value == parameter.meaning)
        return parameter.words.front();
    switch (parameter.unit) {
    case ParameterUnit::Bytes:
        return formatExactBytes(value);
    case ParameterUnit::Seconds:
        return timeText(value);
    case ParameterUnit::Integer:
    case ParameterUnit::Elements:
        break;
    case ParameterUnit::Choice:
        return parameter.words[static_cast<std::size_t>(value)];
    case ParameterUnit::BytesOrCount: {
        const std::string text = formatExactBytes(value);
        const bool bare = text.find_first_not_of("0123456789.e+-") == std::string::npos;
        return bare ? text + "B" : text; // a bare number would be a count
    }
    }
    return fmt::format("{:.0f}", value);
}

double readValue(ArgumentReader &arguments, const PolicyParameter &parameter, const CommPolicy &policy) {
    switch (parameter.unit) {
    case ParameterUnit::Bytes:
        return arguments.bytesOr(parameter.key, parameter.usual, parameter.words, parameter.meaning);
    case ParameterUnit::Seconds:
        return arguments.seconds(parameter.key, parameter.usual);
    case ParameterUnit::Integer:
        break;
    case ParameterUnit::Elements:
        return arguments.count(parameter.key, parameter.usual, parameter.min, parameter.words, parameter.meaning);
    case ParameterUnit::Choice:
        return static_cast<double>(arguments.choice(parameter.key, static_cast<std::size_t>(parameter.usual), parameter.words));
    case ParameterUnit::BytesOrCount:
        return arguments.countOrBytes(
            parameter.key, parameter.usual, parameter.words, parameter.meaning,
            {parameter.counts, parameter.countsAs, policy.value(parameter.counts), parameter.maxCountedBytes});
    }
    return arguments.integer(parameter.key, static_cast<std::int32_t>(parameter.usual), static_cast<std::int32_t>(parameter.min));
}

} // namespace

const std::string &nameOf(ConnectionSharing sharing) { return sharingNames()[static_cast<std::size_t>(sharing)]; }

CommPolicy::CommPolicy() : CommPolicy(*findPolicy("fifo")) {}

CommPolicy::CommPolicy(const Policy &kind)
    : barrier(kind.barrier), connections(kind.connections), sharing(kind.sharing), m_kind(&kind) {
    m_values.reserve(kind.parameters.size());
    for (const PolicyParameter &parameter : kind.parameters)
        m_values.push_back(parameter.usual);
}

std::optional<std::size_t> CommPolicy::find(std::string_view key) const {
    for (std::size_t i = 0; i < m_values.size(); ++i)
        if (m_kind->parameters[i].key == key)
            return i;
    return {};
}

bool CommPolicy::has(std::string_view key) const { return find(key).has_value(); }

double CommPolicy::value(std::string_view key) const {
    const auto place = find(key);
    assert(place);
    return m_values[*place];
}

void CommPolicy::set(std::string_view key, double value) {
    const auto place = find(key);
    assert(place);
    m_values[*place] = value;
}

std::optional<std::string_view> CommPolicy::keyOfKnob(std::string_view knob) const {
    for (const PolicyParameter &parameter : m_kind->parameters)
        if (parameter.knob && parameter.knob->id == knob)
            return parameter.key;
    return {};
}

Result<CommPolicy> parsePolicy(std::string_view text, std::span<const Policy *const> known) {
    const auto expression = TRY(parseExpression(text));
    if (known.empty())
        known = policies();
    const Policy *kind = findPolicy(expression.name, known);
    if (kind == nullptr) {
        std::string names;
        for (const Policy *policy : known)
            names += (names.empty() ? "" : ", ") + policy->name;
        return failInExpression(fmt::format("there is no policy '{}'", expression.name), fmt::format("use one of {}", names));
    }
    std::vector<std::string> keys;
    for (const PolicyParameter &parameter : kind->parameters)
        keys.push_back(parameter.key);
    keys.insert(keys.end(), {"barrier", "connections", "sharing", "form", "algorithm"});
    ArgumentReader arguments(expression, std::move(keys));
    CommPolicy policy(*kind);
    for (const PolicyParameter &parameter : kind->parameters)
        policy.set(parameter.key, readValue(arguments, parameter, policy));
    policy.barrier = arguments.flag("barrier", policy.barrier);
    policy.connections = arguments.integer("connections", policy.connections, 1);
    policy.sharing =
        static_cast<ConnectionSharing>(arguments.choice("sharing", static_cast<std::size_t>(policy.sharing), sharingNames()));
    policy.form = arguments.choice("form", 0, {"analytic", "flows"}) == 1 ? CollectiveForm::Flows : CollectiveForm::Analytic;
    policy.algorithm = static_cast<CollectiveAlgorithm>(arguments.choice("algorithm", 0, algorithmNames()));
    if (arguments.error())
        return Unexpected(*arguments.error());
    return policy;
}

std::string formatPolicy(const CommPolicy &policy) {
    std::string text = policy.kind().name + "(";
    for (const PolicyParameter &parameter : policy.kind().parameters)
        text += parameter.key + "=" + valueText(parameter, policy.value(parameter.key)) + ",";
    text += policy.barrier ? "barrier=on" : "barrier=off";
    if (policy.connections != policy.kind().connections)
        text += fmt::format(",connections={}", policy.connections);
    if (policy.sharing != policy.kind().sharing)
        text += ",sharing=" + nameOf(policy.sharing);
    if (policy.form == CollectiveForm::Flows)
        text += ",form=flows";
    if (policy.algorithm != CollectiveAlgorithm::Ring)
        text += ",algorithm=" + algorithmNames()[static_cast<std::size_t>(policy.algorithm)];
    return text + ")";
}

std::string policySignature(const Policy &policy) {
    std::string settings;
    for (const PolicyParameter &parameter : policy.parameters)
        settings += (settings.empty() ? "" : ",") + parameter.key + "=" + valueText(parameter, parameter.usual);
    return settings.empty() ? policy.name : fmt::format("{}({})", policy.name, settings);
}

} // namespace syncopate
