# SPDX-License-Identifier: GPL-3.0-or-later
"""A process of a plan of collectives, played with torch.distributed's gloo.

A channel is a thread, with process groups that are bound to the channel's network interface: SYNDICATE's enforcer (pseudocode 2). It takes
the next motif of its order, waits until the parents of the motif's op are done at this process, runs it to its end and takes the next.
Compute is waited for. An iteration is played alone, in which the values that motifs move are checked to make up each collective, then all
others are.
"""
import datetime
import os
import socket
import sys
import threading
import time

from replay_files import InputError, shown
from replay_launch import end_on_error, interface_to, interfaces, leave
from replay_motifs import Payload, buffer_elements, collective_of
from replay_order import Progress, named, sequence
from replay_schedule import Seat, take_seats


def group_keys(plan, process):
    """(channel, processes) of every motif that a process takes part in, by motif, and None of the others."""
    keys = {}
    for op, motifs in plan.motifs.items():
        members = plan.dag.ops[op].members(process, plan.dag.processes)
        for motif in motifs:
            own = motif.group_among(len(members)).members_with(members.index(process))
            keys[op, motif.number] = (motif.channel, tuple(members[member] for member in own)) if own else None
    return keys


def make_groups(torch, store, keys, process, interface_of, timeout):
    """A process group for each (channel, processes), bound to the channel's interface. All processes make theirs in one order: the first
    group that is not complete is the next of all its members, so none waits for ever."""
    keys, gloo, span = set(keys), torch.distributed.ProcessGroupGloo, datetime.timedelta(seconds=timeout)
    channels = {channel for channel, _ in keys}
    devices = {channel: gloo.create_device(interface=interface_of[channel]) for channel in channels}  # each has a thread of its own
    groups = {}
    for channel, members in sorted(keys):
        options = gloo._Options()
        options._devices, options._timeout, options._threads = [devices[channel]], span, 1
        prefix = torch.distributed.PrefixStore(f"{channel!a}/{'-'.join(map(str, members))}", store)
        groups[channel, members] = gloo(prefix, members.index(process), len(members), options)
    return groups


class Player:
    """Plays iterations of a plan (docs/plan.md) as one of its processes."""

    def __init__(self, torch, plan, process, groups, iterations, timeout):
        """`groups`: of the keys of group_keys()."""
        self.plan, self.iterations = plan, iterations
        self.patience = timeout + max(op.seconds for op in plan.dag.ops.values())  # until something must have ended
        self.changed, self.progress = threading.Condition(), Progress(plan)
        self.payloads, self.collectives = {}, {}
        keys = group_keys(plan, process)
        for name, motifs in plan.motifs.items():
            op = plan.dag.ops[name]
            payload = self.payloads[name] = Payload(torch, op, motifs, op.members(process, plan.dag.processes), process)
            for motif in motifs:
                key, elements = keys[name, motif.number], payload.piece_elements(motif)
                self.collectives[name, motif.number] = key and collective_of(torch, groups[key], motif.kind, elements, motif.spline, op.shift)
        self.checks, self.starts, self.late, self.waited = False, [], [], []

    def wait_until_ready(self, *what):
        with self.changed:
            while not self.progress.may_run(*what):
                steps = self.progress.steps
                if not self.changed.wait(self.patience) and steps == self.progress.steps:
                    raise RuntimeError(f"{named(*what)} has waited {self.patience:g} s for {named(*self.progress.awaited(*what))}")

    def mark_done(self, op, number):
        with self.changed:
            is_whole = self.progress.mark_done(op, number)
            self.changed.notify_all()
        if self.checks and number is not None and is_whole and not self.payloads[op].check_and_free():
            leave(f"the motifs of {shown(op)} do not make up its {self.plan.dag.ops[op].kind}; let 'syncopate-cli plan --plan' check the plan, and "
                  "if it accepts it report this fault of the replay with the files")

    def run_motif(self, op, number):
        collective = self.collectives[op, number]
        if collective is None:  # of other processes: roots of groups
            return
        motif, payload = self.plan.motifs[op][number], self.payloads[op]
        if self.checks:
            payload.fill(motif, collective)
        collective.run()
        if self.checks:
            payload.take(motif, collective)

    def run_channel(self, channel, iterations):
        for op, number, iteration in sequence(self.plan, channel, iterations):
            self.wait_until_ready(op, number, iteration)
            self.run_motif(op, number)
            self.mark_done(op, number)

    def run_compute(self, iterations):
        for iteration in range(iterations):
            for name in self.plan.dag.compute_order:
                self.wait_until_ready(name, None, iteration)
                start, seconds = time.monotonic(), self.plan.dag.ops[name].seconds
                time.sleep(seconds)
                end = time.monotonic()
                self.late.append(end - start - seconds)
                self.waited.append(end - start)
                if name == self.plan.dag.compute_order[0]:
                    self.starts.append(start)
                self.mark_done(name, None)

    def run(self, iterations, checks=False):
        """Plays iterations to their end, as if all earlier ones had ended."""
        self.checks, self.progress, self.starts, self.late, self.waited = checks, Progress(self.plan), [], [], []
        threads = [threading.Thread(target=end_on_error, args=(self.run_channel, channel, iterations), daemon=True) for channel in self.plan.orders]
        for thread in threads:
            thread.start()
        self.run_compute(iterations)
        for thread in threads:
            thread.join()

    def play(self):
        """Durations of the iterations but the last, from the start of the first compute-op to the next one's. One more is played before, alone
        and checked: its late motifs could run on into a measured one."""
        self.run(1, checks=True)
        self.run(self.iterations)
        return [end - begin for begin, end in zip(self.starts, self.starts[1:])]


