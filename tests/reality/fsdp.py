#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains as PyTorch's FSDP2 does over shaped links between network namespaces, under every setting of its prefetch and resharding.

    fsdp.py --output DIR                          all of it: what collectives cost, then rounds of every setting; three quarters of an hour
    fsdp.py ... --only costs|play|summary         a part of it; play adds rounds to those that are there
    fsdp.py --smoke                               a few iterations, with checks

As root, with torch for /usr/bin/python3 (python3-torch), ip and tc; where that is missing it says "skipped: why" and ends with 0. What it
writes is explained in tests/data/measured/fsdp/README.md, what a rank does in fsdp_player.py.
"""
import argparse
import json
import os
import statistics

from measure import machine_cpu, quantile
from network import ChannelNetwork
from players import measure_parts, start_players
from replay import append_row, read_rows, write_json

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fsdp_player.py")
RANKS, RATES = (2, 4), (0.2, 0.5)  # Gbit/s
WARM_UP = 3
PAUSE_SECONDS = 0.02
TCP_WINDOW = 64 << 10  # enough for these links; with more, bytes wait in queues for longer
COST = ["architecture", "workers", "bandwidth_gbits", "mode", "answer", "message_bytes", "messages", "seconds_per_message", "p10", "p90", "collective"]
TOGETHER = ["workers", "bandwidth_gbits", "bytes", "count", "seconds_of_both", "p10", "p90"]
SETTING = ["module", "forward_prefetch", "backward_prefetch", "reshard_after_forward", "separate_reduce_scatter_group"]
RUN = ["job", "architecture", "workers", "bandwidth_gbits", *SETTING, "modules", "iteration_seconds_median", "iteration_seconds_p10",
       "iteration_seconds_p90", "round_min", "round_max", "rounds", "iterations", "compute_seconds"]
SPAN = ["job", "workers", "bandwidth_gbits", *SETTING, "task", "number", "start_seconds", "seconds"]
MODULE = {"blocks": 500_000, "uneven": 1_000_000}  # bytes; twice that is tried as well


def make_job(name, rows):
    """`rows`: name, elements, forward seconds; the backward pass takes twice as long."""
    layers = [{"name": layer, "forward_seconds": seconds, "backward_seconds": 2 * seconds,
               "variables": [{"name": f"{layer}/kernel", "shape": [elements], "dtype": "float32", "sparse": False}]} for layer, elements, seconds in rows]
    return {"name": name, "batch_size": 1, "update_seconds": 0.008, "layers": layers}


JOBS = {
    # A transformer: all layers alike.
    "blocks": make_job("blocks", [(f"block{number}", 200_000, 0.016) for number in range(8)]),
    # A table, convolutions, and dense layers: parameters and compute in different places.
    "uneven": make_job("uneven", [("table", 500_000, 0.002), ("conv1", 30_000, 0.024), ("conv2", 60_000, 0.020), ("conv3", 120_000, 0.016),
                                  ("conv4", 250_000, 0.012), ("conv5", 400_000, 0.008), ("dense", 600_000, 0.004), ("head", 100_000, 0.002)]),
}
USUAL = {"forward_prefetch": 0, "backward_prefetch": 1, "reshard_after_forward": True, "separate_reduce_scatter_group": False}


def settings(job):
    """The default, and settings that differ from it; module_bytes None: everything belongs to the root."""
    small, large = MODULE[job], 2 * MODULE[job]
    changes = [{}, {"backward_prefetch": 0}, {"backward_prefetch": 2}, {"forward_prefetch": 1}, {"forward_prefetch": 3},
               {"reshard_after_forward": False}, {"separate_reduce_scatter_group": True},
               {"separate_reduce_scatter_group": True, "backward_prefetch": 0}]
    return ([{**USUAL, "module_bytes": small, **change} for change in changes] +
            [{**USUAL, "module_bytes": large, **change} for change in ({}, {"backward_prefetch": 0})] + [{**USUAL, "module_bytes": None}])


def fields_of(setting):
    """The values of the columns SETTING, as Syncopate writes the policy fsdp2's."""
    words = {True: "on", False: "off"}
    return (f"{setting['module_bytes']}B" if setting["module_bytes"] else "model",
            *(words[value] if isinstance(value := setting[key], bool) else value for key in SETTING[1:]))


