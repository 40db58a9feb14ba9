#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module: its figures equal those of syncopate-cli, bit for bit, and its arrays those of its files."""

import ast
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is missing (python3-numpy)")
    sys.exit(0)

import syncopate

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CLI = os.environ["SYNCOPATE_CLI"]


def cli(*arguments):
    return json.loads(subprocess.run([CLI, *arguments, "--json"], check=True, capture_output=True).stdout)


def figures_in(answer):
    """The names of the numbers, null included, in an object of the command line."""
    return {name for name, value in answer.items() if not isinstance(value, (str, list))}


class Figures(unittest.TestCase):
    scenarios = [
        dict(job="alexnet", cluster="A2", strategy="PSLoadBalancing", workers=3, servers=2, bandwidth=7.3, latency="31us"),
        dict(job="bert_large", cluster="B7", strategy="AllReduce(chunk_size=64)", policy="ddp"),
        dict(job="vgg16", cluster="B7", strategy="PS", policy="random(barrier=off)", seed=5, iterations=6),
        dict(job="alexnet", cluster="A2", strategy="PS", background="worker0.up:0.3@0-2s"),
        dict(job="alexnet", cluster="A2", strategy="PS", sharing="tcp"),
    ]

    def test_figures_are_those_of_the_command_line(self):
        for settings in self.scenarios:
            with self.subTest(settings):
                options = [text for key, value in settings.items() for text in ("--" + key, str(value))]
                want = cli("simulate", *options)
                run = syncopate.simulate(syncopate.Scenario(**settings))
                got = run.figures()
                self.assertEqual(set(got), figures_in(want))
                for name in set(got) - {"wall_seconds"}:
                    self.assertEqual(got[name], want[name], name)
                    self.assertEqual(getattr(run, name), want[name], name)
                self.assertTrue(set(run.assumptions) <= set(want["assumptions"]))
                self.assertEqual(run.scenario.policy, want["policy"])

    def test_loaded_parts_are_what_names_load(self):
        job, cluster = syncopate.load_job("alexnet"), syncopate.load_cluster("A2")
        strategy = syncopate.build_strategy("PSLoadBalancing", job, cluster)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "s.pb"
            strategy.save(path)
            runs = [
                syncopate.simulate(syncopate.Scenario(j, c, s))
                for j, c, s in [("alexnet", "A2", "PSLoadBalancing"), (job, cluster, strategy), (job, "A2", path)]
            ]
        self.assertGreater(runs[0].iteration_seconds, 0)
        for run in runs[1:]:
            self.assertEqual(run.iteration_seconds, runs[0].iteration_seconds)
        self.assertEqual(json.loads(strategy.to_json()).keys(), json.loads(runs[1].scenario.strategy.to_json()).keys())

    def test_numbers_of_numpy_are_numbers(self):
        plain = syncopate.simulate(syncopate.Scenario("alexnet", "A2", "PS", workers=3, bandwidth=2.5))
        numpy = syncopate.simulate(
            syncopate.Scenario("alexnet", "A2", "PS", workers=np.int64(3), bandwidth=np.float64(2.5))
        )
        self.assertEqual(plain.iteration_seconds, numpy.iteration_seconds)

    def test_comparison(self):
        a = syncopate.Scenario("vgg16", "B7", "PS")
        b = syncopate.simulate(syncopate.Scenario("vgg16", "B7", "AllReduce"))
        got = syncopate.compare(a, b)
        want = cli("compare", "--job", "vgg16", "--cluster", "B7", "--a", "PS", "--b", "AllReduce")
        self.assertEqual(got["delta_seconds"], want["delta_seconds"])
        self.assertEqual(got["a"]["iteration_seconds"], want["a"]["iteration_seconds"])
        self.assertEqual(got["b"], b.figures())

    def test_a_batch_that_is_not_known_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bare.json"
            layer = dict(name="a", forward_seconds=0.02, backward_seconds=0.04, variables=[dict(name="w", shape=[1000000])])
            path.write_text(json.dumps(dict(name="bare", layers=[layer])))
            bare, stated = syncopate.load_job(path), syncopate.load_job(path, batch_size=32)
            self.assertIsNone(bare.batch_size)
            self.assertEqual(stated.batch_size, 32)
            steps = syncopate.simulate(syncopate.Scenario(bare, "A2", "AllReduce"))
            samples = syncopate.simulate(syncopate.Scenario(stated, "A2", "AllReduce"))
            named = syncopate.simulate(syncopate.Scenario(path, "A2", "AllReduce", batch_size=32))
            want = cli("simulate", "--job", str(path), "--cluster", "A2", "--strategy", "AllReduce")
            self.assertIsNone(steps.samples_per_second)
            self.assertIsNone(want["samples_per_second"])
            self.assertEqual(steps.steps_per_second, want["steps_per_second"])
            self.assertAlmostEqual(samples.samples_per_second / steps.steps_per_second, 32)
            self.assertEqual(named.samples_per_second, samples.samples_per_second)
            for size in (-1, float("nan"), 2e12):
                with self.assertRaises(syncopate.Error):
                    syncopate.load_job(path, batch_size=size)
        with self.assertRaisesRegex(syncopate.Error, "batch"):
            syncopate.load_job("alexnet", batch_size=31)

    def test_settings_are_checked_as_on_the_command_line(self):
        settings = "export HOROVOD_CYCLE_TIME=100\nexport HOROVOD_AUTOTUNE_LOG=x\nexport BYTEPS_PARTITION_BYTES=4\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "launch.sh"
            path.write_text(settings)
            for given in (settings, path):
                got = syncopate.lint_settings(given)
                self.assertEqual(got, cli("lint", "--settings", str(given)))
                self.assertGreater(len(got["findings"]), 2)
                self.assertEqual(got["predictions"], [])
            where = ["--job", "alexnet", "--cluster", "A2", "--workers", "3", "--bandwidth", "7.5"]
            want = cli("lint", "--settings", str(path), *where)
            job = syncopate.load_job("alexnet")
            for name in ("alexnet", job):
                got = syncopate.lint_settings(path, name, "A2", workers=3, bandwidth=7.5)
                self.assertEqual(got, want)
            self.assertGreater(len(got["predictions"]), 0)
            self.assertIn("harmful", [finding["fault"] for finding in got["findings"]])
        for call in [
            lambda: syncopate.lint_settings("nothing here"),
            lambda: syncopate.lint_settings("HOROVOD_CYCLE_TIME=1", "alexnet"),
            lambda: syncopate.lint_settings("HOROVOD_CYCLE_TIME=1", "alexnet", "A2", policy="ddp"),
            lambda: syncopate.lint_settings("HOROVOD_CYCLE_TIME=1", workers=3),
            lambda: syncopate.lint_settings("HOROVOD_CYCLE_TIME=1", "alexnet", "A2", wrokers=3),
        ]:
            with self.assertRaises(syncopate.Error):
                call()

    def test_search(self):
        found = syncopate.search(syncopate.Scenario("alexnet", "A2", "PS"), "random(parts=2..4)", trials=40, seed=3)
        want = cli(*"search --job alexnet --cluster A2 --method random(parts=2..4) --trials 40 --seed 3".split())
        self.assertEqual(found.best_from, want["best"]["from"])
        self.assertEqual(found.best_iteration_seconds, want["best"]["iteration_seconds"])
        self.assertEqual(found.baselines, want["baselines"])
        trials = found.trials()
        for name in ("trial", "iteration_seconds", "best_so_far_seconds", "hit_rate", "shards", "servers"):
            values = [trial[name] for trial in want["trials"]]
            np.testing.assert_array_equal(trials[name], np.array([np.nan if v is None else v for v in values]), name)
        best = syncopate.simulate(syncopate.Scenario("alexnet", "A2", found.best_strategy))
        self.assertEqual(best.iteration_seconds, found.best_iteration_seconds)


