// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/rewrite/scenario.h"
#include "engine/search/candidate.h"
#include "engine/search/genes.h"
#include "engine/strategy/fingerprint.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// A candidate that a method tried.
struct SearchTrial {
    std::uint64_t trial = 0; ///< counted from 0
    Genes genes;             ///< from which SearchMethod::decode() makes its scenario
    CandidateMetrics metrics;
    std::string error;              ///< why it has no times, else empty
    StrategyFingerprint strategy{}; ///< of the judged strategy; zero = unknown, as in projects up to format 5
};

/// A ranker's scores of a batch in three parts: those that it scores fastest, the middle, and slowest.
inline constexpr std::size_t scoreBuckets = 3;

/// A ranker's performance on a batch before it learned from it.
struct SearchPhase {
    std::uint64_t firstTrial = 0, trials = 0;
    std::string ranker; ///< that chose: "predefined()"; empty = none was trusted
    /// Share of the batch's pairs that it orders as the judge does, without ties; 0.5 is a coin's. NaN = no such pair.
    double pairAccuracy = std::numeric_limits<double>::quiet_NaN();
    /// Share of the batch's fastest quarter that is also in the ranker's fastest quarter. NaN = fewer than four trials.
    double topRecall = std::numeric_limits<double>::quiet_NaN();
    /// As pairAccuracy, of the pairs with a trial in each bucket of scores, fastest first (AutoDist's fidelity, section 2.4).
    std::array<double, scoreBuckets> bucketAccuracy = noBuckets();
    double learnSeconds = 0;    ///< wall time of learning from all trials so far
    std::uint64_t rejected = 0; ///< proposals with scores from which the ranker is trusted to say "slower"
    std::uint64_t proposed = 0; ///< scored for this batch; 0 where a resumed search did not ask for it

    [[nodiscard]] static constexpr std::array<double, scoreBuckets> noBuckets() {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none, none};
    }
};

/// The origin of a candidate, as a kind that all methods share.
enum class CandidateSource : std::uint8_t {
    Usual,  ///< a rule that represents common practice
    Drawn,  ///< at random
    Moved,  ///< from candidates that were tried before
    Ranked, ///< chosen by a ranker's score
    Own,    ///< the method's own way
};

/// Chooses the candidates of a search: ask() for the genes of a batch, decode() them into scenarios, tell() the results
/// (Algorithm 1, lines 3 to 8). Trials keep their genes, so a candidate is decoded whenever it is needed, without repeating a
/// trial. A batch depends only on the request and on the batches before it, so a search that was stopped anywhere is resumed
/// exactly.
class SearchMethod {
public:
    SearchMethod() = default;
    SearchMethod(const SearchMethod &) = delete;
    SearchMethod &operator=(const SearchMethod &) = delete;
    virtual ~SearchMethod() = default;

    /// The expression that makeSearchMethod() reads back as an equal method: "random(parts=2..8)".
    [[nodiscard]] virtual std::string text() const = 0;
    /// Describes the candidates that it tries, with all settings, for people.
    [[nodiscard]] virtual std::string description() const = 0;
    [[nodiscard]] virtual std::size_t batchSize() const { return 32; }
    /// The genes of trials [first, first + batchSize()); `first` is a multiple of batchSize(). Errors: nothing to choose from, or
    /// `stop` was requested.
    [[nodiscard]] virtual Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) = 0;
    /// The scenario of genes that ask() once returned, for this request. A pure function of the genes and of the method's
    /// construction: it may be called from any thread at any time, beside ask() and tell(). Errors: genes of another method.
    [[nodiscard]] virtual Result<Scenario> decode(const Genes &genes) const = 0;
    /// Describes the choices of these genes as a whole, in a sentence for people; empty if there is nothing to say. Pure, and
    /// from any thread at any time, as decode().
    [[nodiscard]] virtual std::string explain(const Genes & /*genes*/) const { return {}; }
    /// The source of these genes, in a word for people: "usual", "ranked", "local"; empty for a method with one source. Pure, and
    /// from any thread at any time, as decode(). A method has few such words.
    [[nodiscard]] virtual std::string source(const Genes & /*genes*/) const { return {}; }
    /// The source as a kind that all methods share, for decisions.
    [[nodiscard]] virtual CandidateSource sourceKind(const Genes & /*genes*/) const { return CandidateSource::Own; }
    /// Receives the results of a whole batch, in the order of trials.
    virtual void tell(const std::vector<SearchTrial> & /*batch*/) {}
    /// Called after each tell(), for work that takes long. Errors: `stop` was requested, and the method is not used any more.
    [[nodiscard]] virtual Result<void> learn(const std::stop_token & /*stop*/) { return {}; }
    /// One entry per told batch of a method that ranks its proposals, else none.
    [[nodiscard]] virtual std::vector<SearchPhase> phases() const { return {}; }
};

} // namespace syncopate
