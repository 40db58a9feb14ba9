// SPDX-License-Identifier: GPL-3.0-or-later
// How well rankers order unseen strategies, measured as in AutoSync's ablation: per (job, cluster), strategies from Random+G and
// from rules are simulated, a ranker learns from 85 % of them, and its accuracy is the share of pairs of the other 15 % that it
// orders correctly; then weights learned on one (job, cluster) are transferred to another. Prints the tables of
// docs/cost-models.md. Not a timed benchmark, run by hand:
//
//   bench_ranking [--trials 200] [--seeds 3] [--pairs bert_large:B7,...] [--rankers predefined(),...] [--transfer
//   vgg16:A2>vgg16:B7,...]
#include "engine/base/parallel_in_order.h"
#include "engine/base/rng.h"
#include "engine/cost/ranker.h"
#include "engine/job/catalogue.h"
#include "engine/search/search.h"
#include "engine/search/search_methods.h"
#include "engine/trial/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace syncopate;

namespace {

using Clock = std::chrono::steady_clock;
using Trials = std::vector<RankedTrial>;

constexpr double tie = 1e-3; ///< pairs whose times are closer are not counted

template <class T> T orEnd(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().toString().c_str());
        std::exit(1);
    }
    return *std::move(result);
}

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '(' || text[i] == ')'))
            depth += text[i] == '(' ? 1 : -1;
        if (i == text.size() || (text[i] == separator && depth == 0)) {
            if (i > begin)
                parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    return parts;
}

struct Domain {
    std::string name;
    RankerDomain ranked;
    Trials trials;
};

/// Simulated trials of a method, as a search would make them; trials that cannot be simulated are skipped.
void simulate(Domain &domain, const char *method, std::size_t count, std::uint64_t seed) {
    SearchRequest request;
    request.base.job = domain.ranked.job;
    request.base.cluster = domain.ranked.cluster;
    request.seed = seed;
    request.trials = count;
    const auto search = orEnd(makeSearchMethod(method, request));
    const auto judge = orEnd(makeJudge("simulated()"));
    struct Made {
        Scenario scenario;
        SearchTrial trial;
    };
    for (std::size_t first = 0; first < count; first += search->batchSize()) {
        const std::vector<Genes> genes = orEnd(search->ask(first, {}));
        std::vector<SearchTrial> told;
        std::size_t next = 0;
        parallelInOrder<std::size_t, Made>(
            std::max(1U, std::thread::hardware_concurrency()), 8,
            [&] { return next < genes.size() ? std::optional(next++) : std::nullopt; },
            [&](std::size_t index) {
                Made made{orEnd(search->decode(genes[index])), {first + index, genes[index], {}, {}}};
                if (const auto verdict = judge->judge(made.scenario, {}))
                    made.trial.metrics = describeCandidate(made.scenario, *verdict);
                else
                    made.trial.error = verdict.error().toString();
                return made;
            },
            [&](const Made &made) {
                told.push_back(made.trial);
                if (made.trial.error.empty() && told.size() + first <= count)
                    domain.trials.push_back({made.scenario.strategy, made.trial.metrics.iterationSeconds});
                return true;
            });
        search->tell(told);
    }
}

Domain makeDomain(const std::string &name, std::size_t trials, std::uint64_t seed) {
    const std::vector<std::string> parts = split(name, ':');
    Domain domain{name, {}, {}};
    domain.ranked.job = std::make_shared<const Job>(orEnd(catalogueJob(parts.at(0))));
    domain.ranked.cluster = std::make_shared<const Cluster>(orEnd(catalogueCluster(parts.at(1))));
    simulate(domain, "random()", trials / 2, seed);
    simulate(domain, "rules()", trials - trials / 2, seed);
    return domain;
}

std::vector<std::shared_ptr<const Strategy>> strategiesOf(const Trials &trials) {
    std::vector<std::shared_ptr<const Strategy>> strategies;
    for (const RankedTrial &trial : trials)
        strategies.push_back(trial.strategy);
    return strategies;
}

/// Share of the pairs with different times that `ranker` orders correctly; equal scores count half.
double accuracyOf(const Ranker &ranker, const Trials &trials) {
    const std::vector<double> scores = orEnd(ranker.score(strategiesOf(trials), {}));
    double right = 0, pairs = 0;
    for (std::size_t i = 0; i < trials.size(); ++i)
        for (std::size_t j = i + 1; j < trials.size(); ++j) {
            const double difference = trials[i].seconds - trials[j].seconds;
            if (std::abs(difference) <= tie * std::max(trials[i].seconds, trials[j].seconds))
                continue;
            const double ordered = (scores[i] - scores[j]) * difference;
            right += ordered > 0 ? 1 : ordered == 0 ? 0.5 : 0;
            pairs += 1;
        }
    return pairs > 0 ? right / pairs : std::nan("");
}

struct Split {
    Trials learned, held;
};

Split splitOf(Trials trials, std::uint64_t seed) {
    Rng rng(seed);
    for (std::size_t i = trials.size(); i > 1; --i)
        std::swap(trials[i - 1], trials[static_cast<std::size_t>(rng.next() % i)]);
    const auto at = static_cast<std::ptrdiff_t>(std::llround(static_cast<double>(trials.size()) * 0.85));
    return {{trials.begin(), trials.begin() + at}, {trials.begin() + at, trials.end()}};
}