class Plans(unittest.TestCase):
    measured = SOURCE / "tests/data/measured/plan"
    dag, costs = measured / "dags/a2a-prefetch.dag.json", measured / "collectives.csv"
    two = (
        "nodes: [{address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}, {address: 10.0.0.2, gpus: [0], "
        "network_bandwidth: 1, ssh_config: c}]\nssh: {c: {username: me}}\n"
        "channels:\n- {name: e0, bandwidth: 1}\n- {name: e1, bandwidth: 0.4}\n"
    )

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.cluster = pathlib.Path(self.folder.name) / "two.yml"
        self.cluster.write_text(self.two)
        self.addCleanup(self.folder.cleanup)

    def assert_equal_figures(self, run, want):
        got = run.figures()
        self.assertEqual(set(got), figures_in(want))
        for name in set(got) - {"wall_seconds"}:
            self.assertEqual(got[name], want[name], name)
            self.assertEqual(getattr(run, name), want[name], name)
        self.assertTrue(set(run.assumptions) <= set(want["assumptions"]))
        self.assertEqual(run.plan, want["plan"])

    def test_figures_are_those_of_the_command_line(self):
        catalogue = ["--job", "syndicate:a1", "--cluster", "syndicate", "--workers", "16"]
        for method in ("fifo", "bs+", "syndicate(chains=1)"):
            run = syncopate.plan("syndicate:a1", "syndicate", method, workers=16)
            self.assert_equal_figures(run, cli("simulate", *catalogue, "--strategy", method))
        measured = ["--job", str(self.dag), "--cluster", str(self.cluster), "--costs", str(self.costs), "--incast", "e0=0.2"]
        run = syncopate.plan(self.dag, self.cluster, costs=[str(self.costs)], incast="e0=0.2", seed=5, evaluations=300)
        path = pathlib.Path(self.folder.name) / "best.json"
        want = cli("plan", *measured, "--seed", "5", "--evaluations", "300", "-o", str(path))
        self.assertAlmostEqual(run.iteration_seconds, want["iteration_seconds"], delta=1e-12)
        self.assertEqual(json.loads(run.to_json()), json.loads(path.read_text()))
        again = syncopate.plan(self.dag, syncopate.load_cluster(self.cluster), path, costs=str(self.costs), incast="e0=0.2")
        self.assert_equal_figures(again, cli("simulate", *measured, "--strategy", str(path)))
        self.assertEqual(again.iteration_seconds, run.iteration_seconds)

    def test_jobs_and_profiles_are_planned(self):
        want = cli("plan", "--job", "alexnet", "--cluster", "B7", "--method", "sched", "--bandwidth", "7.5")
        for job in ("alexnet", syncopate.load_job("alexnet")):
            run = syncopate.plan(job, "B7", "sched", bandwidth=7.5)
            self.assertAlmostEqual(run.iteration_seconds, want["iteration_seconds"], delta=1e-12)
            self.assertGreater(run.samples_per_second, 0)
        profile = SOURCE / "tests/data/profiles/hybrid_rank0.json"
        for which in ("recorded", "gradients"):
            want = cli("plan", "--job", str(profile), "--cluster", "B7", "--method", "fifo", "--collectives", which)
            run = syncopate.plan(profile, "B7", "fifo", collectives=which)
            self.assertAlmostEqual(run.iteration_seconds, want["iteration_seconds"], delta=1e-12)

    def test_arrays_are_of_the_plan(self):
        run = syncopate.plan(self.dag, self.cluster, "ho", costs=str(self.costs))
        table, dag, planned = run.table(), json.loads(self.dag.read_text()), json.loads(run.to_json())
        self.assertEqual(list(table), ["op", "kind", "motif", "channel", "sent_bytes", "start_seconds", "end_seconds"])
        compute = table["kind"] == "compute"
        seconds = {op["name"]: op["seconds"] for op in dag["ops"] if op["kind"] == "compute"}
        self.assertEqual(set(table["op"][compute]), set(seconds))
        for op, start, end in zip(table["op"][compute], table["start_seconds"][compute], table["end_seconds"][compute]):
            self.assertAlmostEqual(end - start, seconds[op])
        self.assertEqual(int((~compute).sum()), sum(len(motifs) for motifs in planned["execution_plan"].values()))
        self.assertTrue((table["sent_bytes"][~compute] > 0).all() and (table["sent_bytes"][compute] == 0).all())
        self.assertEqual(set(table["channel"][~compute]), {m["channel"] for ms in planned["execution_plan"].values() for m in ms})
        idle = 1 - sum(seconds.values()) / run.iteration_seconds
        self.assertAlmostEqual(run.compute_idle_ratio, idle)
        self.assertLessEqual(run.lower_bound_seconds, run.iteration_seconds)
        spans = run.spans()
        self.assertTrue(set(seconds) <= set(spans["label"]))
        counted = run.query("SELECT count(*) AS n FROM spans")
        self.assertEqual(counted["n"][0], len(spans["label"]))

    def test_plans_are_saved_in_every_format(self):
        run = syncopate.plan(self.dag, self.cluster, "fifo", costs=str(self.costs))
        mine, other = (pathlib.Path(self.folder.name) / name for name in ("mine", "other"))
        command = ["plan", "--job", str(self.dag), "--cluster", str(self.cluster), "--costs", str(self.costs), "--method", "fifo"]
        for options in (dict(format="chakra"), dict(format="inductor"), dict(format="msccl-xml", op="ar-top-mlp"), {}):
            with self.subTest(options):
                refused = run.save(mine, **options)
                given = [text for key, value in options.items() for text in ("--" + key, value)]
                want = cli(*command, *given, "-o", str(other), "--force")
                self.assertEqual(mine.read_bytes(), other.read_bytes())
                self.assertEqual(refused, want.get("refused", []))
        self.assertTrue(run.save(mine, format="inductor"))

    def test_refusals_name_arguments(self):
        """Errors name arguments as in Python, not as on the command line."""
        profile = SOURCE / "tests/data/profiles/hybrid_rank0.json"
        for call, says in [
            (lambda: syncopate.plan(self.dag, self.cluster, variables="v.json"), "variables is about a job's layers"),
            (lambda: syncopate.plan(profile, "B7", "fifo", batch_size=8), "batch_size is about a job's layers"),
            (lambda: syncopate.plan(self.dag, self.cluster, incast="much"), "give incast a number"),
            (lambda: syncopate.plan(self.dag, self.cluster, incast="fit"), "give costs with such lines, or incast a number"),
        ]:
            with self.assertRaises(syncopate.Error) as refused:
                call()
            self.assertIn(says, str(refused.exception))
            self.assertNotIn("--", str(refused.exception))

    def test_what_is_refused(self):
        for call in [
            lambda: syncopate.plan(self.dag, self.cluster, "magic"),
            lambda: syncopate.plan(self.dag, self.cluster, collectives="recorded"),
            lambda: syncopate.plan(self.dag, self.cluster, collectives="some"),
            lambda: syncopate.plan(self.dag, self.cluster, evaluations=0),
            lambda: syncopate.plan(self.dag, self.cluster, policy="ddp"),
            lambda: syncopate.plan("alexnet", "B7", "fifo", sharing="tcp"),
            lambda: syncopate.plan(self.dag, self.cluster, incast="much"),
            lambda: syncopate.plan(self.dag, self.cluster, variables="v.json"),
            lambda: syncopate.Scenario("alexnet", "A2", "PS", incast=0.4),
            lambda: syncopate.Scenario(self.dag, self.cluster, "PS"),
            lambda: syncopate.plan(self.dag, self.cluster, "fifo").save("/nonexistent/x", format="pictures"),
        ]:
            with self.assertRaises(syncopate.Error):
                call()


