// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario_line.h"

#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/parse/json_document.h"
#include "engine/space/space.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <simdjson.h>
#include <string>

namespace syncopate {

namespace {

using simdjson::dom::element;
using Set = Result<void> (*)(ScenarioLine &line, element value);

constexpr std::size_t deepest = 8; ///< an object of texts, numbers and lists of texts needs two levels

Unexpected wrongType(std::string_view wanted) {
    return fail(fmt::format("expected {}", wanted), "see docs/command-line.md, simulate --batch");
}

Result<std::string> textOf(element value) {
    std::string_view text;
    if (value.get(text))
        return wrongType("a text");
    if (text.find('\0') != std::string_view::npos)
        return fail("the text holds a NUL character", "leave it out");
    return std::string(text);
}

Result<void> setText(std::string &target, element value) {
    target = TRY(textOf(value));
    return {};
}

/// Sets a text that is parsed only when the scenario is loaded; errors in it then name the key, not an option.
Result<void> setText(std::string &target, std::string &option, const char *key, element value) {
    TRY(setText(target, value));
    option = key;
    return {};
}

Result<double> numberOf(element value) {
    double number = 0; // reads integers, too
    if (value.get(number))
        return wrongType("a number");
    return number;
}

/// A number, also as a text, as on the command line.
Result<double> writtenNumber(element value) { return value.is_string() ? parseNumber(TRY(textOf(value))) : numberOf(value); }

/// A number in the dimension's unit, or a text that the dimension can parse, within a scenario's bounds.
Result<double> valueOf(std::string_view id, element value) {
    const Space &space = scenarioSpace();
    const Dimension &dimension = space[TRY(space.indexOf(id))];
    if (!value.is_string()) {
        const double number = TRY(numberOf(value));
        TRY(dimension.check(number));
        return number;
    }
    const std::string text = TRY(textOf(value));
    const double number = TRY(dimension.parse(text));
    TRY(dimension.check(number));
    TRY(dimension.checkUnit(text, number));
    return number;
}

Result<std::int32_t> wholeNumber(element value, std::int32_t min, std::int32_t max) {
    const double number = TRY(writtenNumber(value));
    if (!(number >= min && number <= max) || number != std::round(number))
        return fail(fmt::format("{} is not a whole number from {} to {}", number, min, max), "write one");
    return static_cast<std::int32_t>(number);
}

struct Key {
    std::string_view name;
    Set set;
};

const Key keys[] = {
    {"job", [](ScenarioLine &line, element value) { return setText(line.options.job, value); }},
    {"cluster", [](ScenarioLine &line, element value) { return setText(line.options.cluster, value); }},
    {"strategy", [](ScenarioLine &line,
                    element value) { return setText(line.options.strategy, line.options.strategyOption, "strategy", value); }},
    {"policy",
     [](ScenarioLine &line, element value) { return setText(line.options.policy, line.options.policyOption, "policy", value); }},
    {"workers",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.options.workers = static_cast<std::int32_t>(TRY(valueOf("workers", value)));
         return {};
     }},
    {"servers",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.options.servers = static_cast<std::int32_t>(TRY(valueOf("servers", value)));
         return {};
     }},
    {"bandwidth",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.options.bandwidthGbits = TRY(valueOf("bandwidth", value));
         return {};
     }},
    {"latency",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.options.latency = fmt::format("{}s", TRY(valueOf("latency", value))); // the shortest text with the same bits
         return {};
     }},
    {"iterations",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.options.iterations = TRY(wholeNumber(value, ScenarioOptions::minIterations, ScenarioOptions::maxIterations));
         return {};
     }},
    {"fold",
     [](ScenarioLine &line, element value) -> Result<void> {
         if (value.get(line.options.fold))
             return wrongType("true or false");
         return {};
     }},
    {"sharing",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.options.linkModel = TRY(linkModelNamed(TRY(textOf(value))));
         return {};
     }},
    {"batch_size",
     [](ScenarioLine &line, element value) -> Result<void> {
         const double samples = TRY(writtenNumber(value));
         if (!(samples > 0 && samples <= maxBatch))
             return fail(fmt::format("the batch size is {}", samples), "give the samples per worker and step, above 0");
         line.options.batchSize = samples;
         return {};
     }},
    {"variables", [](ScenarioLine &line, element value) { return setText(line.options.variables, value); }},
    {"measured", [](ScenarioLine &line, element value) { return setText(line.options.measured, value); }},
    {"curves", [](ScenarioLine &line, element value) { return setText(line.options.curves, value); }},
    {"background",
     [](ScenarioLine &line, element value) {
         return setText(line.options.background, line.options.backgroundOption, "background", value);
     }},
    {"costs",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.costs.measuredOption = "costs";
         line.costs.measured.clear();
         simdjson::dom::array files;
         if (value.get(files))
             return setText(line.costs.measured.emplace_back(), value);
         for (const element file : files)
             TRY(setText(line.costs.measured.emplace_back(), file));
         return {};
     }},
    {"incast",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.costs.incastOption = "incast";
         if (line.costs.measured.empty())
             line.costs.measuredOption = "costs"; // which remedies of the incast name
         line.costs.incast = value.is_string() ? TRY(textOf(value)) : fmt::format("{}", TRY(numberOf(value)));
         return {};
     }},
    {"seed",
     [](ScenarioLine &line, element value) -> Result<void> {
         line.seed = TRY(wholeNumber(value, 0, std::numeric_limits<std::int32_t>::max()));
         return {};
     }},
};

