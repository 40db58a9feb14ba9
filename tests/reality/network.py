# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes in network namespaces, linked over bridges in a namespace of their own; links are shaped in both directions."""
import contextlib
import os
import select
import subprocess
import tempfile
import time

TBF = "burst 128kb limit 64mb"


def sysctls(window):
    """For a node: Reno, the TCP window in bytes, no slow start after idle (README.md says why)."""
    return {
        "net.ipv4.tcp_congestion_control": "reno",
        "net.ipv4.tcp_slow_start_after_idle": "0",
        "net.ipv4.tcp_no_metrics_save": "1",
        # The kernel advertises about half of a receive buffer as window.
        "net.ipv4.tcp_rmem": f"4096 {2 * window} {2 * window}",
        "net.ipv4.tcp_wmem": f"4096 {2 * window} {2 * window}",
    }


def run(*command, namespace=None):
    """Output of a command; a failure reports the command and its error."""
    if namespace:
        command = ("ip", "netns", "exec", namespace, *command)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"'{' '.join(command)}' failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


class Network:
    """`with Network(prefix, nodes, gbits, window)`. Everything is removed afterwards."""

    def __init__(self, prefix, nodes, gbits, window=1 << 20, burst_seconds=None, burst_bytes=None):
        """`gbits`: of every link, or a list with each node's. A link's burst is `burst_seconds` at its rate, or `burst_bytes`."""
        self.prefix, self.nodes, self.window, self.burst_seconds, self.burst_bytes = prefix, nodes, window, burst_seconds, burst_bytes
        self.gbits = gbits if isinstance(gbits, list) else [gbits] * nodes
        self.shaped = []  # (namespace, device)

    def name(self, node):
        return f"{self.prefix}-{node}"

    def shaping(self, gbits):
        if self.burst_bytes is None and self.burst_seconds is None:
            return TBF
        return f"burst {round(self.burst_bytes or gbits * 1.25e8 * self.burst_seconds)}b limit 64mb"

    def shape(self, verb, device, gbits):
        """The command that sets a device's rate; `verb`: add or change."""
        return ("tc", "qdisc", verb, "dev", device, "root", "tbf", "rate", f"{round(gbits * 1e9)}bit", *self.shaping(gbits).split())

    def change(self, gbits):
        """Changes every shaped link at once, while bytes are in flight. Returns how long that took."""
        start = time.monotonic()
        changes = [subprocess.Popen(("ip", "netns", "exec", namespace, *self.shape("change", device, gbits))) for namespace, device in self.shaped]
        if any([change.wait() for change in changes]):
            raise RuntimeError(f"the links' rate could not be changed to {gbits} Gbit/s")
        return time.monotonic() - start

    @staticmethod
    def address(node):
        return f"10.77.0.{node + 1}"

    def __enter__(self):
        self.remove()
        self.shaped.clear()
        try:
            self._make()
        except BaseException:
            self.remove()
            raise
        return self

    def _make(self):
        self._add_switch()
        self._add_bridge("bridge")
        for node in range(self.nodes):
            self._add_node(node)
            self._connect(node, "eth0", f"port{node}", "bridge", self.address(node), self.gbits[node])

    def _add_switch(self):
        run("ip", "netns", "add", self.name("switch"))

    def _add_bridge(self, bridge):
        run("ip", "link", "add", bridge, "type", "bridge", namespace=self.name("switch"))
        run("ip", "link", "set", bridge, "up", namespace=self.name("switch"))

    def _add_node(self, node):
        name = self.name(node)
        run("ip", "netns", "add", name)
        run("ip", "link", "set", "lo", "up", namespace=name)
        run("sysctl", "-q", "-w", *[f"{key}={value}" for key, value in sysctls(self.window).items()], namespace=name)

    def _connect(self, node, device, port, bridge, address, gbits=None, options=()):
        """A link between a node's `device` and a bridge's `port`, shaped in both directions unless `gbits` is None. `options`: for both ends."""
        name, switch = self.name(node), self.name("switch")
        run("ip", "link", "add", port, "type", "veth", "peer", "name", device, "netns", name, namespace=switch)
        run("ip", "link", "set", port, "master", bridge, *options, "up", namespace=switch)
        run("ip", "address", "add", f"{address}/24", "dev", device, namespace=name)
        run("ip", "link", "set", device, *options, "up", namespace=name)
        for namespace, end in ((name, device), (switch, port)) if gbits is not None else ():
            run(*self.shape("add", end, gbits), namespace=namespace)
            self.shaped.append((namespace, end))

    def start(self, node, *command, **arguments):
        return subprocess.Popen(("ip", "netns", "exec", self.name(node), *command), **arguments)

    def remove(self):
        for name in namespaces(self.prefix):
            subprocess.run(("ip", "netns", "delete", name), check=False, capture_output=True)

    def __exit__(self, *_):
        self.remove()


