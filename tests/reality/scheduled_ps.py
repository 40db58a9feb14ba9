#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A parameter server and its workers with ByteScheduler's partition and credit, over TCP.

    scheduled_ps.py server PLAN
    scheduled_ps.py worker PLAN --rank R

PLAN is a JSON file: `workers`, `address` and `port` of the server, `control` (path of a Unix socket, which network namespaces share), `layers`
(forward_seconds, backward_seconds, bytes), `iterations`, `settings` ([first iteration, partition bytes, credit bytes], ascending), `tell` (iterations whose
start rank 0 prints) and `times` (what rank 0 writes). Compute is a wait on an absolute clock; the bytes are real.

A layer is cut into parts when its backward ends. Rank 0 starts the best part that is ready, the input side first, while its credit is above zero; a part
takes its bytes from the credit, which may go negative by one part, and gives them back when its pull has arrived whole. The others start what rank 0 starts, in its
order. Started parts are pushed one after another; the server answers a part to all workers when it has it from all. A layer's forward waits for its
own parts alone. Settings change between a forward and a backward pass, where no part is under way.
"""
import argparse
import collections
import heapq
import json
import select
import socket
import struct
import time

HEADER = struct.Struct("!IIII")  # iteration, layer, part, bytes that follow
ORDER = struct.Struct("!IIII")
CHUNK = 256 << 10


class Sender:
    """Sends queued data in order, as fast as the socket accepts it."""

    def __init__(self, connection, zeros):
        self.connection, self.zeros, self.queue = connection, zeros, collections.deque()

    def put(self, header, size):
        self.queue.append([header, self.zeros[:size]])
        if len(self.queue) == 1:
            self.flush()

    def flush(self):
        while self.queue:
            header, body = self.queue[0]
            try:
                sent = self.connection.sendmsg((header, body))
            except BlockingIOError:
                return
            if sent < len(header) + len(body):
                self.queue[0] = [header[sent:], body[max(0, sent - len(header)):]]
                continue
            self.queue.popleft()


class Receiver:
    """Calls `arrived(iteration, layer, part, size)` for each complete message."""

    def __init__(self, connection, arrived):
        self.connection, self.arrived = connection, arrived
        self.buffer, self.head, self.message, self.missing = bytearray(CHUNK), b"", None, 0

    def read(self):
        """Returns False if the other side has closed."""
        try:
            count = self.connection.recv_into(self.buffer)
        except BlockingIOError:
            return True
        at = 0
        while at < count:
            if self.message is None:
                taken = self.buffer[at:min(count, at + HEADER.size - len(self.head))]
                self.head += taken
                at += len(taken)
                if len(self.head) < HEADER.size:
                    break
                self.message, self.head = HEADER.unpack(self.head), b""
                self.missing = self.message[3]
            step = min(self.missing, count - at)
            self.missing -= step
            at += step
            if self.missing == 0:
                message, self.message = self.message, None
                self.arrived(*message)
        return count > 0


def connected(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def exactly(connection, size):
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionError("the other side has closed")
        data += more
    return data


def retried(attempt, seconds=20):
    end = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def serve(plan):
    workers, zeros = plan["workers"], memoryview(bytes(max(layer["bytes"] for layer in plan["layers"])))
    with socket.create_server((plan["address"], plan["port"])) as listener:
        pushes, pulls = [None] * workers, [None] * workers
        for _ in range(2 * workers):
            connection = connected(listener.accept()[0])
            kind, rank = struct.unpack("!cI", exactly(connection, 5))
            (pushes if kind == b">" else pulls)[rank] = connection
    arrived_from = collections.Counter()
    senders = {connection: Sender(connection, zeros) for connection in pulls}

    def arrived(iteration, layer, part, size):
        key = (iteration, layer, part)
        arrived_from[key] += 1
        if arrived_from[key] == workers:
            del arrived_from[key]
            for sender in senders.values():
                sender.put(HEADER.pack(iteration, layer, part, size), size)

    receivers = {connection: Receiver(connection, arrived) for connection in pushes}
    for connection in pulls:
        connection.sendall(b"!")
    for connection in pushes + pulls:
        connection.setblocking(False)
    while receivers:
        waiting = [connection for connection, sender in senders.items() if sender.queue]
        readable, writable, _ = select.select(list(receivers), waiting, [])
        for connection in writable:
            senders[connection].flush()
        for connection in readable:
            if not receivers[connection].read():
                del receivers[connection]


class Worker:
    def __init__(self, plan, rank):
        self.plan, self.rank, self.layers = plan, rank, plan["layers"]
        zeros = memoryview(bytes(max(layer["bytes"] for layer in self.layers)))
        push, pull = (connected(retried(lambda: socket.create_connection((plan["address"], plan["port"])))) for _ in range(2))
        push.sendall(struct.pack("!cI", b">", rank))
        pull.sendall(struct.pack("!cI", b"<", rank))
        exactly(pull, 1)
        self.orders = self.meet()
        for connection in (push, pull):
            connection.setblocking(False)
        self.push, self.pull = Sender(push, zeros), Receiver(pull, self.pulled)
        self.missing = [0] * len(self.layers)  # bytes of each layer that have not come back yet
        self.ready, self.credit, self.limit = [], 0, 0  # rank 0
        self.told, self.told_head, self.known = collections.deque(), b"", set()  # other ranks: orders, and layers whose backward ended
        self.starts, self.late, self.under_way = [], [], 0

    def meet(self):
        """Rank 0 waits for all; they start together."""
        path, others = self.plan["control"], self.plan["workers"] - 1
        if self.rank == 0:
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(path)
                listener.listen(others)
                connections = [listener.accept()[0] for _ in range(others)]
            for connection in connections:
                connection.sendall(b"!")
            return connections

        def attempt():
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
            return connection
        connection = retried(attempt)
        exactly(connection, 1)
        return [connection]

    def setting(self, iteration):
        return [row for row in self.plan["settings"] if row[0] <= iteration][-1][1:]

    def backward_ended(self, iteration, layer):
        size = self.layers[layer]["bytes"]
        self.missing[layer] = size
        if self.rank != 0:
            self.known.add((iteration, layer))
            return self.follow()
        partition, credit = self.setting(iteration)
        self.credit += credit - self.limit
        self.limit = credit
        count = -(-size // partition)
        for part in range(count):
            own = size // count + (size % count if part == count - 1 else 0)
            heapq.heappush(self.ready, (layer, part, own, iteration))
        return self.schedule()

    def schedule(self):
        while self.ready and self.credit > 0:
            layer, part, size, iteration = heapq.heappop(self.ready)
            self.credit -= size
            order = ORDER.pack(iteration, layer, part, size)
            for connection in self.orders:
                connection.sendall(order)
            self.start(iteration, layer, part, size)

    def follow(self):
        while self.told and self.told[0][:2] in self.known:
            self.start(*self.told.popleft())

    def start(self, iteration, layer, part, size):
        self.under_way += 1
        self.push.put(HEADER.pack(iteration, layer, part, size), size)

    def pulled(self, _iteration, layer, _part, size):
        self.missing[layer] -= size
        self.under_way -= 1
        if self.rank == 0:
            self.credit += size
            self.schedule()

    def read_orders(self):
        data = self.orders[0].recv(1 << 16)
        if not data:  # rank 0 ends when its last pull has arrived, so no further order comes
            self.orders.pop().close()
            return
        self.told_head += data
        whole = len(self.told_head) // ORDER.size * ORDER.size
        self.told.extend(ORDER.iter_unpack(self.told_head[:whole]))
        self.told_head = self.told_head[whole:]
        self.follow()

    def serve_links(self, until):
        """Transfers bytes once, when something arrives or can be sent, and waits for that until `until`; None: for ever."""
        if self.rank and not self.orders and any(self.missing) and self.under_way == 0:
            raise ConnectionError("rank 0 has closed, and parts still wait for its order")
        listening = [self.pull.connection] + (self.orders if self.rank else [])
        sending = [self.push.connection] if self.push.queue else []
        timeout = None if until is None else max(0.0, until - time.monotonic())
        readable, writable, _ = select.select(listening, sending, [], timeout)
        if writable:
            self.push.flush()
        if self.rank and self.orders and self.orders[0] in readable:
            self.read_orders()
        if self.pull.connection in readable and not self.pull.read():
            raise ConnectionError("the server has closed")

    def wait_until(self, moment):
        while time.monotonic() < moment:
            self.serve_links(moment)
        self.late.append(time.monotonic() - moment)

    def iterate(self, iteration, now):
        """`now`: the end of the previous pass. Returns the end of this one."""
        for index, layer in enumerate(self.layers):
            while self.missing[index] > 0:
                self.serve_links(None)
                now = time.monotonic()
            if index == 0:
                self.starts.append(now)
                if self.rank == 0 and iteration in self.plan["tell"]:
                    print(iteration, flush=True)
            now += layer["forward_seconds"]
            self.wait_until(now)
        self.known.clear()
        for index in reversed(range(len(self.layers))):
            now += self.layers[index]["backward_seconds"]
            self.wait_until(now)
            self.backward_ended(iteration, index)
        return now

    def run(self):
        now = time.monotonic()
        for iteration in range(self.plan["iterations"]):
            now = self.iterate(iteration, now)
        while any(self.missing):
            self.serve_links(None)
        if self.rank == 0:
            late = sorted(self.late)
            with open(self.plan["times"], "w", encoding="utf-8") as file:
                json.dump({"starts": self.starts, "late_seconds_p99": late[int(0.99 * len(late))]}, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("role", choices=("server", "worker"))
    parser.add_argument("plan")
    parser.add_argument("--rank", type=int, default=0)
    options = parser.parse_args()
    with open(options.plan, encoding="utf-8") as file:
        plan = json.load(file)
    if options.role == "server":
        serve(plan)
    else:
        Worker(plan, options.rank).run()


if __name__ == "__main__":
    main()
