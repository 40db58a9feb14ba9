# SPDX-License-Identifier: GPL-3.0-or-later
"""Small complete files of formats without a sample in the repository.

samples(FORMAT) gives pairs of a file's name and its bytes. The commands of their format in run.py read all of them, which it checks
before it damages them: a mutant of a file that is refused at its head gets nowhere.
"""

import gzip
import io
import json
import sqlite3
import tarfile
import tempfile
import zipfile

import recordings
from recordings import text, varint, whole


def kineto(rank=0, world=2, clock=0.0, silent=False):
    """Two steps of two layers on a device, with two gradient all-reduces each; `silent`: without sizes, which are in an
    execution trace."""
    events = []

    def add(category, name, thread, at, length, **args):
        on_device = category == "kernel"
        events.append({"ph": "X", "cat": category, "name": name, "pid": 0 if on_device else 10,
                       "tid": f"stream {thread}" if on_device else thread, "ts": 1000 + clock + at, "dur": length, "args": args})

    def kernel(name, stream, at, length, correlation, **args):
        add("kernel", name, stream, at, length, device=0, stream=stream, correlation=correlation, **args)

    def launch(thread, at, correlation):
        add("cuda_runtime", "cudaLaunchKernel", thread, at, 1, correlation=correlation)

    def reduced(at, length, correlation, elements):
        kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, at, length, correlation, **{} if silent else {
            "dtype": "Float", "Collective name": "allreduce", "In msg nelems": elements, "Out msg nelems": elements, "Group size": world,
                  "Process Group Name": "0", "Process Group Ranks": str(list(range(world)))})
        if silent:
            add("cpu_op", "record_param_comms", 2, at - 275, 3, **{"Record function id": 4 + correlation % 2})

    engine = "autograd::engine::evaluate_function: "
    for step in range(2):
        base, number = 1000 * step, 10 * step
        for name, at, length, correlation in (("conv", 100, 100, 1), ("norm", 200, 50, 2), ("norm_backward", 280, 60, 3),
                                              ("conv_backward", 340, 120, 4), ("sgd", 480, 10, 5)):
            kernel(name, 7, base + at, length, number + correlation)
        reduced(base + 350, 40, number + 6, 2)
        reduced(base + 460, 15, number + 7, 6)
        add("cpu_op", "aten::conv2d", 1, base + 10, 20, **{"Sequence number": 5, "Input Dims": [[32, 3, 4, 4], [2, 3, 1, 1]]})
        launch(1, base + 12, number + 1)
        add("cpu_op", "aten::batch_norm", 1, base + 31, 20, **{"Sequence number": 6})
        launch(1, base + 33, number + 2)
        for name, at, sequence, work, communication, dims in (("NormBackward0", 60, 6, 3, 6, [2]),
                                                              ("ConvolutionBackward0", 80, 5, 4, 7, [2, 3, 1, 1])):
            add("cpu_op", engine + name, 2, base + at, 10, **{"Sequence number": sequence, "Fwd thread id": 1})
            launch(2, base + at + 2, number + work)
            add("cpu_op", engine + "torch::autograd::AccumulateGrad", 2, base + at + 11, 8)
            add("cpu_op", "torch::autograd::AccumulateGrad", 2, base + at + 12, 2, **{} if silent else {"Input Dims": [dims], "Input type": ["float"]})
            launch(2, base + at + 16, number + communication)
        add("user_annotation", "Optimizer.step#SGD.step", 1, base + 110, 20)
        launch(1, base + 112, number + 5)
        add("user_annotation", f"ProfilerStep#{step + 4}", 1, base, 400)
    groups = [{"pg_name": "0", "pg_size": world, "ranks": list(range(world))}]
    return json.dumps({"traceEvents": events, "baseTimeNanoseconds": 0, "distributedInfo": {
        "backend": "nccl", "rank": rank, "world_size": world, "pg_config": groups}}).encode()


