#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of each process of a plan, compared with orders and groups made by hand, and refused plans. Needs no torch."""
import contextlib
import copy
import io
import json
import os
import pathlib
import sys
import threading
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "app" / "replay"))
from plans import chain, dag_of, motif, op, plan_of
from replay_files import Fields, Node
from replay_launch import choose_interface, interface_to, is_first
from replay_motifs import direct_peers, permute_peers, spline_splits
from replay_order import Progress, check_runs, sequence
from replay_plan import Places, Player, bind, check_memory, group_keys, held_bytes, note_on_shared, take_process
from replay_plan_files import Group, Op, read_dag_json, read_plan
from syncopate_replay import interface_option, parse_options, pick_times, read_files, with_remedy
from test_schedule import ReplayTest

DAG = dag_of(op("forward", "compute", ["data"], ["reduce"]), op("backward", "compute", ["forward"]), op("data", "all_to_all", [], ["forward"]),
             op("reduce", "all_reduce", ["backward"]))
RING = chain(motif("reduce_scatter", segment=(0, 2)), motif("all_gather", segment=(0, 2))) + [motif("all_reduce", "e1", segment=(1, 2))]
PLAN = plan_of({"data": [motif("all_to_all", "e1", spline=(0, 2)), motif("all_to_all", spline=(1, 2))], "reduce": RING}, ahead=["data"])


def changed(value, *path):
    """A copy of DAG or PLAN with the value at `path[:-1]` replaced by path[-1]; "-" removes it."""
    new = copy.deepcopy(value)
    at = new
    for key in path[:-2]:
        at = at[key]
    if path[-1] == "-":
        del at[path[-2]]
    else:
        at[path[-2]] = path[-1]
    return new


class PlanTest(ReplayTest):
    def plan(self, plan=PLAN, dag=DAG):
        return read_plan(Fields(plan, "plan.json", ""), Fields(dag, "dag.json", ""))

    def refused_plan(self, says, plan=PLAN, dag=DAG):
        with self.subTest(says=says):
            self.refused(says, lambda: check_runs(self.plan(plan, dag), 4, "plan.json"))


