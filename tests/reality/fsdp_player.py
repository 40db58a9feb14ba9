#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A rank that trains as PyTorch's fully_shard does, or measures its collectives, over torch.distributed's gloo; fsdp.py starts one on each host.

    fsdp_player.py SPEC.json --rank N

A thread runs the hooks of FSDP2 (torch/distributed/fsdp/_fully_shard, PyTorch 2.6: _fsdp_state.py, _fsdp_param_group.py,
_fsdp_collectives.py), which give work to streams and wait for none of it. A stream is a queue with a thread; events order streams, as on a GPU.
Collectives of a process group run one at a time, in the order in which they were issued. Compute is waited for; collectives are real.
"""
import queue
import sys
import threading
import time

from plan_player import end_on_error, run_rank

GATHER, SCATTER = "all_gather", "reduce_scatter"


class Collective:
    """A ring of `size` bytes, repeated on the same buffers of float32: gloo of torch 1.13 has no reduce-scatter, and its all-gather asks for a
    step's bytes behind those that it still sends, so that with two ranks the directions of the link take turns. Here every receive is posted
    at the beginning, which is the same moment at all ranks, by a barrier on a group of its own (`gate`)."""

    def __init__(self, torch, group, gate, kind, size):
        self.group, self.gate, self.kind, self.ranks, self.rank = group, gate, kind, group.size(), group.rank()
        elements = max(1, -(-size // 4 // self.ranks))  # of a shard
        self.shards = [torch.zeros(elements) for _ in range(self.ranks)]
        self.partial_sums = [torch.zeros(elements) for _ in range(self.ranks - 1)] if kind == SCATTER else []

    def run(self):
        """All-gather: a step passes on the shard that the step before received. Reduce-scatter: it passes on a partial sum, and the sum of shard
        `rank` is in shards[rank] at the end."""
        scatters = self.kind == SCATTER
        shard = self.rank - 1 if scatters else self.rank  # sent first; then the one before it, and so on
        into = self.partial_sums if scatters else [self.shards[(shard - step - 1) % self.ranks] for step in range(self.ranks - 1)]
        gets = [self.group.recv([buffer], (self.rank - 1) % self.ranks, step) for step, buffer in enumerate(into)]
        self.gate.barrier().wait()
        sends = []
        for step, get in enumerate(gets):
            sends.append(self.group.send([self.shards[(shard - step) % self.ranks]], (self.rank + 1) % self.ranks, step))
            get.wait()
            if scatters:
                self.shards[(shard - step - 1) % self.ranks] += into[step]
        for send in sends:
            send.wait()


class Stream:
    """Runs the functions given to it, one after the other. An event is set when the stream has come to where it was recorded."""

    def __init__(self):
        self.work = queue.SimpleQueue()
        threading.Thread(target=end_on_error, args=(self.run,), daemon=True).start()

    def run(self):
        while True:
            self.work.get()()

    def put(self, work):
        self.work.put(work)

    def record(self):
        event = threading.Event()
        self.put(event.set)
        return event

    def wait(self, event):
        self.put(event.wait)


class Module:
    """A group of parameters that are gathered together (FSDPParamGroup), and the layers that have them."""

    def __init__(self, number, layers, is_root, size, torch, groups):
        self.number, self.layers, self.is_root, self.size = number, layers, is_root, size
        self.collectives = {kind: Collective(torch, *groups[kind], kind, size) for kind in (GATHER, SCATTER)}
        self.result = None  # the event of an all-gather that was issued and not yet waited for
        self.is_unsharded = False
        self.forward_prefetch, self.backward_prefetch = [], None  # None: the module before it, as by default


def group_layers(layers, size):
    """[layers, is_root]: consecutive layers become a module once they have `size` bytes; the rest is the root's, which comes first."""
    modules, group, held = [], [], 0
    for number, layer in enumerate(layers):
        group.append(number)
        held += layer["bytes"]
        if held >= size:
            modules.append((group, False))
            group, held = [], 0
    return ([(group, True)] if group else []) + modules


