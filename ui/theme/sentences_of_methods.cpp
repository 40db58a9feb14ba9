// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sentence_tables.h"

namespace syncopate::ui {

std::vector<SentencePattern> sentencesOfMethods() {
    return {
        // engine/search: methods
        {translatable("Random+G of AutoDist: random strategies, guided by the constraints c_lb and c_am")},
        {translatable("Variables up to this size stay whole")},
        {translatable("Variables from this size on are always partitioned; off: the released sampler's 2147483647 bytes")},
        {translatable("Parts of a partitioned variable")},
        {translatable("c_lb: the server with most room for its bandwidth; off: any server")},
        {translatable("c_lb: how much fuller a likely server may be")},
        {translatable("c_am: neighbouring layers are reduced together; off: drawn one by one")},
        {translatable("All-reduce groups")},
        {translatable("Synchronisers to choose from")},
        {translatable("Each sample draws its shares of split and served variables; off: half")},
        {translatable("one rule for stretches of layers and classes of sizes, and exceptions for variables; the best rules are "
                      "changed little by little")},
        {translatable("Stretches of layers, at most")},
        {translatable("Classes of variables' sizes, at most")},
        {translatable("Share of trials that are drawn anew")},
        {translatable("Also reduce-scatter + all-gather and reduce + broadcast, which AutoDist's format cannot say")},
        {translatable("simulated annealing over rules and exceptions for single variables")},
        {translatable("Temperature at first, in thousandths of the best time")},
        {translatable("Trials after which the temperature is half")},
        {translatable("Algorithm 1 of AutoDist: a ranker chooses among many proposals, and learns from the trials")},
        {translatable("What ranks proposals")},
        {translatable("What proposals are: rules, or Random+G's draws")},
        {translatable("Proposals that are scored for each trial")},
        {translatable("Alpha of Eq. 11, of scores between 0 and 1")},
        {translatable("By choices that are the same, or by the ranker's vectors where it has them")},
        {translatable("AutoSync's released sampler, seed by seed; it draws compressors, too, which change convergence")},
        {translatable("Space and heuristics")},
        // engine/search: planners
        {translatable("A collective is cut into at most this many segments, in powers of two")},
        {translatable("Runs of the search, one after the other")},
        {translatable("beta: a proposal that is 1 % slower is accepted with probability exp(-greed / 100)")},
        {translatable("Collectives whole, as submitted, on the one channel that is fastest for all of them")},
        {translatable("The same channel, the last submitted first, with the best number of segments and splines")},
        {translatable("The same channel, all-to-alls first, with the best number of segments and splines")},
        {translatable("S-Exec: cuts and channels are searched, channels take motifs as submitted")},
        {translatable("S-Sched: one channel, by critical path, with the best number of segments and splines")},
        {translatable("Cuts, channels and order together: Metropolis-Hastings over execution plans")},
        {translatable("Execution plans drawn at random, as many as syndicate may judge")},
        {translatable("The best of all plans with whole collectives: every channel, every order, up to an iteration ahead")},
        // engine/search/tune: tuners
        {translatable("all points of a grid")},
        {translatable("Values of each axis, by equal factors or evenly")},
        {translatable("points drawn evenly")},
        {translatable("coordinate descent from the present setting, one knob at a time as long as it gets faster")},
        {translatable("NLopt's simplex of Nelder and Mead, from the present setting")},
        {translatable("NLopt's DIRECT: the most promising rectangles are divided")},
        {translatable("Bayesian optimisation: a Gaussian process and expected improvement")},
        {translatable("As ByteScheduler or Horovod released it: their space, units, first points and number of points")},
        {translatable("Covariance, of preset=own: Matern 5/2 or RBF")},
        {translatable("Improvement that is asked for, of preset=own")},
        {translatable("Points drawn before the first proposal, of preset=own")},
        {translatable("AutoByte's meta-network predicts every pair of partition and credit, and the fastest are tried")},
        {translatable("Pairs that are tried, each unlike the earlier ones")},
        // engine/trial: judges
        {translatable("the event simulation of each scenario")},
        {translatable("the event simulation, repeated with noise as on machines")},
        {translatable("Iterations of a trial")},
        {translatable("Iterations at its start that are left out of the mean")},
        {translatable("Coefficient of variation of an iteration's time")},
        {translatable("Seed of the noise")},
        {translatable("recorded times of strategies, a CSV file with columns strategy and seconds")},
        {translatable("a program that gets the files of strategy, job and cluster, runs them and prints the seconds of an "
                      "iteration; not deterministic")},
        {translatable("Time after which a trial is ended")},
        {translatable("Trials at once")},
        // engine/search/tune/tuning.cpp: bounds of every setting's speed
        {translatable("the compute of a worker")},
        {translatable("the bytes of its collectives over their connections")},
        {translatable("the bytes over %1")},
        {translatable("a worker's gradients over its card")},
        {translatable("gradients and values over the nodes' cards")},
        // engine/search/common_traits.cpp
        {translatable("%1 of the best %2 %3"), "12"},
        {translatable("%1 of the best %2 %3 (%4 % of the others)"), "124"},
    };
}

std::vector<SentencePattern> fragmentsOfMethods() {
    return {
        // engine/search/common_traits.cpp: what the best do
        {translatable("serve %1")},
        {translatable("all-reduce %1")},
        {translatable("keep a copy of %1 on each node")},
        {translatable("split %1 in %2 parts"), "2"},
        {translatable("leave %1 whole")},
        {translatable("split %1 in parts of about %2"), "2"},
        {translatable("use 1 server")},
        {translatable("use %1 servers"), "1"},
        {translatable("all-reduce in one group")},
        {translatable("all-reduce in about %1 groups"), "1"},
        // engine/search/common_traits.cpp: with which variables
        {translatable("sparse variables")},
        {translatable("all variables")},
        {translatable("all dense variables")},
        {translatable("variables of %1 and more"), "1"},
        {translatable("dense variables of %1 and more"), "1"},
        {translatable("variables below %1"), "1"},
        {translatable("dense variables below %1"), "1"},
    };
}

} // namespace syncopate::ui
