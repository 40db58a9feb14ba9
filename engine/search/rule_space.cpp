// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/rule_space.h"

#include "engine/search/constraints.h"
#include "engine/search/rule_codes.h"
#include "engine/strategy/builders.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

using namespace rule_codes;

double denseBytes(const Job &job) {
    double bytes = minGroupBytes * 2;
    for (const Variable &variable : job.variables)
        bytes += variable.sparse ? 0 : static_cast<double>(variable.sizeBytes());
    return bytes;
}

bool coin(Rng &rng, double probability) { return rng.uniform(0, 1) < probability; }

/// A random place in [0, 1] near x.
double near(double x, Rng &rng) { return std::clamp(x + rng.uniform(-0.15, 0.15), 0.0, 1.0); }

} // namespace

const char *nameOf(RuleMove move) {
    static constexpr std::array<const char *, ruleMoves> names{"usual", "fresh", "step", "leap", "split", "variable", "mixed"};
    return names[static_cast<std::size_t>(move)];
}

RuleSpace::RuleSpace(Scenario base, std::size_t stretches, std::size_t classes, bool reductions)
    : m_base(std::move(base)), m_stretches(stretches), m_classes(classes), m_reductions(reductions),
      m_maxBytes(denseBytes(*m_base.job)), m_devices(m_base.cluster->reductionDevices().size()) {}

RuleMove RuleSpace::moveOf(const Genes &genes) {
    return genes.whole.empty() || genes.whole.front() >= ruleMoves ? RuleMove::Usual : static_cast<RuleMove>(genes.whole.front());
}

Result<Rule> RuleSpace::ruleOf(const Genes &genes) const {
    const auto outside = [](double x) { return !(x >= 0 && x <= 1); };
    if (genes.whole.empty() || genes.whole.front() >= ruleMoves || genes.real.size() != dimension ||
        std::any_of(genes.real.begin(), genes.real.end(), outside))
        return fail(fmt::format("the genes '{}' are not a rule", formatGenes(genes).substr(0, 60)),
                    "use the search method that made them");
    const Point &x = genes.real;
    Rule rule;
    const std::size_t stretches = countOf(x[Stretches], m_stretches), classes = countOf(x[Classes], m_classes);
    for (std::size_t s = 0; s + 1 < stretches; ++s)
        rule.layerBounds.push_back(x[LayerBound + s]);
    for (std::size_t c = 0; c + 1 < classes; ++c)
        rule.sizeBounds.push_back(onLogScale(x[SizeBound + c], minSizeBytes, maxSizeBytes));
    std::sort(rule.layerBounds.begin(), rule.layerBounds.end());
    std::sort(rule.sizeBounds.begin(), rule.sizeBounds.end());
    for (std::size_t s = 0; s < stretches; ++s)
        for (std::size_t c = 0; c < classes; ++c) {
            const double *cell = x.data() + cellAt(s, c);
            RuleCell &out = rule.cells[s][c];
            out.served = cell[Kind] >= 0.5;
            std::tie(out.cut, out.partBytes) = cutAt(cell[Part]);
            out.proxy = out.served && cell[Proxy] >= 0.5;
            if (m_reductions && !out.served)
                out.reduction = reductionAt(cell[Proxy]);
            out.groupBytes = onLogScale(cell[Group], minGroupBytes, m_maxBytes);
        }
    rule.servers = countOf(x[Servers], m_devices);
    rule.placement = x[Order] >= 0.5 ? RulePlacement::InOrder : RulePlacement::LargestFirst;
    rule.groupCount = groupCountAt(x[GroupCount]);
    rule.sparseServed = x[Sparse] < 0.5;
    return rule;
}

Result<std::vector<VariableChange>> RuleSpace::changesOf(const Genes &genes) const {
    std::vector<VariableChange> changes;
    for (std::size_t i = 1; i < genes.whole.size(); ++i) {
        changes.push_back(changeAt(genes.whole[i]));
        if (changes.back().variable >= m_base.job->variables.size())
            return fail(fmt::format("the genes change variable {} of {}", changes.back().variable, m_base.job->variables.size()),
                        "use the job that they were made for");
    }
    return changes;
}

