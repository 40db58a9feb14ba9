#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates AutoByte's Figs. 3, 8, 9 and 10, and prints the tables of docs/tuning.md.

    docs/tuning_figures.py syncopate-cli results.json [--seeds 1-3] [--threads 1]

Results are kept in results.json after each run, so that it continues where it was stopped; --print prints the tables of the
results so far. The testbed is the catalogue's cluster "autobyte": 8 workers with a server on each. Times of the catalogue's jobs are those of a T4; COMPUTE makes them
a V100's, by the peaks that NVIDIA states for float32 (8.1 and 15.7 TFLOP/s).
"""
import argparse
import csv
import json
import math
import os
import re
import statistics
import subprocess
import tempfile

COMPUTE = 0.516
MODELS = ("resnet50", "vgg16", "alexnet")
RATES = (0.5, 1, 5, 10, 25)  # Gbit/s
BIG_ARRAY = 1_000_000  # elements, MXNET_KVSTORE_BIGARRAY_BOUND
RELEASED = "bo(preset=bytescheduler)"
PAIRS = [(partition, credit) for partition in (1, 2, 4, 8) for credit in (1, 2, 3, 4)]  # Fig. 3: MB, partitions


def run(options, *arguments):
    done = subprocess.run([options.cli, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def spread(options, job, folder):
    """A strategy as MXNet's key-value store places variables: big ones are split evenly over all servers, the others hashed to one (here: by load)."""
    scenario, table, path = ["--job", job, "--cluster", "autobyte"], f"{folder}/table.csv", f"{folder}/spread.json"
    run(options, "simulate", *scenario, "--strategy", "PSLoadBalancing", "--table", table)
    run(options, "build", *scenario, "--builder", "PSLoadBalancing", "-o", path)
    with open(table, newline="", encoding="utf-8") as file:
        shapes = {row["variable"]: [int(size) for size in re.findall(r"[0-9]+", row["shape"])] for row in csv.DictReader(file)}
    with open(path, encoding="utf-8") as file:
        strategy = json.load(file)
    servers = [replica.replace("GPU", "CPU") for replica in strategy["graph_config"]["replicas"]]
    for node in strategy["node_config"]:
        shape = shapes[node["var_name"]]
        if math.prod(shape) < BIG_ARRAY:
            continue
        axis = shape.index(max(shape))
        node["partitioner"] = ",".join(str(len(servers) if index == axis else 1) for index in range(len(shape)))
        node["part_config"] = [{"var_name": f"{node['var_name']}/part_{part}:0", "PSSynchronizer": {"reduction_destination": server, "sync": True}}
                               for part, server in enumerate(servers)]
        del node["PSSynchronizer"]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(strategy, file)
    return path


