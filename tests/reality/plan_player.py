#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that carries out a plan, or measures collectives, with torch.distributed's gloo; plans.py starts one on each host.

    plan_player.py SPEC.json --rank N

A channel is a process group that is bound to the channel's network interface, and a thread: SYNDICATE's enforcer (pseudocode 2). It takes the
next motif of its order, waits until the parents of the motif's op are done at this process, runs it to its end and takes the next. Compute is
waited for. A motif moves as many bytes as its part of the collective does, from and to buffers of its own.
"""
import argparse
import datetime
import json
import os
import sys
import threading
import time

TIMEOUT_SECONDS = 60


def spline_splits(pieces, elements, rank, spline):
    """Elements that process `rank` of `pieces` sends to each process, and gets from each, in part c of k of an all-to-all's pattern:
    process i sends to (i + cN/k) .. (i + (c+1)N/k - 1) mod N (docs/plan.md). `elements` go to each of them."""
    part, parts = spline
    distances = range(part * pieces // parts, (part + 1) * pieces // parts)
    sends = [elements if (other - rank) % pieces in distances else 0 for other in range(pieces)]
    gets = [elements if (rank - other) % pieces in distances else 0 for other in range(pieces)]
    return sends, gets


def permute_peers(processes, rank, shift, spline):
    """The processes that `rank` sends to and receives from, in part c of k of a permute's pattern: the senders from cN/k on; None = nobody."""
    part, parts = spline
    source = (rank - shift) % processes
    return ((rank + shift) % processes if rank * parts // processes == part else None, source if source * parts // processes == part else None)


class Collective:
    """One motif, repeated on the same buffers: float32, `size` bytes of the process's whole buffer, a segment of which it moves."""

    def __init__(self, torch, group, kind, size, segment=(0, 1), spline=(0, 1), shift=1):
        self.group, self.processes, self.rank, self.kind = group, group.size(), group.rank(), kind
        elements = max(1, round(size / 4 / segment[1] / self.processes))  # per piece: what one process sends to another
        whole = elements * self.processes
        if kind == "all_to_all":
            self.sends, self.gets = spline_splits(self.processes, elements, self.rank, spline)
            self.input, self.output = torch.zeros(sum(self.sends)), torch.zeros(sum(self.gets))
        elif kind == "all_reduce":
            self.input = torch.zeros(whole)
        elif kind == "all_gather":
            self.input, self.output = torch.zeros(elements), [torch.zeros(elements) for _ in range(self.processes)]
        elif kind == "reduce_scatter":
            self.input, self.output = list(torch.zeros(whole).split(elements)), torch.zeros(elements)
        elif kind == "permute":
            self.to, self.source = permute_peers(self.processes, self.rank, shift, spline)
            self.input, self.output = torch.zeros(whole), torch.zeros(whole)
        else:
            raise ValueError(f"a motif of kind {kind} cannot be replayed; "
                             "kinds are all_reduce, all_to_all, all_gather, reduce_scatter and permute")

    def run(self):
        if self.kind == "all_to_all":
            self.group.alltoall_base(self.output, self.input, self.gets, self.sends).wait()
        elif self.kind == "all_reduce":
            self.group.allreduce([self.input]).wait()
        elif self.kind == "all_gather":
            self.group.allgather([self.output], [self.input]).wait()
        elif self.kind == "permute":
            work = [self.group.send([self.input], self.to, 0)] if self.to is not None else []
            work += [self.group.recv([self.output], self.source, 0)] if self.source is not None else []
            for one in work:
                one.wait()
        else:
            self.reduce_scatter()

    def reduce_scatter(self):
        """A ring, since gloo has none in this version: each step sends the partial sum of a piece to the next process. Leaves the sum of
        piece `rank` in input[rank]."""
        count, rank = self.processes, self.rank
        for step in range(count - 1):
            out, into = (rank - step - 1) % count, (rank - step - 2) % count
            work = [self.group.send([self.input[out]], (rank + 1) % count, step), self.group.recv([self.output], (rank - 1) % count, step)]
            for one in work:
                one.wait()
            self.input[into] += self.output


def process_groups(torch, channels, rank, address, port, processes):
    """A group for each channel, bound to its interface."""
    dist, timeout = torch.distributed, datetime.timedelta(seconds=TIMEOUT_SECONDS)
    store = dist.TCPStore(address, port, processes, rank == 0, timeout)
    groups = []
    for channel in channels:
        options = dist.ProcessGroupGloo._Options()
        options._devices = [dist.ProcessGroupGloo.create_device(interface=channel["interface"])]
        options._timeout, options._threads = timeout, 1
        groups.append(dist.ProcessGroupGloo(dist.PrefixStore(channel["name"], store), rank, processes, options))
    return groups


class Player:
    """Plays iterations of a DAG under a plan (docs/plan.md has both files)."""

    def __init__(self, torch, dag, plan, groups, iterations):
        self.iterations, self.ops = iterations, {op["name"]: op for op in dag["ops"]}
        self.compute_order = dag.get("compute_order") or [name for name, op in self.ops.items() if op["kind"] == "compute"]
        awaited = {parent for op in self.ops.values() for key in ("parents", "parents_previous_iteration") for parent in op.get(key, ())}
        last = self.ops[self.compute_order[-1]]  # holds back collectives that nothing waits for (docs/plan.md)
        last["parents_previous_iteration"] = [*last.get("parents_previous_iteration", ()),
                                              *(name for name, op in self.ops.items() if op["kind"] != "compute" and name not in awaited)]
        self.changed, self.motifs_done = threading.Condition(), {}
        self.compute_done = {name: 0 for name in self.compute_order}  # iterations that have ended
        self.motifs, self.channel_of = {}, {}
        by_name = {channel["name"]: group for channel, group in zip(plan["channels"], groups)}
        for op, motifs in plan["execution_plan"].items():
            for motif in motifs:
                if motif.get("group") or self.ops[op].get("group"):
                    raise ValueError(f"motif {motif['motif']} of {op} is one of smaller groups; only motifs of all processes can be replayed")
                self.motifs[op, motif["motif"]] = (Collective(torch, by_name[motif["channel"]], motif["kind"], self.ops[op]["bytes_per_process"],
                                                              motif.get("segment", (0, 1)), motif.get("spline", (0, 1)),
                                                              self.ops[op].get("shift", 1)), motif.get("after", ()))
                self.motifs_done[op, motif["motif"]] = 0
        self.motifs_of = {op: [(op, motif["motif"]) for motif in motifs] for op, motifs in plan["execution_plan"].items()}
        self.orders = plan["order"]
        self.spans, self.starts, self.late, self.waited = [], [], [], []

    def is_done(self, op, iteration):
        """Whether an op is done in an iteration; iterations before the first count as done."""
        if op in self.compute_done:
            return self.compute_done[op] > iteration
        return all(self.motifs_done[motif] > iteration for motif in self.motifs_of[op])

    def parents_done(self, name, iteration):
        op = self.ops[name]
        return (all(self.is_done(parent, iteration) for parent in op.get("parents", ())) and
                all(self.is_done(parent, iteration - 1) for parent in op.get("parents_previous_iteration", ())))

    def wait_until(self, ready):
        with self.changed:
            self.changed.wait_for(ready)

    def tell(self, counts, key):
        with self.changed:
            counts[key] += 1
            self.changed.notify_all()

    def sequence(self, channel):
        """(op, motif, iteration) of a channel, in the order of engine/plan/plan_graph.cpp."""
        entries = self.orders[channel]
        offsets = [entry["iteration_offset"] for entry in entries] or [0]
        for base in range(-max(0, *offsets), self.iterations - min(0, *offsets)):
            for entry in entries:
                if 0 <= (iteration := base + entry["iteration_offset"]) < self.iterations:
                    yield entry["op"], entry["motif"], iteration

    def run_channel(self, channel):
        for op, number, iteration in self.sequence(channel):
            collective, after = self.motifs[op, number]
            self.wait_until(lambda: self.parents_done(op, iteration) and all(self.motifs_done[op, before] > iteration for before in after))
            start = time.monotonic()
            collective.run()
            self.spans.append((op, number, channel, iteration, start, time.monotonic()))
            self.tell(self.motifs_done, (op, number))

    def run_compute(self):
        for iteration in range(self.iterations):
            for name in self.compute_order:
                self.wait_until(lambda: self.parents_done(name, iteration))
                start, seconds = time.monotonic(), self.ops[name]["seconds"]
                time.sleep(seconds)
                end = time.monotonic()
                self.late.append(end - start - seconds)
                self.waited.append(end - start)
                if name == self.compute_order[0]:
                    self.starts.append(start)
                self.spans.append((name, None, None, iteration, start, end))
                self.tell(self.compute_done, name)

    def play(self):
        threads = [threading.Thread(target=end_on_error, args=(self.run_channel, channel), daemon=True) for channel in self.orders]
        for thread in threads:
            thread.start()
        self.run_compute()
        for thread in threads:
            thread.join()
        return {"starts": self.starts, "late_seconds": self.late, "compute_seconds": sum(self.waited) / self.iterations, "spans": self.spans}


def end_on_error(work, *arguments):
    """Ends the process if a thread fails: the others would wait forever."""
    try:
        work(*arguments)
    except Exception as error:
        print(f"error: {error}", file=sys.stderr, flush=True)
        os._exit(1)


def run_together(collectives):
    """Starts all at once, each on a thread of its own. Returns when each had ended."""
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
        collectives = [Collective(torch, groups[one["channel"]], one["kind"], one["bytes"], spline=one["spline"]) for one in case["together"]]
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


def run_rank(work):
    """The program of a rank: rank 0 writes what work(torch, groups, spec) returns, with a group for each channel of the spec."""
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    parser.add_argument("--rank", type=int, required=True)
    options = parser.parse_args()
    with open(options.spec, encoding="utf-8") as file:
        spec = json.load(file)
    import torch
    torch.set_num_threads(1)
    try:
        groups = process_groups(torch, spec["channels"], options.rank, spec["address"], spec["port"], spec["processes"])
        result = work(torch, groups, spec)
        groups[0].barrier().wait()  # connections stay open until all have finished
    except (RuntimeError, ValueError, KeyError) as error:
        print(f"error: rank {options.rank}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    if options.rank == 0:
        with open(spec["result"], "w", encoding="utf-8") as file:
            json.dump(result, file)
    sys.stdout.flush()
    os._exit(0)  # gloo's threads may still be waiting


def run_spec(torch, groups, spec):
    if "cases" in spec:
        return measure(torch, groups, spec["cases"])
    return Player(torch, spec["dag"], spec["plan"], groups, spec["iterations"]).play()


if __name__ == "__main__":
    run_rank(run_spec)
