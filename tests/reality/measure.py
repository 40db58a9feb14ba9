#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the parameter server and its workers over shaped links and writes down how fast they were; run.sh starts it.

Writes OUTPUT/runs.csv (a line per run, kept when it is started again), rejected.csv, platform.json and profiles/.
The columns are explained in README.md.
"""
import argparse
import csv
import gzip
import json
import os
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from network import Network, TBF, sysctls, why_impossible

HERE = os.path.dirname(os.path.abspath(__file__))
KEY = ["job", "bandwidth_gbits", "flow_control", "order", "workers", "servers", "start"]
COLUMNS = KEY + [
    "steps_per_second", "steps_per_second_p10", "steps_per_second_p90",
    "examples_per_second", "examples_per_second_p10", "examples_per_second_p90",
    "step_seconds_median", "step_seconds_p10", "step_seconds_p90", "steps", "compute_seconds_mean",
    "machine_cpu_share", "server_cores", "workers_cores", "other_cores",
    "late_seconds_median", "late_seconds_p99", "late_seconds_max", "real_time_priority",
]
BLOCK_SECONDS = 2.0


def quantile(values, share):
    values = sorted(values)
    position = share * (len(values) - 1)
    low = int(position)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (position - low)


def machine_cpu():
    """(busy, total) seconds of all cores since boot."""
    with open("/proc/stat", encoding="ascii") as file:
        fields = [int(field) for field in file.readline().split()[1:9]]
    tick = os.sysconf("SC_CLK_TCK")
    return (sum(fields) - fields[3] - fields[4]) / tick, sum(fields) / tick


def sleep_until(nanoseconds):
    time.sleep(max(0.0, (nanoseconds - time.monotonic_ns()) * 1e-9))


def wait_for_quiet(options):
    """Waits while other work keeps more than a tenth of the cores busy, up to a given time."""
    deadline = time.monotonic() + options.quiet_wait
    while time.monotonic() < deadline:
        busy_before, all_before = machine_cpu()
        time.sleep(2)
        busy, all_cores = machine_cpu()
        if busy - busy_before < 0.1 * (all_cores - all_before):
            return


def throughput(steps, begin, end):
    """Steps per second in [begin, end); a step partly inside counts in proportion."""
    done = sum(max(0.0, min(end, step_end) - max(begin, step_begin)) / (step_end - step_begin) for step_begin, step_end in steps)
    return done / (end - begin)


def one_run(options, job, gbits, flow, order, workers, start_number, scratch):
    """A row for runs.csv. The job's files, timelines and arrivals of worker 0 are left in `scratch`."""
    with open(f"{options.jobs_folder}/{job}.job.json", encoding="utf-8") as file:
        about = json.load(file)
    # Timelines of many variables are large: at most 2400 transfers down in total.
    variables = sum(len(layer["variables"]) for layer in about["layers"])
    timelines = min(options.profile_steps, max(1, 2400 // variables)) if workers == 1 and start_number == 1 else 0
    files = ("--job", f"{options.jobs_folder}/{job}.job.json", "--steps", f"{options.jobs_folder}/{job}.steps.csv",
             "--window", options.window_off if flow == "off" else options.window_on, "--order", order, "--workers", str(workers))
    processes = []
    with Network(options.prefix, workers + 1, gbits, options.tcp_window) as network:
        start = time.monotonic_ns() + int(1e9 * (1.5 + 0.2 * workers))
        begin = start + int(1e9 * options.warmup)
        stop = begin + int(1e9 * options.seconds)
        times = ("--start-at", str(start), "--measure-from", str(begin), "--stop-at", str(stop))
        server = f"{network.address(0)}:7000"
        try:
            processes.append(network.start(0, options.tool, "server", *files, *times, "--address", server,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
            time.sleep(0.3)
            for worker in range(workers):
                extra = []
                if timelines > 0:
                    extra = ["--timelines", scratch, "--timeline-steps", str(timelines),
                             "--arrivals-output", f"{scratch}/arrivals.csv", "--turns-output", f"{scratch}/turns.csv"]
                processes.append(network.start(
                    worker + 1, options.tool, "worker", *files, *times, "--worker", str(worker), "--seed", str(100 * (options.seed + start_number) + worker + 1),
                    "--address", f"{network.address(worker + 1)}:7001", "--server", server,
                    "--steps-output", f"{scratch}/steps{worker}.csv", *extra,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
            sleep_until(begin)
            busy_before, all_before = machine_cpu()
            sleep_until(stop)
            busy, all_cores = machine_cpu()
            reports = []
            for process in processes[1:]:
                output, errors = process.communicate(timeout=60)
                if process.returncode != 0:
                    raise RuntimeError(f"a worker failed: {errors.strip()}")
                reports.append(json.loads(output))
            server_report = json.loads(processes[0].stdout.readline())
        finally:
            for process in processes:
                if process.poll() is None:
                    process.kill()
                process.communicate()

    steps, computed = [], []
    for worker in range(workers):
        with open(f"{scratch}/steps{worker}.csv", encoding="ascii") as file:
            for line in csv.DictReader(file):
                steps.append((float(line["start_seconds"]), float(line["end_seconds"])))
                computed.append(float(line["compute_seconds"]))
    first, last = options.warmup, options.warmup + options.seconds
    inside = [index for index, (_, end) in enumerate(steps) if first <= end < last]
    if len(inside) < 3 * workers:
        raise RuntimeError(f"only {len(inside)} steps ended within {options.seconds} s")
    durations = [steps[index][1] - steps[index][0] for index in inside]
    blocks = max(1, int(options.seconds / BLOCK_SECONDS))
    rates = [throughput(steps, first + options.seconds * block / blocks, first + options.seconds * (block + 1) / blocks)
             for block in range(blocks)]
    rate = [throughput(steps, first, last), quantile(rates, 0.1), quantile(rates, 0.9)]
    batch = about["batch_size"]
    own = server_report["cpu_cores"] + sum(report["cpu_cores"] for report in reports)
    cores = os.cpu_count()
    share = (busy - busy_before) / (all_cores - all_before)
    values = rate + [batch * value for value in rate]
    values += [quantile(durations, portion) for portion in (0.5, 0.1, 0.9)]
    values += [len(inside), statistics.mean(computed[index] for index in inside), share, server_report["cpu_cores"],
               sum(report["cpu_cores"] for report in reports), max(0.0, share * cores - own)]
    values += [max(report[name] for report in reports) for name in ("late_seconds_median", "late_seconds_p99", "late_seconds_max")]
    values.append(int(all(report["real_time_priority"] for report in reports)))
    row = dict(zip(KEY, (job, gbits, flow, order, workers, 1, start_number)))
    row.update(zip(COLUMNS[len(KEY):], (value if isinstance(value, int) else round(value, 6) for value in values)))
    return row


def reason_against(row, options):
    """Why a run shows the machine's limits rather than the links'; None if it does not."""
    # With real-time priority other work only gets the remaining time.
    share = (row["server_cores"] + row["workers_cores"]) / os.cpu_count() if row["real_time_priority"] else row["machine_cpu_share"]
    if share > options.most_cpu:
        return f"the CPUs were {share:.0%} busy (at most {options.most_cpu:.0%})"
    if row["late_seconds_p99"] > options.most_late:
        return f"1 % of the waits ended more than {row['late_seconds_p99'] * 1e3:.1f} ms late"
    return None


def keep_profile(folder, scratch):
    """Timelines and arrivals of a run, compressed reproducibly: the same input gives the same bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in sorted(os.listdir(scratch)):
        if not name.startswith(("step_", "arrivals", "turns")):
            continue
        with open(f"{scratch}/{name}", "rb") as source, open(f"{folder}/{name}.gz", "wb") as target:
            with gzip.GzipFile(filename="", mode="wb", fileobj=target, compresslevel=9, mtime=0) as packed:
                shutil.copyfileobj(source, packed)


def plain_stream(options, gbits):
    """Gbit/s of a plain TCP stream in each direction between two nodes, simultaneously."""
    with Network(options.prefix, 2, gbits, options.tcp_window) as network:
        ends = [network.start(node, sys.executable, os.path.abspath(__file__), "--stream-end", str(node), stdout=subprocess.PIPE,
                              text=True) for node in (0, 1)]
        try:
            rates = [float(end.communicate(timeout=60)[0]) for end in ends]
        finally:
            for end in ends:
                if end.poll() is None:
                    end.kill()
    return {"bandwidth_gbits": gbits, "to_server_gbits": round(rates[0], 4), "from_server_gbits": round(rates[1], 4)}


def stream_end(node):
    """Sends as fast as possible for 5 s, prints the Gbit/s received in the last 3 of them."""
    import threading
    if node == 0:
        listener = socket.create_server((Network.address(0), 7100))
        connections = [listener.accept()[0] for _ in range(2)]
    else:
        connections = []
        while len(connections) < 2:
            try:
                connections.append(socket.create_connection((Network.address(0), 7100), timeout=5))
            except OSError:
                time.sleep(0.1)
    # The first connection carries data to the server, the second from it.
    sending, receiving = (connections[1], connections[0]) if node == 0 else (connections[0], connections[1])
    end = time.monotonic() + 5

    def send():
        block = bytes(1 << 18)
        try:
            while time.monotonic() < end:
                sending.sendall(block)
            sending.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    threading.Thread(target=send, daemon=True).start()
    received, block = 0, bytearray(1 << 18)
    begin = end - 3
    while time.monotonic() < end:
        count = receiving.recv_into(block)
        if count == 0:
            break
        if time.monotonic() >= begin:
            received += count
    print(received * 8e-9 / 3, flush=True)


def write_csv(path, rows):
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(path + ".new", path)


def read_csv(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def describe_platform(options, streams):
    version = subprocess.run(("pkg-config", "--modversion", "grpc++"), capture_output=True, text=True, check=False).stdout.strip()
    return {
        "kernel": platform.release(),
        "cores": os.cpu_count(),
        "grpc": version,
        "tcp": sysctls(options.tcp_window),
        "shaping": f"tc tbf at the stated rate, {TBF}, both directions of every node's link",
        "flow_control_on": f"first window of a stream {options.window_on} bytes",
        "flow_control_off": f"windows {options.window_off}",
        "warmup_seconds": options.warmup,
        "measured_seconds": options.seconds,
        "plain_tcp_streams": streams,
        "link_efficiency": round(min(min(stream["to_server_gbits"], stream["from_server_gbits"]) / stream["bandwidth_gbits"]
                                     for stream in streams), 4) if streams else None,
    }


def measure(options):
    os.makedirs(options.output, exist_ok=True)
    runs_path, rejected_path = f"{options.output}/runs.csv", f"{options.output}/rejected.csv"
    rows, rejected = read_csv(runs_path), read_csv(rejected_path)
    done = {tuple(str(row[key]) for key in KEY) for row in rows}
    if not os.path.exists(f"{options.output}/platform.json"):
        if options.streams:
            wait_for_quiet(options)
        streams = [plain_stream(options, gbits) for gbits in options.bandwidths] if options.streams else []
        with open(f"{options.output}/platform.json", "w", encoding="utf-8") as file:
            json.dump(describe_platform(options, streams), file, indent=1)
            file.write("\n")
    plan = [(job, gbits, flow, order, workers, start) for order in options.orders for start in range(1, options.starts + 1)
            for job in options.jobs for gbits in options.bandwidths for flow in options.flow_control for workers in options.workers]
    for number, (job, gbits, flow, order, workers, start) in enumerate(plan, 1):
        if (job, str(gbits), flow, order, str(workers), "1", str(start)) in done:
            continue
        for attempt in range(1, options.attempts + 1):
            wait_for_quiet(options)
            with tempfile.TemporaryDirectory() as scratch:
                row = one_run(options, job, gbits, flow, order, workers, start, scratch)
                reason = reason_against(row, options)
                print(f"{number}/{len(plan)} {job} {gbits} Gbit/s, flow control {flow}, order {order}, {workers} workers, start {start}: "
                      f"{row['steps_per_second']:.3f} steps/s ({row['steps_per_second_p10']:.3f} to {row['steps_per_second_p90']:.3f}), "
                      f"CPU {row['machine_cpu_share']:.0%}, others {row['other_cores']:.2f} cores, "
                      f"late p99 {row['late_seconds_p99'] * 1e3:.2f} ms{'; rejected: ' + reason if reason else ''}", flush=True)
                if reason:
                    rejected.append({**row, "attempt": attempt, "reason": reason})
                    write_csv(rejected_path, rejected)
                    continue
                if workers == 1 and start == 1 and options.profile_steps > 0:
                    keep_profile(f"{options.output}/profiles/{job}_{gbits}gbits_flow_control_{flow}_order_{order}", scratch)
                rows.append(row)
                write_csv(runs_path, rows)
                break
    return rows


def check_smoke(options, rows):
    """Invariants on any machine, however slow: steps were made, timelines are complete, nothing ended before it arrived."""
    folder = f"{options.output}/profiles/{options.jobs[0]}_{options.bandwidths[0]}gbits_flow_control_{options.flow_control[0]}_order_{options.orders[0]}"
    with open(f"{options.jobs_folder}/{options.jobs[0]}.job.json", encoding="utf-8") as file:
        layers = json.load(file)["layers"]
    sizes = {variable["name"]: 4 * variable["shape"][0] for layer in layers for variable in layer["variables"]}
    timelines = [name for name in sorted(os.listdir(folder)) if name.startswith("step_")]
    assert len(rows) == 1 and len(timelines) == options.profile_steps, (len(rows), timelines)
    for name in timelines:
        with gzip.open(f"{folder}/{name}", "rt", encoding="utf-8") as file:
            operations = [event for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
        ends = {event["args"]["name"]: event["ts"] + event["dur"] for event in operations}
        starts = {event["args"]["name"]: event["ts"] for event in operations}
        assert len(ends) == len(operations) == 4 * len(sizes) + 2 * len(layers), f"{name}: {len(operations)} operations"
        for variable, size in sizes.items():
            received = [event for event in operations if event["args"]["op"] == "RecvTensor" and
                        event["args"]["name"] in (f"{variable}/read", f"gradients/{variable}")]
            assert [event["args"]["bytes"] for event in received] == [size, size], f"{name}: {variable}"
        for event in operations:
            for key, value in event["args"].items():
                assert not key.startswith("input") or ends[value] <= starts[event["args"]["name"]] + 1, \
                    f"{name}: {event['args']['name']} starts before {value} has ended"
    with gzip.open(f"{folder}/arrivals.csv.gz", "rt", encoding="ascii") as file:
        arrivals = list(csv.DictReader(file))
    assert len(arrivals) == 2 * len(sizes) * min(5, len(timelines)), len(arrivals)
    for line in arrivals:
        assert int(line["arrived_us"]) <= int(line["end_us"]) + 1, line
        # Not faster than the link, except for the 128 KB that its token bucket passes at once.
        least = 8e-3 * int(line["bytes"]) / options.bandwidths[0] - 5000
        assert int(line["arrived_us"]) - int(line["start_us"]) >= least, line
    print(f"smoke: {rows[0]['steps']} steps, {len(timelines)} timelines of {len(operations)} operations, all whole")


def integers(text):
    """'1-6' or '1,3'."""
    if "-" in text:
        first, last = text.split("-")
        return list(range(int(first), int(last) + 1))
    return [int(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", help="the built async_ps")
    parser.add_argument("--output", help="folder for what is measured")
    parser.add_argument("--prefix", default=f"sy{os.getpid()}", help="of the namespaces' names")
    parser.add_argument("--jobs-folder", default=f"{HERE}/jobs")
    parser.add_argument("--jobs", type=lambda text: text.split(","), default=["alexnet_over48", "resnet50_over16"])
    parser.add_argument("--bandwidths", type=lambda text: [float(part) for part in text.split(",")], default=[0.5, 1.0], help="Gbit/s")
    parser.add_argument("--flow-control", type=lambda text: text.split(","), default=["on", "off"])
    parser.add_argument("--orders", type=lambda text: text.split(","), default=["random", "layers"], help="in which variables are asked for")
    parser.add_argument("--starts", type=int, default=3, help="runs of each configuration, each with other draws")
    parser.add_argument("--window-on", default="65535", help="a stream's first window in bytes; the default is HTTP/2's")
    parser.add_argument("--window-off", default="probing", help="'probing' (gRPC's default, which outgrows every tensor), or bytes")
    parser.add_argument("--workers", type=integers, default=list(range(1, 7)))
    parser.add_argument("--seed", type=int, default=0, help="of the draws of steps; the same steps in the same order each time")
    parser.add_argument("--tcp-window", type=int, default=1 << 20, help="bytes")
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--warmup", type=float, default=4.0)
    parser.add_argument("--profile-steps", type=int, default=30, help="timelines kept of a run with one worker, fewer of models with many variables")
    parser.add_argument("--attempts", type=int, default=2)
    parser.add_argument("--most-cpu", type=float, default=0.7, help="share of all cores above which a run is rejected")
    parser.add_argument("--most-late", type=float, default=0.003, help="seconds; 99 %% of the waits must be less late")
    parser.add_argument("--quiet-wait", type=float, default=60.0, help="seconds that a run waits at most for other work to end")
    parser.add_argument("--no-streams", dest="streams", action="store_false", help="leave out the plain TCP streams")
    parser.add_argument("--smoke", action="store_true", help="one short run into a temporary folder, and checks of what it wrote")
    parser.add_argument("--possible", action="store_true", help="only say whether this machine can do it")
    parser.add_argument("--stream-end", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stream_end is not None:
        stream_end(options.stream_end)
        return 0
    if options.possible:
        reason = why_impossible(options.prefix)
        print(reason or "possible")
        return 1 if reason else 0
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    try:
        if options.smoke:
            options.jobs, options.bandwidths, options.flow_control, options.workers = ["alexnet_over48"], [0.5], ["on"], [1]
            options.orders, options.starts = ["random"], 1
            options.seconds, options.warmup, options.profile_steps, options.streams = 3.0, 1.0, 3, False
            options.most_cpu, options.most_late, options.attempts, options.quiet_wait = 2.0, 3600.0, 1, 0.0
            with tempfile.TemporaryDirectory() as options.output:
                check_smoke(options, measure(options))
        else:
            measure(options)
    except (RuntimeError, AssertionError, subprocess.TimeoutExpired) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