class Orders(PlanTest):
    def test_a_channel_runs_what_is_ahead_first(self):
        plan = self.plan()
        self.assertEqual(list(sequence(plan, "e1", 3)),
                         [("data", 0, 0), ("data", 0, 1), ("reduce", 2, 0), ("data", 0, 2), ("reduce", 2, 1), ("reduce", 2, 2)])
        behind = self.plan(changed(PLAN, "order", "e1", 1, "iteration_offset", -1))
        self.assertEqual(list(sequence(behind, "e1", 2)), [("data", 0, 0), ("data", 0, 1), ("reduce", 2, 0), ("reduce", 2, 1)])
        self.assertEqual(list(sequence(self.plan(changed(PLAN, "order", "e1", 0, "iteration_offset", 0)), "e1", 2)),
                         [("data", 0, 0), ("reduce", 2, 0), ("data", 0, 1), ("reduce", 2, 1)])

    def test_what_is_waited_for(self):
        progress = Progress(self.plan())
        # The iteration before the first counts as done, so data may run; forward waits for both of its splines.
        self.assertIsNone(progress.awaited("data", 1, 0))
        self.assertEqual(progress.awaited("forward", None, 0), ("data", 0, 0))
        progress.mark_done("data", 0)
        self.assertEqual(progress.awaited("forward", None, 0), ("data", 1, 0))
        self.assertEqual(progress.awaited("data", 0, 1), ("forward", None, 0))
        progress.mark_done("data", 1)
        self.assertIsNone(progress.awaited("forward", None, 0))
        self.assertEqual(progress.awaited("reduce", 0, 0), ("backward", None, 0))
        progress.mark_done("forward")
        progress.mark_done("backward")
        # The ring's all-gather comes after its reduce-scatter, the other half does not.
        self.assertEqual([progress.awaited("reduce", number, 0) for number in range(3)], [None, ("reduce", 0, 0), None])
        for number in (0, 2):
            progress.mark_done("reduce", number)
        self.assertEqual(progress.awaited("forward", None, 1), ("data", 0, 1))
        progress.mark_done("data", 0)
        progress.mark_done("data", 1)
        self.assertEqual(progress.awaited("forward", None, 1), ("reduce", 1, 0))

    def test_a_process_that_waits_in_vain_ends(self):
        alone = types.SimpleNamespace(changed=threading.Condition(), progress=Progress(self.plan()), patience=0.01)
        with self.assertRaisesRegex(RuntimeError, "'forward' of iteration 0 has waited 0.01 s for 'data' motif 0 of iteration 0"):
            Player.wait_until_ready(alone, "forward", None, 0)
        Player.wait_until_ready(alone, "data", 0, 0)

    def test_submission(self):
        dag = dag_of(op("a", "compute"), op("b", "compute", ["a"]), op("free", "all_gather"), op("lost", "all_reduce", ["a"]))
        cut = {"free": [motif("all_gather")], "lost": [motif("all_reduce")]}
        for enforced, follows in ((True, ["a"]), (False, ["b"])):
            ops = self.plan(plan_of(cut, enforced=enforced), dag).dag.ops
            self.assertEqual(ops["free"].previous, follows)
            self.assertEqual((ops["a"].previous, ops["b"].previous), ([], ["free", "lost"]))

    def test_orders_that_contradict_the_dag(self):
        one = plan_of({"reduce": [motif("all_reduce")], "data": [motif("all_to_all")]})
        self.refused_plan(["plan.json:order: ", "stand still: 'reduce' motif 0 of iteration 0 waits for 'backward' of iteration 0 waits for "
                           "'forward' of iteration 0 waits for 'data' motif 0 of iteration 0 waits for 'reduce' motif 0 of iteration 0;"], one)
        # An op that waits for itself needs no plan.
        itself = changed(DAG, "ops", 2, "parents", ["data"])
        self.refused_plan(["dag.json: ops[2] waits for itself within an iteration: 'data' waits for 'data';"], dag=itself)
        dag = changed(DAG, "ops", 2, "parents", ["reduce"])
        self.refused_plan(["dag.json: ops[0] waits for itself", "'forward' waits for 'data' waits for 'reduce' waits for 'backward' waits for "
                           "'forward';"], dag=dag)
        turned = changed(DAG, "compute_order", ["backward", "forward"])
        self.refused_plan(["dag.json: ops[0] waits for itself", "'forward' waits for 'backward' waits for 'forward';"], dag=turned)
        # A motif two iterations ahead needs data that only comes later.
        self.refused_plan(["'forward' of iteration 1 waits for 'reduce' motif 2 of iteration 0 waits for 'data' motif 0 of iteration 2 waits for "
                           "'forward' of iteration 1;"], changed(PLAN, "order", "e1", 0, "iteration_offset", 2))

    def test_parents_and_motifs_by_the_thousand(self):
        """Time for each op and motif once, not for each pair: compute waits a thousand times for a channel of a thousand motifs."""
        ops = [op(f"step{number}", "compute", [], ["sum"] * 900) for number in range(1000)]
        cut = [motif("all_reduce", segment=(part, 1000)) for part in range(1000)]
        cut[1:] = [{**own, "channel": f"e{number % 40}"} for number, own in enumerate(cut[1:])]
        plan = self.plan(plan_of({"sum": cut}), dag_of(*ops, op("sum", "all_reduce", ["step999"])))
        self.assertEqual(plan.dag.ops["step0"].previous, ["sum"])
        progress, calls = Progress(plan), 0
        for number in range(999):
            calls += progress.mark_done("sum", number)
        self.assertFalse(progress.is_done("sum", 0))
        self.assertEqual(progress.awaited("step0", None, 1), ("sum", 999, 0))
        self.assertTrue(progress.mark_done("sum", 999))
        self.assertTrue(progress.is_done("sum", 0) and not progress.is_done("sum", 1) and calls == 0)
        check_runs(plan, 10, "plan.json")

    def test_measured_plans_run(self):
        count = 0
        for folder in ("plan", "plan_replay"):
            for path in sorted((ROOT / "tests" / "data" / "measured" / folder / "plans").iterdir()):
                plan = json.loads(path.read_text())
                dag = path.parent.parent / "dags" / f"{plan['dag']}.dag.json"
                check_runs(read_plan(Fields(plan, str(path), ""), read_dag_json(str(dag))), 20, str(path))
                count += 1
        self.assertEqual(count, 41)