class Trainer:
    """Iterations of a job under a setting."""

    def __init__(self, torch, job, setting, groups):
        self.job, self.setting, self.layers, self.ranks = job, setting, job["layers"], groups[0].size()
        apart = setting["separate_reduce_scatter_group"]
        of = {GATHER: groups[:2], SCATTER: groups[2:] if apart else groups[:2]}
        self.modules = [Module(number, layers, is_root, sum(self.layers[layer]["bytes"] for layer in layers), torch, of)
                        for number, (layers, is_root) in enumerate(group_layers(self.layers, setting["module_bytes"] or float("inf")))]
        self.compute, self.gathers, self.scatters = Stream(), Stream(), Stream()
        communicator = Stream()
        self.communicators = {GATHER: communicator, SCATTER: Stream() if apart else communicator}
        self.set_prefetch()
        self.spans, self.iteration = [], 0

    def set_prefetch(self):
        """As set_modules_to_forward_prefetch and set_modules_to_backward_prefetch."""
        ahead = self.setting["forward_prefetch"]
        for place, module in enumerate(self.modules):
            module.forward_prefetch = self.modules[place + 1:place + 1 + ahead]
        ahead = self.setting["backward_prefetch"]
        if ahead == 1:
            return
        backward = [module for module in self.modules if module.is_root] + [module for module in reversed(self.modules) if not module.is_root]
        for place, module in enumerate(backward):
            module.backward_prefetch = backward[place + 1:place + 1 + ahead]

    def collective(self, stream, kind, module):
        """A blocking call of torch.distributed on `stream`: the communicator waits for the stream's earlier work, and the stream for it."""
        communicator = self.communicators[kind]
        communicator.wait(stream.record())
        iteration = self.iteration

        def work():
            begin = time.monotonic()
            module.collectives[kind].run()
            self.spans.append((iteration, kind, module.number, begin, time.monotonic()))

        communicator.put(work)
        stream.wait(communicator.record())
        return stream.record()

    def unshard(self, module):
        if module.result is None and not module.is_unsharded:
            module.result = self.collective(self.gathers, GATHER, module)

    def wait_for_unshard(self, module, forward):
        if module.result is None:
            return
        if forward and self.all_gather_state is not None:  # frees the buffer of the module before
            self.gathers.wait(self.all_gather_state)
            self.all_gather_state = None
        self.compute.wait(module.result)
        copied_out = self.compute.record()
        if forward:
            self.all_gather_state = copied_out
        else:
            self.gathers.wait(copied_out)
        module.result, module.is_unsharded = None, True

    def pre_forward(self, module):
        self.unshard(module)
        self.wait_for_unshard(module, forward=True)
        for other in module.forward_prefetch:
            self.unshard(other)

    def post_forward(self, module):
        self.post_forward_order.append(module)
        if self.setting["reshard_after_forward"] and not module.is_root:
            module.is_unsharded = False

    def pre_backward(self, module):
        self.unshard(module)
        self.wait_for_unshard(module, forward=False)
        if module.backward_prefetch is not None:
            for other in module.backward_prefetch:
                self.unshard(other)
        elif (index := self.post_forward_order.index(module) - 1) >= 0:
            self.unshard(self.post_forward_order[index])

    def post_backward(self, module):
        module.is_unsharded = False
        if self.reduce_scatter_state is not None:  # its input's buffer is freed
            self.compute.wait(self.reduce_scatter_state)
        self.scatters.wait(self.compute.record())
        self.reduce_scatter_state = self.collective(self.scatters, SCATTER, module)
        self.to_finalize.append(self.reduce_scatter_state)

    def wait_seconds(self, what, number, seconds):
        iteration = self.iteration

        def work():
            begin = time.monotonic()
            time.sleep(seconds)
            self.spans.append((iteration, what, number, begin, time.monotonic()))

        self.compute.put(work)

    def step(self):
        """Issues an iteration; returns an event at its end."""
        root = next((module for module in self.modules if module.is_root), None)
        modules = [module for module in self.modules if not module.is_root]
        first, last = ({module.layers[end]: module for module in modules} for end in (0, -1))
        self.all_gather_state = self.reduce_scatter_state = None
        self.post_forward_order, self.to_finalize = [], []
        self.gathers.wait(self.compute.record())  # root pre-forward: after the optimiser's step
        if root:
            self.pre_forward(root)
        for number, layer in enumerate(self.layers):
            if number in first:
                self.pre_forward(first[number])
            self.wait_seconds("forward", number, layer["forward_seconds"])
            if number in last:
                self.post_forward(last[number])
        if root:
            self.post_forward(root)
        if self.all_gather_state is not None:  # root post-forward: the last all-gather's buffer is freed
            self.gathers.wait(self.all_gather_state)
        if root:
            self.pre_backward(root)
        for number in reversed(range(len(self.layers))):
            if number in last:
                self.pre_backward(last[number])
            self.wait_seconds("backward", number, self.layers[number]["backward_seconds"])
            if number in first:
                self.post_backward(first[number])
        if root:
            self.post_backward(root)
        for event in self.to_finalize:
            self.compute.wait(event)
        self.wait_seconds("update", 0, self.job["update_seconds"] / self.ranks)  # of its shard
        self.iteration += 1
        return self.compute.record()

    def train(self, iterations):
        """The CPU is at most an iteration ahead."""
        before = None
        for _ in range(iterations):
            end = self.step()
            if before is not None:
                before.wait()
            before = end
        before.wait()
        return self.spans


def play(torch, groups, plays, jobs):
    results = []
    for one in plays:
        trainer = Trainer(torch, jobs[one["job"]], one["setting"], groups)
        groups[0].barrier().wait()
        results.append(trainer.train(one["iterations"]))
        groups[0].barrier().wait()
    return results


def measure(torch, groups, cases):
    """For each case {kinds, bytes, count, pause_seconds, repeats} the seconds of `count` collectives that a stream issues at once, or one at a
    time after a pause, of each kind on a group of its own; per repetition, until the last rank had finished its share."""
    results = []
    for case in cases:
        runs = [Collective(torch, *groups[2 * number:2 * number + 2], kind, case["bytes"]) for number, kind in enumerate(case["kinds"])]
        streams = [Stream() for _ in runs]
        seconds, ends = [], [torch.zeros(1, dtype=torch.float64) for _ in range(groups[0].size())]
        for repeat in range(case["repeats"] + 1):
            groups[0].barrier().wait()
            if case["pause_seconds"]:
                time.sleep(case["pause_seconds"])
            begin = time.monotonic()
            for _ in range(case["count"]):
                for stream, run in zip(streams, runs):
                    stream.put(run.run)
            for event in [stream.record() for stream in streams]:
                event.wait()
            groups[0].allgather([ends], [torch.tensor([time.monotonic()], dtype=torch.float64)]).wait()
            if repeat > 0:  # the first one opens connections
                seconds.append((max(float(end) for end in ends) - begin) / case["count"])
        results.append(seconds)
    return results


def run_spec(torch, groups, spec):
    sys.setswitchinterval(0.0005)
    return measure(torch, groups, spec["cases"]) if "cases" in spec else play(torch, groups, spec["plays"], spec["jobs"])


if __name__ == "__main__":
    run_rank(run_spec)