def tune(options, job, arch, gbits, *more):
    """The arms of a schedule that has one condition, by name; samples per second, setting, and seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(f"iteration,bandwidth_gbits,compute\n0,{gbits},{COMPUTE}\n")
        file.flush()
        told = run(options, "tune", "--job", job, "--cluster", "autobyte", "--arch", arch, "--schedule", file.name, "--length", "1", "--threads",
                   str(options.threads), "--json", *more)
    return {arm["name"]: {"speed": arm["samples_per_second"], "setting": [arm["changes"][0].get(key) for key in ("partition_bytes", "credit_bytes")]}
            for arm in json.loads(told)["arms"]}


def cell(options, job, arch, gbits):
    """Figs. 8 and 9: one group of bars."""
    with tempfile.TemporaryDirectory() as folder:
        plain = tune(options, job, arch, gbits, *(["--strategy", spread(options, job, folder)] if arch == "ps" else []), "--evaluations", "1", "--grid",
                     "off", "--method", "random")
    result = {"baseline": plain["fifo"], "released": [], "bo": [], "autobyte": None, "oracle": None}
    for seed in range(options.first, options.last + 1):
        arms = tune(options, job, arch, gbits, "--grid", "8x4" if seed == options.first else "off", "--evaluations", "20", "--seed", str(seed))
        result["bo"].append(arms["bo() once"])
        result["default"], result["autobyte"] = arms["default"], arms["autobyte"]
        result["oracle"] = max(result["oracle"] or arms["oracle"], arms["oracle"], key=lambda arm: arm["speed"])
        released = tune(options, job, arch, gbits, "--grid", "off", "--evaluations", "14", "--method", RELEASED, "--seed", str(seed))
        result["released"].append(released[f"{RELEASED} once"])
    return result


def pairs(options, job, arch, gbits):
    """Fig. 3: speed of each pair of partition and credit."""
    speeds = {}
    for partition, credit in PAIRS:
        policy = f"bytescheduler(partition={partition}MB,credit={partition * credit}MB{',hash=mxnet' if arch == 'ps' else ''})"
        arms = tune(options, job, arch, gbits, "--policy", policy, "--knob", f"partition={partition}MB..{partition + 1e-6:.6f}MB", "--evaluations", "1",
                    "--grid", "off", "--method", "coordinate")
        speeds[f"{partition} MB x {credit}"] = arms["coordinate() once"]["speed"]
    return speeds


def work(options):
    """The runs to make, the cheapest first."""
    for arch in ("allreduce", "ps"):
        for job, gbits in [(job, 10) for job in (*MODELS, "densenet121")] + [("resnet50", gbits) for gbits in (3, 5, 8, 20)]:
            yield f"pairs {job} {arch} {gbits}", lambda job=job, arch=arch, gbits=gbits: pairs(options, job, arch, gbits)
        for gbits in RATES:
            for job in MODELS:
                yield f"cell {job} {arch} {gbits}", lambda job=job, arch=arch, gbits=gbits: cell(options, job, arch, gbits)


def mean(arms):
    return statistics.mean(arm["speed"] for arm in arms)


def spread_of(arms):
    """The speeds of all seeds: the lowest and the highest, where they differ."""
    low, high = (f"{pick(arm['speed'] for arm in arms):.4g}" for pick in (min, max))
    return low if low == high else f"{low} to {high}"


def gain(value, other):
    return f"{100 * (value / other - 1):+.1f} %"


def print_cells(results, arch):
    print("| model, Gbit/s | baseline | ByteScheduler's default | its BO | `bo` | AutoByte | oracle | AutoByte over baseline | over its BO | over `bo` |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for job in MODELS:
        for gbits in RATES:
            row = results.get(f"cell {job} {arch} {gbits}")
            if not row:
                continue
            autobyte, released, own = row["autobyte"]["speed"], mean(row["released"]), mean(row["bo"])
            oracle = max(arm["speed"] for arm in (row["oracle"], row["baseline"], row["default"], row["autobyte"], *row["released"], *row["bo"]))
            cells = [f"{row['baseline']['speed']:.4g}", f"{row['default']['speed']:.4g}", spread_of(row["released"]), spread_of(row["bo"]), f"{autobyte:.4g}", f"{oracle:.4g}"]
            print(f"| {job}, {gbits:g} | " + " | ".join(cells) +
                  f" | {gain(autobyte, row['baseline']['speed'])} | {gain(autobyte, released)} | {gain(autobyte, own)} |")
    print()


def print_pairs(results, arch):
    print("| model, Gbit/s | best pair | worst pair | best over worst |")
    print("|---|---|---|---|")
    for key, speeds in results.items():
        kind, job, of, gbits = key.split()
        if kind == "pairs" and of == arch:
            best, worst = max(speeds, key=speeds.get), min(speeds, key=speeds.get)
            print(f"| {job}, {gbits} | {best} | {worst} | {gain(speeds[best], speeds[worst])} |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("results")
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--print", action="store_true", dest="only_print")
    options = parser.parse_args()
    first, _, last = options.seeds.partition("-")
    options.first, options.last = int(first), int(last or first)
    results = {}
    if os.path.exists(options.results):
        with open(options.results, encoding="utf-8") as file:
            results = json.load(file)
    for key, run in [] if options.only_print else work(options):
        if key in results:
            continue
        results[key] = run()
        with open(options.results + ".new", "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
        os.replace(options.results + ".new", options.results)
    for arch in ("ps", "allreduce"):
        print_cells(results, arch)
        print_pairs(results, arch)


if __name__ == "__main__":
    main()
