# SPDX-License-Identifier: GPL-3.0-or-later
"""Our programs' part of MSCCL++'s Python DSL (microsoft/mscclpp, python/mscclpp/language at 1f5f065d), for machines without it.

As the language does, it numbers channels and remote buffers by first use in a thread block, fuses neighbouring operations, and has
threads wait for each other (nop) where an operation asks for it. tst_collective_programs compares it with plans that the language made.
"""
import enum
import json

program = None


class SyncType(enum.Flag):
    none = 0
    before = 1
    after = 2
    both = 3


class Collective:
    """`inputs`, `outputs`: chunks of the buffers, in units of chunk_factor."""

    def __init__(self, num_ranks, chunk_factor, inplace):
        self.inplace = inplace
        self.input_chunks, self.output_chunks = (chunk_factor * (num_ranks if whole else 1) for whole in self.is_whole)


class AllReduce(Collective):
    name, is_whole = "allreduce", (True, True)


class ReduceScatter(Collective):
    name, is_whole = "reducescatter", (True, False)


class AllGather(Collective):
    name, is_whole = "allgather", (False, True)


class AllToAll(Collective):
    name, is_whole = "alltoall", (True, True)


class Block:
    """A thread block: the channels and remote buffers that it uses, and its operations."""

    def __init__(self):
        self.channels, self.buffers, self.ops = [], [], []

    @staticmethod
    def number(of, where):
        if of not in where:
            where.append(of)
        return where.index(of)


class Gpu:
    def __init__(self):
        self.channels, self.buffers, self.blocks = [], [], {}

    def block(self, number):
        return self.blocks.setdefault(number, Block())


class CollectiveProgram:
    def __init__(self, name, collective, num_ranks, protocol="Simple", instr_fusion=True, num_threads_per_block=1024,
                 use_double_scratch_buffer=False, buffer_alignment=16, min_message_size=0, max_message_size=2**64 - 1):
        self.collective, self.num_ranks, self.instr_fusion = collective, num_ranks, instr_fusion
        self.head = {"name": name, "collective": collective.name, "protocol": protocol, "inplace": collective.inplace, "reuse_resources": False}
        self.tail = {"num_threads_per_block": num_threads_per_block, "use_double_scratch_buffer": use_double_scratch_buffer,
                     "buffer_alignment": buffer_alignment, "min_message_size": min_message_size, "max_message_size": max_message_size}
        self.gpus = [Gpu() for _ in range(num_ranks)]
        self.signals = {}

    def __enter__(self):
        global program
        program = self
        return self

    def __exit__(self, *_):
        global program
        program = None

    def chunks(self, rank):
        return {"id": rank, "input_chunks": self.collective.input_chunks, "output_chunks": self.collective.output_chunks, "scratch_chunks": 0}


class Buffer:
    def __init__(self, rank, kind, size):
        self.rank, self.kind, self.size = rank, kind, size

    def __getitem__(self, part):
        if not 0 <= part.start < part.stop <= self.size:
            raise RuntimeError(f"{part} is outside of a buffer of {self.size} chunks")
        return self.rank, self.kind, part.start, part.stop - part.start


class Rank:
    def __init__(self, rank):
        self.rank = rank

    def get_input_buffer(self):
        return Buffer(self.rank, "i", program.collective.input_chunks)

    def get_output_buffer(self):
        return Buffer(self.rank, "o", program.collective.output_chunks)

    def copy(self, dst_chunk, src_chunk, tb):
        if (dst_chunk[0], src_chunk[0]) != (self.rank, self.rank):
            raise RuntimeError("a copy is of one rank")
        program.gpus[self.rank].block(tb).ops.append({"name": "copy", "src": [local(src_chunk)], "dst": [local(dst_chunk)]})


def local(chunk):
    _, kind, index, size = chunk
    return {"type": kind, "index": index, "size": size}


