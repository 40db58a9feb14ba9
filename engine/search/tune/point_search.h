// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/meta_origin.h"
#include "engine/search/search_method.h"
#include "engine/search/tune/tune_space.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// A search method whose candidates are points of a TuneSpace: the genes are the coordinates. It minimises the iteration time. An
/// empty batch ends the search: a tuner that has converged has nothing more to ask.
class PointSearch : public SearchMethod {
public:
    [[nodiscard]] std::string text() const override { return m_text; }
    [[nodiscard]] std::string description() const override { return m_description; }
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override;
    /// The setting: "partition=4 MiB, credit=16 MiB".
    [[nodiscard]] std::string explain(const Genes &genes) const override;
    /// The values of genes that ask() returned, in the dimensions' units.
    [[nodiscard]] std::vector<double> valuesOf(const Genes &genes) const { return m_space.valuesAt(genes.real); }
    [[nodiscard]] const TuneSpace &space() const { return m_space; }
    /// The number of points it asks for in all, where that is fixed from the start, as for a grid; else none.
    [[nodiscard]] virtual std::optional<std::size_t> pointCount() const { return std::nullopt; }
    /// The origin of the network that it asks; null: it asks none.
    [[nodiscard]] virtual const MetaOrigin *network() const { return nullptr; }
    /// Training iterations that a running system spends on judging one point.
    [[nodiscard]] int iterationsPerPoint() const { return m_iterationsPerPoint; }

protected:
    PointSearch(TuneSpace space, std::string text, std::string description, int iterationsPerPoint = 10)
        : m_space(std::move(space)), m_text(std::move(text)), m_description(std::move(description)),
          m_iterationsPerPoint(iterationsPerPoint) {}

private:
    TuneSpace m_space;
    std::string m_text, m_description;
    int m_iterationsPerPoint;
};

/// A tuner that needs every result before it chooses the next point. ask() replays the algorithm from its start against the
/// results so far, until it requests a point without a result. So there is no state to save, and library algorithms that call
/// back can be used. With n results the algorithm's own work is done n times, which is nothing beside one simulation.
class SequentialSearch : public PointSearch {
public:
    [[nodiscard]] std::size_t batchSize() const override { return 1; }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    void tell(const std::vector<SearchTrial> &batch) override;

protected:
    using PointSearch::PointSearch;
    /// Returns the seconds of a point, a very large number where it cannot be judged, or nothing where it is not known yet: the
    /// algorithm must then end.
    using Evaluate = std::function<std::optional<double>(const TunePoint &)>;
    virtual void play(const Evaluate &evaluate) const = 0;
    static constexpr double impossibleSeconds = 1e12;

private:
    std::vector<double> m_seconds; ///< of the points asked for so far
};

} // namespace syncopate