class ChannelNetwork(Network):
    """`with ChannelNetwork(prefix, nodes, {"e0": 1.0, "e1": 0.4})`: each node has one shaped interface per channel, each channel a bridge of its
    own (Gbit/s by interface), and an unshaped interface `control`. Shaping as in tests/data/measured/plan: segments fit in the token bucket."""

    BURST_BYTES, SEGMENT_BYTES = 32 << 10, 16 << 10

    def __init__(self, prefix, nodes, channels, window=1 << 20):
        super().__init__(prefix, nodes, 0, window, burst_bytes=self.BURST_BYTES)
        self.channels = channels

    @staticmethod
    def address(node):
        """On the unshaped interface."""
        return f"10.78.0.{node + 1}"

    def _make(self):
        self._add_switch()
        links = [("control", None, ())]
        links += [(name, gbits, ("gso_max_size", str(self.SEGMENT_BYTES))) for name, gbits in self.channels.items()]
        for name, _, _ in links:
            self._add_bridge(f"br-{name}")
        for node in range(self.nodes):
            self._add_node(node)
            for number, (name, gbits, options) in enumerate(links):
                self._connect(node, name, f"{name}-{node}", f"br-{name}", f"10.78.{number}.{node + 1}", gbits, options)


def run_together(starts, seconds, heard=None):
    """Runs processes until all have ended well. `starts`: functions that start one each, given the file for its stderr. `heard`: called with each
    line of those whose stdout is a pipe. When one fails, or after `seconds`, all are killed and the errors of those that failed are raised."""
    processes, errors, begun, deadline = [], [], {}, time.monotonic() + seconds  # begun: by output, a line that is not whole yet
    with contextlib.ExitStack() as files:
        try:
            for start in starts:
                errors.append(files.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")))
                processes.append(start(errors[-1]))
            outputs = [process.stdout for process in processes if process.stdout]
            codes = [None] * len(processes)
            while not any(codes) and (outputs or None in codes):
                if time.monotonic() > deadline:
                    raise RuntimeError(f"{codes.count(None)} of {len(codes)} processes have not ended after {seconds} s" if None in codes else
                                       f"processes have ended, and {len(outputs)} of their outputs are still open after {seconds} s")
                for output in select.select(outputs, [], [], 0.2)[0]:
                    read = os.read(output.fileno(), 1 << 16)  # never waits, unlike readline() of half a line
                    *lines, begun[output] = (begun.get(output, b"") + read).split(b"\n")
                    if not read:
                        outputs.remove(output)
                        lines += [begun[output]] if begun[output] else []
                    for line in lines:
                        heard(line.decode())
                codes = [process.poll() for process in processes]
        finally:
            for process in processes:
                process.kill()
                process.wait()
                if process.stdout:
                    process.stdout.close()
        failed = []
        for number, (code, file) in enumerate(zip(codes, errors)):
            if code:
                file.seek(0)
                failed.append(f"process {number} ended with {code}: {file.read().strip()}")
        if failed:
            raise RuntimeError("; ".join(failed))


def namespaces(prefix):
    listed = subprocess.run(("ip", "netns", "list"), capture_output=True, text=True, check=False).stdout
    names = [line.split()[0] for line in listed.splitlines() if line]
    return [name for name in names if name.startswith(prefix + "-")]


def why_impossible(prefix, network=None):
    """Why `network` (default: one node at 1 Gbit/s) cannot be made on this machine; None if it can."""
    for tool in ("ip", "tc", "sysctl"):
        if subprocess.run(("sh", "-c", f"command -v {tool}"), capture_output=True, check=False).returncode != 0:
            return f"{tool} is missing (packages iproute2, procps)"
    try:
        with network or Network(prefix, 1, 1):
            return None
    except RuntimeError as error:
        return f"network namespaces with shaped links cannot be made here: {error}"
