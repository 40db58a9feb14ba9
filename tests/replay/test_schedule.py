#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of each process of a replay, compared with schedules made by hand, and refused inputs. Needs no torch."""
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "app" / "replay"))
from replay_files import Fields, InputError, Node, read_cluster, read_job, read_json, read_policy
from replay_schedule import Schedule, Seat, take_seats

JOB = {"name": "three", "update_seconds": 0.5, "layers": [
    {"name": "a", "forward_seconds": 1, "backward_seconds": 2, "variables": [{"name": "a/k", "shape": [10, 10]}, {"name": "a/b", "shape": [7]}]},
    {"name": "b", "forward_seconds": 3, "backward_seconds": 4, "variables": [{"name": "b/k", "shape": [100]}]},
    {"name": "c", "forward_seconds": 5, "backward_seconds": 6, "variables": [{"name": "c/k", "shape": [250]}]}]}
NODES = [Node("10.0.0.1"), Node("10.0.0.2", scale=0.5), Node("10.0.0.3", trains=False)]


def reduced(group, **more):
    return {"AllReduceSynchronizer": {"group": group, **more}}


def served(address, **more):
    return {"PSSynchronizer": {"reduction_destination": f"{address}:CPU:0", "sync": True, **more}}


def configured(**nodes):
    usual = {"a/k": reduced(0), "a/b": reduced(0), "b/k": reduced(0), "c/k": reduced(1)}
    return [{"var_name": name, **node} for name, node in {**usual, **{key.replace("_", "/"): node for key, node in nodes.items()}}.items()]


class ReplayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    def schedule(self, nodes=None, policy="fifo", job=JOB, replicas=("10.0.0.1:GPU:0", "10.0.0.2:GPU:0"), cluster=NODES):
        strategy = {"node_config": configured() if nodes is None else nodes, "graph_config": {"replicas": list(replicas)}}
        return Schedule(read_job(self.write("job.json", job)), Fields(strategy, "strategy.json", ""), cluster, read_policy(policy))

    def refused(self, says, work):
        with self.assertRaises(InputError) as caught:
            work()
        for text in says:
            self.assertIn(text, str(caught.exception))


class Schedules(ReplayTest):
    def test_groups_wait_for_their_last_gradient(self):
        parts = {"partitioner": "2", "part_config": [{"var_name": "p0", **served("10.0.0.3")}, {"var_name": "p1", **served("10.0.0.1")}]}
        schedule = self.schedule(configured(a_b=parts))
        self.assertEqual([(unit.name, unit.kind, unit.layer, unit.send_bytes) for unit in schedule.units],
                         [("c/k", "all_reduce", 2, 1000), ("b/k, a/k", "all_reduce", 0, 800),
                          ("a/b part 0", "served", 0, 16), ("a/b part 1", "served", 0, 12)])
        # Forward of all layers and backward of the last are one wait; the group of b and a waits for a.
        self.assertEqual(schedule.iteration(0), [("compute", 15), ("launch", 0), ("compute", 6), ("launch", 1), ("launch", 2), ("launch", 3),
                                                 ("finish", 0), ("finish", 1), ("finish", 2), ("finish", 3), ("compute", 0.5)])
        # A node at half the speed takes twice as long; the third only serves.
        self.assertEqual(schedule.iteration(1)[0], ("compute", 30))
        self.assertEqual([schedule.served_by(place) for place in range(3)], [[3], [], [2]])
        self.assertEqual(schedule.seats, [Seat(0, 0), Seat(1, 0), Seat(2, -1)])

    def test_one_group_for_each_variable(self):
        schedule = self.schedule([{"var_name": name, **reduced(group)} for group, name in enumerate(("a/k", "a/b", "b/k", "c/k"))])
        self.assertEqual([unit.name for unit in schedule.units], ["c/k", "b/k", "a/b", "a/k"])
        self.assertEqual(schedule.iteration(0)[:7], [("compute", 15), ("launch", 0), ("compute", 4), ("launch", 1), ("compute", 2),
                                                     ("launch", 2), ("launch", 3)])

    def test_buckets_are_closed_when_they_reach_their_cap(self):
        schedule = self.schedule(policy="ddp(bucket_cap=420,first_bucket=1KB,concurrent=2)")
        # 1000 B reach the first cap of 1000; 400 + 28 reach 420; 400 remain. Groups of the strategy are ignored.
        self.assertEqual([(unit.name, unit.layer) for unit in schedule.units], [("c/k", 2), ("b/k, a/b", 0), ("a/k", 0)])

    def test_buckets_are_of_one_type(self):
        job = json.loads(json.dumps(JOB))
        job["layers"][1]["variables"][0]["dtype"] = "float16"
        schedule = self.schedule(policy="ddp(bucket_cap=10KB,first_bucket=10KB)", job=job)
        self.assertEqual([(unit.name, unit.send_bytes) for unit in schedule.units], [("c/k, a/b, a/k", 1428), ("b/k", 200)])

    def test_sparse_gradients_are_rows_with_indices(self):
        job = json.loads(json.dumps(JOB))
        job["layers"][0]["variables"][0].update(sparse=True, rows_touched=3)
        gathered, = [unit for unit in self.schedule(job=job).units if unit.kind == "gather"]
        self.assertEqual((gathered.name, gathered.send_bytes, gathered.receive_bytes), ("a/k", 3 * 40 + 3 * 8, 3 * 40))

    def test_the_hosts_copies_are_waits(self):
        schedule = self.schedule(job={**JOB, "host_seconds_per_byte_before_send": 0.25, "host_seconds_per_byte_after_receive": 0.5})
        # 1000 B of c; then b's 400 B and a's 428 B; replies are copied unit by unit.
        self.assertEqual(schedule.iteration(0), [("compute", 9 + 6 + 250.0), ("launch", 0), ("compute", 4 + 100 + 2 + 107.0), ("launch", 1),
                                                 ("finish", 0), ("compute", 500.0), ("finish", 1), ("compute", 414 + 0.5)])

    def test_replicas_of_a_node_are_processes_of_their_own(self):
        schedule = self.schedule(configured(a_k=served("10.0.0.2", local_replication=True)),
                                 replicas=("10.0.0.1:GPU:0", "10.0.0.1:GPU:1", "10.0.0.2:GPU:0", "10.0.0.2:GPU:1"))
        self.assertEqual(schedule.seats, [Seat(0, 0), Seat(0, 1), Seat(1, 0), Seat(1, 1), Seat(2, -1)])
        self.assertEqual([schedule.served_by(place) for place in range(5)], [[], [], [2], [], []])
        self.assertEqual(schedule.workers(1), [2, 3])

    def test_processes_take_the_seats_of_their_machines(self):
        schedule = self.schedule()
        self.assertEqual(take_seats(schedule, [[2], [0], [1]]), [2, 0, 1])
        # If one machine plays all, seats are in the order of ranks.
        self.assertEqual(take_seats(schedule, [[], [], []]), [0, 1, 2])
        self.assertEqual(take_seats(schedule, [[0, 1, 2]] * 3), [0, 1, 2])
        self.refused(["2 processes", "needs 3", "10.0.0.3 x 1"], lambda: take_seats(schedule, [[0], [1]]))
        self.refused(["rank 1", "10.0.0.2 x 1"], lambda: take_seats(schedule, [[0], [0], [1]]))
        self.refused(["rank 2"], lambda: take_seats(schedule, [[0], [1], []]))