class Groups(PlanTest):
    def test_members(self):
        self.assertEqual([Group(2, 2).members_with(member) for member in range(4)], [[0, 2], [1, 3], [0, 2], [1, 3]])
        self.assertEqual([Group(2, 4, 2).members_with(member) for member in (0, 1, 6)], [[0, 4], [], [2, 6]])
        self.assertEqual(Op("x", "all_reduce", sizes=(2, 3)).members(4, 5), [2, 3, 4])
        self.assertEqual(Op("x", "all_reduce", group=Group(2, 3)).members(4, 6), [1, 4])
        self.assertEqual(Op("x", "all_reduce").members(1, 3), [0, 1, 2])

    def test_equal_sizes_are_a_group(self):
        """docs/plan.md: sizes that are all equal are the same as `group SIZE`, so splines are played."""
        equal = self.plan(dag=changed(DAG, "ops", 2, "group", {"sizes": [2, 2]}))
        self.assertEqual([group_keys(equal, process)["data", 0][1] for process in range(4)], [(0, 1), (0, 1), (2, 3), (2, 3)])
        self.assertEqual(self.plan(dag=changed(DAG, "ops", 2, "group", {"sizes": [4]})).dag.ops["data"].members(1, 4), [0, 1, 2, 3])

    def test_motifs_of_smaller_groups(self):
        """A tree of the all-reduce among each four of eight processes that are two apart."""
        tree = chain(motif("reduce", group=(2, 1, 1)), motif("all_reduce", group=(2, 2, 2)), motif("broadcast", group=(2, 1, 1)))
        dag = dag_of(op("step", "compute", [], ["sum"]), op("sum", "all_reduce", ["step"], group={"size": 4, "stride": 2}), hosts=8)
        keys = [group_keys(self.plan(plan_of({"sum": tree}), dag), process) for process in range(8)]
        self.assertEqual([own["sum", 0][1] for own in keys], [(0, 2), (1, 3), (0, 2), (1, 3), (4, 6), (5, 7), (4, 6), (5, 7)])
        self.assertEqual([own["sum", 1] and own["sum", 1][1] for own in keys], [(0, 4), (1, 5), None, None, (0, 4), (1, 5), None, None])

    def test_parts_of_patterns(self):
        # Of four processes, rank 1 sends to the ranks 2 and 3 ahead, and receives from the ranks 2 and 3 behind.
        self.assertEqual(spline_splits(4, 7, 1, (1, 2)), ([7, 0, 0, 7], [0, 0, 7, 7]))
        self.assertEqual([permute_peers(4, rank, -1, (1, 2)) for rank in range(4)], [(None, None), (None, 2), (1, 3), (2, None)])

    def test_parts_of_sums_and_copies(self):
        """Of six processes in two splines: the ranks 3, 4 and 5 ahead; of a broadcast members 3, 4 and 5, and 0 keeps its own."""
        self.assertEqual(direct_peers("all_gather", 6, 1, (1, 2)), ([4, 5, 0], [4, 3, 2]))
        self.assertEqual(direct_peers("reduce_scatter", 6, 1, (0, 2)), ([2, 3], [0, 5]))
        self.assertEqual([direct_peers("broadcast", 6, rank, (1, 2)) for rank in (0, 2, 3)], [([3, 4, 5], []), ([], []), ([], [0])])
        self.assertEqual([direct_peers("reduce", 6, rank, (0, 2)) for rank in (0, 2, 3)], [([], [1, 2]), ([0], []), ([], [])])

    def test_processes_take_places(self):
        nodes = [Node("10.0.0.1", gpus=2), Node("10.0.0.9", trains=False), Node("10.0.0.2", gpus=2)]
        plan = self.plan()
        places = Places(plan, nodes, "c.yml")
        self.assertEqual([take_process(plan, places, rank, [[2], [0], [2], [0]]) for rank in range(4)], [2, 0, 3, 1])
        self.assertEqual([take_process(plan, None, rank, [[]] * 4) for rank in range(4)], [0, 1, 2, 3])
        self.refused(["3 processes were started", "plan needs 4"], lambda: take_process(plan, places, 0, [[2], [0], [2]]))
        self.refused(["3 processes were started", "the DAG has 4", "start 4"], lambda: take_process(plan, None, 0, [[]] * 3))
        self.refused(["c.yml", "3 GPUs", "4 processes"], lambda: Places(plan, [Node("10.0.0.1", gpus=3)], "c.yml"))


