// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/tuners.h"

#include "engine/base/rng.h"
#include "engine/search/tune/bayes_search.h"
#include "engine/search/tune/meta_tuner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlopt.h>
#include <numeric>
#include <string>
#include <utility>

namespace syncopate {

namespace {

class GridSearch final : public PointSearch {
public:
    GridSearch(TuneSpace space, std::string text, const std::vector<std::size_t> &counts)
        : PointSearch(std::move(space), std::move(text), "all points of a grid") {
        for (std::size_t d = 0; d < counts.size(); ++d)
            m_coordinates.push_back(this->space().axes()[d].gridCoordinates(counts[d]));
    }

    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token /*stop*/) override {
        std::vector<Genes> batch;
        for (std::size_t point = first; point < std::min<std::size_t>(first + batchSize(), size()); ++point)
            batch.push_back({{}, at(point)});
        return batch;
    }
    [[nodiscard]] std::optional<std::size_t> pointCount() const override { return size(); }

private:
    [[nodiscard]] std::size_t size() const {
        return std::accumulate(m_coordinates.begin(), m_coordinates.end(), std::size_t{1},
                               [](std::size_t size, const std::vector<double> &axis) { return size * axis.size(); });
    }
    [[nodiscard]] TunePoint at(std::size_t point) const {
        TunePoint coordinates(m_coordinates.size());
        for (std::size_t d = m_coordinates.size(); d-- > 0; point /= m_coordinates[d].size())
            coordinates[d] = m_coordinates[d][point % m_coordinates[d].size()];
        return coordinates;
    }

    std::vector<std::vector<double>> m_coordinates; ///< of each axis
};

class RandomPoints final : public PointSearch {
public:
    RandomPoints(TuneSpace space, std::uint64_t seed)
        : PointSearch(std::move(space), "random()", "points drawn evenly"), m_seed(seed) {}

    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token /*stop*/) override {
        std::vector<Genes> batch;
        for (std::uint64_t trial = first; trial < first + batchSize(); ++trial) {
            Rng rng(Rng(m_seed).next() ^ trial);
            TunePoint point;
            for (std::size_t d = 0; d < space().axes().size(); ++d)
                point.push_back(rng.uniform(0, 1));
            batch.push_back({{}, std::move(point)});
        }
        return batch;
    }

private:
    std::uint64_t m_seed;
};

/// AutoCCL (NSDI 2025): moves one coordinate at a time for as long as that helps; when none does, the step is halved. Starts at
/// the present setting with steps of a quarter of each axis.
class CoordinateDescent final : public SequentialSearch {
public:
    explicit CoordinateDescent(TuneSpace space)
        : SequentialSearch(std::move(space), "coordinate()", "coordinate descent from the present setting") {}

private:
    void play(const Evaluate &evaluate) const override {
        TunePoint best = space().pointOf(space().presentValues());
        const auto first = evaluate(best);
        if (!first)
            return;
        double seconds = *first;
        for (double step = 0.25; step > 0.01;) {
            bool better = false;
            for (std::size_t d = 0; d < best.size(); ++d)
                for (const double direction : {step, -step}) {
                    const auto moved = climb(evaluate, best, seconds, d, direction);
                    if (!moved)
                        return;
                    better |= *moved;
                }
            step = better ? step : step / 2;
        }
    }

    /// Whether moving in steps along axis `d` made it faster; nullopt = a result is not there yet.
    static std::optional<bool> climb(const Evaluate &evaluate, TunePoint &best, double &seconds, std::size_t d, double step) {
        bool better = false;
        for (;;) {
            TunePoint tried = best;
            tried[d] = std::clamp(tried[d] + step, 0.0, 1.0);
            if (tried == best)
                return better;
            const auto answer = evaluate(tried);
            if (!answer)
                return std::nullopt;
            if (!(*answer < seconds))
                return better;
            seconds = *answer;
            best = std::move(tried);
            better = true;
        }
    }
};

/// An algorithm of NLopt over the unit cube; those that need a starting point start from the present setting.
class NloptSearch final : public SequentialSearch {
public:
    NloptSearch(TuneSpace space, std::string text, std::string description, nlopt_algorithm algorithm)
        : SequentialSearch(std::move(space), std::move(text), std::move(description)), m_algorithm(algorithm) {}

private:
    struct Call {
        nlopt_opt optimiser;
        const Evaluate &evaluate;
    };
    static double objective(unsigned count, const double *x, double * /*gradient*/, void *data) {
        const Call &call = *static_cast<Call *>(data);
        const auto seconds = call.evaluate(TunePoint(x, x + count));
        if (!seconds)
            nlopt_force_stop(call.optimiser);
        return seconds.value_or(impossibleSeconds);
    }

