#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of collectives played on one machine over gloo. The replay itself checks that the motifs leave every process with the result of
each collective; here plans that do not are seen to fail. Times are only bounded from below, by the compute."""
import json
import os
import shutil
import subprocess
import sys
import types

from plans import chain, dag_of, motif, op, plan_of
from ranks import REPLAY, ROOT, RanksTest, free_port, main
sys.path.insert(0, str(REPLAY.parent))
from replay_motifs import Payload, buffer_elements, collective_of, start_of, sums_of, values_of
from replay_plan_files import KINDS, Motif, Op

STEP = 0.008  # seconds of compute in an iteration of DAG
INNER, ACROSS, ROOTS = (2, 1, 1), (2, 2, 1), (2, 2, 2)  # two groups of two neighbours, one of each, the first of each


def dag(*ops, hosts=4):
    return dag_of(op("forward", "compute"), op("backward", "compute", ["forward"]), *ops, hosts=hosts)


def comm(kind, name=None, **more):
    return op(name or kind, kind, ["forward"], **more)


class PlanSmoke(RanksTest):
    def files(self, plan, of):
        paths = []
        for name, content in (("plan.json", plan), ("dag.json", of)):
            path = self.folder / f"{len(list(self.folder.iterdir()))}-{name}"
            path.write_text(json.dumps(content), encoding="utf-8")
            paths.append(str(path))
        return paths

    def play(self, cuts, *ops, hosts=4, **more):
        return self.measured(hosts, STEP, *self.files(plan_of(cuts, **more), dag(*ops, hosts=hosts)))

    def test_every_kind(self):
        """Segments, splines, rings and two channels; collectives that run ahead; bytes that no number of processes divides."""
        ops = [comm(kind, bytes_per_process=12345) for kind in ("all_gather", "reduce_scatter", "broadcast", "reduce")]
        ops += [op("data", "all_to_all", [], ["forward"], bytes_per_process=100003), comm("permute", shift=-1), comm("permute", "far", shift=2),
                comm("all_reduce")]
        halves = lambda kind, **more: [motif(kind, f"e{part}", segment=(part, 2), **more) for part in range(2)]
        cuts = {"data": [motif("all_to_all", f"e{part % 2}", (part // 4, 2), (part % 4, 4)) for part in range(8)],
                **{kind: halves(kind) for kind in ("all_gather", "reduce_scatter", "broadcast")}, "reduce": [motif("reduce")],
                "permute": [motif("permute", f"e{part}", spline=(part, 2)) for part in range(2)],
                "far": [motif("permute", "e1", (part, 3)) for part in range(3)],
                "all_reduce": [*chain(motif("reduce_scatter", segment=(0, 3)), motif("all_gather", "e1", segment=(0, 3))),
                               motif("all_reduce", "e1", (1, 3)), motif("all_reduce", segment=(2, 3))]}
        self.assertIn("channels 'e0', 'e1' share the interface lo", self.play(cuts, *ops, ahead=["data"]))

    def test_splines(self):
        """Splines of sums and copies, which are sent directly: at once on two channels, with and without the local part; of
        segments, of groups, and of a ring and a tree."""
        spread = lambda kind, parts, **more: [motif(kind, f"e{part % 2}", spline=(part, parts), **more) for part in range(parts)]
        whole = ("all_gather", "reduce_scatter", "broadcast", "reduce")
        ops = [comm(kind, f"{kind}{parts}", bytes_per_process=12345) for kind in whole for parts in (2, 4)]
        cuts = {f"{kind}{parts}": spread(kind, parts) for kind in whole for parts in (2, 4)}
        cuts["finer"] = [motif("reduce_scatter", segment=(0, 2)), *(motif("reduce_scatter", f"e{part}", (1, 2), (part, 2)) for part in range(2))]
        cuts["ring"] = [*spread("reduce_scatter", 2), *spread("all_gather", 4, after=[0, 1])]
        cuts["tree"] = [*spread("reduce", 2, group=INNER), motif("all_reduce", group=ROOTS, after=[0, 1]),
                        *spread("broadcast", 2, group=INNER, after=[2])]
        cuts["across"] = [*spread("all_gather", 2, group=ACROSS), *spread("all_gather", 2, group=INNER, after=[0, 1])]
        self.play(cuts, *ops, comm("reduce_scatter", "finer"), comm("all_reduce", "ring"), comm("all_reduce", "tree"), comm("all_gather", "across"))

    def test_groups(self):
        """Motifs of smaller groups: trees, and both directions of partitions; a ring whose all-gather is finer; ops of groups of their own."""
        cuts = {"all_reduce": chain(motif("reduce_scatter", group=INNER), motif("all_reduce", "e1", group=ACROSS), motif("all_gather", group=INNER)),
                "tree": chain(motif("reduce", group=INNER), motif("all_reduce", group=ROOTS), motif("broadcast", "e1", group=INNER)),
                "all_gather": chain(motif("all_gather", group=ACROSS), motif("all_gather", group=INNER)),
                "reduce_scatter": chain(motif("reduce_scatter", group=INNER), motif("reduce_scatter", group=ACROSS)),
                "broadcast": chain(motif("broadcast", group=ROOTS), motif("broadcast", group=INNER)),
                "reduce": chain(motif("reduce", group=INNER), motif("reduce", "e1", group=ROOTS)),
                "all_to_all": [motif("all_to_all", group=INNER, spline=(0, 2)), motif("all_to_all", "e1", group=INNER, spline=(1, 2), after=[0]),
                               motif("all_to_all", group=ACROSS, after=[0, 1])],
                "ring": [motif("reduce_scatter"), *(motif("all_gather", f"e{part}", (part, 2), after=[0]) for part in range(2))],
                "pairs": [motif("all_to_all")], "apart": [motif("permute")]}
        ops = [comm(kind) for kind in ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "all_to_all")]
        ops += [comm("all_reduce", "tree"), comm("all_reduce", "ring"), comm("all_to_all", "pairs", group={"size": 2, "stride": 1}),
                comm("permute", "apart", group={"size": 2, "stride": 2})]
        self.play(cuts, *ops)

    def test_groups_of_different_sizes(self):
        cuts = {"sum": [*chain(motif("reduce_scatter", segment=(0, 2)), motif("all_gather", segment=(0, 2))), motif("all_reduce", segment=(1, 2))],
                "exchange": [motif("all_to_all")]}
        self.play(cuts, comm("all_reduce", "sum", group={"sizes": [2, 3]}), comm("all_to_all", "exchange", group={"sizes": [3, 2]}), hosts=5)

    def fails(self, says, cuts, *ops):
        with self.subTest(says=says):
            ranks = self.run_ranks(4, *self.files(plan_of(cuts), dag(*ops)), "--iterations", "3", "--timeout", "20")
            self.assertTrue(all(code == 1 and not output for code, output, _ in ranks), ranks)
            self.assertIn(says, "".join(errors for _, _, errors in ranks))

    def test_motifs_that_are_not_the_collective_fail(self):
        twice = chain(motif("reduce_scatter", group=INNER), motif("all_reduce", group=INNER), motif("all_gather", group=INNER))
        self.fails("the motifs of 'sum' do not make up its all_reduce", {"sum": twice}, comm("all_reduce", "sum"))
        mixed = chain(motif("all_to_all", group=INNER), motif("all_to_all", group=INNER))
        self.fails("the motifs of 'data' do not make up its all_to_all", {"data": mixed}, comm("all_to_all", "data"))
        half = chain(motif("all_gather", group=ACROSS), motif("all_gather", group=INNER, segment=(0, 2)))
        self.fails("the motifs of 'all' do not make up its all_gather", {"all": half}, comm("all_gather", "all"))

    def test_ranks_that_end_far_apart(self):
        """Further apart than --timeout: the times are not lost."""
        self.change_replay("""play = replay_plan.Player.play
