// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/rule_search.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

// Coordinates of a point: two bounds each of stretches and classes and how many of them count, group, servers, then the cells.
enum Coordinate : std::size_t {
    Stretches,
    LayerBound,
    Classes = LayerBound + 2,
    SizeBound,
    Group = SizeBound + 2,
    Servers,
    FirstCell
};
enum CellCoordinate : std::size_t { Kind, Part, Proxy, CellSize };
constexpr std::size_t dimension = FirstCell + Rule::maxStretches * Rule::maxClasses * CellSize;
constexpr std::size_t keptBest = 4;
constexpr double minPartBytes = 64.0 * 1024, maxPartBytes = 256.0 * 1024 * 1024;
constexpr double minSizeBytes = 1024, maxSizeBytes = 256.0 * 1024 * 1024;
constexpr double minGroupBytes = 64.0 * 1024;
constexpr double wholeShare = 0.25; ///< of the part's axis that means "whole"

double onLogScale(double x, double min, double max) { return min * std::pow(max / min, x); }
double logPlace(double value, double min, double max) {
    return std::clamp(std::log(value / min) / std::log(max / min), 0.0, 1.0);
}

/// 1 to `max` for a coordinate in [0, 1].
std::size_t countOf(double x, std::size_t max) {
    return 1 + std::min(max - 1, static_cast<std::size_t>(x * static_cast<double>(max)));
}

double denseBytes(const Job &job) {
    double bytes = minGroupBytes * 2;
    for (const Variable &variable : job.variables)
        bytes += variable.sparse ? 0 : static_cast<double>(variable.sizeBytes());
    return bytes;
}

std::size_t cellAt(std::size_t stretch, std::size_t sizeClass) {
    return FirstCell + (stretch * Rule::maxClasses + sizeClass) * CellSize;
}

} // namespace

RuleSearch::RuleSearch(const SearchRequest &request, const Settings &settings)
    : m_base(request.base), m_objective(request.objective), m_seed(request.seed), m_settings(settings),
      m_maxBytes(denseBytes(*request.base.job)), m_devices(request.base.cluster->reductionDevices().size()) {}

std::string RuleSearch::text() const {
    ArgumentValues values(ruleSearchInfo());
    values.setNumber("stretches", m_settings.stretches);
    values.setNumber("classes", m_settings.classes);
    values.setNumber("fresh", std::round(100 * m_settings.fresh));
    return values.text();
}

std::string RuleSearch::description() const {
    return fmt::format("rules of up to {} stretches of layers and {} classes of sizes, the best changed, {:.0f} % drawn anew",
                       m_settings.stretches, m_settings.classes, 100 * m_settings.fresh);
}

Result<Rule> RuleSearch::ruleOf(const Genes &genes) const {
    const auto outside = [](double x) { return !(x >= 0 && x <= 1); };
    if (!genes.whole.empty() || genes.real.size() != dimension || std::any_of(genes.real.begin(), genes.real.end(), outside))
        return fail(fmt::format("the genes '{}' are not a rule", formatGenes(genes).substr(0, 60)),
                    "they are those of another search method");
    const Point &x = genes.real;
    Rule rule;
    const std::size_t stretches = countOf(x[Stretches], static_cast<std::size_t>(m_settings.stretches));
    const std::size_t classes = countOf(x[Classes], static_cast<std::size_t>(m_settings.classes));
    for (std::size_t s = 0; s + 1 < stretches; ++s)
        rule.layerBounds.push_back(x[LayerBound + s]);
    for (std::size_t c = 0; c + 1 < classes; ++c)
        rule.sizeBounds.push_back(onLogScale(x[SizeBound + c], minSizeBytes, maxSizeBytes));
    std::sort(rule.layerBounds.begin(), rule.layerBounds.end());
    std::sort(rule.sizeBounds.begin(), rule.sizeBounds.end());
    for (std::size_t s = 0; s < stretches; ++s)
        for (std::size_t c = 0; c < classes; ++c) {
            const double *cell = x.data() + cellAt(s, c);
            rule.cells[s][c] = {cell[Kind] >= 0.5,
                                cell[Part] < wholeShare
                                    ? 0
                                    : onLogScale((cell[Part] - wholeShare) / (1 - wholeShare), minPartBytes, maxPartBytes),
                                cell[Proxy] >= 0.5};
        }
    rule.groupBytes = onLogScale(x[Group], minGroupBytes, m_maxBytes);
    rule.servers = countOf(x[Servers], m_devices);
    return rule;
}

Result<Scenario> RuleSearch::decode(const Genes &genes) const {
    const Rule rule = TRY(ruleOf(genes));
    Scenario scenario = m_base;
    scenario.strategy = std::make_shared<const Strategy>(strategyOf(rule, *m_base.job, *m_base.cluster));
    return scenario;
}