    void play(const Evaluate &evaluate) const override {
        TunePoint point = space().pointOf(space().presentValues());
        const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
            nlopt_create(m_algorithm, static_cast<unsigned>(point.size())), nlopt_destroy);
        Call call{optimiser.get(), evaluate};
        nlopt_set_lower_bounds1(optimiser.get(), 0);
        nlopt_set_upper_bounds1(optimiser.get(), 1);
        nlopt_set_min_objective(optimiser.get(), objective, &call);
        nlopt_set_initial_step1(optimiser.get(), 0.25);
        nlopt_set_xtol_abs1(optimiser.get(), 0.01);
        double seconds = 0;
        nlopt_optimize(optimiser.get(), point.data(), &seconds); // not necessarily a failure: it was stopped, or has converged
    }

    nlopt_algorithm m_algorithm;
};

using Made = Result<std::unique_ptr<PointSearch>>;

Made makeGridSearch(const Expression &expression, const TuneSpace &space, std::uint64_t /*seed*/) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, tuners()[0]));
    const auto steps = static_cast<std::size_t>(values.number("steps"));
    return std::make_unique<GridSearch>(space, values.text(), std::vector<std::size_t>(space.axes().size(), steps));
}
Made makeRandomPoints(const Expression &expression, const TuneSpace &space, std::uint64_t seed) {
    TRY(ArgumentValues::read(expression, tuners()[1]));
    return std::make_unique<RandomPoints>(space, seed);
}
Made makeCoordinate(const Expression &expression, const TuneSpace &space, std::uint64_t /*seed*/) {
    TRY(ArgumentValues::read(expression, tuners()[2]));
    return std::make_unique<CoordinateDescent>(space);
}
Made makeNelderMead(const Expression &expression, const TuneSpace &space, std::uint64_t /*seed*/) {
    TRY(ArgumentValues::read(expression, tuners()[3]));
    return std::make_unique<NloptSearch>(space, "nelder_mead()", tuners()[3].description, NLOPT_LN_NELDERMEAD);
}
Made makeDirect(const Expression &expression, const TuneSpace &space, std::uint64_t /*seed*/) {
    TRY(ArgumentValues::read(expression, tuners()[4]));
    return std::make_unique<NloptSearch>(space, "direct()", tuners()[4].description, NLOPT_GN_DIRECT);
}

/// In the order of tuners(), whose last entry, the meta-network, is made elsewhere.
constexpr std::array<Made (*)(const Expression &, const TuneSpace &, std::uint64_t), 6> makers{
    makeGridSearch, makeRandomPoints, makeCoordinate, makeNelderMead, makeDirect, BayesSearch::make};

} // namespace

const std::vector<ExpressionInfo> &tuners() {
    static const std::vector<ExpressionInfo> all{
        {"grid",
         "all points of a grid",
         {{"steps", ArgumentKind::Integer, "8", 2, 1000, {}, "values", "Values of each axis, by equal factors or evenly"}}},
        {"random", "points drawn evenly", {}},
        {"coordinate", "coordinate descent from the present setting, one knob at a time as long as it gets faster", {}},
        {"nelder_mead", "NLopt's simplex of Nelder and Mead, from the present setting", {}},
        {"direct", "NLopt's DIRECT: the most promising rectangles are divided", {}},
        BayesSearch::info(),
        MetaSearch::info()};
    return all;
}

Result<std::unique_ptr<PointSearch>> makeTuner(std::string_view text, const TuneSpace &space, std::uint64_t seed,
                                               std::shared_ptr<const MetaNetwork> network) {
    std::string tidy(text);
    std::replace(tidy.begin(), tidy.begin() + static_cast<std::ptrdiff_t>(std::min(tidy.find('('), tidy.size())), '-', '_');
    const Expression expression = TRY(parseExpression(tidy));
    const ExpressionInfo *info = TRY(findExpression(expression, tuners(), "tuner"));
    const auto place = static_cast<std::size_t>(info - tuners().data());
    return place < makers.size() ? makers[place](expression, space, seed)
                                 : MetaSearch::make(expression, space, std::move(network));
}

std::unique_ptr<PointSearch> makeGrid(const TuneSpace &space, const std::vector<std::size_t> &counts) {
    return std::make_unique<GridSearch>(space, "grid()", counts);
}

} // namespace syncopate
