# SPDX-License-Identifier: GPL-3.0-or-later
"""A process of a strategy, played with torch.distributed: a replica, a server, or both."""
import collections
import datetime
import math
import queue
import threading
import time

from replay_files import shown
from replay_launch import end_on_error


class Lane:
    """A thread that runs queued tasks in order; if one fails it ends the process."""

    def __init__(self):
        self.work = queue.SimpleQueue()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            end_on_error(self.work.get())


class Player:
    """A process of the replay. Values are float32 with the same number of bytes, regardless of the variable's type."""

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
                    raise ArithmeticError(f"{shown(unit.name)} is not the sum over {replicas} replicas")
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
