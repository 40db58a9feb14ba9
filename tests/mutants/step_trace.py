# SPDX-License-Identifier: GPL-3.0-or-later
"""A Kineto trace of one step that is written event by event, with launches, waits and streams as PyTorch's c10d and Kineto write
them. Times are microseconds from the beginning of the step."""
import json

STREAM, NCCL = 7, 20
KERNEL = "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)"
SENDRECV = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"


class StepTrace:
    def __init__(self, rank, world_size):
        self.events, self.rank, self.world_size = [], rank, world_size

    def host(self, category, thread, name, at, length, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 10, "tid": thread, "ts": 1000 + at, "dur": length,
                            "args": args})

    def device(self, stream, name, at, length, correlation, **args):
        self.events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": f"stream {stream}", "ts": 1000 + at,
                            "dur": length, "args": {"device": 0, "stream": stream, "correlation": correlation, **args}})

    def compute(self, thread, name, launched, at, length, correlation):
        self.host("cuda_runtime", thread, "cudaLaunchKernel", launched, 1, correlation=correlation)
        self.device(STREAM, name, at, length, correlation)

    def wait(self, thread, at):
        self.host("cuda_runtime", thread, "cudaStreamWaitEvent", at, 1, correlation=9000 + at)

    def collective(self, thread, kind, launched, at, length, correlation, elements, ranks):
        """The call lasts from 4 us before the launch until 3 us after it; during it the collective's stream waits for the compute stream."""
        self.host("cpu_op", thread, "c10d::" + kind + "_", launched - 4, 7)
        self.host("cpu_op", thread, "record_param_comms", launched - 3, 5, **{"External id": correlation})
        self.wait(thread, launched - 2)
        self.host("cuda_runtime", thread, "cudaLaunchKernelExC", launched, 1, correlation=correlation)
        self.device(NCCL, KERNEL, at, length, correlation, **{"External id": correlation}, **self.statement(kind, elements, ranks))

    @staticmethod
    def statement(kind, elements, ranks):
        return {"Collective name": kind, "In msg nelems": elements, "Out msg nelems": elements, "Group size": len(ranks),
                "dtype": "Float", "Process Group Name": str(len(ranks)), "Process Group Ranks": str(ranks)}

    def transfer_statement(self, kind, peer, elements, ranks):
        """Of a send or receive: "Rank" is the other one's place in the group."""
        return {**self.statement(kind, elements, ranks), "Rank": ranks.index(peer),
                "Dst Rank" if kind == "send" else "Src Rank": peer}

    def transfer(self, thread, kind, launched, at, length, correlation, peer, elements, ranks, told=True):
        """A send or receive alone, on a stream of its own; without its own description unless `told`."""
        statement = self.transfer_statement(kind, peer, elements, ranks) if told else {}
        self.host("cpu_op", thread, "c10d::send" if kind == "send" else "c10d::recv_", launched - 4, 7)
        self.host("cpu_op", thread, "record_param_comms", launched - 3, 5, **{"External id": correlation})
        self.wait(thread, launched - 2)
        self.host("cuda_runtime", thread, "cudaLaunchKernelExC", launched, 1, correlation=correlation)
        self.device(NCCL + 1 + (kind == "recv"), SENDRECV, at, length, correlation, **{"External id": correlation}, **statement)

    def batch(self, thread, launched, at, length, correlation, transfers, elements, ranks):
        """batch_isend_irecv: each (kind, peer) is called, 5 us apart, and launches nothing; one kernel does them all, in no op."""
        for number, (kind, peer) in enumerate(transfers):
            called = launched - 2 - 5 * (len(transfers) - number)
            self.host("cpu_op", thread, "c10d::send" if kind == "send" else "c10d::recv_", called, 4)
            self.host("cpu_op", thread, "record_param_comms", called + 1, 2, **{"External id": correlation + 100 + number},
                      **self.transfer_statement(kind, peer, elements, ranks))
            self.wait(thread, called + 2)
        self.host("user_annotation", thread, "nccl:coalesced", launched - 1, 3)
        self.host("cuda_runtime", thread, "cudaLaunchKernelExC", launched, 1, correlation=correlation)
        self.device(NCCL, SENDRECV, at, length, correlation)

    def backward(self, name, at, length, sequence):
        self.host("cpu_op", 2, "autograd::engine::evaluate_function: " + name, at, length,
                  **{"Sequence number": sequence, "Fwd thread id": 1})

    def write(self, path):
        lines = ",\n".join(json.dumps(event) for event in self.events)
        with open(path, "w") as file:
            file.write('{"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": %d, "world_size": %d}, "traceEvents": [\n'
                       % (self.rank, self.world_size) + lines + "\n]}\n")
