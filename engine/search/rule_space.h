// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rng.h"
#include "engine/search/genes.h"
#include "engine/search/rule.h"
#include "engine/search/search.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The move that made a candidate of a rule space.
enum class RuleMove : std::uint8_t {
    Usual,    ///< one of usual(): builders and common practice
    Fresh,    ///< drawn anew
    Step,     ///< coordinates that matter, moved a little
    Leap,     ///< one coordinate, drawn anew
    Split,    ///< a stretch or class more or less
    Variable, ///< another exception for one variable
    Mixed,    ///< two parents' coordinates, then a step
};
inline constexpr std::size_t ruleMoves = 7;
[[nodiscard]] const char *nameOf(RuleMove move); ///< "usual", "fresh", ...
[[nodiscard]] constexpr CandidateSource sourceKindOf(RuleMove move) {
    return move == RuleMove::Usual   ? CandidateSource::Usual
           : move == RuleMove::Fresh ? CandidateSource::Drawn
                                     : CandidateSource::Moved;
}

/// Rules with exceptions for single variables, as genes. `real` is a point of the unit cube: numbers of stretches and classes,
/// their bounds, servers, placement, grouping, and of each cell kind, cut, proxy and group size, sizes on a log scale. `whole` is
/// the move that made it, then a code for each VariableChange, ascending. So a trial is decoded without any other.
class RuleSpace {
public:
    /// `base` has a job, and a cluster with reduction devices; `stretches` and `classes` are at most these many. With
    /// `reductions`, cells choose among all of them, else they all-reduce.
    RuleSpace(Scenario base, std::size_t stretches, std::size_t classes, bool reductions = false);

    /// Errors: genes of another method.
    [[nodiscard]] Result<Rule> ruleOf(const Genes &genes) const;
    [[nodiscard]] Result<std::vector<VariableChange>> changesOf(const Genes &genes) const;
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const;
    /// Describes the rule and its exceptions.
    [[nodiscard]] std::string explain(const Genes &genes) const;
    [[nodiscard]] static RuleMove moveOf(const Genes &genes);

    /// The genes nearest to a rule without exceptions.
    [[nodiscard]] Genes genesOf(const Rule &rule) const;
    /// Rules to begin with: common practice, at sizes on a coarse scale, and all builders.
    [[nodiscard]] std::vector<Genes> usual() const;
    [[nodiscard]] Genes fresh(Rng &rng) const;
    /// Another candidate near `from` by one kind of move: Step, Leap, Split or Variable.
    [[nodiscard]] Genes moved(const Genes &from, RuleMove move, Rng &rng) const;
    [[nodiscard]] Genes mixed(const Genes &a, const Genes &b, Rng &rng) const;

private:
    using Point = std::vector<double>;
    [[nodiscard]] std::vector<std::size_t> coordinatesThatMatter(const Point &point) const;
    void step(Point &point, Rng &rng, bool leap) const;
    void split(Point &point, Rng &rng) const;
    void changeVariable(Genes &genes, Rng &rng) const;

    Scenario m_base;
    std::size_t m_stretches, m_classes;
    bool m_reductions;
    double m_maxBytes;     ///< of all dense variables, the largest group
    std::size_t m_devices; ///< that may serve
};

} // namespace syncopate
