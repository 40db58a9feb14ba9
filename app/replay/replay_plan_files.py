# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of collectives and their training DAGs, as docs/plan.md has them: read, checked, and turned into the work of one process.

A process sees a comm-op as a collective of its own group, whose members are numbered from 0, and a motif as one of some of these members.
"""
import dataclasses
import itertools

from replay_files import Fields, InputError, read_text, shown

KINDS = ("all_reduce", "reduce_scatter", "all_gather", "reduce", "broadcast", "all_to_all", "permute")
PATTERNS = ("all_to_all", "permute")  # kinds of independent transfers: motifs of no other kind make them up
MAX_PROCESSES = 16384  # sums of checked values stay exact in float32; 65,536 in the engine, which plays no processes
MAX_STEPS = 10000  # ops and motifs of an iteration; 100,000 ops in the engine
MAX_MOTIFS = 1024  # of one op
MAX_EDGES = 1000000
MAX_PARTS = 65536
MAX_OFFSET = 16
SEE_PLAN = "see docs/plan.md, or let syncopate-cli plan write the file"
PROVE = "let 'syncopate-cli plan --plan' say what is wrong with the plan"


@dataclasses.dataclass(frozen=True)
class Group:
    """Which of n members run a motif together: members p that agree in p mod stride and in p / (stride * size). Of these, only multiples of
    `every` take part: the roots of smaller groups."""
    size: int
    stride: int = 1
    every: int = 1

    @property
    def shards(self):
        """The number of parts into which reduce-scatters of smaller groups have divided the payload; each member holds one."""
        return self.stride // self.every

    def fits(self, members):
        return self.stride % self.every == 0 and members % (self.stride * self.size) == 0

    def members_with(self, member):
        """The group of a member; none where it does not take part."""
        first = member - member // self.stride % self.size * self.stride
        return [first + other * self.stride for other in range(self.size)] if member % self.every == 0 else []


@dataclasses.dataclass
class Op:
    name: str
    kind: str  # "compute", or one of KINDS
    seconds: float = 0.0  # of compute
    size: float = 0.0     # bytes per process, of a collective
    parents: tuple = ()   # names, of the same iteration
    previous: list = dataclasses.field(default_factory=list)  # of the iteration before
    group: Group = None   # None: all processes, or those that `sizes` says
    sizes: tuple = ()     # of groups of neighbours, of different sizes
    shift: int = 1        # of a permute

    def members(self, process, processes):
        """The processes that run it together with `process`."""
        if self.group:
            return self.group.members_with(process)
        begin = 0
        for size in self.sizes or (processes,):
            if process < begin + size:
                break
            begin += size
        return list(range(begin, begin + size))

    def counts(self, processes):
        """Members of its groups."""
        return self.sizes or (self.group.size if self.group else processes,)


@dataclasses.dataclass
class Motif:
    op: str
    number: int
    kind: str
    channel: str
    segment: tuple = (0, 1)  # part i of n of the payload
    spline: tuple = (0, 1)   # part c of k of the pattern of transfers
    group: Group = None      # None: all members of its op
    after: tuple = ()        # numbers of motifs of its op

    def group_among(self, members):
        return self.group or Group(members)


def earlier_motifs(motifs):
    """For each motif, the motifs that have ended when it begins, as bits of their numbers."""
    earlier = []
    for motif in motifs:
        bits = 0
        for before in motif.after:
            bits |= earlier[before] | 1 << before
        earlier.append(bits)
    return earlier


def overlap(a, b):
    """Whether parts i of n and j of m have something in common. Divisions of equal fractions give equal numbers, so this is exact."""
    return a[0] / a[1] < (b[0] + 1) / b[1] and b[0] / b[1] < (a[0] + 1) / a[1]


@dataclasses.dataclass
class Dag:
    name: str
    processes: int
    ops: dict          # by name
    compute_order: list


@dataclasses.dataclass
class Plan:
    channels: dict  # name -> its interface and links, in the order in which they are tried as interfaces
    motifs: dict    # op -> its motifs
    orders: dict    # channel -> [(op, number, iteration_offset)]
    dag: Dag        # with the edges of finite buffers (add_submission)


def names_in(fields, key, known):
    names = fields.items(key)
    for index, name in enumerate(names):
        if not isinstance(name, str) or name not in known:
            raise fields.error(f"{key}[{index}]", f"is {shown(name)}, which is no op", SEE_PLAN)
    return names


def read_group(fields, every=None):
    """`every`: where the file does not give it."""
    if fields.value.get("group") is None:
        return None
    own = Fields(fields.value["group"], fields.file, fields.place_of("group"))
    return Group(own.whole("size", 2, MAX_PARTS), own.whole("stride", 1, MAX_PARTS), own.whole("every", 1, MAX_PARTS, every))


def read_op_groups(fields, op, processes):
    group = fields.value.get("group")
    if isinstance(group, dict) and "sizes" in group:
        op.sizes = tuple(Fields(group, fields.file, f"{fields.place}.group").items("sizes"))
        if any(type(size) is not int or size < 2 for size in op.sizes) or sum(op.sizes) != processes or len(group) > 1:
            raise fields.error("group", f"is {shown(group)}", f"give sizes of 2 or more that add up to {processes} processes, and nothing else")
        if len(set(op.sizes)) == 1:
            op.sizes, op.group = (), Group(op.sizes[0])
    else:
        op.group = read_group(fields, every=1)
        if op.group and (op.group.every != 1 or not op.group.fits(processes)):
            raise fields.error("group", f"is {shown(group)}", f"give a size and a stride that divide {processes} processes")
    if op.kind != "permute" and "shift" in fields.value:
        raise fields.error("shift", "is of no permute", "leave it out")
    if op.kind == "permute":
        op.shift = fields.whole("shift", -MAX_PARTS, MAX_PARTS, 1)
        if any(op.shift % count == 0 for count in op.counts(processes)):
            raise fields.error("shift", f"is {op.shift}, so each process would send to itself", SEE_PLAN)


def read_op(fields, processes):
    op = Op(fields.text("name"), fields.text("kind"))
    if op.kind == "compute":
        op.seconds = fields.number("seconds", high=1e6)
        return op
    if op.kind not in KINDS:
        raise fields.error("kind", f"is {shown(op.kind)}", f"use compute or one of {', '.join(KINDS)}")
    op.size = fields.number("bytes_per_process", high=1e15)
    read_op_groups(fields, op, processes)
    return op


def read_dag_json(path):
    text = read_text(path)
    try:
        return Fields.of_json(text, path)
    except InputError as error:
        first = next((line.split()[0] for line in text.splitlines() if line.split() and not line.lstrip().startswith("#")), "")
        if first != "dag":
            raise
        raise InputError("this is a DAG as text, and DAGs are replayed as JSON",
                         "write it as one: syncopate-cli plan --job .. --cluster .. --format dag -o step.dag.json", path) from error


def check_cycles(fields, dag):
    """Refuses ops that, by their parents and the order of compute, wait for themselves within an iteration: no plan could run them."""
    awaited, children = {name: list(op.parents) for name, op in dag.ops.items()}, {name: [] for name in dag.ops}
    for before, after in zip(dag.compute_order, dag.compute_order[1:]):
        awaited[after].append(before)
    for name, parents in awaited.items():
        for parent in parents:
            children[parent].append(name)
    left = {name: len(parents) for name, parents in awaited.items()}
    ready = [name for name, count in left.items() if not count]
    for name in ready:
        for child in children[name]:
            left[child] -= 1
            if not left[child]:
                ready.append(child)
    stuck, seen = {name for name, count in left.items() if count}, {}
    if stuck:
        at = next(name for name in dag.ops if name in stuck)
        while at not in seen:
            seen[at] = len(seen)
            at = next(parent for parent in awaited[at] if parent in stuck)
        cycle = [*list(seen)[seen[at]:], at]
        raise fields.error(f"ops[{list(dag.ops).index(at)}]", "waits for itself within an iteration: " +
                           " waits for ".join(map(shown, cycle[:9])) + (" waits for ..." if len(cycle) > 9 else ""),
                           "let the parents of its ops and compute_order be without cycles")


def read_dag(fields):
    """`fields`: the file's content."""
    processes, ops = fields.whole("hosts", 2, MAX_PROCESSES), {}
    given, edges = fields.objects("ops"), 0
    if len(given) > MAX_STEPS:
        raise fields.error("ops", f"are {len(given)}", f"replay a DAG with at most {MAX_STEPS}")
    for own in given:
        op = read_op(own, processes)
        if ops.setdefault(op.name, op) is not op:
            raise own.error("name", f"is {shown(op.name)} a second time", "give every op its own name")
    for own in given:
        op = ops[own.value["name"]]
        parents, previous = names_in(own, "parents", ops), names_in(own, "parents_previous_iteration", ops)
        edges += len(parents) + len(previous)
        op.parents, op.previous = tuple(dict.fromkeys(parents)), list(dict.fromkeys(previous))
    if edges > MAX_EDGES:
        raise fields.error("ops", f"have {edges} parents", f"replay a DAG with at most {MAX_EDGES}")
    compute = [op.name for op in ops.values() if op.kind == "compute"]
    order = names_in(fields, "compute_order", ops) if fields.value.get("compute_order") is not None else compute
    if sorted(order) != sorted(compute):
        raise fields.error("compute_order", "does not hold every compute-op once", SEE_PLAN)
    if not compute:
        raise fields.error("ops", "have no compute-op", "iterations are measured from compute to compute: give one, if of 0 seconds")
    dag = Dag(fields.text("name"), processes, ops, list(order))
    check_cycles(fields, dag)
    return dag