class Channels(PlanTest):
    CLAIMS = [{"interfaces": names, "shared": "lo", "host": "a", "memory": 1e9} for names in (["e0", "e1", "lo"], ["e0", "lo"])]

    def test_binding(self):
        plan = self.plan()
        # e1 is not on both machines.
        self.assertEqual(bind(plan, {}, self.CLAIMS), {"e0": "e0", "e1": None})
        self.assertEqual(bind(plan, {"e1": "lo"}, self.CLAIMS), {"e0": "e0", "e1": "lo"})
        linked = self.plan(changed(PLAN, "channels", 1, "links", ["nvlink", "lo"]))
        self.assertEqual(bind(linked, {}, self.CLAIMS)["e1"], "lo")
        self.refused(["--interface", "no channel 'e2'", "'e0', 'e1'"], lambda: bind(plan, {"e2": "lo"}, self.CLAIMS))
        self.refused(["--interface", "rank 1 has no interface 'e1'", "e0, lo"], lambda: bind(plan, {"e0": "e1"}, self.CLAIMS))
        lost = [self.CLAIMS[0], {**self.CLAIMS[1], "shared": None}]
        self.refused(["rank 1", "MASTER_ADDR"], lambda: bind(plan, {}, lost))
        self.assertEqual(bind(plan, {"e1": "lo"}, lost)["e1"], "lo")

    def test_notes(self):
        self.assertEqual(note_on_shared({"e0": "e0"}, "lo"), "")
        self.assertIn("channel 'e1' uses the interface lo", note_on_shared({"e0": "e0", "e1": None}, "lo"))
        self.assertIn("channels 'e0', 'e1' share the interface lo", note_on_shared({"e0": None, "e1": None}, "lo"))

    def test_the_slowest_process_is_measured(self):
        """Groups of different sizes: rank 0's is done early. The process without times only serves."""
        gathered = [([9.0, 1.0, 1.0], []), ([], []), ([1.0, 3.0, 2.0], []), ([1.0, 1.0, 3.0], [])]
        self.assertEqual(pick_times(gathered, 1, slowest=True), [3.0, 2.0])
        self.assertEqual(pick_times(gathered, 1, slowest=False), [1.0, 1.0])

    def test_options(self):
        self.assertEqual(interface_option("a=b=eth0"), ("a=b", "eth0"))
        for text in ("", "eth0", "=eth0", "e0="):
            self.assertRaises(Exception, interface_option, text)
        for options, says in ((["--interface", "e0=lo", "--interface", "e0=eth0"], "binds the channel 'e0' twice"),
                              (["--timeout", "10000000000"], "counts are 1 to 1000000"), (["--warm-up", "0"], "counts are 1 to")):
            errors = io.StringIO()
            with self.subTest(options=options), mock.patch("sys.argv", ["replay", "p", "d", *options]), contextlib.redirect_stderr(errors):
                self.assertRaises(SystemExit, parse_options)
                self.assertIn(says, errors.getvalue())

    def test_rank_0_of_the_launcher_in_use_reports(self):
        """A variable RANK that torchrun has not set, without WORLD_SIZE, is not the process's rank."""
        mpirun = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}
        for environment, first in (({}, True), (mpirun, True), ({**mpirun, "RANK": "3"}, True), ({"RANK": "3", "WORLD_SIZE": "4"}, False),
                                   ({**mpirun, "OMPI_COMM_WORLD_RANK": "1"}, False)):
            with self.subTest(environment=environment), mock.patch.dict("os.environ", environment, clear=True):
                self.assertEqual(is_first(), first)

    def test_no_loopback_leads_to_other_machines(self):
        """Rank 0's name may be that of its own loopback, as 127.0.1.1 in Debian's /etc/hosts."""
        alone = {"RANK": "0", "WORLD_SIZE": "4", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "4"}
        spread, unsaid = {**alone, "LOCAL_WORLD_SIZE": "2"}, {name: alone[name] for name in ("RANK", "WORLD_SIZE")}
        for environment, interface in ((alone, "lo"), (unsaid, "lo"), ({}, "lo"), (spread, None)):
            with self.subTest(environment=environment), mock.patch.dict("os.environ", environment, clear=True):
                self.assertEqual(interface_to("127.0.1.1"), interface)
                if interface:
                    choose_interface("127.0.1.1")
                    self.assertEqual(os.environ["GLOO_SOCKET_IFNAME"], "lo")
                else:
                    self.refused(["127.0.1.1", "loopback", "MASTER_ADDR=10.0.0.1"], lambda: choose_interface("127.0.1.1"))
        with mock.patch.dict("os.environ", {**spread, "GLOO_SOCKET_IFNAME": "eth7"}, clear=True):
            choose_interface("127.0.1.1")
            self.assertEqual(os.environ["GLOO_SOCKET_IFNAME"], "eth7")

    def test_remedies(self):
        self.assertEqual(with_remedy(ValueError()).split(";")[0], "ValueError")
        self.assertIn("MASTER_ADDR", with_remedy(RuntimeError("Connection refused\nat")))
        for error in (MemoryError(), RuntimeError("not enough memory: you tried to allocate 9 bytes")):
            self.assertIn("smaller", with_remedy(error))

    def test_memory(self):
        check_memory(self.plan(), self.CLAIMS)
        # Of data each spline sends and gets 2 x 2500 elements. Of reduce the ring's motifs hold 4 pieces of 1250 and one beside, the other
        # half 4 of 1250. The iteration that is checked adds 10000 twice.
        self.assertEqual(held_bytes(self.plan(), 0), 4 * (2 * 10000 + 2 * 6250 + 5000 + 20000))
        large = self.plan(dag=changed(DAG, "ops", 2, "bytes_per_process", 2e8))
        self.refused(["GB in 2 processes", "a has 1 GB"], lambda: check_memory(large, self.CLAIMS))