def play_late(player):
    times = play(player)
    time.sleep(9 if os.environ["RANK"] == "1" else 0)
    return times
replay_plan.Player.play = play_late""")
        files = self.files(plan_of({"all_reduce": [motif("all_reduce")]}), dag(comm("all_reduce"), hosts=2))
        ranks = self.run_ranks(2, *files, "--iterations", "3", "--timeout", "6")
        self.assertEqual([code for code, _, _ in ranks], [0, 0], ranks)
        self.assertEqual(len(ranks[0][1].split()), 3)

    def test_values_are_checked_alone(self):
        """A collective that runs behind, and takes its time to be checked: the iteration that begins next is not measured with it."""
        self.change_replay("""from replay_motifs import Payload
for name in ("check_and_free", "is_right"):
    if hasattr(Payload, name):
        check = getattr(Payload, name)
        setattr(Payload, name, lambda payload: time.sleep(1) or check(payload))""")
        files = self.files(plan_of({"all_reduce": [motif("all_reduce")]}), dag(comm("all_reduce"), hosts=2))
        ranks = self.run_ranks(2, *files, "--iterations", "1", "--blocks", "1", "--warm-up", "1")
        self.assertEqual([code for code, _, _ in ranks], [0, 0], ranks)
        self.assertLess(float(ranks[0][1]), 0.9)

    def test_what_a_motif_holds(self):
        """By formula, as before a run, and in tensors."""
        import torch
        group = types.SimpleNamespace(size=lambda: 4, rank=lambda: 0)
        splined = [(kind, (part, parts)) for kind in KINDS[1:] for part, parts in ((0, 2), (1, 2), (0, 4)) if (kind, part) != ("all_to_all", 0)]
        for kind, spline in (*((kind, (0, 1)) for kind in KINDS), *splined):
            made = collective_of(torch, group, kind, 30, spline)
            tensors = [part for one in (made.input, getattr(made, "output", [])) for part in (one if isinstance(one, list) else [one])]
            self.assertEqual(sum(len(tensor) for tensor in tensors), buffer_elements(kind, 4, 30, spline), (kind, spline))

    def test_sums_and_chunks_that_are_checked(self):
        import torch
        members = [0, 3, 700, 16000]
        one_by_one = sum(values_of(torch, member, 5) for member in members)
        self.assertTrue(torch.equal(sums_of(torch, members, 5), one_by_one))
        self.assertEqual(one_by_one[1], sum((start_of(member, 5) + 101) % 1021 for member in members))
        checked = [Payload(torch, Op("x", "all_reduce", size=4e4), [Motif("x", 0, "all_reduce", "e")], range(1000), me).checked_chunks()
                   for me in range(1000)]
        self.assertTrue(all(len(set(own)) == 256 and own[0] == me for me, own in enumerate(checked)))
        self.assertEqual(set().union(*checked[:4]), set(range(1000)))

    def test_errors_end_all_processes(self):
        whole, of = [motif("all_reduce")], dag(comm("all_reduce"), hosts=2)
        files = self.files(plan_of({"all_reduce": whole}), of)
        half = self.files(plan_of({"all_reduce": [motif("all_reduce", segment=(0, 2))]}), of)
        of_four = self.files(plan_of({"all_reduce": whole}), dag(comm("all_reduce")))
        for arguments, says in ((half, "plan.json: the motifs of 'all_reduce' leave out a part"), (files[::-1], "dag.json: this is a training DAG"),
                                (of_four, "2 processes were started, and the DAG has 4; start 4"),
                                ([*files, "--interface", "e0=none0"], "--interface: rank 0 has no interface 'none0'")):
            ranks = self.run_ranks(2, *arguments)
            self.assertEqual([(code, output) for code, output, _ in ranks], [(2, "")] * 2, ranks)
            self.assertEqual(len(ranks[0][2].splitlines()), 1, ranks[0][2])
            self.assertTrue(ranks[0][2].startswith("error: "))
            self.assertIn(says, ranks[0][2])
            self.assertEqual(ranks[1][2], "")

    def test_a_bound_channel_is_not_noted(self):
        files = self.files(plan_of({"all_reduce": [motif("all_reduce")]}), dag(comm("all_reduce"), hosts=2))
        self.assertNotIn("the interface lo", self.measured(2, STEP, *files, "--interface", "e0=lo"))

    def test_measured_plan_under_mpirun(self):
        """Alone on this machine an iteration takes its compute at least."""
        if not shutil.which("mpirun"):
            self.skipTest("mpirun is missing (package openmpi-bin)")
        data = ROOT / "tests" / "data" / "measured" / "plan_replay"
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "4", sys.executable, "-B", str(REPLAY),
                   "--iterations", "6", "--blocks", "2", str(data / "plans" / "ar-ours.plan.json"), str(data / "dags" / "ar.dag.json")]
        done = subprocess.run(command, env=dict(os.environ, MASTER_PORT=free_port()), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        compute = sum(own.get("seconds", 0) for own in json.loads((data / "dags" / "ar.dag.json").read_text())["ops"])
        times = [float(line) for line in done.stdout.split()]
        self.assertEqual(len(times), 2)
        self.assertGreaterEqual(min(times), 0.99 * compute)


if __name__ == "__main__":
    main()
