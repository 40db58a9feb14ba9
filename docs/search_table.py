#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the search methods and prints the table of docs/search.md.

    docs/search_table.py syncopate-cli results.json [--seeds 1-3] [--trials 200] [--reference 2000] [--minutes 60]

Results are kept in results.json after each search, so that a stopped run continues where it was; --print prints the tables of
the results so far. First come the methods, seed by seed, then the reference, a ten times longer annealing, then 400
trials of Random+G, then the arms of Algorithm 1.
"""

import argparse
import json
import os
import subprocess
import time

PAIRS = (
    "ncf_dense:A1 ncf_dense:B7 ncf_dense:B11 lm1b:A2 lm1b:B5 lm1b:B7 vgg16:A1 vgg16:A2 vgg16:B5 vgg16:B7 vgg16:B11 "
    "vgg16:autobyte resnet101:A2 resnet101:B7 resnet101:B11 bert_large:A1 bert_large:A2 bert_large:B5 bert_large:B7 "
    "bert_large:autobyte"
).split()
METHODS = ["random()", "rules()", "anneal()", "autosync()"]
# Of Algorithm 1: learned rankers, none, and Random+G's proposals. For pairs whose tuned builder is more than 2 % above the bound.
ARMS = [f"autosync({arms})" for arms in ("simulator=rnn", "simulator=gat", "simulator=xgboost", "simulator=none", "proposals=random")]
REFERENCE = "anneal(halving=400)"
RANDOM, RANDOM_TRIALS = "random()", 400  # its best is what AutoSync's figures measure others by


def search(cli, pair, method, seed, trials):
    job, cluster = pair.split(":")
    command = [cli, "search", "--job", job, "--cluster", cluster, "--method", method, "--trials", str(trials)]
    done = subprocess.run(command + ["--seed", str(seed), "--json"], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    bests = [trial["best_so_far_seconds"] for trial in result["trials"]]
    accuracies = [phase["pair_accuracy"] for phase in result["phases"] if phase["pair_accuracy"] is not None]
    return {
        "best": result["best"]["iteration_seconds"],
        "default": min(s for s in result["baselines"].values() if s is not None),
        "tuned": min(b["iteration_seconds"] for b in result["baselines_tuned"].values()),
        "bound": result["lower_bound_seconds"],
        "hits_default": result["hit_rate_default"],
        "hits_tuned": result["hit_rate_tuned"],
        "trials": len(result["trials"]),
        "improvements": [[i + 1, b] for i, b in enumerate(bests) if i == 0 or b != bests[i - 1]],  # trial, best so far
        "accuracy": sum(accuracies) / len(accuracies) if accuracies else None,
        "wall": result["wall_seconds"],
    }


def work(pairs, seeds, trials, reference, results):
    """The searches to run, the most telling first."""
    for seed in seeds:
        for pair in pairs:
            for method in METHODS:
                yield pair, method, seed, trials
    for pair in pairs:
        yield pair, REFERENCE, 1, reference
    for seed in seeds:
        for pair in pairs:
            yield pair, RANDOM, seed, RANDOM_TRIALS
    for seed in seeds:
        for pair in pairs:
            rules = results[f"{pair} rules() {seed} {trials}"]
            for method in ARMS if rules["tuned"] > 1.02 * rules["bound"] else []:
                yield pair, method, seed, trials


def catching_up(results, seeds, trials):
    """Number of trials after which each method is as good, within 0.1 %, as 400 trials of Random+G with the same seed, seed by seed."""
    print(f"| job, cluster | {RANDOM}, {RANDOM_TRIALS} trials | " + " | ".join(METHODS[1:]) + " |")
    print("|---|" + "---|" * len(METHODS))
    for pair in PAIRS:
        known = [results.get(f"{pair} {RANDOM} {seed} {RANDOM_TRIALS}") for seed in seeds]
        if not any(known):
            continue
        cells = [pair.replace(":", ", "), ", ".join(f"{run['best']:.4g}" for run in known if run)]
        for method in METHODS[1:]:
            counts = []
            for seed, other in zip(seeds, known):
                run = results.get(f"{pair} {method} {seed} {trials}")
                if run and other:
                    # The builders are judged before the first trial: where one of them is as good, none is needed.
                    start = [[0, run["tuned"]]]
                    told = start + [step for step in run.get("improvements", []) if step[1] is not None]
                    counts.append(next((str(n) for n, best in told if best <= 1.001 * other["best"]), "-"))
            cells.append(", ".join(counts))
        print("| " + " | ".join(cells) + " |")


def table(results, seeds, trials, reference):
    def mean(values):
        values = [v for v in values if v is not None]
        return sum(values) / len(values) if values else None

    def text(value, scale=1.0, digits=4):
        return "-" if value is None else f"{value * scale:.{digits}g}"

    print("| job, cluster | builder | tuned | compute | " + " | ".join(METHODS) + " | long annealing |")
    print("|---|---|---|---|" + "---|" * (len(METHODS) + 1))
    close, pairs = {method: 0 for method in METHODS}, 0
    for pair in PAIRS:
        runs = {m: [results.get(f"{pair} {m} {s} {trials}") for s in seeds] for m in METHODS}
        runs = {m: [run for run in rows if run] for m, rows in runs.items()}
        if not any(runs.values()):
            continue
        some = next(rows[0] for rows in runs.values() if rows)
        known = results.get(f"{pair} {REFERENCE} 1 {reference}")
        cells = [pair.replace(":", ", ")] + [text(some[key]) for key in ("default", "tuned", "bound")]
        pairs += 1 if known else 0
        for method in METHODS:
            best = mean(run["best"] for run in runs[method])
            cell = text(best)
            if best is not None and known:
                within = best <= 1.02 * min(known["best"], known["tuned"])
                close[method] += 1 if within else 0
                cell += "" if within else " *"
            hits = mean(run["hits_tuned"] for run in runs[method])
            cells.append(f"{cell} ({text(hits, 100, 2)} %)" if hits is not None else cell)
        cells.append(text(known["best"]) if known else "-")
        print("| " + " | ".join(cells) + " |")
    print()
    for method in METHODS:
        print(f"{method}: within 2 % of the long annealing on {close[method]} of {pairs} pairs")
    for method in METHODS:
        accuracy = mean(r["accuracy"] for key, r in results.items() if f" {method} " in key)
        if accuracy is not None:
            print(f"{method}: {100 * accuracy:.0f} % of pairs in order, mean over batches")


def arms_table(results, seeds, trials):
    """Best of each arm of Algorithm 1 over the seeds, as % below the best tuned builder: mean, and (min to max)."""
    arms = ["rules()", "autosync()"] + ARMS
    print("| job, cluster | " + " | ".join(f"`{arm}`" for arm in arms) + " |")
    print("|---|" + "---|" * len(arms))
    for pair in PAIRS:
        runs = {arm: [results.get(f"{pair} {arm} {seed} {trials}") for seed in seeds] for arm in arms}
        if not any(any(runs[arm]) for arm in ARMS):
            continue
        cells = [pair.replace(":", ", ")]
        for arm in arms:
            gains = [100 * (1 - run["best"] / run["tuned"]) for run in runs[arm] if run]
            cells.append(f"{sum(gains) / len(gains):.1f} ({min(gains):.1f} to {max(gains):.1f})" if gains else "-")
        print("| " + " | ".join(cells) + " |")
    print()
    for arm in arms:
        told = [run["accuracy"] for key, run in results.items() if f" {arm} " in key and run["accuracy"] is not None]
        if told:
            print(f"{arm}: {100 * sum(told) / len(told):.0f} % of pairs in order, mean over batches of {len(told)} searches")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("results")
    parser.add_argument("--pairs", nargs="*", default=PAIRS, help="job:cluster, of those in the table")
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--reference", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--print", action="store_true", dest="only_print")
    options = parser.parse_args()
    first, _, last = options.seeds.partition("-")
    seeds = list(range(int(first), int(last or first) + 1))
    results = {}
    if os.path.exists(options.results):
        with open(options.results, encoding="utf-8") as file:
            results = json.load(file)
    end = time.monotonic() + 60 * options.minutes
    planned = [] if options.only_print else work(options.pairs, seeds, options.trials, options.reference, results)
    for pair, method, seed, trials in planned:
        key = f"{pair} {method} {seed} {trials}"
        if key in results:
            continue
        if time.monotonic() > end:
            break
        results[key] = search(options.cli, pair, method, seed, trials)
        with open(options.results + ".new", "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
        os.replace(options.results + ".new", options.results)
    table(results, seeds, options.trials, options.reference)
    print()
    catching_up(results, seeds, options.trials)
    print()
    arms_table(results, seeds, options.trials)


if __name__ == "__main__":
    main()