Result<Scenario> RuleSpace::decode(const Genes &genes) const {
    const Rule rule = TRY(ruleOf(genes));
    const std::vector<VariableChange> changes = TRY(changesOf(genes));
    Scenario scenario = m_base;
    scenario.strategy = std::make_shared<const Strategy>(strategyOf(rule, changes, *m_base.job, *m_base.cluster));
    return scenario;
}

std::string RuleSpace::explain(const Genes &genes) const {
    const auto rule = ruleOf(genes);
    const auto changes = changesOf(genes);
    if (!rule || !changes)
        return {};
    std::string text = describe(*rule);
    for (const VariableChange &change : *changes) {
        const bool isCut = change.parts > 1;
        text += fmt::format("; {}: {}", m_base.job->variables[change.variable].name,
                            change.served            ? (change.proxy ? "served, with a copy on each node" : "served")
                            : change.alone && !isCut ? "all-reduced, in a group of its own"
                                                     : "all-reduced");
        if (isCut)
            text += fmt::format(", in {} parts", change.parts);
        if (isCut && change.alone && !change.served)
            text += ", each in a group of its own";
        if (change.served && change.server >= 0)
            text += fmt::format(", on server {}", change.server + 1);
    }
    return text;
}

Genes RuleSpace::genesOf(const Rule &rule) const {
    Point x(dimension, 0);
    x[Stretches] = placeOfCount(rule.layerBounds.size() + 1, m_stretches);
    x[Classes] = placeOfCount(rule.sizeBounds.size() + 1, m_classes);
    std::copy(rule.layerBounds.begin(), rule.layerBounds.end(), x.begin() + LayerBound);
    for (std::size_t c = 0; c < rule.sizeBounds.size(); ++c)
        x[SizeBound + c] = logPlace(rule.sizeBounds[c], minSizeBytes, maxSizeBytes);
    for (std::size_t s = 0; s < Rule::maxStretches; ++s)
        for (std::size_t c = 0; c < Rule::maxClasses; ++c) {
            const RuleCell &cell = rule.cells[s][c];
            double *out = x.data() + cellAt(s, c);
            out[Kind] = cell.served ? 0.75 : 0.25;
            out[Part] = placeOfCut(cell.cut, cell.partBytes);
            out[Proxy] = cell.served ? (cell.proxy ? 0.75 : 0.25) : placeOfReduction(cell.reduction);
            out[Group] = cell.groupBytes > 0 ? logPlace(cell.groupBytes, minGroupBytes, m_maxBytes) : 0;
        }
    x[Servers] = placeOfCount(rule.servers, m_devices);
    x[Order] = rule.placement == RulePlacement::InOrder ? 0.75 : 0.25;
    x[GroupCount] = placeOfGroupCount(rule.groupCount);
    x[Sparse] = rule.sparseServed ? 0.25 : 0.75;
    return {{static_cast<std::uint64_t>(RuleMove::Usual)}, std::move(x)};
}

std::vector<Genes> RuleSpace::usual() const {
    constexpr double mebibyte = 1024.0 * 1024;
    std::vector<Genes> all;
    const auto uniform = [&](bool served, double partBytes, bool proxy, double groupBytes) {
        Rule rule;
        for (auto &cells : rule.cells)
            cells.fill({served, RuleCut::Size, partBytes, proxy, groupBytes});
        rule.servers = m_devices;
        return rule;
    };
    for (const double group : {64 * mebibyte, 16 * mebibyte, 4 * mebibyte, mebibyte})
        all.push_back(genesOf(uniform(false, 0, false, group)));
    for (const double part : {0.0, 8 * mebibyte, mebibyte, mebibyte / 8})
        for (const bool proxy : {false, true})
            all.push_back(genesOf(uniform(true, part, proxy, 16 * mebibyte)));
    for (const double part : {8 * mebibyte, mebibyte}) // partitioned, then all-reduced
        all.push_back(genesOf(uniform(false, part, false, part)));
    if (m_classes > 1)
        for (const double size : {mebibyte / 4, 16 * mebibyte}) { // small ones all-reduced, large ones split over servers
            Rule rule = uniform(true, mebibyte, true, 16 * mebibyte);
            rule.sizeBounds = {size};
            for (auto &cells : rule.cells)
                cells[0] = {false, RuleCut::Size, 0, false, 16 * mebibyte};
            all.push_back(genesOf(rule));
        }
    constexpr std::int32_t usualChunk = 128; // AutoDist's
    for (const BuilderInfo &builder : strategyBuilders())
        if (const auto rule = ruleOfBuilder(builder.name, usualChunk, false, *m_base.cluster))
            all.push_back(genesOf(*rule));
    return all;
}