def player_job(name):
    job = JOBS[name]
    return {**job, "layers": [{**layer, "bytes": 4 * layer["variables"][0]["shape"][0]} for layer in job["layers"]]}


def network_of(options, ranks, gbits):
    return ChannelNetwork(options.prefix, ranks, {"e0": gbits}, TCP_WINDOW)


def start(network, spec):
    """Rank 0's result. `spec`: fsdp_player.py's own part. Two process groups share the one link; each has another for its barriers."""
    channels = [{"name": f"{group}{interface}", "interface": interface} for group in ("all", "scatters") for interface in ("e0", "control")]
    return start_players(network, PROGRAM, {"channels": channels, "port": 29800, **spec})


def cost_cases():
    """Each kind alone, back to back and one at a time; then both kinds at once."""
    cases = []
    for size in (4_000, 64_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000):
        for kinds in (["all_gather"], ["reduce_scatter"], ["all_gather", "reduce_scatter"]):
            count = max(3, min(40, round(8_000_000 / size)))
            cases.append({"kinds": kinds, "bytes": size, "count": count, "pause_seconds": 0, "repeats": 3})
            if len(kinds) == 1:
                cases.append({"kinds": kinds, "bytes": size, "count": 1, "pause_seconds": PAUSE_SECONDS, "repeats": 8})
    return cases


def costs(options):
    """message_cost.csv and together.csv: the costs of collectives on these links, without compute."""
    alone, together = (f"{options.output}/{name}.csv" for name in ("message_cost", "together"))
    for path in (alone, together):
        if os.path.exists(path):
            os.remove(path)
    for ranks in options.ranks:
        for gbits in options.rates:
            cases = cost_cases()
            with network_of(options, ranks, gbits) as network:
                results = start(network, {"cases": cases})
            for case, seconds in zip(cases, results):
                times = [statistics.median(seconds), quantile(seconds, 0.1), quantile(seconds, 0.9)]
                if len(case["kinds"]) > 1:
                    append_row(together, TOGETHER, [ranks, gbits, case["bytes"], case["count"], *times])
                    continue
                mode = "one_at_a_time" if case["pause_seconds"] else "back_to_back"
                append_row(alone, COST, ["fsdp2", ranks, gbits, mode, "whole", case["bytes"], case["count"], *times, case["kinds"][0]])


def play(options):
    """raw.jsonl: a line per round and setting, with the spans of rank 0."""
    for number in range(options.rounds):
        for ranks in options.ranks:
            for gbits in options.rates:
                plays = [{"job": job, "setting": setting, "iterations": options.iterations + WARM_UP + 1} for job in JOBS for setting in settings(job)]
                busy_before, all_before = machine_cpu()
                with network_of(options, ranks, gbits) as network:
                    results = start(network, {"plays": plays, "jobs": {job: player_job(job) for job in JOBS}})
                busy, total = machine_cpu()
                with open(f"{options.output}/raw.jsonl", "a", encoding="utf-8") as file:
                    for one, spans in zip(plays, results):
                        file.write(json.dumps({"job": one["job"], "workers": ranks, "gbits": gbits, "setting": one["setting"], "spans": spans,
                                               "busy_cores": os.cpu_count() * (busy - busy_before) / (total - all_before)}, separators=(",", ":")) + "\n")
                print(f"round {number + 1}, {ranks} ranks, {gbits} Gbit/s", flush=True)


def starts_of(spans):
    """When each iteration began at rank 0: the forward of layer 0."""
    return [begin for _, what, number, begin, _ in sorted(spans) if what == "forward" and number == 0]


def seconds_of(spans):
    starts = starts_of(spans)[WARM_UP:]
    return [after - before for before, after in zip(starts, starts[1:])]


def span_rows(spans_of_rounds):
    """Each task's median start, from its iteration's, and median duration. A collective is of the iteration that issued it."""
    tasks = {}
    for spans in spans_of_rounds:
        starts = starts_of(spans)
        places = {}
        for iteration, what, number, begin, end in sorted(spans, key=lambda span: span[3]):
            if WARM_UP <= iteration < len(starts) - 1:
                place = places[iteration, what, number] = places.get((iteration, what, number), -1) + 1
                tasks.setdefault((what if place == 0 else f"{what} again", number), []).append((begin - starts[iteration], end - begin))
    rows = [(what, number, statistics.median(start for start, _ in times), statistics.median(length for _, length in times))
            for (what, number), times in tasks.items()]
    return sorted(rows, key=lambda row: row[2])


