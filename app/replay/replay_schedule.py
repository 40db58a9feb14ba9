# SPDX-License-Identifier: GPL-3.0-or-later
"""The schedule of an iteration for each process of a replay, derived from job, strategy, cluster and policy. Needs no torch."""
import collections
import dataclasses
import re

from replay_files import Fields, InputError, plain, shown

INDEX_BYTES = 8  # per row of a sparse gradient, as in the simulation


@dataclasses.dataclass
class Unit:
    """The unit of synchronisation: a variable, a part of one, or a group or bucket of gradients."""
    kind: str            # "all_reduce", "gather" or "served"
    name: str
    layer: int           # its backward completes the gradient
    send_bytes: float    # per replica
    receive_bytes: float
    group: int = -1
    dtype: str = ""
    server: str = ""     # address of its node
    proxy: bool = False  # a node's replicas share one pull


def read_synchroniser(fields, variable):
    """(kind, group, server, proxy) of a variable or part."""
    served, reduced = fields.value.get("PSSynchronizer"), fields.value.get("AllReduceSynchronizer")
    if (served is None) == (reduced is None):
        raise fields.error("", f"({shown(variable.name)}) has not one synchroniser", "give it a PSSynchronizer or an AllReduceSynchronizer")
    if reduced is not None:
        own = Fields(reduced, fields.file, fields.place + ".AllReduceSynchronizer")
        if own.value.get("compressor", "NoneCompressor") not in ("NoneCompressor", 0):
            raise own.error("compressor", f"is {shown(own.value['compressor'])}, and compressors are not replayed",
                            "replay a strategy without compressors")
        if own.value.get("syncopate_reduction", "ALL_REDUCE") not in ("ALL_REDUCE", 0):
            raise own.error("syncopate_reduction", f"is {shown(own.value['syncopate_reduction'])}, and only all-reduces are replayed",
                            "replay a strategy whose gradients are all-reduced in one collective")
        return "gather" if variable.sparse else "all_reduce", int(own.number("group", 0, 0, 2**31)), "", False
    own = Fields(served, fields.file, fields.place + ".PSSynchronizer")
    if own.value.get("sync") is not True or own.number("staleness", 0) != 0:
        raise own.error("", f"lets {shown(variable.name)} be asynchronous or stale, which is not replayed",
                        'replay a strategy with "sync": true and without staleness')
    return "served", -1, own.text("reduction_destination").split(":")[0], own.value.get("local_replication") is True and not variable.sparse


def part_counts(node, variable):
    """(dimension, number of parts), (0, 1) for a whole variable."""
    text, parts = node.text("partitioner", ""), node.items("part_config")
    if not text and not parts:
        return 0, 1
    counts = [int(count) if re.fullmatch("[0-9]{1,9}", count) else 0 for count in text.split(",")]
    cut = [axis for axis, count in enumerate(counts) if count != 1]
    if len(cut) != 1 or len(counts) > max(1, len(variable.shape)) or counts[cut[0]] != len(parts) or \
            not 1 <= counts[cut[0]] <= (variable.shape or [1])[cut[0]]:
        raise node.error("partitioner", f"is {shown(text)}, beside {len(parts)} parts of {variable.shape}",
                         "cut one dimension into at most its length, and configure every part")
    return cut[0], counts[cut[0]]


