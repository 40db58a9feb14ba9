# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs next in a plan of collectives, and what it waits for: for processes that play it, and to try before they start whether the
order of the channels contradicts the DAG, in which case every process would wait for ever. Needs no torch."""
from replay_files import InputError, shown

TRIED_STEPS = 1000000  # of a try; a plan that stands still does so in its first iterations
COMPUTE = None  # the stream of compute-ops, beside the channels


def sequence(plan, channel, iterations):
    """(op, motif, iteration) of a channel, in the order of engine/plan/plan_graph.cpp."""
    entries = plan.orders[channel]
    offsets = [offset for _, _, offset in entries]
    for base in range(-max(0, *offsets, 0), iterations - min(0, *offsets, 0)):
        for op, number, offset in entries:
            if 0 <= base + offset < iterations:
                yield op, number, base + offset


class Progress:
    """How often each compute-op and motif has ended, at one process. Iterations before the first count as done."""

    def __init__(self, plan):
        self.plan, self.ops, self.steps = plan, plan.dag.ops, 0
        self.compute_done = {name: 0 for name in plan.dag.compute_order}
        self.motifs_done = {(motif.op, motif.number): 0 for motifs in plan.motifs.values() for motif in motifs}

    def tell(self, op, number=None):
        """An op of compute, or a motif, has ended once more."""
        self.steps += 1
        if number is None:
            self.compute_done[op] += 1
        else:
            self.motifs_done[op, number] += 1

    def missing_of(self, op, iteration):
        """(op, motif, iteration) of what keeps an op from being done, motif None of compute; None if it is done."""
        if op in self.compute_done:
            return None if self.compute_done[op] > iteration else (op, None, iteration)
        return next(((op, motif.number, iteration) for motif in self.plan.motifs[op] if self.motifs_done[op, motif.number] <= iteration), None)

    def awaited(self, op, number, iteration):
        """What an op of compute (number None) or a motif waits for in an iteration, as missing_of(); None if it may run."""
        own = self.ops[op]
        for parents, when in ((own.parents, iteration), (own.previous, iteration - 1)):
            for parent in parents:
                missing = self.missing_of(parent, when)
                if missing:
                    return missing
        after = self.plan.motifs[op][number].after if number is not None else ()
        return next(((op, before, iteration) for before in after if self.motifs_done[op, before] <= iteration), None)


def named(op, number, iteration):
    return f"{shown(op)}{'' if number is None else f' motif {number}'} of iteration {iteration}"


class Trial:
    """Plays a plan without its times: whatever order things end in, the same can run in the end."""

    def __init__(self, plan, iterations):
        self.plan, self.progress = plan, Progress(plan)
        self.streams = {channel: sequence(plan, channel, iterations) for channel in plan.orders}
        self.streams[COMPUTE] = ((name, None, iteration) for iteration in range(iterations) for name in plan.dag.compute_order)
        self.heads = {stream: next(own, None) for stream, own in self.streams.items()}

    def run(self):
        """Whether all of it runs."""
        moves = True
        while moves:
            moves = False
            for stream, own in self.streams.items():
                while self.heads[stream] and not self.progress.awaited(*self.heads[stream]):
                    self.progress.tell(*self.heads[stream][:2])
                    self.heads[stream] = next(own, None)
                    moves = True
        return not any(self.heads.values())

    def circle(self):
        """What stands still, each waiting for the next one and the last one for the first: of a head what it waits for, of what stands
        behind a head of its stream that head."""
        stream_of = {(op, number): channel for channel, entries in self.plan.orders.items() for op, number, _ in entries}
        at, seen = next(head for head in self.heads.values() if head), []
        while at not in seen:
            seen.append(at)
            head = self.heads[stream_of.get(at[:2], COMPUTE)]
            at = head if head != at else self.progress.awaited(*at)
        return seen[seen.index(at):]


def check_runs(plan, iterations, file):
    """Refuses a plan in which processes would wait for each other for ever."""
    per_iteration = len(plan.dag.ops) + sum(map(len, plan.motifs.values()))
    trial = Trial(plan, min(iterations, max(8, TRIED_STEPS // per_iteration)))
    if not trial.run():
        circle = trial.circle()
        names = [named(*one) for one in (*circle, circle[0])]
        raise InputError("the order of the motifs contradicts the DAG, all processes would stand still: " +
                         " waits for ".join(names[:9] + (["..."] if len(names) > 9 else [])),
                         "let motifs come after those that their op's parents wait for", file, "order")
