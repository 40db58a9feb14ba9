#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Replays candidates of a search over shaped links between network namespaces, and compares the predictions with the measured times.

    replay.py --cli build/dev/bin/syncopate-cli --output DIR             all of it, about half an hour
    replay.py ... --only calibrate|search|replay|summary                 a part of it; replay adds rounds to those that are there

As root, with torch and yaml for /usr/bin/python3 (python3-torch); where that is missing it says "skipped: why" and ends with 0.
What it writes is explained in tests/data/measured/replay/README.md.
"""
import argparse
import contextlib
import csv
import functools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile

from measure import machine_cpu, quantile
from network import Network, run_together, why_impossible

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"
REPLAY = os.path.join(HERE, "..", "..", "app", "replay", "syncopate_replay.py")
NODE_GBITS = [0.15, 0.15, 0.15, 0.6]
BURST_SECONDS = 0.00175  # 32 KiB at 0.15 Gbit/s: if shorter than timers are late, a link would not reach its rate
TCP_WINDOW = 256 << 10
CHANNELS = 2  # gloo's concurrent collectives
COUNT, APART = 5, 0.03  # the model's known error (docs/validation.md)
ROW = ["candidate", "source", "predicted_seconds", "round", "measured_seconds", "p10", "p90", "iterations", "late_seconds_p99", "busy_cores"]
COST = ["architecture", "workers", "bandwidth_gbits", "mode", "answer", "message_bytes", "messages", "seconds_per_message", "p10", "p90"]


def real_time():
    """Reduces disturbance by other work, if this is allowed."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except OSError:
        pass


def player(network, node, arguments, environment, errors):
    """Starts a Python program on a node, with real-time priority; it writes its errors to the file `errors`."""
    return network.start(node, PYTHON, *arguments, env=environment, preexec_fn=real_time, stdout=subprocess.DEVNULL, stderr=errors)


def play(network, ranks_on, files, iterations, warm_up=3):
    """Seconds of each iteration, and how late waits ended (99th percentile). `ranks_on`: the node of each rank."""
    with tempfile.TemporaryDirectory() as folder:
        times, starts = os.path.join(folder, "times.json"), []
        for rank, node in enumerate(ranks_on):
            environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(len(ranks_on)), LOCAL_RANK="0", OMP_NUM_THREADS="1",
                               MASTER_ADDR=network.address(ranks_on[0]), MASTER_PORT="29500")
            arguments = [REPLAY, *files, "--iterations", str(iterations), "--warm-up", str(warm_up), "--blocks", "1", "--times", times]
            starts.append(functools.partial(player, network, node, arguments, environment))
        run_together(starts, 600)
        with open(times, encoding="utf-8") as file:
            result = json.load(file)
        return result["seconds"], result["late_seconds_p99"]


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, separators=(",", ":"))
        file.write("\n")
    return path