Genes RuleSpace::fresh(Rng &rng) const {
    Genes genes{{static_cast<std::uint64_t>(RuleMove::Fresh)}, Point(dimension)};
    for (double &x : genes.real)
        x = rng.uniform(0, 1);
    if (coin(rng, 0.5)) // most good rules have few cells
        genes.real[Stretches] = 0;
    return genes;
}

std::vector<std::size_t> RuleSpace::coordinatesThatMatter(const Point &point) const {
    std::vector<std::size_t> all{Servers};
    const std::size_t stretches = countOf(point[Stretches], m_stretches), classes = countOf(point[Classes], m_classes);
    for (std::size_t s = 0; s + 1 < stretches; ++s)
        all.push_back(LayerBound + s);
    for (std::size_t c = 0; c + 1 < classes; ++c)
        all.push_back(SizeBound + c);
    bool serves = false, reduces = false;
    for (std::size_t s = 0; s < stretches; ++s)
        for (std::size_t c = 0; c < classes; ++c) {
            const std::size_t cell = cellAt(s, c);
            all.insert(all.end(), {cell + Kind, cell + Part, cell + Part});
            const bool served = point[cell + Kind] >= 0.5;
            all.push_back(cell + (served ? Proxy : Group));
            if (m_reductions && !served)
                all.push_back(cell + Proxy);
            serves |= served;
            reduces |= !served;
        }
    if (serves)
        all.push_back(Order);
    if (reduces)
        all.push_back(GroupCount);
    if (std::any_of(m_base.job->variables.begin(), m_base.job->variables.end(), [](const Variable &v) { return v.sparse; }))
        all.push_back(Sparse);
    return all;
}

void RuleSpace::step(Point &point, Rng &rng, bool leap) const {
    const std::vector<std::size_t> choices = coordinatesThatMatter(point);
    const std::size_t at = choices[uniformIndex(rng, choices.size())];
    const bool twoValued = at == Order || at == Sparse || (at >= FirstCell && isTwoValued(at));
    if (m_reductions && at >= FirstCell && (at - FirstCell) % CellSize == Proxy)
        point[at] = placeOfReduction(static_cast<Reduction>(uniformIndex(rng, 3))); // from 0.5 on, a served cell gets a proxy
    else if (twoValued)
        point[at] = point[at] >= 0.5 ? 0.25 : 0.75;
    else
        point[at] = leap ? rng.uniform(0, 1) : near(point[at], rng);
    if (at >= FirstCell && coin(rng, 0.5)) // the same change in every cell: one part size suits most rules
        for (std::size_t cell = FirstCell + (at - FirstCell) % CellSize; cell < dimension; cell += CellSize)
            point[cell] = point[at];
}

void RuleSpace::split(Point &point, Rng &rng) const {
    const bool ofClasses = coin(rng, 0.5);
    const std::size_t max = ofClasses ? m_classes : m_stretches, at = ofClasses ? Classes : Stretches;
    const std::size_t count = countOf(point[at], max);
    if (max == 1)
        return step(point, rng, true);
    const bool more = count < max && (count == 1 || coin(rng, 0.5));
    point[at] = placeOfCount(more ? count + 1 : count - 1, max);
    if (!more)
        return;
    // New cells copy the previous ones except for one coordinate, behind a border at a random place.
    point[(ofClasses ? SizeBound : LayerBound) + count - 1] = rng.uniform(0, 1);
    for (std::size_t other = 0; other < Rule::maxClasses; ++other) {
        const std::size_t from = ofClasses ? cellAt(other, count - 1) : cellAt(count - 1, other);
        const std::size_t to = ofClasses ? cellAt(other, count) : cellAt(count, other);
        std::copy_n(point.begin() + static_cast<std::ptrdiff_t>(from), static_cast<std::size_t>(CellSize),
                    point.begin() + static_cast<std::ptrdiff_t>(to));
    }
    const std::size_t coordinate = uniformIndex(rng, CellSize);
    const double value = coordinate == Kind || coordinate == Proxy ? (coin(rng, 0.5) ? 0.25 : 0.75) : rng.uniform(0, 1);
    for (std::size_t other = 0; other < Rule::maxClasses; ++other)
        point[(ofClasses ? cellAt(other, count) : cellAt(count, other)) + coordinate] = value;
}

