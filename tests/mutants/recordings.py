#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small recordings without a training step: rocpd databases, an XPlane profile and a Perfetto trace, with known times.

recordings.py FOLDER writes those of tests/data/recordings; the mutants (samples.py) use the same bytes. All of them describe two
devices: on each a gemm of 100 us from 0, another of 50 us from 200 us, and an all-reduce of 60 us from 120 us; on the host a step
of 300 us with a call of 10 us in it. Of rocpd's schema 3, XPlane and Perfetto, a copy of 20 us from 260 us as well. Formats: rocpd_tables.sql of ROCm/rocprofiler-sdk (schemas 3 and 4), xplane.proto of tsl,
trace_packet.proto of Perfetto.
"""

import pathlib
import sqlite3
import sys
import tempfile
import zlib

WORK = [("gemm", 0, 100), ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 120, 60), ("gemm", 200, 50)]  # us
STEP = ("ProfilerStep#5", 0, 300)
CALL = ("hipLaunchKernel", 10, 10)
COPY = (260, 20)  # us
SECRET = "TOKEN=do-not-show"


def varint(value):
    made = bytearray()
    value &= (1 << 64) - 1
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def text(number, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def whole(number, value):
    return varint(number << 3) + varint(value)


def rocpd(schema):
    """Two GPUs of one process. In schema 4 times and places are in tables of their own."""
    guid = "_0a1b"
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        database = sqlite3.connect(file.name)
        run = database.execute

        def table(name, columns):
            run(f"CREATE TABLE rocpd_{name}{guid} ({columns})")
            run(f"CREATE VIEW rocpd_{name} AS SELECT * FROM rocpd_{name}{guid}")

        def add(name, *values):
            run(f"INSERT INTO rocpd_{name}{guid} VALUES ({', '.join('?' * len(values))})", values)

        key = "id INTEGER PRIMARY KEY"
        table("metadata", f"{key}, tag TEXT, value TEXT")
        add("metadata", 1, "schema_version", str(schema))
        table("info_process", f"{key}, pid INTEGER, command TEXT, environment TEXT")
        add("info_process", 7, 7, "train", '{"a": "' + SECRET + '"}')
        table("info_agent", f"{key}, type TEXT, type_index INTEGER, name TEXT")
        for row in ((1, "CPU", 0, "host"), (2, "GPU", 0, "gfx942"), (3, "GPU", 1, "gfx942")):
            add("info_agent", *row)
        table("info_thread", f"{key}, name TEXT")
        add("info_thread", 70, "main")
        table("info_stream", f"{key}, name TEXT")
        add("info_stream", 1, "Default Stream")
        table("string", f"{key}, string TEXT")
        for row in enumerate((CALL[0], "roctxThreadRangeA", "MEMORY_COPY_HOST_TO_DEVICE"), 1):
            add("string", *row)
        table("info_kernel_symbol", f"{key}, kernel_name TEXT, display_name TEXT")
        names = sorted({name for name, _, _ in WORK})
        for number, name in enumerate(names, 1):
            add("info_kernel_symbol", number, name + ".kd", name)
        table("event", f"{key}, extdata TEXT")
        add("event", 1, '{"message": "%s"}' % STEP[0])
        add("event", 2, "{}")
        base, times = 5_000_000_000, []
        if schema == 3:
            place = "agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, start INTEGER, end INTEGER"
            table("kernel_dispatch", f"{key}, {place}, kernel_id INTEGER")
            table("memory_copy", f"{key}, start INTEGER, end INTEGER, name_id INTEGER, src_agent_id INTEGER, dst_agent_id INTEGER, "
                                 "size INTEGER, stream_id INTEGER, queue_id INTEGER")
            table("region", f"{key}, tid INTEGER, start INTEGER, end INTEGER, name_id INTEGER, event_id INTEGER")
        else:
            table("timestamp", f"{key}, value INTEGER")
            table("track", f"{key}, tid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER")
            for row in ((1, 70, None, None, None), (2, None, 2, 4, 1), (3, None, 3, 4, 1)):
                add("track", *row)
            table("kernel_dispatch", f"{key}, track_id INTEGER, start_id INTEGER, end_id INTEGER, kernel_id INTEGER")
            table("region", f"{key}, track_id INTEGER, start_id INTEGER, end_id INTEGER, name_id INTEGER, event_id INTEGER")

        def at(microseconds):
            times.append(base + microseconds * 1000)
            if schema == 4:
                add("timestamp", len(times), times[-1])
            return times[-1] if schema == 3 else len(times)

        number = 0
        for agent in (2, 3):
            for name, begin, length in WORK:
                number += 1
                span = at(begin), at(begin + length)
                kernel = names.index(name) + 1
                add("kernel_dispatch", *((number, agent, 4, 1, *span, kernel) if schema == 3 else (number, agent, *span, kernel)))
        for number, ((name, begin, length), string, event) in enumerate(((STEP, 2, 1), (CALL, 1, 2)), 1):
            span = at(begin), at(begin + length)
            add("region", *((number, 70, *span, string, event) if schema == 3 else (number, 1, *span, string, event)))
        if schema == 3:
            add("memory_copy", 1, at(COPY[0]), at(sum(COPY)), 3, 1, 2, 4096, 1, None)
        database.commit()
        database.close()
        file.seek(0)
        return file.read()


def xplane():
    """Two GPU planes, whose names come after their events, and the host's."""
    def plane(name, lines, names):
        made = text(2, name) + b"".join(lines)
        return text(1, made + b"".join(text(4, whole(1, i) + text(2, whole(1, i) + text(2, one))) for i, one in enumerate(names, 1)))

    def line(name, events, timestamp=1000):
        return text(3, text(2, name) + whole(3, timestamp) + b"".join(events))

    def event(metadata, begin, length):
        return text(4, whole(1, metadata) + whole(2, begin * 1_000_000) + whole(3, length * 1_000_000))

    names = ["gemm", WORK[1][0]]
    stream = line("Stream #7(Kernel,MemcpyD2H)",
                  [event(names.index(name) + 1, begin, length) for name, begin, length in WORK] + [event(4, *COPY)])
    derived = line("XLA Ops derived", [event(1, 0, 300)])
    steps = line("Steps", [event(3, STEP[1], STEP[2])])
    planes = [plane(f"/device:GPU:{device}", [stream, derived, steps], names + ["5", "MemcpyD2H"]) for device in (0, 1)]
    host = plane("/host:CPU", [line("main", [event(1, CALL[1], CALL[2]), event(2, *STEP[1:])])], [CALL[0], "train"])
    tpu = plane("/device:TPU:0", [line("XLA Ops", [event(1, 0, 100)])],
                ["%all-reduce.3 = f32[5,1024]{1,0} all-reduce(f32[5,1024]{1,0} %x), channel_id=1"])
    return b"".join(planes) + host + tpu


