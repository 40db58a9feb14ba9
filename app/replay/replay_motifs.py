# SPDX-License-Identifier: GPL-3.0-or-later
"""A motif of a plan as a collective of torch.distributed's gloo, and the values that check it.

The payload of a comm-op among n members is n chunks of equal length, of each of which a motif moves the slice that its segment says. Motifs
move them from and to buffers of their own, so that the replay copies nothing between motifs while it measures (gloo copies what it likes).
In an earlier iteration, a Payload fills these buffers with known values, and takes the results: a wrong motif leaves wrong values."""
import functools
import threading

from replay_plan_files import earlier_motifs, overlap

VALUES = 1021  # a prime; sums of MAX_PROCESSES values below it stay exact in float32
CHECKED_CHUNKS = 256  # of a payload, by each process


def spline_splits(pieces, elements, rank, spline):
    """Elements that process `rank` of `pieces` sends to each process, and gets from each, in part c of k of an all-to-all's pattern:
    process i sends to (i + cN/k) .. (i + (c+1)N/k - 1) mod N (docs/plan.md). `elements` go to each of them."""
    part, parts = spline
    distances = range(part * pieces // parts, (part + 1) * pieces // parts)
    sends = [elements if (other - rank) % pieces in distances else 0 for other in range(pieces)]
    gets = [elements if (rank - other) % pieces in distances else 0 for other in range(pieces)]
    return sends, gets


def permute_peers(processes, rank, shift, spline):
    """The processes that `rank` sends to and receives from, in part c of k of a permute's pattern: the senders from cN/k on; None = none."""
    part, parts = spline
    source = (rank - shift) % processes
    return ((rank + shift) % processes if rank * parts // processes == part else None, source if source * parts // processes == part else None)


def direct_peers(kind, members, rank, spline):
    """The members that `rank` sends to and receives from in part c of k of an all-gather, reduce-scatter, broadcast or reduce
    (docs/plan.md): the members cn/k up to (c+1)n/k ahead and behind; of a broadcast and a reduce, the members of these numbers and member
    0."""
    part, parts = spline
    numbers = range(part * members // parts, (part + 1) * members // parts)
    if kind in ("all_gather", "reduce_scatter"):
        return [(rank + ahead) % members for ahead in numbers if ahead], [(rank - behind) % members for behind in numbers if behind]
    others = [other for other in numbers if other] if rank == 0 else []
    first = [0] if rank and rank in numbers else []
    return (others, first) if kind == "broadcast" else (first, others)


def buffer_elements(kind, processes, elements, spline=(0, 1), rank=0):
    """Elements of a collective's buffers at process `rank`; below, the arguments of collective_of()."""
    if is_direct(kind, spline):
        to, sources = direct_peers(kind, processes, rank, spline)
        pieces = {"all_gather": 1, "reduce_scatter": len(to)}.get(kind, processes)
        return elements * (pieces * bool(to) + (processes if kind == "reduce" else 1) * len(sources))
    if kind == "all_to_all":
        return 2 * elements * processes // spline[1]
    if kind in ("all_gather", "reduce_scatter"):
        return elements * (processes + 1)
    return elements * processes * (2 if kind == "permute" else 1)


def is_direct(kind, spline):
    """Whether a motif is sent directly, while the whole of its kind is a ring or a tree."""
    return spline[1] > 1 and kind not in ("all_to_all", "permute")


def collective_of(torch, group, kind, elements, spline=(0, 1), shift=1):
    return Direct(torch, group, kind, elements, spline) if is_direct(kind, spline) else Collective(torch, group, kind, elements, spline, shift)


class Direct:
    """A spline of an all-gather, reduce-scatter, broadcast or reduce as sends and receives, all at once: the same as a Collective."""

    def __init__(self, torch, group, kind, elements, spline):
        self.torch, self.group, self.kind, self.elements, self.rank = torch, group, kind, elements, group.rank()
        self.to, self.sources = direct_peers(kind, group.size(), self.rank, spline)
        self.adds = kind in ("reduce_scatter", "reduce")
        length = elements * (1 if kind in ("all_gather", "reduce_scatter") else group.size())
        self.input = [torch.zeros(length) for _ in (self.to if kind == "reduce_scatter" else self.to[:1])]
        self.output = [torch.zeros(length) for _ in self.sources]

    def run(self):
        sent = self.input if self.kind == "reduce_scatter" else self.input * len(self.to)
        work = [self.group.send([part], other, 0) for other, part in zip(self.to, sent)]
        work += [self.group.recv([part], other, 0) for other, part in zip(self.sources, self.output)]
        for one in work:
            one.wait()
        if self.adds:
            for part in self.output[1:]:
                self.output[0] += part

    def fill(self, pieces):
        if self.kind == "reduce_scatter":
            for own, other in zip(self.input, self.to):
                own.copy_(pieces[other])
        elif self.input:
            self.input[0].copy_(pieces[self.rank] if self.kind == "all_gather" else pieces.reshape(-1))

    def result(self):
        if self.kind == "all_gather":
            return dict(zip(self.sources, self.output))
        if self.kind == "reduce_scatter":
            return {piece: self.torch.full((self.elements,), float("nan")) for piece in self.to}  # as the whole leaves them
        return {} if self.adds or not self.output else dict(enumerate(self.output[0].split(self.elements)))

    def sums(self):
        """{piece: values to add to it}, of reductions; else empty."""
        if not self.adds or not self.output:
            return {}
        return {self.rank: self.output[0]} if self.kind == "reduce_scatter" else dict(enumerate(self.output[0].split(self.elements)))

    def clear(self):
        for tensor in self.input:
            tensor.zero_()


class Collective:
    """One motif, repeated on the same buffers of float32: `elements` in each of as many pieces as the group has processes. A piece is the
    part that an all-to-all sends to a process, an all-gather has from one, and a reduce-scatter leaves it."""

    def __init__(self, torch, group, kind, elements, spline=(0, 1), shift=1):
        self.torch, self.group, self.processes, self.rank, self.kind, self.elements = torch, group, group.size(), group.rank(), kind, elements
        whole = elements * self.processes
        if kind == "all_to_all":
            self.sends, self.gets = spline_splits(self.processes, elements, self.rank, spline)
            self.input, self.output = torch.zeros(sum(self.sends)), torch.zeros(sum(self.gets))
        elif kind == "all_gather":
            self.input, self.output = torch.zeros(elements), [torch.zeros(elements) for _ in range(self.processes)]
        elif kind == "reduce_scatter":
            self.input, self.output = list(torch.zeros(whole).split(elements)), torch.zeros(elements)
        elif kind == "permute":
            self.to, self.source = permute_peers(self.processes, self.rank, shift, spline)
            self.input, self.output = torch.zeros(whole), torch.zeros(whole)
        else:
            self.input = torch.zeros(whole)

    def run(self):
        if self.kind == "all_to_all":
            self.group.alltoall_base(self.output, self.input, self.gets, self.sends).wait()
        elif self.kind == "all_gather":
            self.group.allgather([self.output], [self.input]).wait()
        elif self.kind == "reduce_scatter":
            self.reduce_scatter()
        elif self.kind == "permute":
            work = [self.group.send([self.input], self.to, 0)] if self.to is not None else []
            work += [self.group.recv([self.output], self.source, 0)] if self.source is not None else []
            for one in work:
                one.wait()
        else:
            c10d = self.torch.distributed.distributed_c10d  # options are of rank 0 as the root where nothing else is said
            {"all_reduce": lambda: self.group.allreduce([self.input]),
             "reduce": lambda: self.group.reduce([self.input], c10d.ReduceOptions()),
             "broadcast": lambda: self.group.broadcast([self.input], c10d.BroadcastOptions())}[self.kind]().wait()

    def reduce_scatter(self):
        """A ring, since gloo has none in torch 1.13: each step sends the partial sum of a piece to the next process. Leaves the sum of
        piece `rank` in input[rank]."""
        count, rank = self.processes, self.rank
        for step in range(count - 1):
            out, into = (rank - step - 1) % count, (rank - step - 2) % count
            work = [self.group.send([self.input[out]], (rank + 1) % count, step), self.group.recv([self.output], (rank - 1) % count, step)]
            for one in work:
                one.wait()
            self.input[into] += self.output

    def fill(self, pieces):
        """Takes its values from a tensor of pieces x elements."""
        if self.kind == "all_to_all":
            self.input.copy_(self.torch.cat([piece[:count] for piece, count in zip(pieces, self.sends)]))
        elif self.kind == "all_gather":
            self.input.copy_(pieces[self.rank])
        elif self.kind == "reduce_scatter":
            for own, piece in zip(self.input, pieces):
                own.copy_(piece)
        else:
            self.input.copy_(pieces.reshape(-1))

    def result(self):
        """{piece: its values} of the pieces that have changed at this process."""
        if self.kind == "all_to_all":
            return {other: piece for other, piece in enumerate(self.output.split(self.gets)) if len(piece)}
        if self.kind == "all_gather":
            return dict(enumerate(self.output))
        if self.kind == "reduce_scatter":
            lost = self.torch.full((self.elements,), float("nan"))  # partial sums that nothing may use
            return {piece: own if piece == self.rank else lost for piece, own in enumerate(self.input)}
        if (self.kind == "reduce" and self.rank != 0) or (self.kind == "permute" and self.source is None):
            return {}
        return dict(enumerate((self.output if self.kind == "permute" else self.input).split(self.elements)))

    def sums(self):
        return {}

    def clear(self):
        """Later iterations are of zeros: sums that grow would overflow."""
        for tensor in (self.input if isinstance(self.input, list) else [self.input]):
            tensor.zero_()


def start_of(process, chunk):
    return (process + 1) ** 2 * 613 + (process + 1) * (chunk + 3) * 7919 + chunk * 271


@functools.lru_cache(maxsize=1)
def values_by_start(torch):
    """Row s: the values that start at s."""
    row, column = torch.arange(VALUES).reshape(-1, 1), torch.arange(VALUES) * 101
    return (row + column).remainder(VALUES).to(torch.float32)


def values_of(torch, process, chunk):
    """A process's contribution to a chunk, repeated for its length: whole numbers, which differ between processes and chunks."""
    return values_by_start(torch)[start_of(process, chunk) % VALUES]


def sums_of(torch, processes, chunk):
    """Sums of values_of() over processes. There are only so many starts, so the time does not grow with the processes."""
    counts = torch.bincount(start_of(torch.tensor(processes), chunk).remainder(VALUES), minlength=VALUES)
    return counts.to(torch.float32) @ values_by_start(torch)


def merged(intervals):
    """Intervals that touch are one."""
    levels = []
    for begin, end in sorted(intervals):
        if levels and levels[-1][1] == begin:
            levels[-1] = levels[-1][0], end
        else:
            levels.append((begin, end))
    return tuple(levels)


class Payload:
    """A process's payload of a comm-op while its motifs are checked: n chunks, NaN where it has no value. All but
    all-to-alls and permutes work in place. In an all-to-all chunk x is for member x. A motif of a group with a stride only sends along one
    digit of x, x / stride mod size (8 members in groups of 2 of strides 1, 2, 4: the binary digits): afterwards that digit says which member
    a chunk came from, and no longer which it is for. So there is a buffer for each set of digits that were replaced."""

    def __init__(self, torch, op, motifs, members, process):
        self.torch, self.op, self.motifs, self.members, self.me = torch, op, motifs, members, members.index(process)
        self.count = len(members)
        self.elements = max(round(op.size / 4 / self.count), *(motif.segment[1] for motif in motifs), 1)  # of a chunk
        self.earlier = earlier_motifs(motifs)
        self.buffers, self.changing = {}, threading.Lock()  # channels have threads of their own

    def group(self, motif):
        return motif.group_among(self.count)

    def bounds(self, motif):
        """The slice of every chunk that a motif moves."""
        index, count = motif.segment
        return index * self.elements // count, (index + 1) * self.elements // count

    def chunks(self, motif):
        """For each member of its group the chunks that make up its piece."""
        group = self.group(motif)
        if motif.kind == "all_to_all":
            outer = range(0, self.count, group.stride * group.size)
            return [[begin + member * group.stride + inner for begin in outer for inner in range(group.stride)] for member in range(group.size)]
        first = self.me // group.every % group.shards
        return [list(range(first + group.shards * member, self.count, group.shards * group.size)) for member in range(group.size)]

    def piece_elements(self, motif):
        begin, end = self.bounds(motif)
        group = self.group(motif)
        return (end - begin) * (self.count // (group.size * (1 if motif.kind == "all_to_all" else group.shards)))

    def levels(self, motif, own=False):
        """The digits that were replaced before a motif, or (`own`) with it."""
        if self.op.kind not in ("all_to_all", "permute"):
            return ()
        before = [other for other in self.motifs if self.earlier[motif.number] >> other.number & 1 and overlap(other.segment, motif.segment)]
        groups = {self.group(other) for other in before} - {self.group(motif)} | ({self.group(motif)} if own else set())
        return merged((group.stride, group.stride * group.size) for group in groups)

    def buffer(self, levels):
        with self.changing:
            if levels not in self.buffers:
                self.buffers[levels] = self.torch.full((self.count, self.elements), float("nan"))
                if not levels:
                    self.begin(self.buffers[levels])
            return self.buffers[levels]

    def begin(self, buffer):
        for chunk in range(self.count):
            if self.op.kind == "all_gather" and chunk != self.me or self.op.kind == "broadcast" and self.me != 0:
                continue
            buffer[chunk] = self.repeated(values_of(self.torch, self.members[self.me], chunk))

    def repeated(self, values):
        return values.repeat(-(-self.elements // VALUES))[:self.elements]

    def fill(self, motif, collective):
        begin, end = self.bounds(motif)
        buffer = self.buffer(self.levels(motif))[:, begin:end]
        collective.fill(self.torch.stack([buffer[own].reshape(-1) for own in self.chunks(motif)]))

    def take(self, motif, collective):
        begin, end = self.bounds(motif)
        buffer, chunks = self.buffer(self.levels(motif, own=True)), self.chunks(motif)
        for piece, values in collective.result().items():
            buffer[chunks[piece], begin:end] = values.reshape(len(chunks[piece]), -1)
        with self.changing:  # splines of a reduction add at once
            for piece, values in collective.sums().items():
                buffer[chunks[piece], begin:end] += values.reshape(len(chunks[piece]), -1)
        collective.clear()

    def wanted(self, chunk):
        """The values of a chunk that a process must have in the end; None = any."""
        kind, own = self.op.kind, lambda member, of: values_of(self.torch, self.members[member], of)
        if (kind == "reduce" and self.me != 0) or (kind == "reduce_scatter" and chunk != self.me):
            return None
        if kind == "all_to_all":
            return own(chunk, self.me)
        if kind in ("all_gather", "broadcast", "permute"):
            return own({"all_gather": chunk, "broadcast": 0, "permute": (self.me - self.op.shift) % self.count}[kind], chunk)
        return sums_of(self.torch, self.members, chunk)

    def checked_chunks(self):
        """The chunks to check; of many, an even sample from the own one on: other members check others."""
        count = min(self.count, CHECKED_CHUNKS)
        return [(self.me + self.count * number // count) % self.count for number in range(count)]

    def check_and_free(self):
        """Whether the motifs are equivalent to the op."""
        levels = ((1, self.count),) if self.op.kind in ("all_to_all", "permute") else ()
        buffer, self.buffers = self.buffer(levels), {}
        return all(wanted is None or self.torch.equal(buffer[chunk], self.repeated(wanted))
                   for chunk, wanted in ((chunk, self.wanted(chunk)) for chunk in self.checked_chunks()))