def variable_units(variable, layer, node):
    axis, count = part_counts(node, variable)
    rows = variable.shape[axis] if variable.shape else 1
    for part, fields in enumerate(node.objects("part_config") if count > 1 else [node]):
        kind, group, server, proxy = read_synchroniser(fields, variable)
        share = (rows // count + (part < rows % count)) / rows  # AutoDist: the first parts are one row larger
        size = variable.gradient_bytes * share
        index = INDEX_BYTES * variable.touched * (share if axis == 0 else 1) if variable.sparse else 0
        name = variable.name + (f" part {part}" if count > 1 else "")
        yield Unit(kind, name, layer, size + index, size, group, variable.dtype, server, proxy)


def fuse(units, policy):
    """All-reduces of one group, or of one bucket as PyTorch fills them (one per type), become one."""
    fused, open_units, closed = [], {}, set()
    for unit in units:
        key = unit.group if policy.name == "fifo" else unit.dtype
        whole = open_units.get(key) if unit.kind == "all_reduce" else None
        if whole is None:
            whole = dataclasses.replace(unit)
            fused.append(whole)
            if unit.kind == "all_reduce":
                open_units[key] = whole
        else:
            whole.name += ", " + unit.name
            whole.layer = min(whole.layer, unit.layer)
            whole.send_bytes += unit.send_bytes
            whole.receive_bytes += unit.receive_bytes
        if unit.kind == "all_reduce" and policy.name == "ddp":
            if whole.receive_bytes >= (policy.bucket_cap if key in closed else policy.first_bucket):
                closed.add(key)
                del open_units[key]
    return fused


@dataclasses.dataclass
class Seat:
    """The role of a process."""
    node: int
    replica: int  # index on its node; -1: none, it serves or is idle

    @property
    def leads(self):
        return self.replica <= 0


class Schedule:
    """Units in the order in which gradients become ready, the processes, and the work of each."""

    def __init__(self, job, strategy, nodes, policy):
        self.job, self.nodes = job, nodes
        configured = {}
        for node in strategy.objects("node_config"):
            if configured.setdefault(node.text("var_name"), node) is not node:
                raise node.error("var_name", f"is {shown(node.text('var_name'))} a second time", "configure a variable once")
        known = {variable.name for layer in job.layers for variable in layer.variables}
        for name, node in configured.items():
            if name not in known:
                raise node.error("var_name", f"is {shown(name)}, which the job does not have", "build the strategy for this job")
        units = []
        for index in reversed(range(len(job.layers))):
            for variable in reversed(job.layers[index].variables):
                if variable.name not in configured:
                    raise strategy.error("node_config", f"lacks '{variable.name}'", "build the strategy for this job")
                units.extend(variable_units(variable, index, configured[variable.name]))
        self.units = fuse(units, policy)
        addresses = [node.address for node in nodes]
        replicas = strategy.value.get("graph_config", {})
        replicas = Fields(replicas, strategy.file, "graph_config").items("replicas")
        counts = collections.Counter(str(replica).split(":")[0] for replica in replicas)
        for address in [*counts, *(unit.server for unit in self.units if unit.kind == "served")]:
            if address not in addresses:
                raise strategy.error("", f"uses {shown(address)}, which is not in the cluster",
                                     "give the cluster that the strategy was built for")
        if not counts:
            raise strategy.error("graph_config.replicas", "is empty", "build the strategy for this cluster")
        self.seats = []
        for index, node in enumerate(nodes):
            count = counts[node.address] if node.trains else 0
            self.seats += [Seat(index, replica) for replica in range(count)] or [Seat(index, -1)]
            for unit in self.units:
                if count > 1 and unit.kind == "served" and unit.send_bytes > unit.receive_bytes:
                    raise strategy.error("", f"serves the sparse {shown(unit.name)} to {count} replicas of a node, which is not replayed",
                                         "replay it with one replica on each node")
        if not self.workers():
            raise strategy.error("graph_config.replicas", "names only nodes that serve", "build the strategy for this cluster")
        self.server = [addresses.index(unit.server) if unit.kind == "served" else -1 for unit in self.units]

    def workers(self, node=None):
        """Processes that train, on one node or all."""
        return [place for place, seat in enumerate(self.seats) if seat.replica >= 0 and node in (None, seat.node)]

    def leader(self, node):
        return next(place for place, seat in enumerate(self.seats) if seat.node == node)

    def served_by(self, place):
        """Units that a process serves, in the order in which they become ready."""
        seat = self.seats[place]
        order = sorted(range(len(self.units)), key=lambda unit: -self.units[unit].layer)
        return [unit for unit in order if self.server[unit] == seat.node and seat.leads]

    def iteration(self, place):
        """For a process that trains: ("compute", seconds), ("launch", unit) and ("finish", unit), one after another."""
        scale, actions = self.nodes[self.seats[place].node].scale, []

        def compute(seconds):
            if actions and actions[-1][0] == "compute":
                seconds += actions.pop()[1]
            if seconds > 0:
                actions.append(("compute", seconds))

        for layer in self.job.layers:
            compute(layer.forward / scale)
        for index in reversed(range(len(self.job.layers))):
            layer = self.job.layers[index]
            compute(layer.backward / scale + sum(variable.gradient_bytes for variable in layer.variables) * self.job.before_send)
            actions += [("launch", unit) for unit, own in enumerate(self.units) if own.layer == index]
        for unit, own in enumerate(self.units):
            actions.append(("finish", unit))
            compute(own.receive_bytes * self.job.after_receive)
        compute(self.job.update / scale)
        return actions


def take_seats(schedule, claims, what="strategy"):
    """The seat of each rank: on the node with an address of its machine, else (one machine plays all) in the order of ranks.
    `schedule`: has nodes and seats; `claims`: for each rank the nodes whose addresses its machine has."""
    seats = schedule.seats
    needed = ", ".join(f"{plain(node.address)} x {sum(seat.node == index for seat in seats)}" for index, node in enumerate(schedule.nodes))
    if len(claims) != len(seats):
        raise InputError(f"{len(claims)} processes were started, and the {what} needs {len(seats)}", f"start {needed}")
    if all(claim == claims[0] for claim in claims):
        return list(range(len(claims)))
    free, taken = collections.defaultdict(list), []
    for place, seat in enumerate(seats):
        free[seat.node].append(place)
    for rank, claim in enumerate(claims):
        if len(claim) != 1 or not free[claim[0]]:
            raise InputError(f"rank {rank} runs where {len(claim)} of the cluster's nodes are or on a node that has its processes",
                             f"start {needed}, each on the machine that has the address")
        taken.append(free[claim[0]].pop(0))
    return taken
