#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures an iteration of a strategy, or of a plan of collectives, on the user's own machines: it waits for the time of compute and
really communicates.

    mpirun -n 4 --host a,b,c,d -x MASTER_ADDR=10.0.0.1 syncopate-replay STRATEGY.json JOB.json resource_spec.yml
    torchrun --nnodes 4 --nproc-per-node 1 ... $(which syncopate-replay) STRATEGY.json JOB.json resource_spec.yml
    mpirun -n 4 --host a,b,c,d -x MASTER_ADDR=10.0.0.1 syncopate-replay PLAN.json step.dag.json

Of a strategy, each replica is a process, and so is each node that only serves. A layer's forward and backward pass are waits of the job's
seconds. All-reduce groups are collectives of torch.distributed, launched when their last gradient is ready; a served
variable is sent to the process on its server's node, summed there and sent back. The next iteration starts when a worker
has every value. Of a plan (syncopate-cli plan -o PLAN.json), each process of the training DAG is one here. A channel runs the
motifs of its order, each when its collective's dependencies are done, over the interface that --interface gives it, or else
the first that has the name of one of its links, or its own (docs/plan.md). Only rank 0 reads the files. It prints the median
seconds of an iteration, one for each block of iterations, and nothing else, as syncopate-cli's judge command("...") reads it
(docs/search.md has an example, and what is not replayed).
"""
import argparse
import collections
import datetime
import json
import os
import statistics
import sys

from replay_files import InputError, read_cluster, read_job, read_json, read_policy, read_text, shown
from replay_launch import choose_interface, end, has_address, is_first, launched_as, leave
from replay_order import check_runs
from replay_plan import Places, Player as PlanPlayer, make_player, own_claim, take_process
from replay_plan_files import Plan, read_dag_json, read_plan
from replay_schedule import Schedule, take_seats
from replay_strategy import Player

GLOO_COLLECTIVES = 2  # concurrent collectives in a process group of gloo
MAX_COUNT = 10**6     # of iterations, and of seconds of --timeout
MAX_WAIT_SECONDS = 1e8
LATE_SECONDS = 3e-3   # lateness of waits: above it the machine is too busy to trust the times


def median_blocks(times, blocks):
    """Medians of `blocks` blocks of about equal length."""
    cuts = [len(times) * block // blocks for block in range(blocks + 1)]
    return [statistics.median(times[begin:end]) for begin, end in zip(cuts, cuts[1:])]


def read_schedule(options, strategy):
    """Schedule, and the number of concurrent collectives. `strategy`: the content of its file."""
    if options.cluster is None:
        raise InputError("this is no plan, and a strategy is played on the nodes of a cluster", "give the files of strategy, job and cluster",
                         options.strategy)
    if options.interface:
        raise InputError("a strategy has no channels to bind", "leave --interface out, or give a plan", options.strategy)
    job, (nodes, channels) = read_job(options.job), read_cluster(options.cluster)
    beside = os.path.join(os.path.dirname(options.strategy), "policy.txt")
    policy = read_policy(read_text(beside), beside) if not options.policy and os.path.exists(beside) else read_policy(options.policy or "fifo")
    at_once = policy.concurrent or channels
    if options.backend == "gloo" and at_once > GLOO_COLLECTIVES:
        raise InputError(f"gloo runs {GLOO_COLLECTIVES} collectives at a time, not {at_once}",
                         "give the cluster fewer channels, or the policy ddp a smaller 'concurrent'")
    return Schedule(job, strategy, nodes, policy), at_once


def read_plan_and_places(options, plan):
    """Plan and, where a cluster is given, its processes' places. `plan`: the content of its file."""
    if options.backend != "gloo":
        raise InputError("plans are played with gloo: NCCL chooses interfaces for all communicators of a process, and none for a channel",
                         "leave --backend out", options.strategy)
    if options.policy:
        raise InputError("a plan has an order of its own", "leave --policy out, or give a strategy", options.strategy)
    played = read_plan(plan, read_dag_json(options.job))
    check_runs(played, options.warm_up + options.iterations + 1, options.strategy)
    return played, Places(played, read_cluster(options.cluster, True)[0], options.cluster) if options.cluster else None