def add_submission(dag, enforced):
    """Adds the edges of finite buffers (withSubmission() of the engine): a comm-op without parents in its iteration follows the first
    compute-op of the iteration before, and where there is no enforcer the last one. A comm-op that nothing waits for holds up the last
    compute-op of the next iteration."""
    comm = [op for op in dag.ops.values() if op.kind != "compute"]
    for op in comm:
        if not op.parents:
            op.previous.append(dag.compute_order[0 if enforced else -1])
    awaited = {parent for op in dag.ops.values() for parent in (*op.parents, *op.previous)}
    dag.ops[dag.compute_order[-1]].previous += [op.name for op in comm if op.name not in awaited]


def read_part(fields, key):
    part = fields.value.get(key, [0, 1])
    if not isinstance(part, list) or len(part) != 2 or any(type(one) is not int for one in part) or not 0 <= part[0] < part[1] <= MAX_PARTS:
        raise fields.error(key, f"is {shown(part)}", f"give [i, n] with 0 <= i < n <= {MAX_PARTS}")
    return tuple(part)


def check_motif(fields, motif, op, counts):
    """Checks the rules for a single motif. `counts`: members of its op's groups."""
    if op.sizes and (motif.group or motif.spline[1] > 1):
        raise fields.error("", "is a spline or of smaller groups, and its op has groups of different sizes", "cut it into segments or a ring only")
    if motif.group and (motif.kind == "permute" or not motif.group.fits(counts[0]) or (motif.kind == "all_to_all" and motif.group.every != 1)):
        raise fields.error("group", f"does not divide the {counts[0]} members of {shown(op.name)} as its kind needs", SEE_PLAN)
    members = motif.group_among(counts[0]).size
    if motif.spline[1] > 1 and motif.kind == "all_reduce":
        raise fields.error("spline", f"is {shown(list(motif.spline))}, of an all-reduce", "spline the motifs of its ring or tree")
    if members % motif.spline[1]:
        raise fields.error("spline", f"is {shown(list(motif.spline))}", "spline into a divisor of its processes")
    if motif.kind != op.kind and (op.kind in PATTERNS or motif.kind in PATTERNS):
        raise fields.error("kind", f"is {motif.kind}, of an op of kind {op.kind}", SEE_PLAN)
    if list(motif.after) != sorted(set(motif.after)) or any(before >= motif.number for before in motif.after):
        raise fields.error("after", f"is {shown(list(motif.after))}", "name motifs before this one, each once and in order")


