#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Replays on one machine over gloo. The replay itself checks that every value is the sum over the replicas. Times are only
bounded from below, by the compute: the time of communication here means nothing."""
import json
import os
import shutil
import subprocess
import sys

from ranks import REPLAY, RanksTest, free_port, main

CLI = os.environ.get("SYNCOPATE_CLI", "")
COMPUTE = 0.02
VARIABLES = {"a": [600, 10], "b": [33], "c": [5000], "e": [100, 4]}
JOB = {"name": "smoke", "layers": [
    {"name": "one", "forward_seconds": COMPUTE / 4, "backward_seconds": COMPUTE / 4, "variables": [{"name": "a", "shape": VARIABLES["a"]}]},
    {"name": "two", "forward_seconds": COMPUTE / 4, "backward_seconds": COMPUTE / 4, "variables": [
        {"name": "b", "shape": VARIABLES["b"]}, {"name": "c", "shape": VARIABLES["c"]},
        {"name": "e", "shape": VARIABLES["e"], "sparse": True, "rows_touched": 7}]}]}


def server(node, **more):
    return {"PSSynchronizer": {"reduction_destination": f"10.254.7.{node}:CPU:0", "sync": True, **more}}


def group(number):
    return {"AllReduceSynchronizer": {"group": number}}


def parts(*synchronisers):
    return {"partitioner": str(len(synchronisers)), "part_config": [{"var_name": "part", **own} for own in synchronisers]}


class Smoke(RanksTest):
    def files(self, nodes, replicas, gpus=1, server_only=(), job=JOB):
        """`replicas`: the nodes of the replicas."""
        machines = sorted({*replicas, *server_only})
        cluster = "nodes:\n" + "".join(
            f"  - {{address: 10.254.7.{node}, gpus: {list(range(gpus))}, ssh_config: ssh, "
            f"chief: {str(node == machines[0]).lower()}}}\n" for node in machines)
        cluster += "ssh: {ssh: {username: root, key_file: none}}\nchannels: 2\n"
        cluster += f"server_only: [{', '.join(f'10.254.7.{node}' for node in server_only)}]\n"
        strategy = {"node_config": [{"var_name": name, **node} for name, node in nodes.items()],
                    "graph_config": {"replicas": [f"10.254.7.{node}:GPU:{gpu}" for node in replicas for gpu in range(gpus)]}}
        paths = []
        for name, text in (("strategy.json", json.dumps(strategy)), ("job.json", json.dumps(job)), ("cluster.yml", cluster)):
            paths.append(str(self.folder / name))
            (self.folder / name).write_text(text, encoding="utf-8")
        return paths

    def test_two_workers(self):
        """Groups, a sparse gradient that is gathered, variables and parts on the servers of both nodes."""
        self.measured(2, COMPUTE, *self.files({"a": group(0), "b": group(0), "c": parts(server(1), server(2), group(3)), "e": group(2)}, [1, 2]))

    def test_a_server_of_its_own_and_buckets(self):
        nodes = {"a": server(9), "b": group(0), "c": group(0), "e": server(9)}
        self.measured(3, COMPUTE, *self.files(nodes, [1, 2], server_only=[9]), "--policy", "ddp(first_bucket=1KiB,bucket_cap=1KiB)")

    def test_nodes_of_two_replicas(self):
        """A node's replicas are summed before one push; with a proxy they share one pull."""
        nodes = {"a": server(1, local_replication=True), "b": server(2), "c": parts(server(2, local_replication=True), group(1)), "e": group(2)}
        self.measured(4, COMPUTE, *self.files(nodes, [1, 2], gpus=2))

    def test_errors_end_all_processes(self):
        files = self.files({"a": server(1, staleness=3), "b": group(0), "c": group(0), "e": group(0)}, [1, 2])
        ranks = self.run_ranks(2, *files)
        self.assertEqual([code for code, _, _ in ranks], [2, 2])
        self.assertIn("stale", ranks[0][2])
        self.assertEqual(len(ranks[0][2].splitlines()), 1, ranks[0][2])
        self.assertTrue(ranks[0][2].startswith("error: "))
        self.assertEqual(ranks[1][2], "")
        ranks = self.run_ranks(2, *self.files({name: group(0) for name in VARIABLES}, [1, 2, 3]))
        self.assertIn("2 processes were started, and the strategy needs 3", ranks[0][2])

    def test_without_a_launcher(self):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("OMPI_", "PMI_"))}
        done = subprocess.run([sys.executable, str(REPLAY), "s", "j", "c"], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("torchrun or mpirun", done.stderr)

    def test_as_a_judge(self):
        """Under mpirun, as a search or trial starts it; the replay's own error is extracted from among mpirun's messages."""
        if not shutil.which("mpirun") or not CLI:
            self.skipTest("mpirun is missing (package openmpi-bin)")
        nodes = {name: group(0) for name in VARIABLES}
        strategy, job, cluster = self.files(nodes, [1, 2])
        program = f"mpirun --allow-run-as-root --oversubscribe -n 2 {sys.executable} -B {REPLAY} --iterations 4 --blocks 2"
        trial = [CLI, "trial", "--job", job, "--cluster", cluster, "--strategy", strategy, "--judge", f"command('{program}')"]
        environment = dict(os.environ, MASTER_PORT=free_port())
        done = subprocess.run([*trial, "--json"], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(json.loads(done.stdout)["iteration_seconds"], 0.99 * COMPUTE)
        done = subprocess.run([*trial, "--policy", "p3"], env=environment, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("policy.txt: the policy 'p3(slice=160KB,barrier=off)' is not replayed", done.stderr)


if __name__ == "__main__":
    main("yaml")
