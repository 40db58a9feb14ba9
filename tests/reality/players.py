# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a player with torch.distributed on each host of a network: plan_player.py or fsdp_player.py."""
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile

from network import run_together, why_impossible
from replay import PYTHON, player, write_json


def start_players(network, program, spec):
    """Rank 0's result. `spec`: the program's, without its paths; `channels` and `port` among it."""
    with tempfile.TemporaryDirectory() as folder:
        spec = {"address": network.address(0), "processes": network.nodes, "result": f"{folder}/result.json", **spec}
        path = write_json(f"{folder}/spec.json", spec)
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        run_together([functools.partial(player, network, node, [program, path, "--rank", str(node)], environment) for node in range(network.nodes)], 900)
        with open(spec["result"], encoding="utf-8") as file:
            return json.load(file)


def why_players_impossible(prefix, network):
    """Why this machine cannot start players on `network`; None if it can."""
    reason = why_impossible(prefix, network)
    if not reason and subprocess.run([PYTHON, "-c", "import torch.distributed"], capture_output=True, check=False).returncode != 0:
        reason = f"{PYTHON} has no torch (package python3-torch)"
    return reason


def measure_parts(options, parts, smoke, network):
    """Runs the parts of a measurement, or the one of --only, or --smoke. `network`: makes one to try, None where none is needed."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda caught, _: sys.exit(128 + caught))
    reason = why_players_impossible(options.prefix, network()) if network else None
    if reason:
        print(f"skipped: {reason}")
        return
    if options.smoke:
        smoke(options)
        return
    os.makedirs(options.output, exist_ok=True)
    for part in parts:
        if options.only in (None, part.__name__):
            part(options)