class Refusals(PlanTest):
    def test_wrong_dags(self):
        for path, says in ((("hosts", 1), ["hosts is 1"]),
                           (("hosts", 3.5), ["hosts is 3.5"]),
                           (("hosts", True), ["hosts is True"]),
                           (("ops", {}), ["ops is {}"]),
                           (("name", "-"), ["name is missing"]),
                           (("name", "other"), ["plan.json: dag is 'test'", "'other'"]),
                           (("ops", 0, "seconds", float("nan")), ["ops[0].seconds is nan"]),
                           (("ops", 0, "seconds", -1), ["ops[0].seconds is -1"]),
                           (("ops", 0, 7), ["ops[0] is not an object"]),
                           (("ops", 0, "kind", "sleep"), ["ops[0].kind is 'sleep'"]),
                           (("ops", 1, "name", "forward"), ["ops[1].name is 'forward' a second time"]),
                           (("ops", 2, "bytes_per_process", "-"), ["ops[2].bytes_per_process is missing"]),
                           (("ops", 2, "bytes_per_process", float("inf")), ["ops[2].bytes_per_process is inf"]),
                           (("ops", 0, "parents", ["nobody"]), ["ops[0].parents[0] is 'nobody'"]),
                           (("ops", 0, "parents", [["data"]]), ["ops[0].parents[0]"]),
                           (("ops", 0, "parents_previous_iteration", "data"), ["parents_previous_iteration is 'data'"]),
                           (("ops", 2, "group", {"size": 3, "stride": 1}), ["ops[2].group", "divide 4"]),
                           (("ops", 2, "group", 3), ["ops[2].group is not an object"]),
                           (("ops", 2, "group", {"sizes": [2, 3]}), ["ops[2].group", "add up to 4"]),
                           (("ops", 2, "group", {"sizes": [2, "2"]}), ["ops[2].group"]),
                           (("ops", 2, "group", {"size": 2}), ["ops[2].group.stride is missing"]),
                           (("ops", 2, "shift", 1), ["ops[2].shift is of no permute"]),
                           (("hosts", 16385), ["hosts is 16385", "to 16384"]),
                           (("ops", [op(f"a{number}", "compute") for number in range(10001)]), ["ops are 10001", "at most 10000"]),
                           (("compute_order", ["forward"]), ["compute_order does not hold every compute-op"])):
            self.refused_plan(["dag.json: " if "plan.json" not in says[0] else "", *says], dag=changed(DAG, *path))
        permute = dag_of(op("a", "compute"), op("p", "permute", ["a"], shift=4))
        self.refused_plan(["dag.json: ops[1].shift is 4", "send to itself"], plan_of({"p": [motif("permute")]}), permute)
        self.refused_plan(["no compute-op"], plan_of({"g": [motif("all_gather")]}), dag_of(op("g", "all_gather")))

    def test_wrong_plans(self):
        cut = ("execution_plan", "data", 0)
        for path, says in ((("channels", []), ["channels are 0"]),
                           (("channels", 1, "name", "e0"), ["channels[1].name", "second time"]),
                           (("channels", 0, 3), ["channels[0] is not an object"]),
                           (("channels", 0, "links", [3]), ["channels[0].links"]),
                           (("enforced", "no"), ["enforced is 'no'"]),
                           (("dag", "-"), ["dag is missing"]),
                           (("execution_plan", []), ["execution_plan is not an object"]),
                           (("execution_plan", "forward", []), ["execution_plan names 'forward', which is no collective"]),
                           (("execution_plan", "data", "-"), ["the motifs of 'data' leave out a part"]),
                           ((*cut, "motif", 1), ["execution_plan.data[0].motif is 1"]),
                           ((*cut, "kind", "sum"), ["execution_plan.data[0].kind is 'sum'"]),
                           (("execution_plan", "reduce", 0, "kind", "all_to_all"),
                            ["execution_plan.reduce[0].kind is all_to_all, of an op of kind all_reduce"]),
                           ((*cut, "channel", "e9"), ["execution_plan.data[0].channel is 'e9'"]),
                           ((*cut, "segment", [1, 1]), ["execution_plan.data[0].segment is [1, 1]"]),
                           ((*cut, "segment", [0, 1e3]), ["segment is [0, 1000.0]"]),
                           ((*cut, "spline", [0, 3]), ["execution_plan.data[0].spline is [0, 3]", "divisor"]),
                           (("execution_plan", "reduce", 2, "spline", [0, 2]), ["reduce[2].spline is [0, 2], of an all-reduce", "its ring or tree"]),
                           (("execution_plan", "reduce", 0, "spline", [0, 2]), ["the motifs of 'reduce' leave out"]),
                           ((*cut, "spline", [1, 2]), ["the motifs of 'data' do the same work in 0 and in 1"]),
                           ((*cut, "spline", [0, 4]), ["the motifs of 'data' leave out"]),
                           ((*cut, "after", [0]), ["data[0].after"]),
                           (("execution_plan", "data", 1, "after", [-1]), ["data[1].after"]),
                           ((*cut, "group", {"size": 2, "stride": 1}), ["data[0].group.every is missing"]),
                           ((*cut, "group", {"size": 3, "stride": 1, "every": 1}), ["data[0].group does not divide the 4 members of 'data'"]),
                           ((*cut, "group", {"size": 2, "stride": 2, "every": 2}), ["data[0].group"]),
                           (("execution_plan", "reduce", 1, "kind", "reduce"), ["the motifs of 'reduce' have one of kind reduce"]),
                           (("execution_plan", "reduce", 1, "kind", "reduce_scatter"), ["the motifs of 'reduce' do the same work in 0 and in 1"]),
                           (("order", 5), ["order is not an object"]),
                           (("order", "e1", "-"), ["order lacks motif 0 of 'data'"]),
                           (("order", "e9", []), ["order names 'e9'"]),
                           (("order", "e0", 0, "op", "reduce"), ["order.e0[2] is motif 1 of 'reduce'", "stands in an order already"]),
                           (("order", "e0", 0, "motif", 0), ["order.e0[0] is motif 0 of 'data'"]),
                           (("order", "e0", 0, "iteration_offset", 17), ["order.e0[0].iteration_offset is 17"]),
                           (("order", "e0", 0, "op", None), ["order.e0[0].op is missing"])):
            self.refused_plan(["plan.json: ", *says], changed(PLAN, *path))
        many = plan_of({"data": [motif("all_to_all", segment=(part, 2000)) for part in range(2000)], "reduce": RING})
        self.refused_plan(["execution_plan.data has more than 1024 motifs"], many)
        uneven = {**changed(DAG, "ops", 2, "group", {"sizes": [2, 3]}), "hosts": 5}
        self.refused_plan(["execution_plan.data[0] is a spline or of smaller groups"], dag=uneven)

    def test_rings_that_do_not_wait(self):
        """Whether the values come out right is then a matter of time."""
        says = "the motifs of 'reduce' gather in 1 data that 0 reduces, and do not wait for it"
        self.refused_plan(["plan.json: " + says], changed(PLAN, "execution_plan", "reduce", 1, "after", "-"))
        ring = [motif("reduce_scatter", segment=(0, 2)), motif("reduce_scatter", segment=(1, 2))]
        half = plan_of({"data": [motif("all_to_all")], "reduce": [*ring, motif("all_gather", after=[0])]})
        self.refused_plan(["gather in 2 data that 1 reduces"], half)
        # One that waits for it by another one is fine.
        chained = [ring[0], {**ring[1], "after": [0]}, motif("all_gather", after=[1])]
        check_runs(self.plan(plan_of({"data": [motif("all_to_all")], "reduce": chained})), 4, "plan.json")

    def test_a_group_of_all_members_is_none(self):
        dag = dag_of(op("a", "compute"), op("g", "all_gather", ["a"]))
        twice = plan_of({"g": [motif("all_gather", group=(4, 1, 1)), motif("all_gather")]})
        self.refused_plan(["plan.json: the motifs of 'g' do the same work in 0 and in 1"], twice, dag)

    def test_names_of_files_are_shown_on_one_line(self):
        evil, long = "\x1b[31mred\nerror: mine", "layer" * 20
        for name, says in ((evil, "execution_plan.'\\x1b[31mred\\nerror: mine'[0].kind is 'nope'"),
                           (long, f"execution_plan.{long}[0].kind is 'nope'")):
            self.refused_plan([says], plan_of({name: [motif("nope")]}), dag_of(op("a", "compute"), op(name, "all_reduce", ["a"])))
        self.refused_plan([f"order names '{long}'"], changed(PLAN, "order", long, []))

    def options(self, plan, dag, **more):
        usual = {"cluster": None, "backend": "gloo", "policy": None, "interface": {}, "iterations": 4, "warm_up": 1, "times": None}
        return types.SimpleNamespace(strategy=plan, job=dag, **{**usual, **more})

    def test_files_are_told_apart(self):
        plan, dag = self.write("p.json", PLAN), self.write("d.json", DAG)
        self.assertEqual(read_files(self.options(plan, dag))[0].dag.processes, 4)
        self.refused(["d.json: this is a training DAG", "plan first"], lambda: read_files(self.options(dag, plan)))
        self.refused(["empty.json", "hosts"], lambda: read_files(self.options(plan, self.write("empty.json", {}))))
        self.refused(["s.json: this is no plan", "strategy, job and cluster"], lambda: read_files(self.options(self.write("s.json", {}), dag)))
        self.refused(["p.json: plans are played with gloo"], lambda: read_files(self.options(plan, dag, backend="nccl")))
        self.refused(["p.json: a plan has an order of its own"], lambda: read_files(self.options(plan, dag, policy="fifo")))
        self.refused(["no channels to bind"], lambda: read_files(self.options(self.write("s.json", {}), dag, cluster="c", interface={"a": "b"})))
        self.refused(["--times /nowhere/t.json: the file cannot be written"], lambda: read_files(self.options(plan, dag, times="/nowhere/t.json")))
        for read in (plan, dag):
            self.refused([f"--times {read}: this file is read"], lambda read=read: read_files(self.options(plan, dag, times=read)))
            self.assertGreater(pathlib.Path(read).stat().st_size, 10)

    def test_damaged_files_are_refused(self):
        plan, whole = self.write("p.json", PLAN), json.dumps(DAG).encode()
        text = b"# mine\n\ndag a2a processes 4\nop a compute 1ms\n"
        for content, says in ((whole[:-40], "not JSON"), (b"", "not JSON"), (b"\xff\xfe", "not a text"), (b"[" * 100000, "nested"),
                              (b"[]", "not an object"),
                              (b'{"hosts": 4, "ops": [], "ops": []}', "the key 'ops' twice"),
                              (text, "this is a DAG as text"), (b'{"hosts": ' + b"9" * 5000 + b"}", "not JSON")):
            dag = self.write("d.json", content)
            self.refused(["d.json", says], lambda dag=dag: read_files(self.options(plan, dag)))
        self.refused(["nowhere.json", "cannot be read"], lambda: read_files(self.options(plan, "/nowhere.json")))


if __name__ == "__main__":
    unittest.main()