std::string namesOfKeys() {
    std::string names;
    for (const Key &key : keys)
        names += (names.empty() ? "" : ", ") + std::string(key.name);
    return names;
}

Result<void> readKeys(simdjson::dom::object object, ScenarioLine &line) {
    std::bitset<std::size(keys)> seen;
    for (const auto &[name, value] : object) {
        const std::string place = cutInMiddle(name, maxShownNameBytes);
        const auto *const key = std::find_if(std::begin(keys), std::end(keys),
                                             [wanted = std::string_view(name)](const Key &k) { return k.name == wanted; });
        if (key == std::end(keys))
            return fail(fmt::format("there is no key '{}'", place), fmt::format("use {}", namesOfKeys()), {}, place);
        const auto index = static_cast<std::size_t>(key - std::begin(keys));
        if (seen[index])
            return fail("the key is given twice", "keep one of them", {}, place);
        seen.set(index);
        if (auto set = key->set(line, value); !set) {
            Error error = std::move(set).error();
            error.place = place;
            return Unexpected(std::move(error));
        }
    }
    for (const auto &[name, text] : {std::pair("job", &line.options.job), std::pair("cluster", &line.options.cluster)})
        if (text->empty())
            return Unexpected(missingKey(name));
    return {};
}

} // namespace

Error missingKey(const std::string &name) {
    return {
        fmt::format("the key '{}' is missing", name), fmt::format("add it, or --{} as the default of all lines", name), {}, name};
}

tl::expected<ScenarioLine, RefusedLine> readScenarioLine(std::string_view json, ScenarioLine defaults) {
    const auto refuse = [](std::string what, std::string place) {
        return tl::unexpected(RefusedLine{Error{std::move(what), "write one JSON object a line", {}, std::move(place)}, false});
    };
    simdjson::dom::parser parser;
    const auto root = parseJson(parser, json, deepest);
    if (!root)
        return refuse(fmt::format("this is not JSON: {}", simdjson::error_message(root.error().status)), root.error().place);
    simdjson::dom::object object;
    if (root->get(object))
        return refuse("this is JSON, but not an object", "byte 0");
    if (auto read = readKeys(object, defaults); !read)
        return tl::unexpected(RefusedLine{std::move(read).error(), true});
    return defaults;
}

} // namespace syncopate