class Refusals(ReplayTest):
    def test_what_is_not_replayed_is_named(self):
        for node, says in ((reduced(0, compressor="HorovodCompressor"), ["a/k", "compressor", "HorovodCompressor"]),
                           (reduced(0, syncopate_reduction="REDUCE_BROADCAST"), ["a/k", "syncopate_reduction", "REDUCE_BROADCAST"]),
                           (served("10.0.0.1", staleness=2), ["'a/k'", "stale"]),
                           ({"PSSynchronizer": {"reduction_destination": "10.0.0.1:CPU:0"}}, ["'a/k'", "asynchronous"])):
            self.refused(["strategy.json", "node_config[0]", *says[1:]], lambda node=node: self.schedule(configured(a_k=node)))
        job = json.loads(json.dumps(JOB))
        job["layers"][1]["collectives"] = [{"kind": "all_to_all", "size_bytes": 10}]
        self.refused(["job.json", "layers[1].collectives", "not replayed"], lambda: self.schedule(job=job))
        for policy in ("bytescheduler(partition=4MB)", "fifo(barrier=off)", "ddp(connections=2)", "fifo(algorithm=tree)", "ddp(bucket_cap=5)x"):
            self.refused(["--policy", "not replayed"], lambda policy=policy: read_policy(policy))
        self.assertEqual(read_policy("fifo(barrier=on,form=flows)").name, "fifo")
        self.assertEqual(read_policy("ddp(bucket_cap=25MiB,first_bucket=1MiB,concurrent=1,barrier=on)").bucket_cap, 25 * 2**20)

    def test_wrong_strategies_are_refused(self):
        for nodes, says in ((configured(a_k={}), ["node_config[0]", "'a/k'", "not one synchroniser"]),
                            (configured()[1:], ["lacks 'a/k'"]),
                            (configured() + configured()[:1], ["node_config[4].var_name", "second time"]),
                            (configured(d_k=reduced(0)), ["'d/k'", "job does not have"]),
                            (configured(a_k=served("10.9.9.9")), ["10.9.9.9", "not in the cluster"]),
                            (configured(a_k=reduced(-1)), ["group", "-1"]),
                            (configured(a_k=reduced(float("nan"))), ["group", "nan"]),
                            (configured(a_k={"partitioner": "2,2", "part_config": []}), ["partitioner", "2,2"]),
                            (configured(a_k={"partitioner": "11", "part_config": [reduced(0)] * 11}), ["partitioner", "11"]),
                            (configured(a_k={"partitioner": "x", "part_config": [reduced(0)]}), ["partitioner", "'x'"]),
                            ([7], ["node_config[0]", "not an object"])):
            self.refused(["strategy.json", *says], lambda nodes=nodes: self.schedule(nodes))
        self.refused(["replicas", "empty"], lambda: self.schedule(replicas=()))

    def test_wrong_jobs_are_refused(self):
        for layer, says in (({"forward_seconds": -1, "backward_seconds": 0}, ["layers[0].forward_seconds", "-1"]),
                            ({"forward_seconds": True, "backward_seconds": 0}, ["forward_seconds"]),
                            ({"forward_seconds": 0}, ["backward_seconds", "missing"]),
                            ({"forward_seconds": 0, "backward_seconds": float("inf")}, ["backward_seconds", "inf"]),
                            ({"forward_seconds": 0, "backward_seconds": 0, "variables": [{"name": "v", "shape": [0]}]}, ["variables[0].shape"]),
                            ({"forward_seconds": 0, "backward_seconds": 0, "variables": [{"name": "v"}]}, ["shape", "missing"]),
                            ({"forward_seconds": 0, "backward_seconds": 0, "variables": [{"name": "v", "shape": [1 << 45] * 30}]}, ["2^50"]),
                            ({"forward_seconds": 0, "backward_seconds": 0, "variables": [{"name": "v", "shape": [], "dtype": "x"}]}, ["dtype", "'x'"])):
            self.refused(["job.json", *says], lambda layer=layer: read_job(self.write("job.json", {"layers": [layer]})))
        self.refused(["no layer"], lambda: read_job(self.write("job.json", {})))

    def test_damaged_files_are_refused(self):
        whole = json.dumps(JOB).encode()
        for content, says in ((whole[:-40], "not JSON"), (b"", "not JSON"), (b"\xff\xfe", "not a text"), (b"[" * 100000, "nested"), (b"[]", "not an object"),
                              (b'{"layers": [' + b"9" * 5000 + b"]}", "not JSON")):
            self.refused([says, "job.json"], lambda content=content: read_job(self.write("job.json", content)))
        self.refused(["cannot be read", "nowhere.json"], lambda: read_json("/nowhere.json"))

    def test_clusters(self):
        try:
            import yaml  # noqa: F401
        except ImportError:
            self.skipTest("python3-yaml is missing")
        text = b"nodes: [{address: 10.0.0.1, compute_scale: 2}, {address: 10.0.0.2}]\nserver_only: [10.0.0.2]\nchannels: [{name: x}, {name: y}]\n"
        self.assertEqual(read_cluster(self.write("c.yml", text)), ([Node("10.0.0.1", 2), Node("10.0.0.2", 1, False)], 2))
        # A channel of `concurrent: 3` runs three collectives at once, so these two run four.
        path = self.write("c.yml", b"nodes: [{address: a}]\nchannels: [{name: x, concurrent: 3}, {name: y}]\n")
        self.assertEqual(read_cluster(path)[1], 4)
        # Every node has CPU 0. Strategies name their replicas, so there indices do not matter.
        for listed, count in (("cpus: [1]", 2), ("cpus: [0, 1]", 2), ("gpus: [3], cpus: [1, 2]", 1), ("gpus: [0, 1]", 2), ("gpus: []", 1)):
            path = self.write("c.yml", f"nodes: [{{address: a, {listed}}}]".encode())
            self.assertEqual((read_cluster(path, True)[0][0].gpus, read_cluster(path)[0][0].gpus), (count, 1), listed)
        path = self.write("c.yml", b"nodes: [{address: a, gpus: 2}]")
        self.assertEqual(read_cluster(path)[0], [Node("a")])
        self.refused(["c.yml", "nodes[0].gpus is 2"], lambda: read_cluster(path, True))
        for text, says in ((b"nodes: [", "not YAML"), (b"7", "not an object"), (b"{}", "no node"), (b"nodes: [{address: 1}]", "address"),
                           (b"nodes: [{address: a, compute_scale: 0}]", "compute_scale"), (b"nodes: [{address: a}]\nchannels: 0", "channels"),
                           (b"nodes: [{address: a}]\nchannels: [{name: x, concurrent: 0}]", "channels[0].concurrent is 0"),
                           (b"a: &a [x, x, x, x]\n" + b"".join(b"%c: &%c [%s]\n" % (n + 1, n + 1, b"*%c, " % n * 9) for n in b"abcdefghijklm") +
                            b"nodes: [{address: *n}]", "address")):
            self.refused(["c.yml", says], lambda text=text: read_cluster(self.write("c.yml", text)))


if __name__ == "__main__":
    unittest.main()
