#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes FOLDER/hybrid_rank0.json: a Kineto trace of one step that is model- and data-parallel, with launches,
waits and streams as PyTorch's c10d and Kineto write them, whose dependencies are known.

    python3 tests/mutants/hybrid_trace.py tests/data/profiles

Rank 0 of 4. An embedding's rows are exchanged by an all-to-all while the bottom MLP computes; the top MLP waits for them. Its
gradients are all-reduced among ranks 0 and 2, the embedding's gradients exchanged, the bottom's all-reduced among all. The update
ends with an all-gather, whose result a broadcast sends on. Times in microseconds."""
import sys

sys.dont_write_bytecode = True  # beside the sources
from step_trace import StepTrace

everyone = [0, 1, 2, 3]
trace = StepTrace(rank=0, world_size=4)
trace.host("user_annotation", 1, "ProfilerStep#1", 0, 400)
trace.host("cpu_op", 1, "aten::embedding_bag", 8, 6, **{"Sequence number": 1, "Input Dims": [[64, 4]]})
trace.compute(1, "embedding", 10, 100, 100, 1)
trace.collective(1, "all_to_all", 24, 200, 100, 2, 4096, everyone)
trace.host("cpu_op", 1, "aten::linear", 33, 10, **{"Sequence number": 2, "Input Dims": [[8, 4], [4, 4]]})
trace.compute(1, "bottom_mlp", 35, 200, 150, 3)
trace.compute(1, "bottom_relu", 40, 350, 30, 4)  # begins after the exchange has ended, but was launched before the wait for it
trace.wait(1, 45)
trace.host("cpu_op", 1, "aten::linear", 48, 10, **{"Sequence number": 3, "Input Dims": [[8, 8], [8, 1]]})
trace.compute(1, "top_mlp", 50, 380, 50, 5)
trace.backward("AddmmBackward0", 68, 6, 3)
trace.compute(2, "top_backward", 70, 450, 100, 6)
trace.collective(2, "allreduce", 80, 550, 50, 7, 1000, [0, 2])
trace.collective(2, "all_to_all", 88, 600, 100, 8, 4096, everyone)
trace.backward("AddmmBackward0", 92, 5, 2)
trace.compute(2, "bottom_backward", 93, 550, 140, 9)
trace.wait(2, 98)
trace.backward("EmbeddingBagBackward0", 99, 5, 1)
trace.compute(2, "embedding_backward", 100, 700, 100, 10)
trace.collective(2, "allreduce", 108, 800, 50, 11, 500, everyone)
trace.host("user_annotation", 1, "Optimizer.step#SGD.step", 113, 10)
trace.wait(1, 114)
trace.compute(1, "sgd", 116, 850, 10, 12)
trace.collective(1, "all_gather", 130, 860, 40, 13, 250, everyone)
trace.wait(1, 136)
trace.collective(1, "broadcast", 142, 900, 10, 14, 60, everyone)

trace.write(sys.argv[1] + "/hybrid_rank0.json")