def read_motif(fields, number, op, channels, processes):
    fields.whole("motif", number, number)
    kind, channel = fields.text("kind"), fields.text("channel")
    if kind not in KINDS:
        raise fields.error("kind", f"is {shown(kind)}", f"use one of {', '.join(KINDS)}")
    if channel not in channels:
        raise fields.error("channel", f"is {shown(channel)}, which is not among the channels", SEE_PLAN)
    after = fields.items("after")
    if any(type(before) is not int or before < 0 for before in after):
        raise fields.error("after", f"is {shown(after)}", "give numbers of motifs")
    motif = Motif(op.name, number, kind, channel, read_part(fields, "segment"), read_part(fields, "spline"), read_group(fields), tuple(after))
    check_motif(fields, motif, op, op.counts(processes))
    if motif.group == Group(op.counts(processes)[0]):
        motif.group = None
    return motif


def check_covered(fields, op, motifs):
    """Checks that motifs cut by segments, splines and rings are the whole collective, each part once. Faults in motifs of smaller groups
    only show in the values of the first iteration."""
    if any(motif.group for motif in motifs):
        return
    steps = (("all_reduce", "reduce_scatter"), ("all_reduce", "all_gather")) if op.kind == "all_reduce" else ((op.kind,),)
    for motif in motifs:
        if not any(motif.kind in step for step in steps):
            raise fields.error("", f"have one of kind {motif.kind}, which is no part of a {op.kind} of all its processes", PROVE)
    for step in steps:
        parts = [motif for motif in motifs if motif.kind in step]
        for one, other in itertools.combinations(parts, 2):
            if overlap(one.segment, other.segment) and overlap(one.spline, other.spline):
                raise fields.error("", f"do the same work in {one.number} and in {other.number}", PROVE)
        if abs(sum(1 / motif.segment[1] / motif.spline[1] for motif in parts) - 1) > 1e-9:
            raise fields.error("", "leave out a part of the collective", PROVE)
    check_rings(fields, motifs)


