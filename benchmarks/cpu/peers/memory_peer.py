"""Memory: moves as many bytes as a program has to, and computes nothing (c/memory/memory.c).

It is no rival, but the limit: it takes turns with the others, as memory may be twice as fast at one
time as at another, on a machine that others use, too.
"""

import ctypes

from harness import c_build
from peers.interface import Failed, Prepared, Unsupported
from suite import data

LINE = 64
MEBIBYTES_OF_AN_ARRAY = 256


class Memory(ctypes.Structure):
    """`struct memory` of memory.c."""

    _fields_ = [
        ("read", ctypes.c_void_p),
        ("written", ctypes.c_void_p),
        ("lines", ctypes.c_long),
    ]


def prepare(task):
    """Allocates the arrays."""
    traffic = task.program.traffic(**task.sizes)
    if traffic is None:
        raise Unsupported("bound by computing")
    if task.size != "large":
        raise Unsupported("stays in the caches")
    library = ctypes.CDLL(str(c_build.build_memory(task.settings.build)))
    memory = Memory()
    lines = ctypes.c_long((MEBIBYTES_OF_AN_ARRAY << 20) // LINE)
    if not library.allocate(ctypes.byref(memory), lines):
        raise Failed("there is no memory")
    moved = [ctypes.c_long(round(size / LINE)) for size in traffic]
    library.move.restype = None
    return Prepared(
        run=lambda: library.move(ctypes.byref(memory), *moved),
        # It computes nothing that could be wrong.
        fetch=lambda _: data.read_references(task.settings.data, task.program.name, task.size),
        compile_seconds=0.0,
    )