class MemoryChannel:
    def __init__(self, dst_rank, src_rank):
        self.dst_rank, self.src_rank = dst_rank, src_rank
        self.gpu = program.gpus[src_rank]
        self.id = len(self.gpu.channels)
        self.gpu.channels.append(dst_rank)

    def remote(self, chunk, block):
        rank, kind, index, size = chunk
        if rank != self.dst_rank:
            raise RuntimeError(f"a chunk of {rank} on a channel to {self.dst_rank}")
        buffer = Block.number((rank, kind), self.gpu.buffers)
        return {"buffer_id": Block.number(buffer, block.buffers), "index": index, "size": size}

    def synchronise(self, name, tb, data_sync, count):
        block = self.gpu.block(tb)
        block.ops.append({"name": name, "channel_ids": [Block.number(self.id, block.channels)], "sync": data_sync})
        edge = (self.src_rank, self.dst_rank) if count > 0 else (self.dst_rank, self.src_rank)
        program.signals[edge] = program.signals.get(edge, 0) + count

    def signal(self, tb, data_sync=SyncType.both, relaxed=False):
        self.synchronise("rlxsignal" if relaxed else "signal", tb, data_sync, 1)

    def wait(self, tb, data_sync=SyncType.both, relaxed=False):
        self.synchronise("rlxwait" if relaxed else "wait", tb, data_sync, -1)

    def put(self, dst_chunk, src_chunk, tb):
        if src_chunk[0] != self.src_rank:
            raise RuntimeError("a put is of the channel's source")
        block = self.gpu.block(tb)
        Block.number(self.id, block.channels)
        block.ops.append({"name": "put", "src": [local(src_chunk)], "dst": [self.remote(dst_chunk, block)]})

    def reduce(self, local_src_chunk, remote_src_chunks, tb):
        if local_src_chunk[0] != self.src_rank:
            raise RuntimeError("a reduction is of the channel's source")
        block = self.gpu.block(tb)
        Block.number(self.id, block.channels)
        own = local(local_src_chunk)
        block.ops.append({"name": "rre", "src": [own] + [self.remote(chunk, block) for chunk in remote_src_chunks], "dst": [own]})


def fused(first, then):
    """One operation for two neighbours, or None."""
    if "channel_ids" in first and first["name"] == then["name"] and not set(first["channel_ids"]) & set(then["channel_ids"]):
        return {**first, "channel_ids": first["channel_ids"] + then["channel_ids"], "sync": first["sync"] | then["sync"]}
    if first["name"] == then["name"] == "rre" and first["dst"] == then["dst"]:
        return {**first, "src": first["src"] + then["src"][1:]}
    if first["name"] in ("rre", "rres") and then["name"] == "put" and first["dst"][:1] == then["src"]:
        return {**first, "name": "rres", "dst": first["dst"] + then["dst"]}
    if first["name"] == then["name"] == "put" and first["src"][0]["size"] == then["src"][0]["size"]:
        return {**first, "src": first["src"] + then["src"], "dst": first["dst"] + then["dst"]}
    return None


def joined(ops):
    done = []
    for op in ops:
        one = fused(done[-1], op) if done else None
        done = [*done[:-1], one] if one else [*done, op]
    return done


def written(ops):
    """As in the plan, with a nop before and behind operations that want one; two in a row are one."""
    lines = []
    for op in ops:
        sync, name = op.get("sync", SyncType.none), op["name"]
        line = {"name": name}
        if "channel_ids" in op:
            line.update(channel_ids=sorted(op["channel_ids"]), channel_type="memory")
        else:
            line.update(src_buff=op["src"], dst_buff=op["dst"])
            if name != "copy":
                line["channel_type"] = "memory"
            if name.startswith("rre"):
                line["reduce_op"] = "sum"
        nop = {"name": "nop"}
        lines += [nop] * bool(sync & SyncType.before and lines[-1:] != [nop]) + [line] + [nop] * bool(sync & SyncType.after)
    return lines


def gpu_of(rank, gpu):
    blocks = [{"id": number, "ops": written(joined(block.ops) if program.instr_fusion else block.ops),
               "channels": [{"channel_type": "memory", "channel_ids": block.channels}],
               "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": block.buffers}]}
              for number, block in sorted(gpu.blocks.items())]
    return {**program.chunks(rank), "threadblocks": blocks, "channels": [{"channel_type": "memory", "connected_to": gpu.channels}],
            "remote_buffers": [{"rank": peer, "type": kind, "access_channel_types": ["memory"]} for peer, kind in gpu.buffers], "semaphores": []}


def JSON():
    if any(program.signals.values()):
        raise RuntimeError("signals and waits do not match")
    return json.dumps({**program.head, "gpus": [gpu_of(rank, gpu) for rank, gpu in enumerate(program.gpus)], **program.tail})
