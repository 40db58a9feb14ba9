# SPDX-License-Identifier: GPL-3.0-or-later
"""The next motif of each channel of a plan of collectives, and its dependencies.

If the order of the channels contradicts the DAG, the processes deadlock. So processes count ended ops and motifs with Progress, and before
they start, a Trial plays the plan with the same counts and no times: everything that can run, runs, and the rest has a cycle. Needs no
torch."""
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
        self.ops_done = {name: 0 for name in plan.motifs}
        self.motifs_ended = {}  # (op, iteration): how many motifs of it have ended, while not all have

    def mark_done(self, op, number=None):
        """An op of compute, or a motif, has ended once more. Returns whether the op has."""
        self.steps += 1
        if number is None:
            self.compute_done[op] += 1
            return True
        key = op, self.motifs_done[op, number]
        self.motifs_done[op, number] += 1
        ended = self.motifs_ended.pop(key, 0) + 1
        if ended == len(self.plan.motifs[op]):
            self.ops_done[op] += 1
            return True
        self.motifs_ended[key] = ended
        return False

    def is_done(self, op, iteration):
        return (self.compute_done[op] if op in self.compute_done else self.ops_done[op]) > iteration

    def blocker(self, op, number, iteration):
        """The first that an op of compute (number None) or a motif waits for in an iteration: (op, None or motif, iteration), or None. Of a
        parent of several motifs the motif is not named."""
        own = self.ops[op]
        for parents, when in ((own.parents, iteration), (own.previous, iteration - 1)):
            for parent in parents:
                if not self.is_done(parent, when):
                    return parent, None, when
        after = self.plan.motifs[op][number].after if number is not None else ()
        return next(((op, before, iteration) for before in after if self.motifs_done[op, before] <= iteration), None)

    def may_run(self, op, number, iteration):
        return self.blocker(op, number, iteration) is None

    def awaited(self, op, number, iteration):
        """As blocker(), with the first motif of a parent that has not ended; this takes longer."""
        found = self.blocker(op, number, iteration)
        if found is None or found[0] in self.compute_done or found[1] is not None:
            return found
        parent, _, when = found
        return next((parent, motif.number, when) for motif in self.plan.motifs[parent] if self.motifs_done[parent, motif.number] <= when)


def named(op, number, iteration):
    return f"{shown(op)}{'' if number is None else f' motif {number}'} of iteration {iteration}"


class Trial:
    """Plays a plan without its times: in whichever order ops and motifs end, the same ones can run in the end."""

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
                while self.heads[stream] and self.progress.may_run(*self.heads[stream]):
                    self.progress.mark_done(*self.heads[stream][:2])
                    self.heads[stream] = next(own, None)
                    moves = True
        return not any(self.heads.values())

    def find_cycle(self):
        """A cycle of ops and motifs that wait, each for the next and the last for the first: the head of a stream for its dependency,
        others for the head of their stream."""
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
        cycle = trial.find_cycle()
        names = [named(*one) for one in (*cycle, cycle[0])]
        raise InputError("the order of the motifs contradicts the DAG, all processes would stand still: " +
                         " waits for ".join(names[:9] + (["..."] if len(names) > 9 else [])),
                         "place motifs after the motifs that their op's parents wait for", file, "order")
