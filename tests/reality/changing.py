#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes the rate of links while a job trains over them, and compares tuning's promises with the result.

    changing.py --cli build/dev/bin/syncopate-cli --output DIR           all of it, some ten minutes
    changing.py ... --only calibrate|tune|play|summary|picture           a part of it; play adds rounds to those that are there
    changing.py --smoke                                                  a few iterations and one change, with checks

As root, with ip and tc; where that is missing it says "skipped: why" and ends with 0. What it writes is explained in
tests/data/measured/changing/README.md, the scheduler in scheduled_ps.py.
"""
import argparse
import functools
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from measure import machine_cpu
from network import Network, run_together, why_impossible
from replay import append_message_row, append_row, read_rows, real_time, remove_tables, rounds, run_cli, write_cluster_file, write_json

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "scheduled_ps.py")
SLOW, FAST = 0.1, 1  # Gbit/s of every link
CHANGES = [(0, SLOW), (6, FAST), (36, SLOW)]  # (first iteration, Gbit/s); re-tuned arms look every 10 iterations (docs/tuning.md), so they notice it later
ITERATIONS, WORKERS = 44, 2
BURST_BYTES = 262144  # 2 ms at the faster rate: if shorter than timers are late, a link would not reach its rate
TCP_WINDOW = 256 << 10
UNLIMITED = 1 << 40
POLICY = "bytescheduler(barrier=off)"
# Tuners, and their arms that are played.
TUNED = {"bo()": ("default", "bo() once", "bo() re-tuned", "random() re-tuned", "autobyte", "oracle"),
         "coordinate()": ("coordinate() once", "coordinate() re-tuned"), "grid(steps=5)": ("grid(steps=5) once", "grid(steps=5) re-tuned")}
RUN = ["arm", "round", "iteration", "bandwidth_gbits", "partition_bytes", "credit_bytes", "predicted_seconds", "measured_seconds"]
STATE = ["arm", "round", "change_seconds_max", "late_seconds_p99", "busy_cores", "load_average"]


def network_of(options, nodes, gbits):
    return Network(options.prefix, nodes, gbits, TCP_WINDOW, burst_bytes=BURST_BYTES)


def play(network, workers, layers, iterations, settings, changes=()):
    """When rank 0 started each iteration and would have started one more, how late waits ended (99th percentile), and how long each change of the links took."""
    rates = dict(changes)
    with tempfile.TemporaryDirectory() as folder:
        plan = {"workers": workers, "address": Network.address(0), "port": 29600, "control": f"{folder}/control", "layers": layers,
                "iterations": iterations + 1, "settings": settings, "tell": sorted(rates), "times": f"{folder}/times.json"}
        path = write_json(f"{folder}/plan.json", plan)
        commands = [("server", path)] + [("worker", path, "--rank", str(rank)) for rank in range(workers)]
        took = []

        def start(node, errors):  # of node 1, rank 0, the lines say which iteration starts
            return network.start(node, sys.executable, PROGRAM, *commands[node], stdout=subprocess.PIPE if node == 1 else None, stderr=errors, bufsize=0)
        try:
            real_time()  # including everything started from here on: links have to change in time
            run_together([functools.partial(start, node) for node in range(len(commands))], 300,
                         lambda line: took.append(network.change(rates[int(line)])))
        finally:
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        with open(plan["times"], encoding="utf-8") as file:
            times = json.load(file)
    return times["starts"], times["late_seconds_p99"], took


def seconds_of(starts):
    return [after - before for before, after in zip(starts, starts[1:])]


def encoder():
    """A small encoder of 6.8 MB, trained data-parallel: 29 ms forward, 59 ms backward."""
    sizes = [("embed", 300000, 0.0012)] + [(f"block{index}", 150000, 0.0045) for index in range(6)] + [("head", 500000, 0.0012)]
    return {"name": "encoder", "batch_size": 8,
            "layers": [{"name": name, "forward_seconds": forward, "backward_seconds": 2 * forward,
                        "variables": [{"name": f"{name}/kernel", "shape": [size]}]} for name, size, forward in sizes]}


def layers_of(job):
    return [{"forward_seconds": layer["forward_seconds"], "backward_seconds": layer["backward_seconds"],
             "bytes": 4 * sum(variable["shape"][0] for variable in layer["variables"])} for layer in job["layers"]]


def write_cluster(path):
    return write_cluster_file(path, {Network.address(node): SLOW for node in range(WORKERS + 1)}, chief=1,
                              server_only=f"[{Network.address(0)}]", burst_bytes=BURST_BYTES)


def message_run(options, gbits, workers, size, messages):
    """A row of message costs: a job without compute, with `messages` layers of `size` bytes, all ready at once."""
    layers = [{"forward_seconds": 0, "backward_seconds": 0, "bytes": size}] * messages
    wire = size * messages / (gbits * 1.25e8) * workers
    count = min(60, max(5, int(3 / (wire + 2e-3))))
    with network_of(options, workers + 1, gbits) as network:
        starts, _, _ = play(network, workers, layers, count + 3, [[0, UNLIMITED, UNLIMITED]])
    append_message_row(options, "bsps", workers, gbits, size, messages, seconds_of(starts)[3:])


def calibrate(options):
    remove_tables(options, "message_cost")
    for gbits in (SLOW, FAST):
        for workers in (1, 2):
            for size, messages in ((1000, 1), (4000, 1), (64000, 1), (1000000, 1), (1000, 400), (4000, 200), (16000, 50), (64000, 20), (1000000, 12)):
                message_run(options, gbits, workers, size, messages)
    bare = write_cluster(f"{options.output}/cluster.yml")
    run_cli(options, "calibrate", f"{options.output}/message_cost.csv", "--cluster", bare, "-o", f"{options.output}/calibrated.yml", "--force")
    os.replace(f"{options.output}/calibrated.yml", bare)


def tune(options):
    """arms.json: the settings of each way of tuning, and predicted times of iterations."""
    remove_tables(options, "runs", "state")
    out = options.output
    with open(f"{out}/conditions.csv", "w", encoding="utf-8") as file:
        file.write("iteration,bandwidth_gbits\n" + "".join(f"{iteration},{gbits}\n" for iteration, gbits in CHANGES))
    scenario = ["--job", write_json(f"{out}/job.json", encoder()), "--cluster", f"{out}/cluster.yml", "--strategy", "PS", "--policy", POLICY]
    arms = []
    for method, played in TUNED.items():
        told = json.loads(run_cli(options, "tune", *scenario, "--method", method, "--schedule", f"{out}/conditions.csv", "--length", str(ITERATIONS),
                                  "--seed", "1", "--json"))
        arms += [{"name": arm["name"], "changes": arm["changes"], "iteration_seconds": [step["iteration_seconds"] for step in arm["iterations"]]}
                 for arm in told["arms"] if arm["name"] in played]
    write_json(f"{out}/arms.json", arms)


def arms_of(options):
    """Settings ([iteration, partition, credit]) and predicted seconds of the arms that are played."""
    with open(f"{options.output}/arms.json", encoding="utf-8") as file:
        arms = json.load(file)
    return {arm["name"]: ([[change["iteration"], round(change["partition_bytes"]), round(change["credit_bytes"])] for change in arm["changes"]],
                         arm["iteration_seconds"]) for arm in arms}


def rows_of(settings, changes, predicted, seconds):
    """The columns of RUN from `iteration` on, for each iteration."""
    for iteration, measured in enumerate(seconds):
        gbits = [value for first, value in changes if first <= iteration][-1]
        _, partition, credit = [row for row in settings if row[0] <= iteration][-1]
        yield [iteration, gbits, partition, credit, predicted[iteration], measured]


def play_arms(options):
    """Measures every arm in every round."""
    out = options.output
    arms = arms_of(options)
    for number, name in rounds(sorted(arms), f"{out}/runs.csv", options.rounds):
        settings, predicted = arms[name]
        busy_before, all_before = machine_cpu()
        with network_of(options, WORKERS + 1, SLOW) as network:
            starts, late, took = play(network, WORKERS, layers_of(encoder()), ITERATIONS, settings, [change for change in CHANGES if change[0] > 0])
        busy, total = machine_cpu()
        for row in rows_of(settings, CHANGES, predicted, seconds_of(starts)):
            append_row(f"{out}/runs.csv", RUN, [name, number, *row])
        append_row(f"{out}/state.csv", STATE, [name, number, max(took), late, os.cpu_count() * (busy - busy_before) / (total - all_before),
                                               os.getloadavg()[0]])


def summary(options):
    """For each arm the total, and for each of its stretches with one condition and setting the median, predicted and measured."""
    stretches, totals = {}, {}
    for row in read_rows(f"{options.output}/runs.csv"):
        key = (row["arm"], float(row["bandwidth_gbits"]), int(row["partition_bytes"]), int(row["credit_bytes"]))
        stretches.setdefault(key, ([], float(row["predicted_seconds"])))[0].append(float(row["measured_seconds"]))
        total = totals.setdefault(row["arm"], {}).setdefault(row["round"], [0, 0])
        total[0] += float(row["predicted_seconds"])
        total[1] += float(row["measured_seconds"])
    for (arm, gbits, partition, credit), (seconds, predicted) in sorted(stretches.items()):
        measured = statistics.median(seconds)
        print(f"{arm:20} {gbits:4} Gbit/s partition {partition:8} credit {credit:8}: predicted {predicted:.4f} measured {measured:.4f} {predicted / measured - 1:+.1%}")
    for arm, runs in sorted(totals.items()):
        print(f"{arm:20} total predicted {statistics.median(run[0] for run in runs.values()):.2f} measured "
              f"{', '.join(f'{run[1]:.2f}' for run in runs.values())}")


def picture(options):
    """picture.svg: samples per second over the iterations, measured (lines) and predicted (dots), with the links' rates below."""
    shown = [("default", "#888888"), ("bo() re-tuned", "#1f77b4"), ("coordinate() once", "#ff9933"), ("coordinate() re-tuned", "#b35900"),
             ("grid(steps=5) once", "#66bb66"), ("grid(steps=5) re-tuned", "#1b7837")]
    cells = {}
    for row in read_rows(f"{options.output}/runs.csv"):
        cells.setdefault((row["arm"], int(row["iteration"])), []).append((float(row["measured_seconds"]), float(row["predicted_seconds"])))
    speed = {key: [encoder()["batch_size"] * WORKERS / statistics.median(column) for column in zip(*pairs)] for key, pairs in cells.items()}
    width, height, left, top = 900, 330, 50, 40
    def x(iteration): return left + iteration / ITERATIONS * (width - left - 10)
    def y(value): return height - 40 - value / 150 * (height - 40 - top)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/><text x="{left}" y="14">samples/s: measured (lines), predicted (dots)</text>']
    for value in (0, 50, 100, 150):
        parts.append(f'<line x1="{left}" x2="{width - 10}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
                     f'<text x="{left - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    for (first, gbits), (end, _) in zip(CHANGES, CHANGES[1:] + [(ITERATIONS, 0)]):
        parts.append(f'<rect x="{x(first):.1f}" y="{height - 36}" width="{x(end) - x(first):.1f}" height="16" fill="#eee" stroke="#bbb"/>'
                     f'<text x="{x((first + end) / 2):.1f}" y="{height - 24}" text-anchor="middle">{gbits:g} Gbit/s</text>')
    for place, (arm, color) in enumerate(shown):
        line = " ".join(f"{x(i + side):.1f},{y(speed[arm, i][0]):.1f}" for i in range(ITERATIONS) for side in (0, 1))
        dots = "".join(f'<circle cx="{x(i + 0.5):.1f}" cy="{y(speed[arm, i][1]):.1f}" r="1.6"/>' for i in range(ITERATIONS))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/><g fill="{color}">{dots}</g>'
                     f'<text x="{left + place * 140}" y="32" fill="{color}">{arm}</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">iteration</text></svg>')
    with open(f"{options.output}/picture.svg", "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


def smoke(options):
    """The scheduler plays to its end, and the median iteration is not shorter than the links allow; a busy machine may be slower. A process that fails
    ends the others, and its error is raised."""
    layers = [{"forward_seconds": 0.002, "backward_seconds": 0.004, "bytes": 200000}] * 3
    with network_of(options, WORKERS + 1, FAST) as network:
        starts, _, took = play(network, WORKERS, layers, 12, [[0, 50000, 100000], [3, UNLIMITED, UNLIMITED]], [(6, SLOW)])
    seconds = seconds_of(starts)
    fast, slow = statistics.median(seconds[1:6]), statistics.median(seconds[8:])
    wire = WORKERS * 600000 - BURST_BYTES  # over the server's link; the bucket fills while a worker computes
    if len(seconds) != 12 or len(took) != 1 or fast < wire / (FAST * 1.25e8) or slow < wire / (SLOW * 1.25e8):
        raise RuntimeError(f"{len(seconds)} iterations, {len(took)} changes: {fast:.4f} s an iteration at {FAST} Gbit/s, {slow:.4f} at {SLOW}")
    began = time.monotonic()
    try:
        run_together([lambda errors, command=command: subprocess.Popen(command, stderr=errors) for command in (("sleep", "60"), ("sh", "-c", "echo broken >&2; exit 3"))], 60)
        failure = "none"
    except RuntimeError as error:
        failure = str(error)
    if failure != "process 1 ended with 3: broken" or time.monotonic() > began + 30:
        raise RuntimeError(f"a process that fails: got '{failure}' after {time.monotonic() - began:.1f} s, want 'process 1 ended with 3: broken' at once")
    check_half_lines()
    print(f"{fast:.4f} s an iteration at {FAST} Gbit/s, {slow:.4f} at {SLOW}")


def check_half_lines():
    """A process that waits within a line does not hold up the deadline; a last line without its end is heard."""
    def start(script):
        return lambda errors: subprocess.Popen(("sh", "-c", script), stdout=subprocess.PIPE, stderr=errors, bufsize=0)
    heard, began = [], time.monotonic()
    run_together([start("printf '1\\n2'; sleep 0.1; printf '3\\n4'")], 60, heard.append)
    if heard != ["1", "23", "4"]:
        raise RuntimeError(f"lines of a process: got {heard}, want 1, 23 and 4")
    try:
        run_together([start("printf half; exec sleep 60")], 1, heard.append)
        failure = "none"
    except RuntimeError as error:
        failure = str(error)
    if failure != "1 of 1 processes have not ended after 1 s" or time.monotonic() > began + 30:
        raise RuntimeError(f"half a line: got '{failure}' after {time.monotonic() - began:.1f} s, want an end after 1 s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli")
    parser.add_argument("--output")
    parser.add_argument("--only", choices=("calibrate", "tune", "play", "summary", "picture"))
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    if not options.smoke and not (options.output and (options.cli or options.only in ("play", "summary", "picture"))):
        parser.error("name --cli and --output, or --smoke")
    options.prefix = f"syc{os.getpid()}"
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda caught, _: sys.exit(128 + caught))
    reason = why_impossible(options.prefix)
    if reason and options.only not in ("summary", "picture"):
        print(f"skipped: {reason}")
        return
    if options.smoke:
        return smoke(options)
    os.makedirs(options.output, exist_ok=True)
    for name, part in (("calibrate", calibrate), ("tune", tune), ("play", play_arms), ("summary", summary), ("picture", picture)):
        if options.only in (None, name):
            part(options)


if __name__ == "__main__":
    main()