std::vector<RuleSearch::Point> RuleSearch::usualRules() const {
    std::vector<Point> points;
    const auto add = [&](bool served, double partBytes, bool proxy, double groupBytes) -> Point & {
        Point point(dimension, 0);
        point[Group] = logPlace(groupBytes, minGroupBytes, m_maxBytes);
        point[Servers] = 1;
        for (std::size_t cell = FirstCell; cell < dimension; cell += CellSize) {
            point[cell + Kind] = served ? 1 : 0;
            point[cell + Part] =
                partBytes > 0 ? wholeShare + (1 - wholeShare) * logPlace(partBytes, minPartBytes, maxPartBytes) : 0;
            point[cell + Proxy] = proxy ? 1 : 0;
        }
        points.push_back(std::move(point));
        return points.back();
    };
    constexpr double mebibyte = 1024.0 * 1024;
    for (const double group : {m_maxBytes, 64 * mebibyte, 16 * mebibyte, 4 * mebibyte, mebibyte, minGroupBytes})
        add(false, 0, false, group);
    for (const double part : {0.0, 32 * mebibyte, 8 * mebibyte, 2 * mebibyte})
        for (const bool proxy : {false, true})
            add(true, part, proxy, m_maxBytes);
    if (m_settings.classes < 2)
        return points;
    for (const double size : {mebibyte / 4, mebibyte, 16 * mebibyte}) { // small ones all-reduced, large ones served in parts
        Point &point = add(true, 8 * mebibyte, true, 16 * mebibyte);
        point[Classes] = 1.0 / m_settings.classes;
        point[SizeBound] = logPlace(size, minSizeBytes, maxSizeBytes);
        for (std::size_t s = 0; s < Rule::maxStretches; ++s) {
            point[cellAt(s, 0) + Kind] = 0;
            point[cellAt(s, 0) + Part] = 0;
        }
    }
    return points;
}

RuleSearch::Point RuleSearch::drawn(Rng &rng) const {
    Point point(dimension);
    for (double &x : point)
        x = rng.uniform(0, 1);
    return point;
}

RuleSearch::Point RuleSearch::changed(Point point, Rng &rng) const {
    const auto changes = 1 + static_cast<int>(rng.uniform(0, 3));
    for (int i = 0; i < changes; ++i) {
        const auto at = std::min(dimension - 1, static_cast<std::size_t>(rng.uniform(0, static_cast<double>(dimension))));
        // Mostly a step, sometimes a leap.
        point[at] = rng.uniform(0, 1) < 0.7 ? std::clamp(point[at] + rng.uniform(-0.2, 0.2), 0.0, 1.0) : rng.uniform(0, 1);
        if (at < FirstCell)
            continue;
        if (rng.uniform(0, 1) < 0.5) // the same in every cell: one size of parts suits most rules
            for (std::size_t cell = FirstCell + (at - FirstCell) % CellSize; cell < dimension; cell += CellSize)
                point[cell] = point[at];
    }
    return point;
}

RuleSearch::Point RuleSearch::mixed(Rng &rng) const {
    const auto pick = [&]() -> const Point & {
        return m_best[std::min(m_best.size() - 1, static_cast<std::size_t>(rng.uniform(0, static_cast<double>(m_best.size()))))]
            .point;
    };
    Point point = pick();
    const Point &other = pick();
    for (std::size_t i = 0; i < dimension; ++i)
        if (rng.uniform(0, 1) < 0.5)
            point[i] = other[i];
    return point;
}

Result<std::vector<Genes>> RuleSearch::ask(std::uint64_t first, std::stop_token /*stop*/) {
    std::vector<Genes> batch;
    if (first == 0)
        for (Point &point : usualRules())
            batch.push_back({{}, std::move(point)});
    batch.resize(std::min(batch.size(), batchSize()));
    Rng rng(Rng(m_seed).next() ^ first);
    for (std::uint64_t trial = first + batch.size(); trial < first + batchSize(); ++trial) {
        const double kind = rng.uniform(0, 1);
        if (m_best.empty() || kind < m_settings.fresh)
            batch.push_back({{}, drawn(rng)});
        else if (kind < m_settings.fresh + 0.15)
            batch.push_back({{}, changed(mixed(rng), rng)});
        else
            batch.push_back({{}, changed(kind < 0.8 ? m_best.front().point : mixed(rng), rng)});
    }
    return batch;
}

std::string RuleSearch::explain(const Genes &genes) const {
    const auto rule = ruleOf(genes);
    return rule ? describe(*rule) : std::string();
}

void RuleSearch::tell(const std::vector<SearchTrial> &batch) {
    for (const SearchTrial &trial : batch)
        if (const double value = objectiveOf(trial.metrics, m_objective); std::isfinite(value))
            m_best.push_back({value, trial.genes.real});
    std::stable_sort(m_best.begin(), m_best.end(), [](const Tried &a, const Tried &b) { return a.value < b.value; });
    m_best.resize(std::min(m_best.size(), keptBest));
}

const ExpressionInfo &ruleSearchInfo() {
    static const ExpressionInfo info{
        "rules",
        "one rule for stretches of layers and classes of sizes, the best rules changed little by little",
        {{"stretches", ArgumentKind::Integer, "3", 1, Rule::maxStretches, {}, "stretches", "Stretches of layers, at most"},
         {"classes", ArgumentKind::Integer, "3", 1, Rule::maxClasses, {}, "classes", "Classes of variables' sizes, at most"},
         {"fresh", ArgumentKind::Integer, "20", 0, 100, {}, "percent", "Share of trials that are drawn anew"}}};
    return info;
}

Result<RuleSearch::Settings> readRuleSearch(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, ruleSearchInfo()));
    RuleSearch::Settings settings;
    settings.stretches = static_cast<std::int32_t>(values.number("stretches"));
    settings.classes = static_cast<std::int32_t>(values.number("classes"));
    settings.fresh = values.number("fresh") / 100;
    return settings;
}

} // namespace syncopate