void RuleSpace::changeVariable(Genes &genes, Rng &rng) const {
    const std::vector<Variable> &variables = m_base.job->variables;
    // Larger variables are changed more often.
    double sum = 0;
    for (const Variable &variable : variables)
        sum += std::sqrt(static_cast<double>(variable.sizeBytes()));
    double left = rng.uniform(0, sum);
    std::size_t v = 0;
    while (v + 1 < variables.size() && left >= std::sqrt(static_cast<double>(variables[v].sizeBytes())))
        left -= std::sqrt(static_cast<double>(variables[v++].sizeBytes()));
    const auto begin = genes.whole.begin() + 1;
    const auto at = std::find_if(begin, genes.whole.end(), [&](std::uint64_t code) { return changeAt(code).variable >= v; });
    const bool known = at != genes.whole.end() && changeAt(*at).variable == v;
    if (known && coin(rng, 0.25)) {
        genes.whole.erase(at);
        return;
    }
    const auto rule = ruleOf(genes);
    const auto changes = changesOf(genes);
    VariableChange change;
    if (known) {
        change = changeAt(*at);
    } else if (rule && changes) {
        const NodeConfig node = nodeConfigOf(*rule, *changes, *m_base.job, *m_base.cluster, v);
        const Synchronizer &synchronizer = synchronizerOf(node);
        change.variable = v;
        change.served = synchronizer.kind == SynchronizerKind::ParameterServer;
        change.proxy = synchronizer.localReplication;
        change.parts = static_cast<std::int32_t>(std::max<std::size_t>(1, node.parts.size()));
    }
    switch (uniformIndex(rng, 5)) {
    case 0:
        change.served = !change.served;
        break;
    case 1:
        change.parts = std::min(change.parts * 2, static_cast<std::int32_t>(maxRuleParts));
        break;
    case 2:
        change.parts =
            change.parts > 1 && coin(rng, 0.7) ? change.parts / 2 : 1 + static_cast<std::int32_t>(uniformIndex(rng, 64));
        break;
    case 3:
        (change.served ? change.proxy : change.alone) ^= true;
        break;
    default:
        change.server = coin(rng, 0.3) ? -1 : static_cast<std::int32_t>(uniformIndex(rng, m_devices));
        change.alone = !change.served && !change.alone;
    }
    if (known)
        *at = codeOf(change);
    else
        genes.whole.insert(at, codeOf(change));
}

Genes RuleSpace::moved(const Genes &from, RuleMove move, Rng &rng) const {
    Genes genes = from;
    genes.whole.front() = static_cast<std::uint64_t>(move);
    switch (move) {
    case RuleMove::Split:
        split(genes.real, rng);
        break;
    case RuleMove::Variable:
        for (std::size_t i = 0, changes = 1 + uniformIndex(rng, 2); i < changes; ++i)
            changeVariable(genes, rng);
        break;
    case RuleMove::Leap:
        step(genes.real, rng, true);
        break;
    default:
        for (std::size_t i = 0, steps = 1 + uniformIndex(rng, 2); i < steps; ++i)
            step(genes.real, rng, false);
    }
    return genes;
}

Genes RuleSpace::mixed(const Genes &a, const Genes &b, Rng &rng) const {
    Genes genes = a;
    genes.whole.front() = static_cast<std::uint64_t>(RuleMove::Mixed);
    for (std::size_t i = 0; i < dimension; ++i)
        if (coin(rng, 0.5))
            genes.real[i] = b.real[i];
    step(genes.real, rng, false);
    return genes;
}

} // namespace syncopate