def autograd(kernels):
    """torch.autograd.profiler's export: two steps of two linear layers and a relu."""
    events = []

    def op(name, thread, at, length):
        host = {"name": name, "ph": "X", "ts": at, "dur": length, "tid": thread, "pid": "CPU functions", "args": {}}
        events.append(host)
        if kernels:
            flow = {"name": name, "tid": thread, "pid": "CPU functions", "id": len(events), "cat": "cpu_to_cuda", "args": {}}
            events.append({**flow, "ph": "s", "ts": at})
            events.append({**flow, "ph": "f", "ts": 100 + 2 * at, "tid": 0, "pid": "CUDA functions"})
            events.append({**host, "ts": 100 + 2 * at, "dur": 2 * length, "tid": 0, "pid": "CUDA functions"})

    for step in range(2):
        base = 1000 * (step + 1)
        for name, thread, at, length in (
                ("aten::linear", 1, 0, 30), ("aten::relu", 1, 30, 5), ("aten::linear", 1, 35, 20),
                ("AddmmBackward", 2, 60, 40), ("torch::autograd::AccumulateGrad", 2, 100, 1), ("ReluBackward0", 2, 101, 10),
                ("AddmmBackward", 2, 111, 70), ("torch::autograd::AccumulateGrad", 2, 181, 1),
                ("Optimizer.step#SGD.step", 1, 190, 8)):
            op(name, thread, base + at, length)
    return json.dumps(events).encode()


def execution_trace(schema):
    def reduced(number, elements):
        return {"name": "record_param_comms", "id": number, "rf_id": number // 3 + 1, "tid": 2,
                "inputs": [[[1, 2, 0, elements, 4, "cuda:0"]], 150, 77, 0, "allreduce", [], []],
                "input_shapes": [[[elements]], []], "input_types": ["GenericList[Tensor(float)]", "Int"], "outputs": []}

    def gradient(number, dims):
        return {"name": "torch::autograd::AccumulateGrad", "id": number, "tid": 2,
                "inputs": [[5, 6, 0, 6, 4, "cuda:0"]], "input_shapes": [dims], "input_types": ["Tensor(float)"]}

    nodes = [reduced(9, 2), reduced(12, 6), gradient(11, [2, 3, 1, 1]), gradient(7, [2])]
    if schema != "1.0.1":  # later ones nest an op's arguments
        for node in nodes:
            node["inputs"] = {"values": node["inputs"], "shapes": node.pop("input_shapes"), "types": node.pop("input_types")}
            node["attrs"] = [{"name": key, "type": "uint64", "value": node.pop(key)} for key in ("rf_id", "tid") if key in node]
    return json.dumps({"schema": schema, "pid": 1, "time": "now", "start_ts": 1, "nodes": nodes, "finish_ts": 2}).encode()


def chakra(packed, timed):
    """A step of two convolutions and a relu, their gradients and all-reduces (schema of MLCommons' Chakra)."""

    def attribute(name, member, value):
        return text(10, text(1, name) + whole(member, value))

    out = bytearray(varint(7) + text(1, b"0.0.4"))
    rows = [(1, b"aten::conv2d(0)", 4, 4, True, 1, 10, []), (2, b"conv_kernel", 4, 20, False, 7, -1, [1]),
            (4, b"aten::relu", 4, 2, True, 1, 11, [1]), (5, b"relu_kernel", 4, 3, False, 7, -1, [4, 2]),
            (6, b"aten::conv2d", 4, 4, True, 1, 12, [4]), (7, b"conv_kernel", 4, 30, False, 7, -1, [6, 5]),
            (8, b"aten::convolution_backward", 4, 4, True, 2, -1, [6]), (9, b"dgrad", 4, 50, False, 7, -1, [8, 7]),
            (10, b"c10d::allreduce_", 7, 1, True, 2, -1, [8]), (11, b"ncclKernel_AllReduce", 7, 25, False, 20, -1, [10, 9]),
            (12, b"aten::threshold_backward", 4, 2, True, 2, -1, [10]), (13, b"relu_grad", 4, 6, False, 7, -1, [12, 9]),
            (14, b"aten::convolution_backward", 4, 4, True, 2, -1, [12]), (15, b"dgrad", 4, 40, False, 7, -1, [14, 13]),
            (17, b"aten::_foreach_add_", 4, 3, True, 1, -1, [15]), (18, b"update", 4, 5, False, 7, -1, [17])]
    at = 1000
    for number, name, kind, duration, host, thread, sequence, needs in rows:
        node = whole(1, number) + text(2, name) + whole(3, kind)
        node += text(5, b"".join(map(varint, needs))) if packed and needs else b"".join(whole(5, n) for n in needs)
        if timed:
            node += whole(6, at)
        at += duration
        node += whole(7, duration) + attribute(b"is_cpu_op", 27, int(host)) + attribute(b"tid", 9 if packed else 13, thread)
        node += attribute(b"seq_id", 9, sequence % (1 << 64))
        if kind == 7 and not host:
            node += attribute(b"comm_type", 9, 0) + attribute(b"comm_size", 9 if packed else 13, 400)
        out += varint(len(node)) + node
    return bytes(out)


