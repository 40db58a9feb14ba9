#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs damaged variants (mutants) of the sample files through the command line, format by format.

Whatever a file holds, syncopate-cli must answer: with exit code 0, 1 or 2, within 10 s of CPU time, in 1 GB, and without a byte on
its output that a terminal would take for a command. Prints a table with a row for each format; exits 1 where a mutant broke a rule,
which is kept (--keep) beside the command that reads it.

A mutant depends on --seed, its format and its number alone: --first 4711 --count 1 --format cluster makes that one again.
"""

import argparse
import copy
import gzip
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # they would be beside the sources
from samples import SMALL_JOB, kineto, samples

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SECONDS, BYTES = 10, 1 << 30  # of a processor, of memory
PATIENCE = 120  # s; a process that waits that long without computing waits forever, even on a busy machine

JOB = str(SOURCE / "tests/data/measured/ps/jobs/fcnet.job.json")
CLUSTER = str(SOURCE / "sample_data/cluster_8x1gbe.yml")
PROFILE = str(SOURCE / "sample_data/async_grpc/profiles/alexnet_over48_1.0gbits_flow_control_off_order_random")

SIMULATE = ["simulate", "--job", JOB, "--cluster", CLUSTER, "--strategy", "PS()"]
PREDICT = ["--cluster", CLUSTER, "--workers", "1-2", "--steps", "5", "--warm-up", "1", "--starts", "1"]
MEASURED = SOURCE / "tests/data/measured"
PLAN = ["plan", "--cluster", CLUSTER, "--evaluations", "20"]
DAG = str(MEASURED / "plan/dags/a2a.dag.json")
TUNE = ["tune", "--cluster", CLUSTER, "--workers", "2", "--evaluations", "2", "--grid", "off", "--threads", "1"]
RECORDING = ["query", "FILE", "SELECT side, lane, name, category, start_ns, size_bytes FROM spans", "--rows", "1000"]
SEARCH = ["search", "--job", JOB, "--cluster", CLUSTER, "--trials", "4", "--threads", "1"]

# Format: globs of seeds in addition to samples.py's, and the commands that read a mutant, "FILE" or its folder, "FOLDER".
FORMATS = {
    "job": (["tests/data/measured/*/jobs/*.job.json", "tests/damaged/job/*"],
            [["simulate", "--job", "FILE", "--cluster", CLUSTER, "--strategy", "AllReduce()"],
             ["predict", "FILE", *PREDICT], ["why", "--job", "FILE", "--cluster", CLUSTER, "--strategy", "PS()"]]),
    "cluster": (["sample_data/*.yml", "tests/data/golden/autodist/*.yml", "tests/damaged/cluster/*", "tests/damaged/topology/*"],
                [["simulate", "--job", JOB, "--cluster", "FILE", "--strategy", "PS()"],
                 ["predict", JOB, "--cluster", "FILE", *PREDICT[2:]],
                 ["build", "--job", JOB, "--cluster", "FILE", "--builder", "AllReduce()", "-o", "FOLDER/out.json"]]),
    "InfraGraph": (["tests/data/infragraph/*", "tests/damaged/topology/infragraph*"],
                   [["predict", JOB, "--cluster", "FILE", *PREDICT[2:]],
                    ["build", "--job", JOB, "--cluster", "FILE", "--builder", "AllReduce()", "-o", "FOLDER/out.json"]]),
    "strategy": (["tests/data/golden/autodist/bert_base__r_2x2gpu__*.pb", "tests/damaged/strategy/*"],
                 [["simulate", "--job", "bert_base", "--cluster", str(SOURCE / "tests/data/golden/autodist/r_2x2gpu.yml"),
                   "--strategy", "FILE"]]),
    "kineto": (["sample_data/resnet50_cpu_gloo_rank0.json.gz", "tests/damaged/kineto/*"],
               [["import", "FILE"], ["import", "FILE", "--overlap"]]),
    "tensorflow": (["sample_data/async_grpc/profiles/*/step_*.json.gz", "tests/damaged/tensorflow/*"],
                   [["import", "FILE"], ["predict", "FILE", *PREDICT]]),
    "pairs": (["sample_data/async_grpc/profiles/*/arrivals.csv.gz"], [["predict", PROFILE, *PREDICT, "--pairs", "FILE"]]),
    "autograd": (["tests/damaged/autograd/*"], [["import", "FILE"]]),
    "execution trace": (["tests/damaged/execution_trace/*"], [["import", "FOLDER/rank0.json", "FILE"]]),
    "nsight": ([], [["import", "FILE"], ["import", "FILE", "--overlap"]]),
    "rocpd": ([], [RECORDING]),
    "xplane": ([], [RECORDING]),
    "perfetto": ([], [RECORDING]),
    "chakra": (["tests/damaged/chakra/*"], [["import", "FILE"]]),
    "pipedream": (["tests/damaged/pipedream/*"], [["import", "FILE"]]),
    "ranks": (["tests/damaged/ranks/*"], [["import", "FILE"]]),
    "variables": (["tests/damaged/variables/*", "tests/data/measured/ps/jobs/*.json"], [["import", PROFILE, "--variables", "FILE"]]),
    "background": ([], [[*SIMULATE, "--background", "FILE"], ["predict", JOB, *PREDICT, "--background", "FILE"]]),
    "measured runs": (["tests/data/measured/async/runs.csv", "tests/data/measured/ps/runs.csv", "tests/data/measured/ddp/runs.csv"],
                      [["validate", "FOLDER"]]),
    "platform": (["tests/data/measured/async/platform.json", "tests/data/measured/ps/platform.json"], [["validate", "FOLDER"]]),
    "collective logs": (["tests/damaged/cost/*"], [["validate", "FOLDER"]]),
    "message table": (["tests/data/calibrate/message_cost.csv"],
                      [["calibrate", "FILE", "--cluster", CLUSTER, "-o", "FOLDER/out.yml", "--force"]]),
    "nccl JSON": (["tests/data/calibrate/*.json", "tests/data/calibrate/inspector/*.log"],
                  [["validate", "FOLDER"], ["calibrate", "FILE", "--cluster", CLUSTER, "-o", "FOLDER/out.yml", "--force"]]),
    "training DAG": (["tests/data/measured/plan/dags/*.json"],
                     [[*PLAN, "--job", "FILE"], [*PLAN, "--job", "FILE", "-o", "FOLDER/out.json"],
                      [*PLAN, "--job", "FILE", "-o", "FOLDER/out.et", "--format", "chakra"],
                      [*PLAN, "--job", "FILE", "-o", "FOLDER/out.csv", "--format", "nccl-tuner"]]),
    "DAG as text": (["tests/data/plans/*.dag"], [[*PLAN, "--job", "FILE"], ["plan", *PLAN[1:3], "--job", "FILE", "--curves", "all"]]),
    "recorded steps": (["tests/data/profiles/*.json"], [[*PLAN, "--job", "FILE"]]),
    "execution plan": (["tests/data/measured/plan/plans/a2a-[befh]*.json"], [[*PLAN, "--job", DAG, "--plan", "FILE"]]),
    "motif costs": (["tests/data/measured/plan/collectives.csv"], [[*PLAN, "--job", DAG, "--costs", "FILE"]]),
    "measured plans": (["tests/data/measured/plan/runs.csv", "tests/data/measured/plan/spans.csv",
                        "tests/data/measured/plan/platform.json"], [["validate", "FOLDER"]]),
    "conditions": ([], [[*TUNE, "--job", "FOLDER/job.json", "--schedule", "FILE", "--length", "4"]]),
    "meta-network": (["resources/meta_network.json"],
                     [[*TUNE, "--job", "FOLDER/job.json", "--method", "meta()", "--network", "FILE"]]),
    "measured settings": (["tests/data/measured/sched/runs.csv", "tests/data/measured/sched/message_cost.csv"],
                          [["validate", "FOLDER"],
                           ["tune", "--measured-grid", "FOLDER", "--row",
                                                 "vggish,bsps,2,2", "--evaluations", "2"]]),
    "measured sharding": (["tests/data/measured/fsdp/runs.csv", "tests/data/measured/fsdp/message_cost.csv"], [["validate", "FOLDER"]]),
    "recorded times": ([], [[*SEARCH, "--judge", 'imported("FILE")'],
                            ["trial", *SIMULATE[1:], "--judge", 'imported("FILE")']]),
    "batch": ([], [["simulate", "--batch", "FILE"]]),
    "settings": ([], [["lint", "--settings", "FILE"], ["lint", "--settings", "FILE", "--job", JOB, "--cluster", CLUSTER]]),
    "project": (["tests/data/projects/*.syncopate"], 
                [["export", "--project", "FILE", "--format", "json", "-o", "FOLDER/out.json"], [*SEARCH, "--project", "FILE"]]),
}
COMPANIONS = {  # files put beside a mutant, unless one is the mutant
    "measured runs": ["platform.json", "jobs"],
    "platform": ["runs.csv", "jobs"],
    "measured plans": ["runs.csv", "spans.csv", "platform.json", "collectives.csv", "dags", "plans"],
    "measured settings": ["runs.csv", "message_cost.csv", "platform.json", "jobs"],
    "measured sharding": ["runs.csv", "message_cost.csv", "platform.json", "jobs"],
}
MADE_COMPANIONS = {"execution trace": ("rank0.json", kineto(silent=True)), "conditions": ("job.json", SMALL_JOB),
                   "meta-network": ("job.json", SMALL_JOB)}

NUMBERS = [b"-1", b"0", b"1e308", b"-1e308", b"1e-320", b"nan", b"inf", b"9223372036854775807", b"18446744073709551616",
           b"2147483648", b"1" * 400, b"0x10", b"1e400", b"0.1.2", b"1000000000"]
TEXTS = [b"\x1b]0;title\x07", b"\x1b[2J", b"\\u001b[31m", b"\\u0000", b"\x00", b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80",
         "\u009b31m\u202e".encode(), b"\r\n\x08\x08", b"A" * 100_000, b"<img src=\"/dev/zero\">", b"=1+1", b"%s%n"]
VALUES = [-1, 0, 1, 2, 0.5, 1e-300, 1e300, -1e300, 1 << 31, 1 << 63, None, True, "", "x", [], {}, [[]], "\x1b[2J", "<b>x</b>",
          "=1+1", "../../x", "A" * 100_000]
CELL = re.compile(rb"[^,;\s]+")
WORD, NUMBER = re.compile(rb"[A-Za-z_]{2,40}"), re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def flip(data, rng):
    made = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8, 64])):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


def part(data, rng):
    begin = rng.randrange(len(data))
    return begin, min(len(data), begin + rng.choice([1, 4, 32, 256, 4096, len(data)]))


def cut(data, rng):
    return data[: rng.randrange(len(data) + 1)]


def drop(data, rng):
    begin, end = part(data, rng)
    return data[:begin] + data[end:]


def repeat(data, rng):
    begin, end = part(data, rng)
    times = min(rng.choice([1, 1, 2, 10, 1000]), 1 + 2_000_000 // (end - begin))
    return data[:end] + data[begin:end] * times + data[end:]


def replace_one(data, rng, pattern, value):
    found = list(pattern.finditer(data))
    if not found:
        return flip(data, rng)
    at = rng.choice(found)
    return data[: at.start()] + value(found) + data[at.end():]


def number(data, rng):
    return replace_one(data, rng, NUMBER, lambda found: rng.choice(NUMBERS + [rng.choice(found).group()]))


def word(data, rng):
    return replace_one(data, rng, WORD, lambda found: rng.choice(found).group())


def text(data, rng):
    if rng.random() < 0.5:
        return replace_one(data, rng, WORD, lambda found: rng.choice(TEXTS))
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(TEXTS) + data[at:]


def places(value):
    """All (container, key) of a JSON document."""
    found = []
    for key, child in list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []):
        found.append((value, key))
        found += places(child)
    return found


def member(data, rng):
    """Changes one value or key of a JSON document, which stays valid and so gets further into a reader; or a cell of any other text."""
    try:
        document = json.loads(data)
        found = places(document)
    except (ValueError, RecursionError):
        return replace_one(data, rng, CELL, lambda found: rng.choice(NUMBERS + TEXTS))
    if not found:
        return number(data, rng)
    container, key = rng.choice(found)
    other, place = rng.choice(found)
    action = rng.randrange(4)
    if action == 0:
        del container[key]
    elif action == 1:
        container[key] = copy.deepcopy(other[place])
    elif action == 2 and isinstance(container, list):
        container[key:key] = [copy.deepcopy(container[key])] * rng.choice([1, 2, 100])
    else:
        container[key] = rng.choice(VALUES)
    return json.dumps(document).encode()


MUTATIONS = [flip, cut, drop, repeat, number, number, word, text, text, member, member, member]


def mutant(data, rng):
    packed = data[:2] == b"\x1f\x8b"
    if packed and rng.random() < 0.8:  # else the compressed bytes are damaged
        try:
            return gzip.compress(mutant(gzip.decompress(data), rng), 1)
        except (OSError, EOFError, zlib.error):  # it is damaged already
            pass
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        if data:
            data = rng.choice(MUTATIONS)(data, rng)
    return data


def seeds_of(name):
    good, damaged = [(file, data, None) for file, data in samples(name)], []
    for glob in FORMATS[name][0]:
        made = damaged if glob.startswith("tests/damaged") else good
        for path in sorted(SOURCE.glob(glob)):
            data = path.read_bytes()
            if data:
                made.append((path.name, data, path.parent))
    if not good and not damaged:
        sys.exit(f"error: {name}: no sample matches {FORMATS[name][0]}")
    return good * (1 + 4 * len(damaged) // max(1, len(good))) + damaged  # an intact beginning gets further into a reader


def controls(output):
    """The first part of the output that is not printable text, or None."""
    try:
        printed = output.decode()
    except UnicodeDecodeError as error:
        return f"invalid UTF-8 on the output: {output[max(0, error.start - 20):error.start + 20]!r}"
    for at, char in enumerate(printed):
        if (char < " " and char not in "\n\t") or "\x7f" <= char <= "\x9f":
            return f"control character on the output: {printed[max(0, at - 20):at + 20]!r}"
    return None


def limit():
    """Limits this process, and so its children: setting limits per child needs a fork, which takes longer than the command."""
    resource.setrlimit(resource.RLIMIT_AS, (8 * BYTES, 8 * BYTES))  # protects the machine; the rule is about resident memory
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Outcome:
    def __init__(self):
        self.codes = {0: 0, 1: 0, 2: 0}
        self.mutants = self.slowest = self.largest = 0
        self.findings = []


def run(cli, command, folder):
    """Exit code (below 0: a signal), seconds, resident bytes, output."""
    with open(folder / ".out", "w+b") as out:
        begin = time.monotonic()
        process = subprocess.Popen([cli, *command], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)  # reaped here, for its resource usage
        out.seek(0)
        return process.returncode, time.monotonic() - begin, used.ru_maxrss * 1024, used.ru_utime + used.ru_stime, out.read()


def verdict(code, seconds, resident, cpu, output):
    if seconds >= PATIENCE or cpu > SECONDS:
        return f"took {seconds:.1f} s, {cpu:.1f} s of them on a processor"
    if code not in (0, 1, 2):
        return f"exit code {code}" + (f" (signal {-code})" if code < 0 else "")
    if resident > BYTES:
        return f"took {resident / 1e6:.0f} MB"
    return controls(output)


def placed(name, file, data, beside, command, folder):
    """Puts a file of the format into the folder, with its companions; returns the command that reads it."""
    (folder / file).write_bytes(data)
    if name in MADE_COMPANIONS:
        companion, content = MADE_COMPANIONS[name]
        (folder / companion).write_bytes(content)
    for companion in COMPANIONS.get(name, []):
        if companion != file:
            (shutil.copytree if (beside / companion).is_dir() else shutil.copy)(beside / companion, folder / companion)
    return [word.replace("FILE", str(folder / file)).replace("FOLDER", str(folder)) for word in command]


def check_samples(options, name):
    """Ends the program where a command does not read an intact sample: mutants of it would test nothing."""
    for file, data in samples(name):
        for command in FORMATS[name][1]:
            with tempfile.TemporaryDirectory(prefix="mutants-") as made:
                folder = pathlib.Path(made)
                code, *_, output = run(options.cli, placed(name, file, data, None, command, folder), folder)
                if code != 0:
                    sys.exit(f"error: {name}: {file} is refused: {output.decode(errors='replace').strip()}")


def one(options, name, seeds, index, outcome, lock):
    rng = random.Random(f"{options.seed}/{name}/{index}")
    file, data, beside = rng.choice(seeds)
    command = rng.choice(FORMATS[name][1])
    with tempfile.TemporaryDirectory(prefix="mutants-") as made:
        folder = pathlib.Path(made)
        given = placed(name, file, mutant(data, rng), beside, command, folder)
        used = run(options.cli, given, folder)
        found = verdict(*used)
        with lock:
            outcome.mutants += 1
            outcome.codes[used[0]] = outcome.codes.get(used[0], 0) + 1
            outcome.slowest, outcome.largest = max(outcome.slowest, used[1]), max(outcome.largest, used[2])
            if found:
                kept = pathlib.Path(options.keep) / f"{name.replace(' ', '_')}-{options.seed}-{index}"
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept)
                again = " ".join([options.cli, *given]).replace(str(folder), str(kept))
                (kept / "COMMAND").write_text(f"{again}\n{found}\n")
                outcome.findings.append(f"{name} {index}: {found}\n    {again}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", help="syncopate-cli")
    parser.add_argument("--count", type=int, default=10_000, help="mutants of each format (10000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=sorted(FORMATS), action="append", help="only this one; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many run at once")
    parser.add_argument("--keep", default="mutants", help="folder for those that break a rule (mutants)")
    options = parser.parse_args()
    options.cli = str(pathlib.Path(options.cli).resolve())
    options.keep = str(pathlib.Path(options.keep).resolve())
    print(f"{'format':<16} {'mutants':>8} {'read':>8} {'failed':>8} {'refused':>8} {'slowest':>9} {'largest':>9}  findings")
    limit()
    findings = []
    for name in options.format or FORMATS:
        check_samples(options, name)
        seeds, outcome, lock = seeds_of(name), Outcome(), threading.Lock()
        with ThreadPoolExecutor(options.jobs) as pool:
            for done in [pool.submit(one, options, name, seeds, i, outcome, lock)
                         for i in range(options.first, options.first + options.count)]:
                done.result()
        codes = outcome.codes
        print(f"{name:<16} {outcome.mutants:>8} {codes[0]:>8} {codes[1]:>8} {codes[2]:>8} {outcome.slowest:>7.2f} s "
              f"{outcome.largest / 1e6:>6.0f} MB  {len(outcome.findings)}", flush=True)
        findings += outcome.findings
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