struct Measured {
    double sum = 0, min = 1, max = 0, seconds = 0;
    int count = 0;
    void take(double value, double wall) {
        sum += value;
        seconds += wall;
        min = std::min(min, value);
        max = std::max(max, value);
        ++count;
    }
    [[nodiscard]] std::string text() const { return fmt::format("{:.3f} ({:.3f}–{:.3f})", sum / count, min, max); }
};

Measured measure(const Domain &domain, const std::string &expression, std::uint64_t seeds) {
    Measured measured;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Split split = splitOf(domain.trials, seed);
        const auto ranker = orEnd(makeRanker(expression, domain.ranked, seed));
        const auto start = Clock::now();
        if (const auto learned = ranker->learn(split.learned, {}); !learned)
            std::exit(1);
        const double wall = std::chrono::duration<double>(Clock::now() - start).count();
        measured.take(accuracyOf(*ranker, split.held), wall);
    }
    return measured;
}

/// Learned on all of `from`, evaluated on the held-out trials of `to`; then the same after learning from 30 more trials of `to`,
/// and from those 30 alone.
void transfer(const Domain &from, const Domain &to, const std::string &expression, std::uint64_t seeds) {
    Measured predefined, taken, tuned, alone;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Split split = splitOf(to.trials, seed);
        const Trials few(split.learned.begin(), split.learned.begin() + std::min<std::ptrdiff_t>(30, std::ssize(split.learned)));
        const auto source = orEnd(makeRanker(expression, from.ranked, seed));
        const auto there = orEnd(makeRanker(expression, to.ranked, seed)), fresh = orEnd(makeRanker(expression, to.ranked, seed));
        if (!source->learn(from.trials, {}) || !there->load(source->save()))
            std::exit(1);
        taken.take(accuracyOf(*there, split.held), 0);
        if (!there->learn(few, {}) || !fresh->learn(few, {}))
            std::exit(1);
        tuned.take(accuracyOf(*there, split.held), 0);
        alone.take(accuracyOf(*fresh, split.held), 0);
        predefined.take(accuracyOf(*orEnd(makeRanker("predefined()", to.ranked, seed)), split.held), 0);
    }
    std::printf("| %s → %s | %s | %s | %s | %s | %s |\n", from.name.c_str(), to.name.c_str(), expression.c_str(),
                predefined.text().c_str(), taken.text().c_str(), tuned.text().c_str(), alone.text().c_str());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    std::map<std::string, std::string> options{
        {"--trials", "200"},
        {"--seeds", "3"},
        {"--pairs", "vgg16:B7,vgg16:A2,ncf_dense:B7,ncf_dense:A2,lm1b:B11,resnet101:B5,transformer:B7,bert_large:B7"},
        {"--rankers", "predefined(),rnn(),gat(),xgboost()"},
        {"--transfer", "vgg16:A2>vgg16:B7,ncf_dense:A2>ncf_dense:B7,vgg16:B7>ncf_dense:B7"}};
    for (int i = 1; i + 1 < argc; i += 2)
        options.at(argv[i]) = argv[i + 1];
    const auto trials = static_cast<std::size_t>(std::stoul(options["--trials"]));
    const std::uint64_t seeds = std::stoul(options["--seeds"]);
    const std::vector<std::string> expressions = split(options["--rankers"], ',');

    std::map<std::string, Domain> domains;
    std::printf("| pair | trials | seconds, fastest to slowest |");
    for (const std::string &expression : expressions)
        std::printf(" %s |", expression.c_str());
    std::printf("\n");
    for (const std::string &name : split(options["--pairs"], ',')) {
        const Domain &domain = domains.emplace(name, makeDomain(name, trials, 1)).first->second;
        const auto [fastest, slowest] = std::minmax_element(domain.trials.begin(), domain.trials.end(),
                                                            [](const auto &a, const auto &b) { return a.seconds < b.seconds; });
        std::printf("| %s | %zu | %.3f to %.3f |", name.c_str(), domain.trials.size(), fastest->seconds, slowest->seconds);
        for (const std::string &expression : expressions) {
            const Measured measured = measure(domain, expression, seeds);
            std::printf(" %s, %.1f s |", measured.text().c_str(), measured.seconds / measured.count);
            std::fflush(stdout);
        }
        std::printf("\n");
    }
    std::printf("\n| learned on → judged on | ranker | predefined() | as taken | and 30 trials | 30 trials alone |\n");
    for (const std::string &pair : split(options["--transfer"], ',')) {
        const std::vector<std::string> ends = split(pair, '>');
        for (const std::string &name : ends)
            if (!domains.contains(name))
                domains.emplace(name, makeDomain(name, trials, 1));
        for (const std::string &expression : expressions)
            if (orEnd(makeRanker(expression, domains.at(ends[0]).ranked, 1))->learns())
                transfer(domains.at(ends[0]), domains.at(ends[1]), expression, seeds);
    }
}