def pipedream():
    nodes = ["node1 -- Input -- forward_compute_time=90.000, backward_compute_time=0.000, activation_size=1.0, parameter_size=0",
             "node2 -- Conv2d(3, 8, kernel_size=(3, 1), stride=(1, 1), groups=1, bias=False) -- forward_compute_time=2.000, "
             "backward_compute_time=4.000, activation_size=512.0, parameter_size=288.000",
             "node3 -- Linear(in_features=5, out_features=4, bias=True) -- forward_compute_time=1.000, "
             "backward_compute_time=3.000, activation_size=512.000, parameter_size=96.000 -- stage_id=1",
             "node4 -- Add(inplace) -- forward_compute_time=0.5, backward_compute_time=0.25, activation_size=512.0, parameter_size=0",
             "node5 -- LSTM(4, 4) -- forward_compute_time=1.5, backward_compute_time=1, activation_size=[64.0; 512.0; 512.0], "
             "parameter_size=40"]
    edges = ["node1 -- node2", "node1 -- node3", "node2 -- node4", "node3 -- node4", "node4 -- node5"]
    return "\n".join(nodes + ["\t" + edge for edge in edges]).encode() + b"\n"


def archive(kind):
    """The traces of two ranks, as one file."""
    out = io.BytesIO()
    ranks = [(f"rank{rank}.json", kineto(rank, clock=7.0 * rank)) for rank in range(2)]
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in ranks:
                packed.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED if name == "rank1.json" else zipfile.ZIP_STORED)
    else:
        with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as packed:
            for name, data in ranks:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                packed.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), 6, mtime=0) if kind == "tar.gz" else out.getvalue()


def nsight():
    """Nsight Systems' SQLite export: a step of two processes."""
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        database = sqlite3.connect(file.name)
        database.executescript("""
            CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
            CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
            INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
                streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, shortName INTEGER NOT NULL);
            CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER,
                nameId INTEGER);
            CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId INTEGER);
            INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'gemm'), (3, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL');""")
        for device, process in enumerate((144, 145)):
            pid, evaluate = process << 24, "autograd::engine::evaluate_function: AddmmBackward0, seq = "
            for text, thread, at, length in (
                    ("iteration 3", 1, 0, 400), ("aten::linear, seq = 1, op_id = 7", 1, 10, 10),
                    ("aten::linear, seq = 2, op_id = 8, sizes = [[32, 4], [8, 4]]", 1, 22, 10), (evaluate + "2", 2, 40, 10),
                    (evaluate + "1", 2, 52, 10), ("torch::autograd::AccumulateGrad, op_id = 9, sizes = [[8, 4]]", 2, 63, 5),
                    ("Optimizer.step#SGD.step", 1, 80, 20)):
                database.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, NULL)",
                                 (at * 1000, (at + length) * 1000, text, pid | thread))
            for number, (thread, launched, at, length, stream, name) in enumerate((
                    (1, 12, 100, 100, 7, 2), (1, 24, 200, 50, 7, 2), (2, 42, 250, 60, 7, 2), (2, 54, 310, 120, 7, 2),
                    (2, 64, 400, 40, 20, 3), (1, 82, 440, 10, 7, 2))):
                database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 1)",
                                 (launched * 1000, launched * 1000 + 500, pid | thread, number))
                database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, ?, ?, ?, ?)",
                                 (at * 1000, (at + length) * 1000, device, stream, number, pid, name))
        database.commit()
        database.close()
        file.seek(0)
        return file.read()


