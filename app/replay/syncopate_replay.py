#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures an iteration of a strategy on the user's own machines: compute is waited for, communication is real.

    mpirun -n 4 --host a,b,c,d -x MASTER_ADDR=a syncopate-replay STRATEGY.json JOB.json resource_spec.yml
    torchrun --nnodes 4 --nproc-per-node 1 ... $(which syncopate-replay) STRATEGY.json JOB.json resource_spec.yml

Each replica is a process, and so is each node that only serves. A layer's forward and backward pass are waits of the job's
seconds. All-reduce groups are collectives of torch.distributed, launched when their last gradient is ready; a served
variable is sent to the process on its server's node, summed there and sent back. The next iteration starts when a worker
has every value. Only rank 0 reads the files. It prints the median seconds of an iteration, one for each block of iterations,
and nothing else, as syncopate-cli's judge command("...") reads it (docs/search.md has an example, and what is not replayed).
"""
import argparse
import collections
import datetime
import json
import math
import os
import queue
import statistics
import sys
import threading
import time

from replay_files import InputError, read_cluster, read_job, read_json, read_policy, read_text
from replay_launch import has_address, interface_to, is_first, launched_as
from replay_schedule import Schedule, take_seats

GLOO_COLLECTIVES = 2  # concurrent collectives in a process group of gloo
LATE_SECONDS = 3e-3   # lateness of waits: above it the machine is too busy to trust the times


class Lane:
    """A thread that runs queued tasks in order; if one fails it ends the process."""

    def __init__(self):
        self.work = queue.SimpleQueue()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            end_on_error(self.work.get())


def end_on_error(work):
    try:
        work()
    except Exception as error:  # a lost connection
        leave(f"a process failed in its communication: {error}; see what the other processes print")


def leave(what):
    """Ends the process at once: its other threads may wait for ever."""
    print(f"error: {what}", file=sys.stderr, flush=True)
    os._exit(1)


def end(code):
    """Ends the process without the interpreter's own end: a thread of gloo that returns a tensor after it aborts the process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


