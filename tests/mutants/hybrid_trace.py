#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes FOLDER/hybrid_rank0.json: a Kineto trace of one step that is model- and data-parallel, with launches,
waits and streams as PyTorch's c10d and Kineto write them, whose dependencies are known.

    python3 tests/mutants/hybrid_trace.py tests/data/profiles

Rank 0 of 4. An embedding's rows are exchanged by an all-to-all while the bottom MLP computes; the top MLP waits for them. Its
gradients are all-reduced among ranks 0 and 2, the embedding's gradients exchanged, the bottom's all-reduced among all. The update
ends with an all-gather, whose result a broadcast sends on. Times in microseconds."""
import json
import sys

STREAM, NCCL = 7, 20
events = []


def host(category, thread, name, at, length, **args):
    events.append({"ph": "X", "cat": category, "name": name, "pid": 10, "tid": thread, "ts": 1000 + at, "dur": length, "args": args})


def device(stream, name, at, length, correlation, **args):
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": f"stream {stream}", "ts": 1000 + at, "dur": length,
                   "args": {"device": 0, "stream": stream, "correlation": correlation, **args}})


def compute(thread, name, launched, at, length, correlation):
    host("cuda_runtime", thread, "cudaLaunchKernel", launched, 1, correlation=correlation)
    device(STREAM, name, at, length, correlation)


def wait(thread, at):
    host("cuda_runtime", thread, "cudaStreamWaitEvent", at, 1, correlation=9000 + at)


def collective(thread, kind, launched, at, length, correlation, elements, ranks):
    """The call lasts from 4 us before the launch until 3 us after it; during it the collective's stream waits for the compute stream."""
    host("cpu_op", thread, "c10d::" + kind + "_", launched - 4, 7)
    host("cpu_op", thread, "record_param_comms", launched - 3, 5, **{"External id": correlation})
    wait(thread, launched - 2)
    host("cuda_runtime", thread, "cudaLaunchKernelExC", launched, 1, correlation=correlation)
    device(NCCL, "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", at, length, correlation,
           **{"External id": correlation, "Collective name": kind, "In msg nelems": elements, "Out msg nelems": elements,
              "Group size": len(ranks), "dtype": "Float", "Process Group Name": str(len(ranks)),
              "Process Group Ranks": str(ranks)})


def backward(name, at, length, sequence):
    host("cpu_op", 2, "autograd::engine::evaluate_function: " + name, at, length,
         **{"Sequence number": sequence, "Fwd thread id": 1})


everyone = [0, 1, 2, 3]
host("user_annotation", 1, "ProfilerStep#1", 0, 400)
host("cpu_op", 1, "aten::embedding_bag", 8, 6, **{"Sequence number": 1, "Input Dims": [[64, 4]]})
compute(1, "embedding", 10, 100, 100, 1)
collective(1, "all_to_all", 24, 200, 100, 2, 4096, everyone)
host("cpu_op", 1, "aten::linear", 33, 10, **{"Sequence number": 2, "Input Dims": [[8, 4], [4, 4]]})
compute(1, "bottom_mlp", 35, 200, 150, 3)
compute(1, "bottom_relu", 40, 350, 30, 4)  # begins after the exchange has ended, but was launched before the wait for it
wait(1, 45)
host("cpu_op", 1, "aten::linear", 48, 10, **{"Sequence number": 3, "Input Dims": [[8, 8], [8, 1]]})
compute(1, "top_mlp", 50, 380, 50, 5)
backward("AddmmBackward0", 68, 6, 3)
compute(2, "top_backward", 70, 450, 100, 6)
collective(2, "allreduce", 80, 550, 50, 7, 1000, [0, 2])
collective(2, "all_to_all", 88, 600, 100, 8, 4096, everyone)
backward("AddmmBackward0", 92, 5, 2)
compute(2, "bottom_backward", 93, 550, 140, 9)
wait(2, 98)
backward("EmbeddingBagBackward0", 99, 5, 1)
compute(2, "embedding_backward", 100, 700, 100, 10)
collective(2, "allreduce", 108, 800, 50, 11, 500, everyone)
host("user_annotation", 1, "Optimizer.step#SGD.step", 113, 10)
wait(1, 114)
compute(1, "sgd", 116, 850, 10, 12)
collective(1, "all_gather", 130, 860, 40, 13, 250, everyone)
wait(1, 136)
collective(1, "broadcast", 142, 900, 10, 14, 60, everyone)

lines = ",\n".join(json.dumps(event) for event in events)
with open(sys.argv[1] + "/hybrid_rank0.json", "w") as file:
    file.write('{"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 4}, "traceEvents": [\n'
               + lines + "\n]}\n")