BACKGROUND = b"link,from_seconds,to_seconds,share\nworker0.up,0,1000,0.3\nserver0.down,1,4,0.5\n"
CONDITIONS = b"iteration,bandwidth_gbits,network_jobs,compute,straggler\n0,1,0,1,1\n2,0.5,1,1.2,2\n"
CONDITIONS_IN_SECONDS = b"seconds,bandwidth_gbits\n0,10\n0.05,1\n"
RECORDED = b"strategy,seconds\nPS(),0.1\nAllReduce(chunk_size=1),0.2\nPS(),0.12\nPSLoadBalancing(),0.3\n"
SMALL_JOB = b"""{"name": "two", "layers": [
    {"name": "a", "forward_seconds": 0.001, "backward_seconds": 0.002, "variables": [{"name": "a/w", "shape": [50000]}]},
    {"name": "b", "forward_seconds": 0.001, "backward_seconds": 0.002, "variables": [{"name": "b/w", "shape": [20000]}]}]}"""
BATCH = b"""{"job": "alexnet", "cluster": "B1", "strategy": "PS()"}
{"job": "alexnet", "cluster": "B1", "strategy": "AllReduce()", "policy": "ddp", "workers": 2, "bandwidth": 10, "seed": 3}
"""
DEEPSPEED = b"""{"train_batch_size": 64, "bf16": {"enabled": true}, "zero_optimization": {
    "stage": 2, "overlap_comm": true, "reduce_bucket_size": 5e8, "allgather_bucket_size": 5e8}}"""
SCRIPT = b"""#!/bin/bash
export HOROVOD_FUSION_THRESHOLD=67108864 HOROVOD_CYCLE_TIME=5 BYTEPS_PARTITION_BYTES=4096000 BYTESCHEDULER_CREDIT=16000000
export XLA_FLAGS="--xla_gpu_all_reduce_combine_threshold_bytes=134217728 --xla_gpu_enable_latency_hiding_scheduler=true"
torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --overlap-grad-reduce --ddp-bucket-size 40000000
"""

SAMPLES = {
    "background": lambda: [("background.csv", BACKGROUND)],
    "conditions": lambda: [("conditions.csv", CONDITIONS), ("seconds.csv", CONDITIONS_IN_SECONDS)],
    "recorded times": lambda: [("recorded.csv", RECORDED)],
    "batch": lambda: [("batch.jsonl", BATCH)],
    "settings": lambda: [("deepspeed.json", DEEPSPEED), ("launch.sh", SCRIPT)],
    "kineto": lambda: [("step.json", kineto())],
    "autograd": lambda: [("cpu.json", autograd(False)), ("gpu.json", autograd(True))],
    "execution trace": lambda: [("flat.json", execution_trace("1.0.1")), ("nested.json", execution_trace("1.1.1-chakra.0.0.4"))],
    "chakra": lambda: [(f"{'packed' if packed else 'plain'}{'_timed' if timed else ''}.et", chakra(packed, timed))
                       for packed in (False, True) for timed in (False, True)],
    "pipedream": lambda: [("diamond_graph.txt", pipedream())],
    "ranks": lambda: [(f"ranks.{kind}", archive(kind)) for kind in ("tar", "tar.gz", "zip")],
    "nsight": lambda: [("capture.sqlite", nsight())],
    "rocpd": lambda: [("v3.db", recordings.rocpd(3)), ("v4.db", recordings.rocpd(4))],
    "xplane": lambda: [("host.xplane.pb", recordings.xplane())],
    "perfetto": lambda: [("a.pftrace", recordings.perfetto()), ("packed.pftrace", recordings.perfetto(True))],
}


def samples(name):
    return SAMPLES[name]() if name in SAMPLES else []
