# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes in network namespaces around one switch, every link shaped in both directions."""
import subprocess
import time

TBF = "burst 128kb limit 64mb"


def sysctls(window):
    """Of a node: Reno, the TCP window in bytes, no slow start after idle (README.md says why)."""
    return {
        "net.ipv4.tcp_congestion_control": "reno",
        "net.ipv4.tcp_slow_start_after_idle": "0",
        "net.ipv4.tcp_no_metrics_save": "1",
        # The kernel offers about half of a receive buffer as window.
        "net.ipv4.tcp_rmem": f"4096 {2 * window} {2 * window}",
        "net.ipv4.tcp_wmem": f"4096 {2 * window} {2 * window}",
    }


def run(*command, namespace=None):
    """Output of a command; a failure says which command and why."""
    if namespace:
        command = ("ip", "netns", "exec", namespace, *command)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"'{' '.join(command)}' failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


class Network:
    """`with Network(prefix, nodes, gbits, window)`: node 0 is the server's. Everything is gone afterwards."""

    def __init__(self, prefix, nodes, gbits, window=1 << 20, burst_seconds=None, burst_bytes=None):
        """`gbits`: of every link, or of each node's in a list. What a link lets pass at once is `burst_seconds` at its rate, or `burst_bytes`."""
        self.prefix, self.nodes, self.window, self.burst_seconds, self.burst_bytes = prefix, nodes, window, burst_seconds, burst_bytes
        self.gbits = gbits if isinstance(gbits, list) else [gbits] * nodes

    def name(self, node):
        return f"{self.prefix}-{node}"

    def shaping(self, gbits):
        if self.burst_bytes is None and self.burst_seconds is None:
            return TBF
        return f"burst {round(self.burst_bytes or gbits * 1.25e8 * self.burst_seconds)}b limit 64mb"

    def shape(self, verb, device, gbits):
        """The command that gives a device its rate; `verb`: add or change."""
        return ("tc", "qdisc", verb, "dev", device, "root", "tbf", "rate", f"{round(gbits * 1000)}mbit", *self.shaping(gbits).split())

    def change(self, gbits):
        """Every link from now on, while bytes are on their way. Returns how long that took."""
        start = time.monotonic()
        devices = [(self.name(node), "eth0") for node in range(self.nodes)] + [(self.name("switch"), f"port{node}") for node in range(self.nodes)]
        changes = [subprocess.Popen(("ip", "netns", "exec", namespace, *self.shape("change", device, gbits))) for namespace, device in devices]
        if any([change.wait() for change in changes]):
            raise RuntimeError(f"the links' rate could not be changed to {gbits} Gb/s")
        return time.monotonic() - start

    @staticmethod
    def address(node):
        return f"10.77.0.{node + 1}"

    def __enter__(self):
        self.remove()
        try:
            self._make()
        except BaseException:
            self.remove()
            raise
        return self

    def _make(self):
        switch = self.name("switch")
        run("ip", "netns", "add", switch)
        run("ip", "link", "add", "bridge", "type", "bridge", namespace=switch)
        run("ip", "link", "set", "bridge", "up", namespace=switch)
        for node in range(self.nodes):
            name, port = self.name(node), f"port{node}"
            run("ip", "netns", "add", name)
            run("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name, namespace=switch)
            run("ip", "link", "set", port, "master", "bridge", "up", namespace=switch)
            run("ip", "address", "add", f"{self.address(node)}/24", "dev", "eth0", namespace=name)
            run("ip", "link", "set", "lo", "up", namespace=name)
            run("ip", "link", "set", "eth0", "up", namespace=name)
            run("sysctl", "-q", "-w", *[f"{key}={value}" for key, value in sysctls(self.window).items()], namespace=name)
            for namespace, device in ((name, "eth0"), (switch, port)):
                run(*self.shape("add", device, self.gbits[node]), namespace=namespace)

    def start(self, node, *command, **arguments):
        return subprocess.Popen(("ip", "netns", "exec", self.name(node), *command), **arguments)

    def remove(self):
        for name in namespaces(self.prefix):
            subprocess.run(("ip", "netns", "delete", name), check=False, capture_output=True)

    def __exit__(self, *_):
        self.remove()


def namespaces(prefix):
    listed = subprocess.run(("ip", "netns", "list"), capture_output=True, text=True, check=False).stdout
    names = [line.split()[0] for line in listed.splitlines() if line]
    return [name for name in names if name.startswith(prefix + "-")]


def possible(prefix):
    """None, or why this machine cannot do it."""
    for tool in ("ip", "tc", "sysctl"):
        if subprocess.run(("sh", "-c", f"command -v {tool}"), capture_output=True, check=False).returncode != 0:
            return f"{tool} is missing (packages iproute2, procps)"
    try:
        with Network(prefix, 1, 1):
            return None
    except RuntimeError as error:
        return f"network namespaces with shaped links cannot be made here: {error}"