def perfetto(compressed=False):
    """Two devices' streams and a thread; names interned, the thread's packets with a local clock that counts deltas."""
    def packet(content):
        return text(1, content)

    def track(uuid, name, tid=None):
        made = whole(1, uuid) + text(2, name)
        return packet(whole(10, 1) + text(60, made + (text(4, whole(1, 7) + whole(2, tid)) if tid else b"")))

    out = packet(whole(10, 1) + whole(13, 1) + text(59, whole(58, 6))) + packet(whole(10, 2) + whole(13, 1) + text(59, whole(58, 64)))
    base = 10_000_000
    clock = text(6, text(1, whole(1, 6) + whole(2, base)) + text(1, whole(1, 64) + whole(2, 0) + whole(3, 1) + whole(4, 1000)))
    out += packet(whole(10, 2) + clock)
    out += track(1, "gpu 0 stream 7") + track(2, "gpu 1 stream 7")
    work = WORK + [("Memcpy DtoH (Device -> Pinned)", *COPY)]
    names = {name: number for number, name in enumerate(dict.fromkeys(name for name, _, _ in work), 1)}
    interned = text(12, b"".join(text(2, whole(1, number) + text(2, name)) for name, number in names.items()))
    body = b""
    for device in (1, 2):
        for name, begin, length in reversed(work):  # not in chronological order
            event = text(11, whole(9, 1) + whole(11, device) + whole(10, names[name]))
            body += packet(whole(10, 1) + whole(13, 2) + whole(8, base + begin * 1000) + event + interned)
            interned = b""
            body += packet(whole(10, 1) + whole(13, 2) + whole(8, base + (begin + length) * 1000) + text(11, whole(9, 2) + whole(11, device)))
    out += packet(text(50, zlib.compress(body))) if compressed else body
    times = [(STEP[1], STEP[0]), (CALL[1], CALL[0]), (CALL[1] + CALL[2], None), (STEP[1] + STEP[2], None)]
    last = 0
    for at, name in times:
        event = whole(9, 1 if name else 2) + whole(11, 3) + (text(23, name) if name else b"")
        out += packet(whole(10, 2) + whole(8, at - last) + text(11, event))
        last = at
    return out + track(3, "main", 70)  # descriptors may come after their events


def all_recordings():
    return {"rocpd_v3.db": rocpd(3), "rocpd_v4.db": rocpd(4), "two_gpus.xplane.pb": xplane(), "two_gpus.pftrace": perfetto(),
            "two_gpus_compressed.pftrace": perfetto(True)}


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in all_recordings().items():
        (folder / name).write_bytes(content)
