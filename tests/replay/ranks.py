# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts replays of several processes on this machine, for tests."""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPLAY = ROOT / "app" / "replay" / "syncopate_replay.py"
CHANGED_REPLAY = """import os, sys, time
sys.path.insert(0, {folder!r})
import replay_plan, syncopate_replay
{change}
syncopate_replay.end(syncopate_replay.main())
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class RanksTest(unittest.TestCase):
    program = REPLAY

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def change_replay(self, change):
        """The test's later replays run these lines of Python first."""
        self.program = self.folder / "changed_replay.py"
        self.program.write_text(CHANGED_REPLAY.format(folder=str(REPLAY.parent), change=change), encoding="utf-8")

    def run_ranks(self, count, *arguments):
        """Each rank's exit code, output and errors, started like torchrun does; retries if another program took the port."""
        while True:
            ranks = self.try_ranks(count, free_port(), *arguments)
            if not any("already in use" in errors for _, _, errors in ranks):
                return ranks

    def try_ranks(self, count, port, *arguments):
        processes = []
        for rank in range(count):
            environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(count), LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1",
                               MASTER_PORT=port, PYTHONDONTWRITEBYTECODE="1")
            processes.append(subprocess.Popen([sys.executable, str(self.program), *arguments], env=environment, stdout=subprocess.PIPE,
                                              stderr=subprocess.PIPE, text=True))
        try:
            told = [process.communicate(timeout=200) for process in processes]
        finally:
            for process in processes:
                process.kill()
        return [(process.returncode, *own) for process, own in zip(processes, told)]

    def measured(self, count, at_least, *arguments):
        """Rank 0's stderr, after a replay of which all processes end well and only rank 0 prints: two times, of `at_least` so many
        seconds."""
        ranks = self.run_ranks(count, *arguments, "--iterations", "4", "--warm-up", "2", "--blocks", "2", "--timeout", "100")
        self.assertEqual([code for code, _, _ in ranks], [0] * count, ranks)
        times = [float(line) for line in ranks[0][1].split()]
        self.assertEqual(len(times), 2)
        self.assertGreaterEqual(min(times), 0.99 * at_least)
        self.assertEqual([output for _, output, _ in ranks[1:]], [""] * (count - 1))
        return ranks[0][2]


def main(*modules):
    """Runs the tests of the calling program, if torch with gloo and `modules` are there; says "skipped: why" otherwise."""
    try:
        import torch.distributed
        for module in modules:
            __import__(module)
        if not torch.distributed.is_gloo_available():
            raise ImportError("this torch has no gloo")
    except ImportError as error:
        print(f"skipped: {error} (packages python3-torch, python3-yaml)")
        sys.exit(0)
    unittest.main()
