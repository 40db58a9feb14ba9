# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a process of a replay runs (its rank by torchrun or mpirun, its machine's addresses and interfaces), and how it ends."""
import fcntl
import os
import socket
import struct
import sys

from replay_files import InputError, shown

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
                    raise InputError("no rendezvous address is set",
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


def interfaces():
    """The network interfaces of this machine that have an IPv4 address: their names, with their addresses."""
    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                found[name] = fcntl.ioctl(probe.fileno(), 0x8915, struct.pack("256s", name.encode()))[20:24]  # SIOCGIFADDR
            except OSError:
                continue
    return found


def own_address_to(address):
    """This machine's own address, packed, on the way to another, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))
            return socket.inet_aton(probe.getsockname()[0])
        except OSError:
            return None


def is_unreachable(own):
    """Whether other machines cannot reach this address: it is a loopback, and the processes are on several machines."""
    here, size = next(((os.environ.get(local_size), os.environ[size]) for rank, size, _, local_size in LAUNCHERS
                       if rank in os.environ and size in os.environ), (None, None))
    return own is not None and own[0] == 127 and here not in (None, size)


def interface_to(address):
    """The name of the interface through which this machine reaches an address, or None if there is none that other machines
    can reach."""
    own = own_address_to(address)
    return None if is_unreachable(own) else next((name for name, found in interfaces().items() if found == own), None)


def choose_interface(address):
    """Has gloo use the interface to an address, unless the user has chosen one. By itself gloo resolves the host's name, which often
    belongs to the loopback; on its own machine `address` may do so, too."""
    if "GLOO_SOCKET_IFNAME" in os.environ:
        return
    if is_unreachable(own_address_to(address)):
        raise InputError(f"MASTER_ADDR={shown(address)} resolves to a loopback address on this machine, which the others cannot reach",
                         "set it to an IP address of rank 0's network (mpirun -x MASTER_ADDR=10.0.0.1, torchrun --master_addr 10.0.0.1)")
    interface = interface_to(address)
    if interface:
        os.environ["GLOO_SOCKET_IFNAME"] = interface


def is_first():
    """Whether this process is rank 0, or started alone."""
    return next((os.environ[rank] for rank, size, *_ in LAUNCHERS if rank in os.environ and size in os.environ), "0") == "0"


def end_on_error(work, *arguments):
    """For threads: the others would wait for ever for one that fails."""
    try:
        work(*arguments)
    except Exception as error:  # a lost connection
        leave(f"a process failed in its communication: {error}; see the output of the other processes")


def leave(what):
    """Ends the process at once: its other threads may wait for ever."""
    print(f"error: {what}", file=sys.stderr, flush=True)
    os._exit(1)


def end(code):
    """Ends the process without the interpreter's own end: a thread of gloo that returns a tensor after it aborts the process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