def summary(options):
    """runs.csv, spans.csv and jobs/, from raw.jsonl."""
    out = options.output
    os.makedirs(f"{out}/jobs", exist_ok=True)
    for name, job in JOBS.items():
        write_json(f"{out}/jobs/{name}.job.json", job)
    groups, busy = {}, []
    with open(f"{out}/raw.jsonl", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            busy.append(row["busy_cores"])
            groups.setdefault((row["job"], row["workers"], row["gbits"], fields_of(row["setting"])), []).append(row)
    for table in ("runs.csv", "spans.csv"):
        if os.path.exists(f"{out}/{table}"):
            os.remove(f"{out}/{table}")
    for (job, workers, gbits, fields), rows in groups.items():
        by_round = [seconds_of(row["spans"]) for row in rows]
        every, medians = [seconds for one in by_round for seconds in one], [statistics.median(one) for one in by_round]
        waits = [end - begin for row in rows for iteration, what, _, begin, end in row["spans"]
                 if what in ("forward", "backward", "update") and iteration >= WARM_UP]
        iterations = sum(len(starts_of(row["spans"])) - WARM_UP for row in rows)
        append_row(f"{out}/runs.csv", RUN, [job, "fsdp2", workers, gbits, *fields, len({number for _, what, number, _, _ in rows[0]["spans"] if what == "all_gather"}),
                                            statistics.median(every), quantile(every, 0.1), quantile(every, 0.9), min(medians), max(medians), len(rows),
                                            len(every), sum(waits) / iterations])
        for row in span_rows([row["spans"] for row in rows]):
            append_row(f"{out}/spans.csv", SPAN, [job, workers, gbits, *fields, *row])
    rows = read_rows(f"{out}/runs.csv")
    spread = [float(row["round_max"]) / float(row["round_min"]) - 1 for row in rows]
    print(f"{len(rows)} settings; medians of rounds differ by {statistics.median(spread):.1%} (median), {max(spread):.1%} (most); "
          f"{min(busy):.2f} to {max(busy):.2f} cores busy")


def smoke(options):
    """No iteration beats its compute and its links; without prefetch in the backward pass it is longer than with it."""
    job = make_job("smoke", [(f"block{number}", 100_000, 0.008) for number in range(4)])
    job["layers"] = [{**layer, "bytes": 4 * layer["variables"][0]["shape"][0]} for layer in job["layers"]]
    plays = [{"job": "smoke", "iterations": 4 + WARM_UP + 1, "setting": {**USUAL, "module_bytes": 400_000, "backward_prefetch": ahead}} for ahead in (0, 1)]
    with network_of(options, 2, 0.5) as network:
        exposed, hidden = (statistics.median(seconds_of(spans)) for spans in start(network, {"plays": plays, "jobs": {"smoke": job}}))
    compute = 3 * 4 * 0.008 + job["update_seconds"] / 2
    gathers = 3 * (200_000 - ChannelNetwork.BURST_BYTES) / (0.5 * 1.25e8)  # before every backward but the first, which the end of the forward hides
    if hidden < compute or exposed < compute + gathers or exposed < hidden:
        raise RuntimeError(f"{exposed:.4f} s without prefetch, at least {compute + gathers:.4f}; {hidden:.4f} with it, at least {compute:.4f}")
    print(f"{hidden:.4f} s an iteration, {exposed:.4f} without backward prefetch; compute alone takes {compute:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output")
    parser.add_argument("--only", choices=("costs", "play", "summary"))
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--ranks", type=lambda text: [int(part) for part in text.split(",")], default=RANKS)
    parser.add_argument("--rates", type=lambda text: [float(part) for part in text.split(",")], default=RATES)
    options = parser.parse_args()
    if not options.smoke and not options.output:
        parser.error("name --output or --smoke")
    options.prefix = f"syf{os.getpid()}"
    measure_parts(options, (costs, play, summary), smoke, (lambda: network_of(options, 1, 1)) if options.only != "summary" else None)


if __name__ == "__main__":
    main()