def check_times(path, inputs):
    """Refuses a --times file that is one of the inputs or cannot be written, before hours of measuring."""
    if any(os.path.exists(path) and os.path.exists(read) and os.path.samefile(path, read) for read in inputs):
        raise InputError("this file is read, and would be overwritten", "write to another file", f"--times {path}")
    try:
        with open(path, "a", encoding="utf-8"):
            pass
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", error)
        raise InputError(f"the file cannot be written ({why})", "check its folder and rights", f"--times {path}") from error


def read_files(options):
    """The input that rank 0 sends to the others: a Schedule and its concurrent collectives, or a Plan and its places."""
    if options.times:
        check_times(options.times, filter(None, (options.strategy, options.job, options.cluster)))
    first = read_json(options.strategy)
    if "ops" in first.value and "hosts" in first.value:
        raise InputError("this is a training DAG", "give its plan first, then the DAG", options.strategy)
    return read_plan_and_places(options, first) if "execution_plan" in first.value else read_schedule(options, first)


def pick_times(gathered, warm_up, slowest):
    """The measured durations of the first process that has any, or of the slowest: processes of small groups of a plan run ahead."""
    measured = [durations[warm_up:] for durations, _ in gathered if durations]
    return max(measured, key=sum) if slowest else measured[0]


def report(options, gathered, slowest):
    """`gathered`: for each process its durations and how late its waits ended; `slowest`: as of pick_times()."""
    late = sorted(seconds for _, own in gathered for seconds in own)
    p99 = late[int(0.99 * (len(late) - 1))] if late else 0.0
    if p99 > LATE_SECONDS:
        print(f"note: 1 % of the waits ended {1e3 * p99:.1f} ms late or more: these machines are too busy for these times", file=sys.stderr)
    times = pick_times(gathered, options.warm_up, slowest)
    for seconds in median_blocks(times, options.blocks):
        print(f"{seconds:.9g}", flush=True)
    if options.times:
        try:
            with open(options.times, "w", encoding="utf-8") as file:
                json.dump({"seconds": times, "late_seconds_p99": p99}, file)
        except OSError as error:
            print(f"note: {options.times} cannot be written ({error.strerror}); the medians are complete", file=sys.stderr)


def wait_for_all(store, rank, size, seconds):
    """Returns when every process has played. Processes that share no collective can end far apart."""
    store.set(f"played/{rank}", "")
    store.wait([f"played/{other}" for other in range(size)], datetime.timedelta(seconds=seconds))


def gathered_of_all(dist, own, size):
    gathered = [None] * size
    dist.all_gather_object(gathered, own)
    return gathered


def make_any_player(torch, what, beside, rank, size, options):
    """The player of this process: of a Plan on places (`beside`, None without a cluster), or of a Schedule and its concurrent collectives."""
    dist, is_plan = torch.distributed, isinstance(what, Plan)
    nodes = what.nodes if not is_plan else beside.nodes if beside else []
    claimed = gathered_of_all(dist, [index for index, node in enumerate(nodes) if has_address(node.address)], size)
    if is_plan:
        return make_player(torch, what, take_process(what, beside, rank, claimed), rank, gathered_of_all(dist, own_claim(), size), options)
    options.at_once = beside
    return Player(torch, what, take_seats(what, claimed), rank, options)


