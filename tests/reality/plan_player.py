#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that carries out a plan, or measures collectives, with torch.distributed's gloo; plans.py starts one on each host.

    plan_player.py SPEC.json --rank N

Plans are played as the shipped replay plays them (app/replay/replay_plan.py).
"""
import argparse
import datetime
import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "replay"))
from replay_files import Fields, InputError
from replay_launch import end_on_error
from replay_motifs import collective_of
from replay_plan import Player, group_keys, make_groups
from replay_plan_files import read_plan

TIMEOUT_SECONDS = 60


def run_together(collectives):
    """Starts all at once, each on a thread of its own. Returns the time at which each ended."""
    ends = [0.0] * len(collectives)

    def run(number):
        collectives[number].run()
        ends[number] = time.monotonic()

    threads = [threading.Thread(target=end_on_error, args=(run, number), daemon=True) for number in range(1, len(collectives))]
    for thread in threads:
        thread.start()
    run(0)
    for thread in threads:
        thread.join()
    return ends


def measure(torch, groups, cases):
    """For each case {together, repeats}, of collectives {channel, kind, bytes, spline} that begin together on channels of their own, the
    seconds of every repetition of each: at this process, and until the last had finished. Hosts are namespaces of one machine, so they share
    one clock."""
    results = []
    for case in cases:
        collectives = []
        for one in case["together"]:
            group = groups[one["channel"]]
            collectives.append(collective_of(torch, group, one["kind"], max(1, round(one["bytes"] / 4 / group.size())), one["spline"]))
        group = collectives[0].group
        result = [{"own": [], "all_ranks": []} for _ in collectives]
        of_ranks = [torch.zeros(len(collectives), dtype=torch.float64) for _ in range(group.size())]
        for repeat in range(case["repeats"] + 1):
            group.barrier().wait()
            start = time.monotonic()
            ends = run_together(collectives)
            group.allgather([of_ranks], [torch.tensor(ends, dtype=torch.float64)]).wait()
            if repeat > 0:  # the first one opens connections
                for number, one in enumerate(result):
                    one["own"].append(ends[number] - start)
                    one["all_ranks"].append(max(float(ended[number]) for ended in of_ranks) - start)
        results.append(result)
    return results


def groups_of(torch, spec, keys):
    interface_of = {channel["name"]: channel["interface"] for channel in spec["channels"]}
    return make_groups(torch, spec["store"], keys, spec["rank"], interface_of, TIMEOUT_SECONDS)


def run_rank(work):
    """The program of a rank: rank 0 writes what work(torch, groups, spec) returns, with a group for each channel of the spec. work()
    finds its rank in spec["rank"], and in spec["store"] the store in which groups meet."""
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    parser.add_argument("--rank", type=int, required=True)
    options = parser.parse_args()
    with open(options.spec, encoding="utf-8") as file:
        spec = json.load(file)
    import torch
    torch.set_num_threads(1)
    try:
        spec["rank"] = options.rank
        spec["store"] = torch.distributed.TCPStore(spec["address"], spec["port"], spec["processes"], options.rank == 0,
                                                   datetime.timedelta(seconds=TIMEOUT_SECONDS))
        everyone = tuple(range(spec["processes"]))
        made = groups_of(torch, spec, [(channel["name"], everyone) for channel in spec["channels"]])
        groups = [made[channel["name"], everyone] for channel in spec["channels"]]
        result = work(torch, groups, spec)
        groups[0].barrier().wait()  # connections stay open until all have finished
    except (RuntimeError, ValueError, KeyError, InputError) as error:
        print(f"error: rank {options.rank}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    if options.rank == 0:
        with open(spec["result"], "w", encoding="utf-8") as file:
            json.dump(result, file)
    sys.stdout.flush()
    os._exit(0)  # gloo's threads may still be waiting


def play(torch, spec):
    """When iterations began, how late waits for compute ended, and how long compute took in an iteration."""
    plan, rank = read_plan(Fields(spec["plan"], "plan", ""), Fields(spec["dag"], "dag", "")), spec["rank"]
    groups = groups_of(torch, {**spec, "store": torch.distributed.PrefixStore("plan", spec["store"])}, filter(None, group_keys(plan, rank).values()))
    player = Player(torch, plan, rank, groups, spec["iterations"], TIMEOUT_SECONDS)
    player.play()
    return {"starts": player.starts, "late_seconds": player.late, "compute_seconds": sum(player.waited) / spec["iterations"]}


def run_spec(torch, groups, spec):
    return measure(torch, groups, spec["cases"]) if "cases" in spec else play(torch, spec)


if __name__ == "__main__":
    run_rank(run_spec)
