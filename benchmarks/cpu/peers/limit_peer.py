"""The limit: does what a program cannot avoid, and nothing else (c/limit).

It moves as many bytes, or, if memory does not matter, computes as much. It is no rival, but takes
turns with the others, as memory may be twice as fast at one time as at another, on a machine that
others use, too.
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
    """Compiles the functions, and allocates arrays if there are to be any."""
    if task.size != "large":
        raise Unsupported("known for large arrays only")
    library = ctypes.CDLL(str(c_build.build_limits(task.settings)))
    return Prepared(
        run=moving(task, library) or computing(task, library),
        # It computes nothing that could be wrong.
        fetch=lambda _: data.read_references(task.settings.data, task.program.name, task.size),
        compile_seconds=0.0,
    )


def moving(task, library):
    """Moves what must be read and written; None if that does not matter."""
    traffic = task.program.traffic(**task.sizes)
    if traffic is None:
        return None
    memory = Memory()
    lines = ctypes.c_long((MEBIBYTES_OF_AN_ARRAY << 20) // LINE)
    if not library.allocate(ctypes.byref(memory), lines):
        raise Failed("there is no memory")
    moved = [ctypes.c_long(round(size / LINE)) for size in traffic]
    library.move.restype = None
    return lambda: library.move(ctypes.byref(memory), *moved)


def computing(task, library):
    """Computes what takes the time."""
    if task.program.arithmetic is None:
        raise Unsupported("bound by operations of many kinds")
    kind, count = task.program.arithmetic(**task.sizes)
    compute = library[kind]
    compute.restype = None
    return lambda: compute(ctypes.c_long(count))