class Arrays(unittest.TestCase):
    def setUp(self):
        self.scenario = syncopate.Scenario("resnet50", "B7", "PSLoadBalancing")
        self.run_ = syncopate.simulate(self.scenario)

    def test_spans_are_those_of_the_trace(self):
        spans = self.run_.spans()
        self.assertEqual(
            list(spans), ["lane", "worker", "start_ns", "end_ns", "category", "label", "variable", "size_bytes"]
        )
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.json"
            self.run_.save_trace(path)
            trace = json.loads(path.read_text())
        events = [e for e in trace["traceEvents"] if e.get("ph") == "X" and e["cat"] != "exposed"]
        self.assertGreater(len(events), 1000)
        got = sorted(zip(spans["start_ns"] / 1e3, (spans["end_ns"] - spans["start_ns"]) / 1e3, spans["label"]))
        want = sorted((e["ts"], e["dur"], e["name"]) for e in events)
        self.assertEqual(len(got), len(want))
        for (start, length, label), event in zip(got, want):
            self.assertAlmostEqual(start, event[0], delta=2e-3)
            self.assertAlmostEqual(length, event[1], delta=2e-3)
        self.assertEqual({label for _, _, label in got}, {name for _, _, name in want})
        self.assertTrue((spans["end_ns"] >= spans["start_ns"]).all())
        self.assertTrue({"forward", "backward", "push", "pull"} <= set(spans["category"]))
        self.assertTrue((spans["size_bytes"][spans["category"] == "push"] > 0).all())
        self.assertTrue(set(spans["variable"]) - {""})

    def test_table_is_that_of_the_command_line(self):
        table = self.run_.table()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.csv")
            cli("simulate", "--job", "resnet50", "--cluster", "B7", "--strategy", "PSLoadBalancing", "--table", path)
            with open(path, newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(list(table), list(rows[0]))
        numbers = 0
        for name, column in table.items():
            self.assertEqual(len(column), len(rows), name)
            if column.dtype == np.float64:
                numbers += 1
                np.testing.assert_array_equal(column, [float(row[name]) if row[name] else np.nan for row in rows], name)
        self.assertGreater(numbers, 3)

    def test_a_table_names_the_groups_of_parts(self):
        on_servers = self.run_.table()
        self.assertEqual(set(on_servers["group"]), {-1})
        self.assertEqual(set(on_servers["groups"]), {""})
        table = syncopate.simulate(syncopate.Scenario("vgg16", "B7", "PartitionedAR(chunk_size=1)")).table()
        self.assertEqual(table["group"].dtype, np.float64)
        self.assertTrue(any(".." in groups for groups in table["groups"]))
        self.assertEqual([groups.split()[0].split("..")[0] for groups in table["groups"]], [str(int(group)) for group in table["group"]])

    def test_a_query_answers_with_what_the_spans_have(self):
        spans = self.run_.spans()
        answer = self.run_.query("SELECT category, sum(duration_ns) AS ns FROM spans GROUP BY category ORDER BY category")
        self.assertEqual(answer["ns"].dtype, np.int64)
        for category, ns in zip(answer["category"], answer["ns"]):
            mine = spans["category"] == category
            self.assertEqual(ns, (spans["end_ns"] - spans["start_ns"])[mine].sum())
        self.assertEqual(set(answer["category"]), set(spans["category"]))
        with self.assertWarnsRegex(UserWarning, "first 5 rows"):
            some = self.run_.query("SELECT start_ns, worker, variable FROM spans", rows=5)
        self.assertEqual([len(column) for column in some.values()], [5, 5, 5])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(len(self.run_.query("SELECT 1 AS one UNION ALL SELECT 2", rows=2)["one"]), 2)
            with self.assertRaises(UserWarning):
                self.run_.query("SELECT 1 AS one UNION ALL SELECT 2", rows=1)
        nothing = self.run_.query("SELECT NULL AS gap, 'a' AS a UNION ALL SELECT 1, NULL")
        self.assertEqual(nothing["gap"].dtype, np.float64)
        self.assertTrue(np.isnan(nothing["gap"][0]))
        self.assertEqual(list(nothing["a"]), ["a", None])
        with self.assertRaises(syncopate.Error):
            self.run_.query("DROP TABLE spans")

    def test_arrays_outlive_the_run_and_are_writable(self):
        spans = self.run_.spans()
        starts = spans["start_ns"].copy()
        del self.run_, self.scenario
        self.assertTrue(all(array.base is None and array.flags.writeable for array in spans.values()))
        # A wrong stride shows other memory than that of the cells (pybind11 before 2.12 with NumPy 2, of texts).
        self.assertTrue(all(array.strides == (array.itemsize,) for array in spans.values()))
        np.testing.assert_array_equal(spans["start_ns"], starts)

    def test_cells_of_text_are_counted(self):
        """As many references as cells, and none left once the arrays are gone."""
        spans = self.run_.spans()
        label = spans["label"][0]
        cells = int((spans["label"] == label).sum())
        before = sys.getrefcount(label)
        spans = None
        self.assertGreaterEqual(before - sys.getrefcount(label), cells)
        self.assertGreaterEqual(sys.getrefcount(label), 1)

    def test_a_profile_has_measured_spans(self):
        profiles = sorted((SOURCE / "sample_data").glob("**/*.json*"))
        loaded = []
        for path in profiles:
            try:
                loaded.append(syncopate.load_job(path).spans())
            except syncopate.Error:
                continue  # a job or a cluster
        self.assertTrue(loaded, profiles)
        for spans in loaded:
            self.assertGreater(len(spans["start_ns"]), 10)
        with self.assertRaisesRegex(syncopate.Error, "not read from a profile"):
            syncopate.load_job("alexnet").spans()

    def test_a_scenario_keeps_the_profile_of_its_job(self):
        job = syncopate.load_job(SOURCE / "sample_data" / "resnet50_cpu_gloo_rank0.json.gz")
        sql = "SELECT count(*) AS spans FROM spans"
        scenario = syncopate.Scenario(job, "B7", "AllReduce")
        for kept in (scenario.job, syncopate.simulate(scenario).scenario.job):
            np.testing.assert_array_equal(kept.spans()["start_ns"], job.spans()["start_ns"])
            self.assertEqual(kept.query(sql)["spans"][0], job.query(sql)["spans"][0])
        with self.assertRaisesRegex(syncopate.Error, "not read from a profile"):
            self.scenario.job.query(sql)


class Refusals(unittest.TestCase):
    def test_errors_have_their_parts(self):
        with self.assertRaises(syncopate.Error) as raised:
            syncopate.load_job("nosuch")
        self.assertIn("nosuch", raised.exception.what)
        self.assertIn("resnet50", raised.exception.remedy)
        self.assertIn(raised.exception.what, str(raised.exception))
        self.assertIsInstance(raised.exception, ValueError)

    def test_bad_arguments(self):
        def scenario(**settings):
            return syncopate.simulate(syncopate.Scenario("alexnet", "A2", "PS", **settings))

        for call, place in [
            (lambda: scenario(wrokers=3), "wrokers"),
            (lambda: scenario(workers=0), "workers"),
            (lambda: scenario(bandwidth="fast"), "bandwidth"),
            (lambda: scenario(fold="no"), "fold"),
            (lambda: scenario(iterations=2), "iterations"),
            (lambda: scenario(bandwidth=float("nan")), "byte 14"),
        ]:
            with self.assertRaises(syncopate.Error) as raised:
                call()
            self.assertEqual(raised.exception.place, place)
            self.assertTrue(raised.exception.remedy)
        for call, key in [(lambda: scenario(policy="lifo"), "policy"), (lambda: scenario(background="worker0.up@"), "background")]:
            with self.assertRaises(syncopate.Error) as raised:
                call()
            self.assertEqual(raised.exception.file, key)
        for call in [
            lambda: syncopate.load_cluster("Z9"),
            lambda: syncopate.build_strategy("Magic", "alexnet", "A2"),
            lambda: syncopate.Scenario(syncopate.load_job("alexnet"), "A2", "PS", variables="v.json"),
            lambda: syncopate.Scenario("vgg16", "A2", syncopate.build_strategy("PS", "alexnet", "A2")),
            lambda: syncopate.catalog("colours"),
            lambda: syncopate.search(syncopate.Scenario("alexnet", "A2", "PS"), trials=0),
            lambda: syncopate.search(syncopate.Scenario("alexnet", "A2", "PS"), "magic()"),
            lambda: syncopate.search(syncopate.Scenario("alexnet", "A2", "PS"), objective="fun"),
        ]:
            with self.assertRaises(syncopate.Error):
                call()
        with self.assertRaises(TypeError):
            scenario(workers=object())
        with self.assertRaises(TypeError):
            syncopate.simulate("alexnet")


class Threads(unittest.TestCase):
    def test_other_threads_go_on(self):
        """A search of minutes runs while this thread counts; Ctrl+C ends it."""
        self.assertIs(threading.current_thread(), threading.main_thread())
        counted = []

        def count_then_interrupt():
            for i in range(5):
                time.sleep(0.02)
                counted.append(i)
            os.kill(os.getpid(), signal.SIGINT)

        counter = threading.Thread(target=count_then_interrupt)
        scenario = syncopate.Scenario("bert_large", "B7", "PS")
        counter.start()
        with self.assertRaises(KeyboardInterrupt):
            syncopate.search(scenario, trials=1_000_000)
        counter.join()
        self.assertEqual(counted, list(range(5)))

    def test_threads_simulate_the_same(self):
        scenario = syncopate.Scenario("bert_large", "B7", "AllReduce")
        want = syncopate.simulate(scenario).iteration_seconds
        got = []
        threads = [threading.Thread(target=lambda: got.append(syncopate.simulate(scenario))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([run.iteration_seconds for run in got], [want] * 8)


class Documents(unittest.TestCase):
    def test_stub_names_what_the_module_has(self):
        def names_of(body):
            return {n.name for n in body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")}

        stub = ast.parse((SOURCE / "app/python/syncopate.pyi").read_text())
        classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}

        def with_bases(name):
            """The class and its base classes, as far as the stub defines them."""
            return [name, *(each for base in classes[name].bases if base.id in classes for each in with_bases(base.id))]

        def fields_of(name):
            return {node.target.id for each in with_bases(name) for node in classes[each].body if isinstance(node, ast.AnnAssign)}

        types_only = {
            "RecordingFigures",
            "Figures",
            "PlanFigures",
            "Comparison",
            "CatalogEntry",
            "LeftOutSetting",
            "SettingsFinding",
            "SettingsPrediction",
            "SettingsReport",
        }
        public = {name for name in dir(syncopate) if not name.startswith("_")}
        self.assertEqual(names_of(stub.body) - types_only, public)
        for name in public & set(classes) - {"Error"}:
            members = {member for member in dir(getattr(syncopate, name)) if not member.startswith("_")}
            self.assertEqual({member for each in with_bases(name) for member in names_of(classes[each].body)}, members, name)
            bases = {base.__name__ for base in getattr(syncopate, name).__mro__ if base.__module__ == "syncopate"}
            self.assertEqual(set(with_bases(name)), bases)
        run = syncopate.simulate(syncopate.Scenario("alexnet", "A2", "PS"))
        self.assertEqual(fields_of("Figures"), set(run.figures()))
        self.assertEqual(fields_of("PlanFigures"), set(syncopate.plan("syndicate:a1", "syndicate", "fifo", workers=16).figures()))

    def test_example_runs(self):
        printed = subprocess.run(
            [sys.executable, SOURCE / "docs/python_example.py"], check=True, capture_output=True, text=True
        ).stdout
        for text in ("PSLoadBalancing", "Gbit/s", "all-reduce", "best: "):
            self.assertIn(text, printed)

    def test_catalogues(self):
        for kind in ("jobs", "clusters", "builders", "policies", "methods", "judges"):
            entries = syncopate.catalog(kind)
            self.assertTrue(entries and all(e["description"] for e in entries), kind)
            for entry in entries:
                self.assertNotIn("(", entry["name"])
                self.assertEqual(entry["name"], entry["signature"].split("(")[0])
        self.assertIn("bert_large", [entry["name"] for entry in syncopate.catalog("jobs")])


if __name__ == "__main__":
    unittest.main()