def append_row(path, columns, row):
    fresh = not os.path.exists(path)
    with open(path, "a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(columns)
        writer.writerow([f"{value:.6g}" if isinstance(value, float) else value for value in row])


def remove_tables(options, *names):
    """Removes tables of an earlier measurement in the same folder, whose rows would be mixed with the new ones."""
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{options.output}/{name}.csv")


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def encoder():
    """A small encoder of 6.8 MB, trained data-parallel: 70 ms forward, 130 ms backward."""
    def layer(name, forward, backward, **shapes):
        return {"name": name, "forward_seconds": forward, "backward_seconds": backward,
                "variables": [{"name": f"{name}/{key}", "shape": shape} for key, shape in shapes.items()]}
    blocks = [layer(f"block{index}", 0.010, 0.020, qkv=[128, 384], out=[128, 128], up=[128, 512], down=[512, 128], norm=[256])
              for index in range(6)]
    return {"name": "encoder", "batch_size": 8, "layers": [layer("embed", 0.002, 0.004, table=[2000, 128]), *blocks,
                                                           layer("head", 0.004, 0.008, kernel=[128, 2000], bias=[2000])]}


def write_cluster_file(path, rates, chief=0, **fields):
    """A resource_spec.yml. `rates`: Gbit/s by address; `chief`: the number of its node; `fields`: the other keys, as YAML."""
    lines = ["nodes:"] + [f"  - {{address: {address}, {'chief: true, ' if node == chief else ''}ssh_config: ns, network_bandwidth: {rate}}}"
                          for node, (address, rate) in enumerate(rates.items())]
    lines += ["ssh: {ns: {username: root, key_file: none}}"] + [f"{key}: {value}" for key, value in fields.items()]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def write_cluster(path, gbits, server_only=()):
    serving = {"server_only": f"[{', '.join(Network.address(node) for node in server_only)}]"} if server_only else {}
    return write_cluster_file(path, {Network.address(node): rate for node, rate in enumerate(gbits)}, channels=CHANNELS,
                              burst_bytes=round(min(gbits) * 1.25e8 * BURST_SECONDS), **serving)


def append_message_row(options, architecture, workers, gbits, size, messages, seconds):
    """A row of message_cost.csv. `seconds`: of each iteration, in which `messages` of `size` bytes are ready at once."""
    seconds = [value / messages for value in seconds]
    append_row(f"{options.output}/message_cost.csv", COST,
               [architecture, workers, gbits, "one_at_a_time" if messages == 1 else "back_to_back", "whole", size, messages,
                statistics.median(seconds), quantile(seconds, 0.1), quantile(seconds, 0.9)])


def message_run(options, gbits, workers, served, size, messages):
    """A row of message costs: a job without compute, with `messages` variables of `size` bytes, all ready at once."""
    nodes = workers + served
    with tempfile.TemporaryDirectory() as folder, Network(options.prefix, nodes, gbits, TCP_WINDOW, BURST_SECONDS) as network:
        names = [f"v{index}" for index in range(messages)]
        variables = [{"name": name, "shape": [size // 4]} for name in names]
        job = {"name": "messages", "layers": [{"name": "all", "forward_seconds": 0, "backward_seconds": 0, "variables": variables}]}
        server = {"PSSynchronizer": {"reduction_destination": Network.address(0) + ":CPU:0", "sync": True}}
        strategy = {"node_config": [{"var_name": name, **(server if served else {"AllReduceSynchronizer": {"group": group}})}
                                    for group, name in enumerate(names)],
                    "graph_config": {"replicas": [Network.address(node) + ":CPU:0" for node in range(served, nodes)]}}
        files = [write_json(f"{folder}/strategy.json", strategy), write_json(f"{folder}/job.json", job),
                 write_cluster(f"{folder}/cluster.yml", [gbits] * nodes, [0] if served else [])]
        wire = size * messages / (gbits * 1.25e8) * workers
        seconds, _ = play(network, list(range(nodes)), files, min(60, max(8, int(4 / (wire + 2e-3)))))
    append_message_row(options, "bsps" if served else "bsar", workers, gbits, size, messages, seconds)


def calibrate(options):
    """Messages for each rate of link; all-reduces of all nodes, which run at the rate of the slowest."""
    remove_tables(options, "message_cost")
    for gbits in sorted(set(NODE_GBITS)):
        for workers in (1, 2):
            for size, messages in ((4000, 1), (64000, 1), (1000000, 1), (4000, 50), (64000, 20), (1000000, 4)):
                message_run(options, gbits, workers, 1, size, messages)
    for size, messages in ((4000, 1), (16000, 1), (64000, 1), (250000, 1), (1000000, 1),
                           (4000, 50), (16000, 40), (64000, 20), (250000, 8), (1000000, 4)):
        message_run(options, min(NODE_GBITS), len(NODE_GBITS), 0, size, messages)
    bare = write_cluster(f"{options.output}/cluster.yml", NODE_GBITS)
    run_cli(options, "calibrate", f"{options.output}/message_cost.csv", "--cluster", bare, "-o", f"{options.output}/calibrated.yml", "--force")
    os.replace(f"{options.output}/calibrated.yml", bare)


def run_cli(options, *arguments):
    done = subprocess.run([options.cli, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"syncopate-cli {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout


def apart(trials, chosen=()):
    """Up to COUNT of `trials`, in their order, whose predictions differ from each other's and from those of `chosen` by more than APART."""
    own = []
    for trial in trials:
        if len(own) < COUNT and all(abs(trial["seconds"] / other["seconds"] - 1) > APART for other in [*chosen, *own]):
            own.append(trial)
    return own


def search(options):
    """candidates.csv and strategies/: the best trials, the best distinct ones, random ones, and the best builders."""
    out = options.output
    remove_tables(options, "runs")
    os.makedirs(f"{out}/strategies", exist_ok=True)
    scenario = ["--job", write_json(f"{out}/job.json", encoder()), "--cluster", f"{out}/cluster.yml"]
    told = json.loads(run_cli(options, "search", *scenario, "--method", options.method, "--trials", str(options.trials), "--seed",
                              str(options.seed), "--trials-out", f"{out}/trials.jsonl", "--force", "--json"))
    with open(f"{out}/trials.jsonl", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file][1:]
    os.remove(f"{out}/trials.jsonl")
    seconds = {trial["trial"]: trial["iteration_seconds"] for trial in told["trials"] if trial.get("iteration_seconds")}
    trials = [{"name": f"trial{line['trial']}", "seconds": seconds[line["trial"]], "strategy": line["strategy"]}
              for line in lines if line.get("trial") in seconds]
    trials.sort(key=lambda trial: trial["seconds"])
    chosen = {}
    shuffled = random.Random(options.seed).sample(trials, len(trials))
    tops = apart(trials)
    for source, candidates in (("top", trials[:COUNT]), ("random", [trial for trial in shuffled if trial not in trials[:COUNT]][:COUNT]),
                               ("top_apart", tops), ("random_apart", apart(shuffled, tops))):
        for trial in candidates:
            chosen.setdefault(trial["name"], (trial, []))[1].append(source)
    with open(f"{out}/candidates.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["candidate", "source", "predicted_seconds"])
        for name, (trial, sources) in chosen.items():
            write_json(f"{out}/strategies/{name}.json", trial["strategy"])
            writer.writerow([name, "+".join(sources), f"{trial['seconds']:.6g}"])
        default = min(told["baselines"].items(), key=lambda item: item[1])
        tuned = min(told["baselines_tuned"].values(), key=lambda builder: builder["iteration_seconds"])
        for name, expression, value in (("builder", *default), ("tuned_builder", tuned["expression"], tuned["iteration_seconds"])):
            run_cli(options, "build", *scenario, "--builder", expression, "-o", f"{out}/strategies/{name}.json", "--force")
            with open(f"{out}/strategies/{name}.json", encoding="utf-8") as file:
                strategy = json.load(file)
            write_json(f"{out}/strategies/{name}.json", strategy)
            writer.writerow([name, expression, f"{value:.6g}"])


def rounds(rows, runs, count):
    """(round, row): every row once per round, in a different order each; continues after the rounds in the file `runs`."""
    before = read_rows(runs) if os.path.exists(runs) else []
    first = 1 + max((int(row["round"]) for row in before), default=0)
    for number in range(first, first + count):
        order = list(rows)  # so that a round's order does not depend on the rounds before it
        random.Random(number).shuffle(order)
        for row in order:
            yield number, row


def replay(options):
    """Measures every candidate in every round."""
    out = options.output
    for number, row in rounds(read_rows(f"{out}/candidates.csv"), f"{out}/runs.csv", options.rounds):
        with Network(options.prefix, len(NODE_GBITS), NODE_GBITS, TCP_WINDOW, BURST_SECONDS) as network:
            busy_before, all_before = machine_cpu()
            files = [f"{out}/strategies/{row['candidate']}.json", f"{out}/job.json", f"{out}/cluster.yml"]
            seconds, late = play(network, list(range(len(NODE_GBITS))), files, options.iterations)
            busy, total = machine_cpu()
        append_row(f"{out}/runs.csv", ROW,
                   [row["candidate"], row["source"], float(row["predicted_seconds"]), number, statistics.median(seconds),
                    quantile(seconds, 0.1), quantile(seconds, 0.9), len(seconds), late,
                    os.cpu_count() * (busy - busy_before) / (total - all_before)])


def spearman(a, b):
    def ranks(values):
        order = sorted(values)
        return [statistics.mean(place for place, other in enumerate(order) if other == value) for value in values]
    return statistics.correlation(ranks(a), ranks(b))


def summary(options):
    """Medians over the rounds, their spread, and conclusions."""
    runs = {}
    for row in read_rows(f"{options.output}/runs.csv"):
        runs.setdefault(row["candidate"], []).append(row)
    table = sorted((float(rows[0]["predicted_seconds"]), statistics.median(float(row["measured_seconds"]) for row in rows),
                    min(float(row["measured_seconds"]) for row in rows), max(float(row["measured_seconds"]) for row in rows), name,
                    rows[0]["source"]) for name, rows in runs.items())
    for predicted, measured, low, high, name, source in table:
        print(f"{name:14} {source:34} predicted {predicted:.4f} measured {measured:.4f} ({low:.4f} to {high:.4f}) {predicted / measured - 1:+.1%}")
    for sources in (("top", "random"), ("top_apart", "random_apart"), ("top", "random", "top_apart", "random_apart")):
        own = [row for row in table if set(sources) & set(row[5].split("+"))]
        print(f"{'+'.join(sources)}: {len(own)} candidates, Spearman {spearman([row[0] for row in own], [row[1] for row in own]):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli")
    parser.add_argument("--output", required=True)
    parser.add_argument("--only", choices=("calibrate", "search", "replay", "summary"))
    parser.add_argument("--method", default="rules()")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=12)
    options = parser.parse_args()
    if not options.cli and options.only not in ("replay", "summary"):
        parser.error("name --cli")
    options.prefix = f"syr{os.getpid()}"
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda caught, _: sys.exit(128 + caught))
    reason = why_impossible(options.prefix)
    if not reason and subprocess.run([PYTHON, "-c", "import torch.distributed, yaml"], capture_output=True, check=False).returncode != 0:
        reason = f"{PYTHON} has no torch (package python3-torch)"
    if reason and options.only != "summary":
        print(f"skipped: {reason}")
        return
    os.makedirs(options.output, exist_ok=True)
    for part in (calibrate, search, replay, summary):
        if options.only in (None, part.__name__):
            part(options)


if __name__ == "__main__":
    main()