class Player:
    """A process of the replay. Values are float32 with the same number of bytes, whatever the variable's type."""

    def __init__(self, torch, schedule, seats, rank, options):
        self.torch, self.dist, self.schedule, self.rank = torch, torch.distributed, schedule, rank
        self.place = seats[rank]
        self.seat = schedule.seats[self.place]
        self.rank_of = {place: owner for owner, place in enumerate(seats)}
        self.iterations = options.warm_up + options.iterations
        self.device = "cuda" if options.backend == "nccl" and self.seat.replica >= 0 else "cpu"
        self.at_once, self.outstanding = options.at_once, collections.deque()
        self.make_groups(options)
        self.make_buffers()
        self.collective_lane, self.push_lane = Lane(), Lane()
        self.late = []

    def ranks(self, node=None):
        return sorted(self.rank_of[place] for place in self.schedule.workers(node))

    def make_groups(self, options):
        """Each kind of traffic has separate connections. Servers' values are in main memory, so gloo carries them."""
        def group(ranks, backend="gloo"):
            return self.dist.new_group(ranks, timeout=datetime.timedelta(seconds=options.timeout), backend=backend)
        everyone = list(range(len(self.schedule.seats)))
        self.collectives, self.pushes, self.pulls = group(self.ranks(), options.backend), group(everyone), group(everyone)
        self.within = {}
        for node in range(len(self.schedule.nodes)):
            if len(self.ranks(node)) > 1:
                self.within[node] = group(self.ranks(node)), group(self.ranks(node))

    def tensor(self, size_bytes, device="cpu"):
        return self.torch.ones(max(1, math.ceil(size_bytes / 4)), device=device)

    def make_buffers(self):
        units = list(enumerate(self.schedule.units))
        count = len(units)
        self.sends, self.works, self.pulled = [None] * count, [None] * count, [None] * count
        self.launched = [threading.Semaphore(0) for _ in units]
        self.answered = [threading.Semaphore(0) for _ in units]
        if self.seat.replica >= 0:
            self.gradients = [self.tensor(unit.send_bytes, "cpu" if unit.kind == "served" else self.device) for _, unit in units]
            self.values = [self.tensor(unit.receive_bytes) if unit.kind == "served" else
                           [self.tensor(unit.send_bytes, self.device) for _ in self.ranks()] if unit.kind == "gather" else
                           self.gradients[index] for index, unit in units]
        self.inbox, self.totals, self.answers = {}, {}, {}
        leaders = [self.rank_of[self.schedule.leader(node)] for node in range(len(self.schedule.nodes)) if self.ranks(node)]
        self.senders = [rank for rank in leaders if rank != self.rank]
        for index in self.schedule.served_by(self.place):
            unit = self.schedule.units[index]
            self.totals[index], self.answers[index] = self.tensor(unit.receive_bytes), []
            self.inbox[index] = {rank: self.tensor(unit.send_bytes) for rank in self.senders}

    # A worker's side.

    def pulls_itself(self, place, index):
        """Whether a process is sent a served value. If a node's replicas share a copy, its first process is; if one
        process is both server and replica, it has the value already."""
        seat, unit = self.schedule.seats[place], self.schedule.units[index]
        return seat.replica >= 0 and (seat.leads or not unit.proxy) and place != self.schedule.leader(self.schedule.server[index])

    def post_pulls(self):
        for index, unit in enumerate(self.schedule.units):
            if unit.kind == "served" and self.pulls_itself(self.place, index):
                server = self.rank_of[self.schedule.leader(self.schedule.server[index])]
                self.pulled[index] = self.dist.irecv(self.values[index], server, group=self.pulls, tag=index)

    def launch(self, index):
        if self.schedule.units[index].kind != "served":
            self.collective_lane.work.put(lambda: self.collect(index))
        elif self.seat.node in self.within:
            self.push_lane.work.put(lambda: self.reduce_and_push(index))
        else:
            self.push(index)

    def collect(self, index):
        while len(self.outstanding) >= self.at_once:
            self.complete(self.outstanding.popleft())
        gradient = self.gradients[index]
        if self.schedule.units[index].kind == "gather":
            self.works[index] = self.dist.all_gather(self.values[index], gradient, group=self.collectives, async_op=True)
        else:
            self.works[index] = self.dist.all_reduce(gradient, group=self.collectives, async_op=True)
        self.outstanding.append(self.works[index])
        self.launched[index].release()

    def complete(self, work):
        work.wait()
        if self.device == "cuda":  # there wait() only orders streams
            self.torch.cuda.current_stream().synchronize()

    def reduce_and_push(self, index):
        """AutoDist sums a node's replicas before it pushes once."""
        leader = self.rank_of[self.schedule.leader(self.seat.node)]
        self.dist.reduce(self.gradients[index], leader, group=self.within[self.seat.node][0])
        if self.seat.leads:
            self.push(index)

    def push(self, index):
        if index in self.totals:
            self.launched[index].release()
            return
        if self.sends[index] is not None:  # from the previous iteration; gloo's messages can be waited for only once
            self.sends[index].wait()
        server = self.rank_of[self.schedule.leader(self.schedule.server[index])]
        self.sends[index] = self.dist.isend(self.gradients[index], server, group=self.pushes, tag=index)

    def finish(self, index):
        """Returns when this process has the value."""
        unit = self.schedule.units[index]
        if unit.kind != "served":
            self.launched[index].acquire()
            self.complete(self.works[index])
            return
        if index in self.totals:
            self.answered[index].acquire()
        elif self.pulls_itself(self.place, index):
            self.pulled[index].wait()
        if unit.proxy and self.seat.node in self.within:
            leader = self.rank_of[self.schedule.leader(self.seat.node)]
            self.dist.broadcast(self.values[index], leader, group=self.within[self.seat.node][1])

    def wait_until(self, deadline):
        time.sleep(max(0.0, deadline - time.monotonic()))
        self.late.append(time.monotonic() - deadline)

    def work(self):
        """Plays all iterations; returns the times at which they started, and the end of the last."""
        actions, moments = self.schedule.iteration(self.place), []
        for number in range(self.iterations):
            self.post_pulls()
            now = time.monotonic()
            moments.append(now)
            for action, what in actions:
                if action == "compute":
                    now += what
                    self.wait_until(now)
                elif action == "launch":
                    self.launch(what)
                else:
                    self.finish(what)
                    now = max(now, time.monotonic())
            if number == 0:
                self.check_sums()
        return [*moments, time.monotonic()]

    def check_sums(self):
        """Every gradient of the first iteration is 1, so every value is the number of replicas. Later ones are 0."""
        replicas = len(self.ranks())
        for index, unit in enumerate(self.schedule.units):
            values = self.values[index]
            wanted = 1 if unit.kind == "gather" else replicas
            for value in values if isinstance(values, list) else [values]:
                if not bool((value == wanted).all()):
                    raise ArithmeticError(f"'{unit.name}' is not the sum over {replicas} replicas")
        for gradient in self.gradients:
            gradient.zero_()

    # A server's side.

    def serve(self):
        """Sums each unit when every node's gradient has arrived, in the order in which they become ready, and answers all."""
        works = {index: self.post_inbox(index) for index in self.totals}
        self.listening.set()
        for number in range(self.iterations):
            for index, total in self.totals.items():
                for work in [*works[index], *self.answers[index]]:
                    work.wait()
                gradients = list(self.inbox[index].values())
                if self.seat.replica >= 0:
                    self.launched[index].acquire()
                    gradients.append(self.gradients[index])
                total.copy_(gradients[0][:len(total)])
                for gradient in gradients[1:]:
                    total += gradient[:len(total)]
                works[index] = self.post_inbox(index) if number + 1 < self.iterations else []
                self.answer(index)
        for answers in self.answers.values():
            for work in answers:
                work.wait()

    def post_inbox(self, index):
        return [self.dist.irecv(buffer, rank, group=self.pushes, tag=index) for rank, buffer in self.inbox[index].items()]

    def answer(self, index):
        receivers = [self.rank_of[place] for place in self.schedule.workers() if self.pulls_itself(place, index)]
        self.answers[index] = [self.dist.isend(self.totals[index], rank, group=self.pulls, tag=index) for rank in receivers]
        if self.seat.replica >= 0:
            self.values[index].copy_(self.totals[index])
            self.answered[index].release()

    def play(self):
        """Durations of the iterations of a process that trains, warm-up included."""
        self.listening = threading.Event()
        server = threading.Thread(target=lambda: end_on_error(self.serve), daemon=True)
        server.start()
        self.listening.wait()
        self.dist.barrier()
        moments = self.work() if self.seat.replica >= 0 else []
        server.join()
        self.dist.barrier()
        return [end - begin for begin, end in zip(moments, moments[1:])]