def check_rings(fields, motifs):
    """Checks that a ring gathers only parts reduced before. By luck, a wrong one may have the right values in the checked iteration."""
    earlier = earlier_motifs(motifs)
    scatters = [motif for motif in motifs if motif.kind == "reduce_scatter"]
    for gather in (motif for motif in motifs if motif.kind == "all_gather"):
        for scatter in scatters:
            if overlap(scatter.segment, gather.segment) and not earlier[gather.number] >> scatter.number & 1:
                raise fields.error("", f"gather in {gather.number} data that {scatter.number} reduces, and do not wait for it",
                                   f'give motif {gather.number} "after": [{scatter.number}]')


def read_channels(fields):
    channels = {}
    for own in fields.objects("channels"):
        name = own.text("name")
        if name in channels:
            raise own.error("name", f"is {shown(name)} a second time", "give every channel its own name")
        links = own.items("links") or ([own.text("interface")] if own.value.get("interface") is not None else [])
        if any(not isinstance(link, str) for link in links):
            raise own.error("links", f"is {shown(links)}", "give names of links")
        channels[name] = tuple(dict.fromkeys([*links, name]))
    if not 1 <= len(channels) <= 1024:
        raise fields.error("channels", f"are {len(channels)}", "give 1 to 1024")
    return channels


def read_orders(fields, channels, motifs):
    own = Fields(fields.value.get("order"), fields.file, "order")
    orders, left = {}, {(motif.op, motif.number): motif for ours in motifs.values() for motif in ours}
    for name in own.value:
        if name not in channels:
            raise own.error("", f"names {shown(name)}, which is not among the channels", SEE_PLAN)
        orders[name] = []
        for entry in own.objects(name):
            key = entry.text("op"), entry.whole("motif", 0, 1000000)
            motif = left.pop(key, None)
            if motif is None or motif.channel != name:
                raise entry.error("", f"is motif {key[1]} of {shown(key[0])}, which is not on this channel or stands in an order already", SEE_PLAN)
            orders[name].append((*key, entry.whole("iteration_offset", -MAX_OFFSET, MAX_OFFSET, 0)))
    if left:
        op, number = next(iter(left))
        raise own.error("", f"lacks motif {number} of {shown(op)}", SEE_PLAN)
    return orders


def read_plan(fields, dag):
    """`fields`: the content of the plan file; `dag`: its DAG, against which the plan is checked."""
    own = read_dag(dag)
    if fields.text("dag") != own.name:
        raise fields.error("dag", f"is {shown(fields.text('dag'))}, and the DAG is {shown(own.name)}", "give the DAG that the plan is for")
    enforced = fields.value.get("enforced", True)
    if not isinstance(enforced, bool):
        raise fields.error("enforced", f"is {shown(enforced)}", "write true or false")
    channels, cuts, motifs = read_channels(fields), Fields(fields.value.get("execution_plan"), fields.file, "execution_plan"), {}
    for name in cuts.value:
        if name not in own.ops or own.ops[name].kind == "compute":
            raise cuts.error("", f"names {shown(name)}, which is no collective of the DAG", "give the DAG that the plan is for")
        if len(cuts.items(name)) > MAX_MOTIFS:
            raise cuts.error(name, f"has more than {MAX_MOTIFS} motifs", "cut it into fewer")
    if len(own.ops) + sum(len(cuts.items(name)) for name in cuts.value) > MAX_STEPS:
        raise fields.error("", f"has more than {MAX_STEPS} ops and motifs", "replay a smaller plan")
    for op in (op for op in own.ops.values() if op.kind != "compute"):
        motifs[op.name] = [read_motif(one, number, op, channels, own.processes) for number, one in enumerate(cuts.objects(op.name))]
        check_covered(Fields({}, fields.file, f"the motifs of {shown(op.name)}"), op, motifs[op.name])
    orders = read_orders(fields, channels, motifs)
    add_submission(own, enforced)
    return Plan(channels, motifs, orders, own)