def replay(options):
    rank, size, local = launched_as()
    try:
        import torch
        import torch.distributed as dist
    except ImportError as error:
        raise InputError(f"PyTorch is missing ({error})", "install it: apt-get install python3-torch, or pip install torch") from error
    torch.set_num_threads(1)
    choose_interface(os.environ["MASTER_ADDR"])
    if options.backend == "nccl" and torch.cuda.is_available():
        torch.cuda.set_device(local)
    dist.init_process_group("gloo", rank=rank, world_size=size, timeout=datetime.timedelta(seconds=options.timeout))
    # Rank 0 also sends an error to the others, so that they end with it.
    message, error = [None], InputError("rank 0 cannot read its files", "see its output")
    if rank == 0:
        try:
            message = [read_files(options)]
        except InputError as own:
            error = own
    dist.broadcast_object_list(message)
    if message[0] is None:
        raise error
    player = make_any_player(torch, *message[0], rank, size, options)
    durations = player.play()
    if isinstance(player, PlanPlayer):
        store = dist.PrefixStore("replay", dist.distributed_c10d._get_default_store())
        wait_for_all(store, rank, size, min(MAX_WAIT_SECONDS, player.patience * (player.iterations + 1)))
    gathered = [None] * size if rank == 0 else None
    dist.gather_object((durations, player.late), gathered)
    if rank == 0:
        report(options, gathered, slowest=isinstance(player, PlanPlayer))
    dist.barrier()


def interface_option(text):
    """CHANNEL=INTERFACE; a channel's name may have a = in it."""
    channel, given, interface = text.rpartition("=")
    if not given or not channel or not interface:
        raise argparse.ArgumentTypeError(f"{text!r} is not CHANNEL=INTERFACE")
    return channel, interface


def parse_options():
    parser = argparse.ArgumentParser(prog="syncopate-replay", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="%(prog)s [OPTION]... STRATEGY JOB CLUSTER\n       %(prog)s [OPTION]... PLAN DAG [CLUSTER]")
    parser.add_argument("strategy", metavar="STRATEGY", help="as JSON, or a plan of collectives")
    parser.add_argument("job", metavar="JOB", help="a job file; of a plan its training DAG, as JSON")
    parser.add_argument("cluster", metavar="CLUSTER", nargs="?", help="a resource_spec.yml; of a plan only for the nodes of its processes")
    parser.add_argument("--policy", help="fifo or ddp(..); default: policy.txt beside the strategy, else fifo")
    parser.add_argument("--backend", choices=("gloo", "nccl"), default="gloo", help="of collectives; servers and plans always use gloo")
    parser.add_argument("--interface", metavar="CHANNEL=INTERFACE", action="append", type=interface_option, default=[],
                        help="network interface of a plan's channel; default: the first with the name of a link of it, or its own")
    counts = [("--iterations", 15, "that are measured"), ("--warm-up", 3, "iterations before them, 1 or more"),
              ("--blocks", 3, "runs of iterations, each of which prints its median"),
              ("--timeout", 300, "seconds after which a message is lost")]
    for name, usual, text in counts:
        parser.add_argument(name, type=int, default=usual, metavar="N", help=f"{text} ({usual})")
    parser.add_argument("--times", metavar="FILE", help="all times as JSON, written by rank 0")
    options = parser.parse_args()
    counted = (options.iterations, options.warm_up, options.blocks, options.timeout)
    twice = [channel for channel, count in collections.Counter(channel for channel, _ in options.interface).items() if count > 1]
    if twice:
        parser.error(f"--interface binds the channel {shown(twice[0])} twice")
    options.interface = dict(options.interface)
    if min(counted) < 1 or max(counted) > MAX_COUNT or options.blocks > options.iterations:
        parser.error(f"counts are 1 to {MAX_COUNT}, and there are no more blocks than iterations")
    return options


def with_remedy(error):
    what = next(iter(str(error).splitlines()), "") or type(error).__name__
    if isinstance(error, MemoryError) or "memory" in what.lower():
        return f"{what}; let fewer processes share a machine, or make the collectives smaller"
    return f"{what}; check that every process reaches MASTER_ADDR and the others"


def main():
    options = parse_options()
    try:
        replay(options)
    except InputError as error:
        if is_first():
            print(f"error: {error}", file=sys.stderr)
        return 2
    except ArithmeticError as error:
        leave(f"{error}; report this fault of the replay with its three files")
    except (RuntimeError, ValueError, OSError, MemoryError) as error:
        leave(with_remedy(error))
    return 0


if __name__ == "__main__":
    end(main())