def median_blocks(times, blocks):
    """Medians of as many blocks of about equal length."""
    cuts = [len(times) * block // blocks for block in range(blocks + 1)]
    return [statistics.median(times[begin:end]) for begin, end in zip(cuts, cuts[1:])]


def read_schedule(options):
    """Schedule, and the number of concurrent collectives."""
    job, (nodes, channels) = read_job(options.job), read_cluster(options.cluster)
    beside = os.path.join(os.path.dirname(options.strategy), "policy.txt")
    policy = read_policy(read_text(beside), beside) if not options.policy and os.path.exists(beside) else read_policy(options.policy or "fifo")
    at_once = policy.concurrent or channels
    if options.backend == "gloo" and at_once > GLOO_COLLECTIVES:
        raise InputError(f"gloo runs {GLOO_COLLECTIVES} collectives at a time, not {at_once}",
                         "give the cluster fewer channels, or the policy ddp a smaller 'concurrent'")
    return Schedule(job, read_json(options.strategy), nodes, policy), at_once


def report(options, gathered):
    """`gathered`: for each process its durations and how late its waits ended."""
    late = sorted(seconds for _, own in gathered for seconds in own)
    p99 = late[int(0.99 * (len(late) - 1))] if late else 0.0
    if p99 > LATE_SECONDS:
        print(f"note: 1 % of the waits ended {1e3 * p99:.1f} ms late or more: these machines are too busy for these times", file=sys.stderr)
    times = next(durations for durations, _ in gathered if durations)[options.warm_up:]
    if options.times:
        with open(options.times, "w", encoding="utf-8") as file:
            json.dump({"seconds": times, "late_seconds_p99": p99}, file)
    for seconds in median_blocks(times, options.blocks):
        print(f"{seconds:.9g}")


def replay(options):
    rank, size, local = launched_as()
    try:
        import torch
        import torch.distributed as dist
    except ImportError as error:
        raise InputError(f"PyTorch is missing ({error})", "install it: apt-get install python3-torch, or pip install torch") from error
    torch.set_num_threads(1)
    interface = interface_to(os.environ["MASTER_ADDR"])
    if interface:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", interface)
    if options.backend == "nccl":
        torch.cuda.set_device(local)
    dist.init_process_group("gloo", rank=rank, world_size=size, timeout=datetime.timedelta(seconds=options.timeout))
    # Rank 0 also sends an error to the others, so that they end with it.
    message, error = [None], InputError("rank 0 cannot read its files", "see what it prints")
    if rank == 0:
        try:
            message = [read_schedule(options)]
        except InputError as own:
            error = own
    dist.broadcast_object_list(message)
    if message[0] is None:
        raise error
    schedule, options.at_once = message[0]
    claims = [None] * size
    dist.all_gather_object(claims, [index for index, node in enumerate(schedule.nodes) if has_address(node.address)])
    player = Player(torch, schedule, take_seats(schedule, claims), rank, options)
    durations = player.play()
    gathered = [None] * size if rank == 0 else None
    dist.gather_object((durations, player.late), gathered)
    if rank == 0:
        report(options, gathered)
    dist.barrier()


def main():
    parser = argparse.ArgumentParser(prog="syncopate-replay", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strategy", metavar="STRATEGY", help="as JSON")
    parser.add_argument("job", metavar="JOB", help="a job file")
    parser.add_argument("cluster", metavar="CLUSTER", help="a resource_spec.yml")
    parser.add_argument("--policy", help="fifo or ddp(..); default: policy.txt beside the strategy, else fifo")
    parser.add_argument("--backend", choices=("gloo", "nccl"), default="gloo", help="of collectives; servers always use gloo")
    counts = [("--iterations", 15, "that are measured"), ("--warm-up", 3, "iterations before them, 1 or more"),
              ("--blocks", 3, "runs of iterations, each of which prints its median"),
              ("--timeout", 300, "seconds after which a message is lost")]
    for name, usual, text in counts:
        parser.add_argument(name, type=int, default=usual, metavar="N", help=f"{text} ({usual})")
    parser.add_argument("--times", metavar="FILE", help="all times as JSON, written by rank 0")
    options = parser.parse_args()
    if min(options.iterations, options.warm_up, options.blocks, options.timeout) < 1 or options.blocks > options.iterations:
        parser.error("counts are 1 or more, and there are no more blocks than iterations")
    try:
        replay(options)
    except InputError as error:
        if is_first():
            print(f"error: {error}", file=sys.stderr)
        return 2
    except ArithmeticError as error:
        leave(f"{error}; report this fault of the replay with its three files")
    except (RuntimeError, ValueError, OSError) as error:
        leave(f"{str(error).splitlines()[0]}; check that every process reaches MASTER_ADDR and the others")
    return 0


if __name__ == "__main__":
    end(main())
