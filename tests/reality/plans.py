#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays plans of collectives on two real channels: the optimiser's own, and the best given one of each DAG of tests/data/measured/plan.

    plans.py --cli build/dev/bin/syncopate-cli --output DIR              all of it, about 15 minutes of a quiet machine
    plans.py ... --only costs|plan|play|summary                          a part of it; play adds rounds to those that are there
    plans.py --smoke                                                     a few iterations of small plans, with checks

As root, with torch for /usr/bin/python3 (python3-torch), ip and tc; where that is missing it says "skipped: why" and ends with 0. What it
writes is explained in tests/data/measured/plan_replay/README.md, what a process does in plan_player.py.
"""
import argparse
import itertools
import json
import os
import shutil
import statistics
import tempfile

from measure import machine_cpu, quantile
from network import ChannelNetwork
from players import measure_parts, start_players
from replay import append_row, read_rows, rounds, run_cli, write_cluster_file, write_json

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "plan_player.py")
GIVEN = os.path.join(HERE, "..", "data", "measured", "plan")
HOSTS, CHANNELS = 4, {"e0": 1.0, "e1": 0.4}  # Gbit/s
# For each DAG the given plans that were the fastest when measured, best first, and one as executed by a plain stack.
BEST_GIVEN = {"a2a": ("a2a-exec-a2afast-s1", "a2a-bsplus-s1", "a2a-fifo-s1"), "a2a-prefetch": ("a2a-syndicate-spread-p2-s4", "a2a-syndicate-a2afast-s1"),
              "ar": ("ar-exec-arfast-s1", "ar-ho-s2", "ar-fifo-s1"), "ar-prefetch": ("ar-syndicate-arfast-s4", "ar-syndicate-spread-p2")}
SPLINES = [(0, 1), (0, 2), (1, 2), (1, 4), (2, 4), (3, 4)]  # the first of four stays in its process
WARM_UP = 3
COST = ["case", "collective", "channel", "gbits", "spline", "bytes_per_process", "at_once", "seconds_median", "seconds_p10", "seconds_p90",
        "all_ranks_seconds_median", "repeats"]
PLAN = ["plan", "dag", "source", "predicted_seconds", "lower_bound_seconds"]
RUN = ["plan", "dag", "round", "iteration_seconds_median", "iteration_seconds_p10", "iteration_seconds_p90", "compute_idle_share", "iterations",
       "late_seconds_p99", "busy_cores"]


def start(network, spec):
    """Rank 0's result. `spec`: plan_player.py's own part."""
    return start_players(network, PROGRAM, {"channels": [{"name": name, "interface": name} for name in CHANNELS], "port": 29700, **spec})


def network_of(options):
    return ChannelNetwork(options.prefix, HOSTS, CHANNELS)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def dag_file(options, name):
    return f"{options.output}/dags/{name}.dag.json"


def plan_file(options, name):
    return f"{options.output}/plans/{name}.plan.json"


def cost_case(collectives, size):
    """Collectives {channel, kind, spline} of a size that begin together; each case takes about the same time."""
    slowest = min(CHANNELS[list(CHANNELS)[one["channel"]]] for one in collectives)
    repeats = min(30, max(8, int(1.2 / (1.5 * size / (slowest * 1.25e8)))))
    return {"together": [{**one, "bytes": size} for one in collectives], "repeats": repeats}


def cost_cases(sizes):
    """Every kind and size alone on every channel; then pairs of them, one on each channel."""
    kinds = (("all_reduce", [(0, 1)]), ("reduce_scatter", [(0, 1)]), ("all_gather", [(0, 1)]), ("all_to_all", SPLINES))
    alone = [[{"channel": number, "kind": kind, "spline": spline}] for number in range(len(CHANNELS)) for kind, splines in kinds for spline in splines]
    pairs = [[{"channel": number, "kind": kind, "spline": (0, 1)} for number, kind in enumerate(both)]
             for both in itertools.product(("all_reduce", "all_to_all"), repeat=len(CHANNELS))]
    return [cost_case(collectives, size) for collectives in alone + pairs for size in sizes]


def costs(options):
    """collectives.csv: the time of collectives on the channels, alone and in pairs."""
    cases = cost_cases([65536 << power for power in range(9)])
    with network_of(options) as network:
        results = start(network, {"cases": cases})
    path = f"{options.output}/collectives.csv"
    if os.path.exists(path):
        os.remove(path)
    for case, result in zip(cases, results):
        at_once = len(case["together"])
        for one, seconds in zip(case["together"], result):
            channel, gbits = list(CHANNELS.items())[one["channel"]]
            own = seconds["own"]
            append_row(path, COST, ["alone" if at_once == 1 else "two channels", one["kind"], channel, gbits, "/".join(map(str, one["spline"])), one["bytes"],
                                    at_once, statistics.median(own), quantile(own, 0.1), quantile(own, 0.9), statistics.median(seconds["all_ranks"]),
                                    case["repeats"]])


def write_cluster(path):
    channels = ", ".join(f"{{name: {name}, bandwidth: {gbits:g}}}" for name, gbits in CHANNELS.items())
    return write_cluster_file(path, {f"10.78.1.{node + 1}": 1 for node in range(HOSTS)}, channels=f"[{channels}]")


def plan(options):
    """plans.csv, dags/ and plans/: for each DAG the plan of five seeds that is predicted to be fastest, and the given ones with the same costs."""
    out = options.output
    for folder in ("dags", "plans"):
        os.makedirs(f"{out}/{folder}", exist_ok=True)
    cluster, rows = write_cluster(f"{out}/cluster.yml"), []
    for dag, given in BEST_GIVEN.items():
        shutil.copyfile(os.path.join(GIVEN, "dags", f"{dag}.dag.json"), dag_file(options, dag))
        scenario = ["plan", "--job", dag_file(options, dag), "--cluster", cluster, "--costs", f"{out}/collectives.csv", "--json", "--force"]
        with tempfile.TemporaryDirectory() as folder:
            found = [(json.loads(run_cli(options, *scenario, "--seed", str(seed), "-o", f"{folder}/{seed}.json")), seed) for seed in options.seeds]
            # Among plans predicted to be equally fast, the one with the fewest motifs: the cost of starting one is not modelled.
            told, seed = min(found, key=lambda one: (round(one[0]["iteration_seconds"], 4), len(one[0]["motifs"])))
            write_json(plan_file(options, f"{dag}-ours"), load(f"{folder}/{seed}.json"))
        bound = told["lower_bound_seconds"]
        rows.append([f"{dag}-ours", dag, f"syndicate, seed {seed}", told["iteration_seconds"], bound])
        for name in given:
            path = plan_file(options, name)
            shutil.copyfile(os.path.join(GIVEN, "plans", f"{name}.plan.json"), path)
            told = json.loads(run_cli(options, *scenario, "--method", "fifo", "--plan", path))
            rows.append([name, dag, "given", told["given_iteration_seconds"], bound])
    if os.path.exists(f"{out}/plans.csv"):
        os.remove(f"{out}/plans.csv")
    for row in rows:
        append_row(f"{out}/plans.csv", PLAN, row)


def play_plan(network, dag, planned, iterations):
    """Seconds of the iterations of rank 0 after the warm-up, the share of them without compute, and how late waits ended (99th percentile)."""
    result = start(network, {"dag": dag, "plan": planned, "iterations": iterations + WARM_UP + 1})
    starts = result["starts"][WARM_UP:]
    seconds = [after - before for before, after in zip(starts, starts[1:])]
    return seconds, 1 - result["compute_seconds"] / statistics.median(seconds), quantile(result["late_seconds"], 0.99)


def play(options):
    """Measures every plan in every round."""
    out = options.output
    for number, row in rounds(read_rows(f"{out}/plans.csv"), f"{out}/runs.csv", options.rounds):
        with network_of(options) as network:
            busy_before, all_before = machine_cpu()
            seconds, idle, late = play_plan(network, load(dag_file(options, row["dag"])), load(plan_file(options, row["plan"])), options.iterations)
            busy, total = machine_cpu()
        append_row(f"{out}/runs.csv", RUN, [row["plan"], row["dag"], number, statistics.median(seconds), quantile(seconds, 0.1), quantile(seconds, 0.9), idle,
                                           len(seconds), late, os.cpu_count() * (busy - busy_before) / (total - all_before)])


def summary(options):
    """Medians over the rounds; for each DAG by how much our plan is faster than the best given one, measured, predicted, and at the bound."""
    measured = {}
    for row in read_rows(f"{options.output}/runs.csv"):
        measured.setdefault(row["plan"], []).append(float(row["iteration_seconds_median"]))
    by_dag = {}
    for row in read_rows(f"{options.output}/plans.csv"):
        seconds = measured[row["plan"]]
        by_dag.setdefault(row["dag"], []).append((statistics.median(seconds), min(seconds), max(seconds), float(row["predicted_seconds"]),
                                                  float(row["lower_bound_seconds"]), row["plan"], row["source"]))
    for dag, plans in by_dag.items():
        for median, low, high, predicted, _, name, source in sorted(plans):
            print(f"{dag:13} {name:27} {source:20} measured {median:.4f} ({low:.4f} to {high:.4f}), predicted {predicted:.4f} {predicted / median - 1:+.1%}")
        ours, = [one for one in plans if one[6] != "given"]
        best = min(one for one in plans if one[6] == "given")
        print(f"{dag:13} ours / best given: measured {ours[0] / best[0] - 1:+.1%}, predicted {ours[3] / best[3] - 1:+.1%}; "
              f"the lower bound {ours[4]:.4f} allows {ours[4] / best[0] - 1:+.1%}")


def smoke(options):
    """Motifs of every kind on both channels, over several iterations. No iteration beats its compute and links; it may be slower."""
    dag = {"name": "smoke", "hosts": HOSTS, "ops": [
        {"name": "forward", "kind": "compute", "seconds": 0.004, "parents": ["data"], "parents_previous_iteration": ["reduce"]},
        {"name": "backward", "kind": "compute", "seconds": 0.004, "parents": ["forward", "stage"]},
        {"name": "stage", "kind": "permute", "bytes_per_process": 200000, "shift": -1, "parents": ["forward"]},
        {"name": "data", "kind": "all_to_all", "bytes_per_process": 1000000, "parents": [], "parents_previous_iteration": ["forward"]},
        {"name": "reduce", "kind": "all_reduce", "bytes_per_process": 1000000, "parents": ["backward"]}]}
    ring = [{"motif": 0, "kind": "reduce_scatter", "segment": [0, 2], "channel": "e1"}, {"motif": 1, "kind": "all_gather", "segment": [0, 2], "channel": "e1", "after": [0]},
            {"motif": 2, "kind": "all_reduce", "segment": [1, 2], "channel": "e0"}]
    planned = {"name": "smoke", "dag": "smoke", "channels": [{"name": name} for name in CHANNELS], "execution_plan": {
        **{op: [{"motif": part, "kind": kind, "spline": [part, 2], "channel": f"e{part}"} for part in range(2)]
           for op, kind in (("data", "all_to_all"), ("stage", "permute"))}, "reduce": ring},
        "order": {"e0": [{"op": "stage", "motif": 0, "iteration_offset": 0}, {"op": "data", "motif": 0, "iteration_offset": 1},
                         {"op": "reduce", "motif": 2, "iteration_offset": 0}],
                  "e1": [{"op": "stage", "motif": 1, "iteration_offset": 0}, {"op": "data", "motif": 1, "iteration_offset": 1},
                         {"op": "reduce", "motif": 0, "iteration_offset": 0}, {"op": "reduce", "motif": 1, "iteration_offset": 0}]}}
    iterations = 6
    with network_of(options) as network:
        seconds, _, _ = play_plan(network, dag, planned, iterations)
        both, = start(network, {"cases": [{"together": [{"channel": number, "kind": "all_reduce", "bytes": 4 << 20, "spline": (0, 1)}
                                                                for number in range(2)], "repeats": 3}]})
    taken = both[1]
    # For the all-reduce on e1 1/2 of 3/2 of the bytes, for the all-to-all's second half the pieces of two processes; apart from bursts and headers.
    wire = (0.5 * 1.5 * 1e6 + 0.5e6 - 4 * ChannelNetwork.BURST_BYTES) / (CHANNELS["e1"] * 1.25e8)
    alone = (1.5 * (4 << 20) - ChannelNetwork.BURST_BYTES) / (CHANNELS["e1"] * 1.25e8)
    if len(seconds) != iterations or statistics.median(seconds) < wire or min(taken["all_ranks"]) < alone:
        raise RuntimeError(f"{len(seconds)} iterations of {seconds}, of at least {wire:.4f} s; {taken['all_ranks']}, of at least {alone:.4f} s")
    print(f"{statistics.median(seconds):.4f} s an iteration, its links alone {wire:.4f}; 4 MiB all-reduced in {min(taken['all_ranks']):.4f} s, at the link's rate {alone:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli")
    parser.add_argument("--output")
    parser.add_argument("--only", choices=("costs", "plan", "play", "summary"))
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=24)
    parser.add_argument("--seeds", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2, 3, 4, 5])
    options = parser.parse_args()
    if not options.smoke and not (options.output and (options.cli or options.only in ("costs", "play", "summary"))):
        parser.error("name --cli and --output, or --smoke")
    options.prefix = f"syp{os.getpid()}"
    needs_network = options.only not in ("plan", "summary")
    measure_parts(options, (costs, plan, play, summary), smoke, (lambda: ChannelNetwork(options.prefix, 1, CHANNELS)) if needs_network else None)


if __name__ == "__main__":
    main()
