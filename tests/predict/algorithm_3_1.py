#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithm 3.1 of "Throughput Prediction of Asynchronous SGD in TensorFlow", written from the paper: a reference for the engine.

Reads one JSON object on stdin:
  ops        [{"res": "downlink"|"worker"|"uplink"|"ps", "size": bytes, "deps": [ops it waits for]}]
  steps      [[seconds of each op; of transfers not used]]     the set S
  samples    [[index into steps, of each step of worker w]]    what SampleWithReplacement draws
  bandwidth  bytes/s of the server's link, each direction
  window     WIN in bytes, or null: flow control off
  trace      whether to print the trace
Prints {"trace": [[worker, op, step, start, end] of each chunk, in order of their ends], "ops": completed ops,
"steps": [[end of each step] of each worker], "cpu_seconds": ...}.

Where the paper's lines leave something open, their comments decide: "w already using d.res" (line 23) means that a chunk of w runs
there or waits there, and a step is over (line 35) when nothing of it runs or waits any more.
"""
import json
import sys
import time

RESOURCES = ("downlink", "worker", "uplink", "ps")
SHARED = ("downlink", "uplink")


class Op:
    def __init__(self, index, res, size, seconds, waiting_for):
        self.index, self.res, self.size, self.seconds = index, res, size, seconds
        self.waiting_for = set(waiting_for)
        self.dependent_ops = []


class Chunk:
    def __init__(self, worker, main_op, remaining, is_last, step):
        self.worker, self.main_op, self.remaining, self.is_last, self.step = worker, main_op, remaining, is_last, step
        self.res = main_op.res
        self.started = None


class Scheduler:
    """Queue of pending operations. Transfers: the first chunk of a stream has at most WIN bytes, the second the rest."""

    def __init__(self, res, bandwidth, window):
        self.res, self.bandwidth, self.window = res, bandwidth, window
        self.queue = []

    def add(self, worker, op, step):
        self.queue.append((worker, op, step, None))

    def empty(self):
        return not self.queue

    def remove_chunk(self):
        worker, op, step, rest = self.queue.pop(0)
        if self.res not in SHARED:
            return Chunk(worker, op, op.seconds, True, step)
        if rest is not None:
            return Chunk(worker, op, rest / self.bandwidth, True, step)
        if self.window is None or op.size <= self.window:
            return Chunk(worker, op, op.size / self.bandwidth, True, step)
        return Chunk(worker, op, self.window / self.bandwidth, False, step)

    def put_back(self, chunk):
        self.queue.append((chunk.worker, chunk.main_op, chunk.step, chunk.main_op.size - self.window))


def generate_trace(job):
    ops, steps, samples = job["ops"], job["steps"], job["samples"]
    bandwidth, window = job["bandwidth"], job["window"]
    workers = range(len(samples))
    n = len(samples[0])
    active = {"downlink": 0, "uplink": 0}
    running = []  # Q
    scheduler = {(w, r): Scheduler(r, bandwidth, window) for w in workers for r in RESOURCES}
    busy = {key: False for key in scheduler}
    completed = [0] * len(samples)
    ends = [[] for _ in workers]
    trace, now, ops_done = [], 0.0, 0

    def share(res):
        return 1.0 / active[res] if res in SHARED else 1.0

    def run(w, res):
        chunk = scheduler[w, res].remove_chunk()
        chunk.started = now
        busy[w, res] = True
        running.append(chunk)

    def start_step(w):
        seconds = steps[samples[w][completed[w]]]
        copy = [Op(i, o["res"], o["size"], seconds[i], o["deps"]) for i, o in enumerate(ops)]
        for op in copy:
            for dep in op.waiting_for:
                copy[dep].dependent_ops.append(op)
        for op in copy:
            if not op.waiting_for:
                scheduler[w, op.res].add(w, op, completed[w])
        for res in RESOURCES:
            if not scheduler[w, res].empty():
                if res in SHARED:
                    active[res] += 1
                run(w, res)

    for w in workers:
        start_step(w)
    while running:
        chunk = min(running, key=lambda x: x.remaining / share(x.res))
        running.remove(chunk)
        w, res = chunk.worker, chunk.res
        duration = chunk.remaining / share(res)
        for other in running:
            other.remaining -= duration * share(other.res)
        now += duration
        trace.append([w, chunk.main_op.index, chunk.step, chunk.started, now])
        if chunk.is_last:
            ops_done += 1
            for d in chunk.main_op.dependent_ops:
                d.waiting_for.remove(chunk.main_op.index)
                if not d.waiting_for:
                    scheduler[w, d.res].add(w, d, chunk.step)
                    if not busy[w, d.res]:
                        if d.res in SHARED:
                            active[d.res] += 1
                        run(w, d.res)
        else:
            scheduler[w, res].put_back(chunk)
        if not scheduler[w, res].empty():
            run(w, res)
        else:
            busy[w, res] = False
            if res in SHARED:
                active[res] -= 1
        if not any(busy[w, r] for r in RESOURCES):
            completed[w] += 1
            ends[w].append(now)
            if completed[w] < n:
                start_step(w)
    return trace, ends, ops_done


def main():
    job = json.load(sys.stdin)
    begin = time.process_time()
    trace, ends, ops_done = generate_trace(job)
    seconds = time.process_time() - begin
    json.dump({"trace": trace if job["trace"] else [], "steps": ends, "ops": ops_done, "cpu_seconds": seconds}, sys.stdout)


if __name__ == "__main__":
    main()
