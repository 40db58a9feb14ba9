#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records a training profile that Syncopate can import: ResNet-50 under DistributedDataParallel, gloo, CPU.

    python3 record_profile.py --output resnet50_cpu_gloo_rank0.json.gz [--processes 2] [--batch 8] [--steps 3]

Starts the processes itself, on this machine, trains on random images and writes rank 0's trace. A PyTorch built with
libkineto is recorded by torch.profiler with record_shapes. Debian's PyTorch is built without it: torch.profiler then records
nothing, so the script takes the events of the autograd profiler and writes them in Kineto's JSON layout itself.

The trace is scrubbed unless --no-scrub is given: no file paths, no log lines, no process names.
"""
import argparse
import gzip
import json
import os
import socket

import torch
import torch.distributed
import torch.multiprocessing
from torch.autograd import kineto_available, profiler
from torch.nn.parallel import DistributedDataParallel
from torchvision.models import resnet50


def train_step(model, images, labels, loss_function, optimizer):
    optimizer.zero_grad()
    with profiler.record_function("## forward ##"):
        loss = loss_function(model(images), labels)
    with profiler.record_function("## backward ##"):
        loss.backward()
    optimizer.step()


def record_with_kineto(step, options):
    """torch.profiler with a schedule; the trace as a dict."""
    traces = []

    def keep(recorded):
        path = f"{options.output}.tmp"
        recorded.export_chrome_trace(path)
        with open(path, encoding="utf-8") as file:
            traces.append(json.load(file))
        os.remove(path)

    schedule = torch.profiler.schedule(wait=0, warmup=options.warmup, active=options.steps, repeat=1)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule,
                                on_trace_ready=keep, record_shapes=True) as recorder:
        for _ in range(options.warmup + options.steps):
            step()
            recorder.step()
    return traces[0]


def record_with_autograd_profiler(step, options):
    """The autograd profiler's own event lists (one per thread), written the way Kineto writes them."""
    from torch.autograd import profiler_legacy
    for _ in range(options.warmup):
        step()
    recorder = profiler_legacy.profile(record_shapes=True)
    recorder._start_trace()
    for number in range(options.steps):
        with profiler.record_function(f"ProfilerStep#{options.warmup + number}"):
            step()
    threads = profiler_legacy._disable_profiler_legacy()

    mark = next(event for events in threads for event in events if event.name() == "__start_profile")
    opened, complete = {}, []
    for events in threads:
        for event in events:
            if event.kind() == "push":
                opened[(event.thread_id(), event.handle())] = event
            elif event.kind() == "pop":
                begin = opened.pop((event.thread_id(), event.handle()), None)
                if begin is not None:
                    complete.append((begin, event))
    complete.sort(key=lambda pair: mark.cpu_elapsed_us(pair[0]))

    process, user_scope = 1, 7  # RecordScope::USER_SCOPE
    trace_events = []
    for number, (begin, end) in enumerate(complete):
        arguments = {"External id": number + 1}
        shapes = begin.shapes()
        if any(shapes):
            arguments["Input Dims"] = shapes
        if begin.sequence_nr() >= 0:
            arguments["Sequence number"] = begin.sequence_nr()
            arguments["Fwd thread id"] = begin.fwd_thread_id()
        trace_events.append({
            "ph": "X", "cat": "user_annotation" if begin.scope() == user_scope else "cpu_op", "name": begin.name(),
            "pid": process, "tid": begin.thread_id(), "ts": round(mark.cpu_elapsed_us(begin), 3),
            "dur": round(max(0.0, begin.cpu_elapsed_us(end)), 3), "args": arguments})
    return {
        "schemaVersion": 1,
        "deviceProperties": [],
        "distributedInfo": {"backend": "gloo", "rank": 0, "world_size": options.processes},
        "record_shapes": 1,
        "displayTimeUnit": "ms",
        "traceEvents": trace_events,
    }


def scrub(trace):
    """Takes out what can name the machine or its user: paths, log lines, process names."""
    for key in ("traceName", "INFO", "WARNING", "ERROR", "trace_id", "host_name"):
        trace.pop(key, None)
    trace["traceEvents"] = [event for event in trace["traceEvents"] if event.get("ph") != "M"]
    text = json.dumps(trace)
    for word in (socket.gethostname(), os.path.expanduser("~"), os.getcwd()):
        if len(word) > 3 and word in text:
            raise SystemExit(f"the trace still holds '{word}'")


def worker(rank, options):
    torch.set_num_threads(1)
    torch.manual_seed(rank)
    torch.distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{options.port}", rank=rank,
                                         world_size=options.processes)
    model = DistributedDataParallel(resnet50())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loss_function = torch.nn.CrossEntropyLoss()
    images = torch.randn(options.batch, 3, options.image, options.image)
    labels = torch.randint(0, 1000, (options.batch,))

    def step():
        train_step(model, images, labels, loss_function, optimizer)

    if rank != 0:
        for _ in range(options.warmup + options.steps):
            step()
    else:
        record = record_with_kineto if kineto_available() else record_with_autograd_profiler
        trace = record(step, options)
        if options.scrub:
            scrub(trace)
        # One event a line, no time stamp and no name in the gzip header.
        events = trace.pop("traceEvents")
        with open(options.output, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            head = json.dumps(trace)[:-1]
            packed.write((head + ', "traceEvents": [\n').encode())
            packed.write(",\n".join(json.dumps(event) for event in events).encode())
            packed.write(b"\n]}\n")
        print(f"{options.output}: {len(events)} events, PyTorch {torch.__version__}, Kineto {kineto_available()}")
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", required=True)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--batch", type=int, default=8, help="images per process and step")
    parser.add_argument("--image", type=int, default=224, help="width and height of an image")
    parser.add_argument("--warmup", type=int, default=2, help="steps before recording (DDP settles its buckets in the first)")
    parser.add_argument("--steps", type=int, default=3, help="steps recorded")
    parser.add_argument("--port", type=int, default=29533, help="local port on which the processes meet")
    parser.add_argument("--no-scrub", dest="scrub", action="store_false", help="keep paths, log lines and process names")
    options = parser.parse_args()
    torch.multiprocessing.spawn(worker, args=(options,), nprocs=options.processes)


if __name__ == "__main__":
    main()
