#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes FOLDER/ring_rank1.json: a Kineto trace of one step with sends and receives, in batches and alone, whose dependencies are
known.

    python3 tests/mutants/ring_trace.py tests/data/profiles

Rank 1 of 4. It sends activations to rank 2 while it gets those of rank 0, in a batch, and computes with them; swaps others with
rank 3 in the group of ranks 1 and 3; sends gradients to rank 0 and gets those of rank 2, one call behind the other. Its gradients
are all-reduced. That are three permutes and an all-reduce. Left out: what it sends to rank 2 while nothing comes, and a receive of
which nothing is told. Times in microseconds."""
import sys

sys.dont_write_bytecode = True  # beside the sources
from step_trace import StepTrace

everyone = [0, 1, 2, 3]
trace = StepTrace(rank=1, world_size=4)
trace.host("user_annotation", 1, "ProfilerStep#1", 0, 400)
trace.host("cpu_op", 1, "aten::linear", 8, 6, **{"Sequence number": 1, "Input Dims": [[8, 4], [4, 4]]})
trace.compute(1, "first_mlp", 10, 100, 100, 1)
trace.batch(1, 30, 200, 100, 2, [("send", 2), ("recv", 0)], 2048, everyone)
trace.host("cpu_op", 1, "aten::linear", 33, 10, **{"Sequence number": 2, "Input Dims": [[8, 4], [4, 4]]})
trace.compute(1, "beside", 35, 200, 150, 3)
trace.wait(1, 45)
trace.host("cpu_op", 1, "aten::linear", 48, 3, **{"Sequence number": 3, "Input Dims": [[8, 8], [8, 1]]})
trace.compute(1, "with_received", 50, 350, 50, 4)
trace.batch(1, 64, 400, 30, 5, [("recv", 3), ("send", 3)], 512, [1, 3])
trace.wait(1, 67)
trace.backward("AddmmBackward0", 68, 6, 3)
trace.compute(2, "last_backward", 70, 450, 100, 6)
trace.transfer(2, "send", 80, 550, 40, 7, 0, 1024, everyone)
trace.transfer(2, "recv", 88, 550, 60, 8, 2, 1024, everyone)
trace.backward("AddmmBackward0", 92, 5, 2)
trace.compute(2, "backward_beside", 93, 550, 140, 9)
trace.wait(2, 98)
trace.backward("AddmmBackward0", 99, 5, 1)
trace.compute(2, "backward_with_received", 100, 700, 100, 10)
trace.collective(2, "allreduce", 108, 800, 50, 11, 500, everyone)
trace.transfer(2, "send", 118, 810, 20, 12, 2, 64, everyone)
trace.transfer(2, "recv", 126, 810, 20, 13, 0, 64, everyone, told=False)
trace.host("user_annotation", 1, "Optimizer.step#SGD.step", 130, 10)
trace.wait(1, 131)
trace.compute(1, "sgd", 133, 860, 10, 14)
trace.write(sys.argv[1] + "/ring_rank1.json")