def own_claim():
    """The facts about this machine that all processes must know."""
    return {"host": socket.gethostname(), "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), "interfaces": sorted(interfaces()),
            "shared": interface_to(os.environ["MASTER_ADDR"])}


def held_bytes(plan, process):
    """The bytes that a process holds: the buffers of all its motifs, and the largest payload twice while it is checked."""
    held = largest = 0
    for name, motifs in plan.motifs.items():
        members = plan.dag.ops[name].members(process, plan.dag.processes)
        payload = Payload(None, plan.dag.ops[name], motifs, members, process)
        largest = max(largest, payload.elements * payload.count)
        for motif in motifs:
            group = motif.group_among(len(members))
            own = members.index(process)
            if among := group.members_with(own):
                held += buffer_elements(motif.kind, group.size, payload.piece_elements(motif), motif.spline, among.index(own))
    return 4 * (held + 2 * largest)


def check_memory(plan, claims):
    """Refuses a plan that exceeds a machine's memory. `claims`: of every process, in their order."""
    sizes = [held_bytes(plan, process) for process in range(len(claims))]
    for claim in claims:
        here = [size for size, other in zip(sizes, claims) if other["host"] == claim["host"]]
        if sum(here) > claim["memory"]:
            raise InputError(f"the motifs hold {sum(here) / 1e9:.3g} GB in {len(here)} processes, and {claim['host']} has "
                             f"{claim['memory'] / 1e9:.3g} GB", "scale bytes_per_process of the DAG down, or use more machines")


def bind(plan, wanted, claims):
    """The interface of each channel, None where it shares the one to MASTER_ADDR. `wanted`: those of --interface, by channel."""
    everywhere, interface_of = set.intersection(*(set(claim["interfaces"]) for claim in claims)), {}
    for channel, interface in wanted.items():
        if channel not in plan.channels:
            raise InputError(f"there is no channel {shown(channel)}", f"name one of {', '.join(map(shown, plan.channels))}", "--interface")
        if interface not in everywhere:
            rank = next(rank for rank, claim in enumerate(claims) if interface not in claim["interfaces"])
            raise InputError(f"rank {rank} has no interface {shown(interface)} with an IPv4 address",
                             f"name one of {', '.join(claims[rank]['interfaces'])}", "--interface")
    for channel, links in plan.channels.items():
        interface_of[channel] = wanted.get(channel) or next((link for link in links if link in everywhere), None)
    lost = next((rank for rank, claim in enumerate(claims) if claim["shared"] is None), None)
    if lost is not None and None in interface_of.values():
        raise InputError(f"no interface of rank {lost} with an IPv4 address leads to MASTER_ADDR", "bind every channel with --interface")
    return interface_of


def note_on_shared(interface_of, shared):
    """Which channels are no connections of their own, if any."""
    channels = [shown(channel) for channel, interface in interface_of.items() if interface is None]
    if not channels:
        return ""
    share = f"channel {channels[0]} uses" if len(channels) == 1 else f"channels {', '.join(channels)} share"
    return (f"note: {share} the interface {shared}, since not every machine has an interface of that name; "
            "--interface CHANNEL=INTERFACE binds a channel")


class Places:
    """The processes of a plan on the nodes of a cluster file, in its order."""

    def __init__(self, plan, nodes, file):
        self.nodes = nodes
        self.seats = [Seat(node, replica) for node, own in enumerate(nodes) if own.trains for replica in range(own.gpus)]
        if len(self.seats) != plan.dag.processes:
            raise InputError(f"the cluster has {len(self.seats)} GPUs, and the DAG {plan.dag.processes} processes",
                             "give the cluster of the plan", file)


def make_player(torch, plan, process, rank, claims, options):
    """The player of a process whose plan and options all others have, too. `claims`: own_claim() of each rank."""
    check_memory(plan, claims)
    shared, interface_of = claims[rank]["shared"], bind(plan, options.interface, claims)
    note = note_on_shared(interface_of, shared)
    if note and rank == 0:
        print(note, file=sys.stderr)
    interface_of = {channel: interface or shared for channel, interface in interface_of.items()}
    store = torch.distributed.PrefixStore("plan", torch.distributed.distributed_c10d._get_default_store())
    groups = make_groups(torch, store, filter(None, group_keys(plan, process).values()), process, interface_of, options.timeout)
    return Player(torch, plan, process, groups, options.warm_up + options.iterations + 1, options.timeout)


def take_process(plan, places, rank, claimed):
    """Which process of the plan a rank is. `claimed`: for each rank the nodes whose addresses its machine has."""
    if places:
        return take_seats(places, claimed, "plan")[rank]
    if len(claimed) != plan.dag.processes:
        raise InputError(f"{len(claimed)} processes were started, and the DAG has {plan.dag.processes}", f"start {plan.dag.processes}")
    return rank
