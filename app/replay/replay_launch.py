# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a process of a replay runs: its rank according to torchrun or mpirun, the addresses and interfaces of its machine."""
import fcntl
import os
import socket
import struct

from replay_files import InputError

# Rank, size, rank on the machine and processes there, by the launchers' variables.
LAUNCHERS = [("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"),
             ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
             ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS")]


def launched_as():
    """Rank, size, and rank on this machine; sets the rendezvous address if the launcher has not."""
    for rank, size, local, local_size in LAUNCHERS:
        if rank in os.environ and size in os.environ:
            if "MASTER_ADDR" not in os.environ:
                if os.environ.get(local_size) != os.environ[size]:
                    raise InputError("the processes do not know where to meet",
                                     "export MASTER_ADDR, the address of rank 0 (mpirun -x MASTER_ADDR=10.0.0.1)")
                os.environ["MASTER_ADDR"] = "127.0.0.1"
            os.environ.setdefault("MASTER_PORT", "29500")
            return int(os.environ[rank]), int(os.environ[size]), int(os.environ.get(local, 0))
    raise InputError("this is one process of several", "start it with torchrun or mpirun")


def has_address(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def interface_to(address):
    """The name of the interface through which this machine reaches an address, or None. gloo would resolve the host's name, which
    often belongs to the loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))
            own = socket.inet_aton(probe.getsockname()[0])
        except OSError:
            return None
        for _, name in socket.if_nameindex():
            try:
                if fcntl.ioctl(probe.fileno(), 0x8915, struct.pack("256s", name.encode()))[20:24] == own:  # SIOCGIFADDR
                    return name
            except OSError:
                continue
    return None


def is_first():
    """Whether this process is rank 0, or started alone."""
    return next((os.environ[names[0]] for names in LAUNCHERS if names[0] in os.environ), "0") == "0"
