// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/source.h"

#include "engine/strategy/strategy_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace syncopate {

namespace {

constexpr const char *measuredText = "measured";

/// A visitor made of one lambda per alternative.
template <class... Calls> struct Overloaded : Calls... { using Calls::operator()...; };
template <class... Calls> Overloaded(Calls...) -> Overloaded<Calls...>;

/// Converts to the same alternative of a larger variant.
template <class... Alternatives> Source widened(const std::variant<Alternatives...> &source) {
    return std::visit([](const auto &alternative) { return Source(alternative); }, source);
}

} // namespace

bool FromFile::operator==(const FromFile &other) const {
    if (path != other.path || strategy.has_value() != other.strategy.has_value())
        return false;
    return strategy ? *strategy == *other.strategy || **strategy == **other.strategy : strategy.error() == other.strategy.error();
}

bool namesStrategyFile(const std::string &text) {
    std::error_code ignored;
    return text.find('/') != std::string::npos || text.ends_with(".pb") || text.ends_with(".json") ||
           std::filesystem::is_regular_file(text, ignored);
}

FromFile readStrategySource(const std::string &path) {
    auto read = readStrategyFile(path);
    if (!read)
        return {path, Unexpected(std::move(read).error())};
    return {path, std::make_shared<const Strategy>(*std::move(read))};
}

Source readSource(const std::string &text) {
    if (text == measuredText)
        return Measured{};
    if (namesStrategyFile(text))
        return readStrategySource(text);
    return Built{text};
}

std::string textOf(const Source &source) {
    return std::visit(Overloaded{[](const Built &built) { return built.builder; }, [](const FromFile &file) { return file.path; },
                                 [](const Edited &edited) { return textOf(widened(edited.from)); },
                                 [](const Measured &) { return std::string(measuredText); },
                                 [](const Played &played) { return textOf(widened(played.before)); },
                                 [](const Planned &planned) { return textOf(widened(planned.before)); }},
                      source);
}

namespace {

/// Stores in `before` the source that `source` had before any played steps or plan.
void keepBefore(const Source &source, std::variant<Built, FromFile, Edited, Measured> &before) {
    std::visit(Overloaded{[&](const Played &earlier) { before = earlier.before; },
                          [&](const Planned &earlier) { before = earlier.before; }, [&](const auto &shown) { before = shown; }},
               source);
}

} // namespace

Source withoutRuns(const Source &source) {
    std::variant<Built, FromFile, Edited, Measured> before;
    keepBefore(source, before);
    return widened(before);
}

Source withoutEdits(const Source &source) {
    const Source kept = withoutRuns(source);
    const auto *edited = std::get_if<Edited>(&kept);
    return edited ? widened(edited->from) : kept;
}

Played played(const Source &source, TraceRequest steps) {
    Played made{std::make_shared<const TraceRequest>(std::move(steps))};
    keepBefore(source, made.before);
    return made;
}

Planned planned(const Source &source, std::shared_ptr<const PlannedWork> work) {
    Planned made{std::move(work)};
    keepBefore(source, made.before);
    return made;
}

Edited replaced(const Source &source, std::shared_ptr<const Strategy> strategy, std::string name) {
    Edited made{std::move(strategy), Built{"AllReduce"}, std::move(name)};
    const Source chosen = withoutEdits(source);
    if (const auto *built = std::get_if<Built>(&chosen))
        made.from = *built;
    else if (const auto *file = std::get_if<FromFile>(&chosen))
        made.from = *file;
    return made;
}

Edited edited(const Source &source, std::shared_ptr<const Strategy> strategy) {
    const auto *present = std::get_if<Edited>(&source);
    std::string name = present ? present->name : std::string();
    if (!name.empty() && !name.ends_with(", edited"))
        name += ", edited";
    return replaced(source, std::move(strategy), std::move(name));
}

Result<StrategyRecipe> strategyRecipe(const Source &source, const Job &job) {
    using Made = Result<StrategyRecipe>;
    return std::visit(Overloaded{[](const Built &built) -> Made { return BuiltStrategy{built.builder}; },
                                 [&](const FromFile &file) -> Made {
                                     const auto read = TRY(Result<std::shared_ptr<const Strategy>>(file.strategy));
                                     auto matched = TRY(matchStrategy(*read, job, file.path));
                                     return FixedStrategy{std::make_shared<const Strategy>(std::move(matched)), false};
                                 },
                                 // Edits concern variables; which devices train is up to the cluster.
                                 [](const Edited &edited) -> Made {
                                     return FixedStrategy{edited.strategy, true};
                                 },
                                 [](const Measured &) -> Made {
                                     return fail("shows a measured step, which has no scenario", "choose a builder for it");
                                 },
                                 [](const Played &) -> Made {
                                     return fail("shows generated steps, which have no scenario", "choose a builder for it");
                                 },
                                 [](const Planned &) -> Made {
                                     return fail("shows a plan, which has no strategy", "choose a builder for it");
                                 }},
                      source);
}

} // namespace syncopate
