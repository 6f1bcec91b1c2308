"""Numba with parallel loops; with the variant `fast`, with fast-math as C has it.

Outputs are allocated once, as for C.
"""

import numba

from peers.interface import Prepared
from peers.numba_programs import PROGRAMS
from suite import data


def prepare(task):
    """Compiles when it first runs, unless an earlier process has."""
    outputs = [data.aligned(shape, dtype) for shape, dtype in task.outputs()]
    fast = "fast" in task.variants
    compiler = numba.njit(parallel=True, fastmath=fast, cache=True)
    function = compiler(PROGRAMS[task.program.name])
    arguments = [*task.arguments, *outputs]
    return Prepared(run=lambda: function(*arguments), fetch=lambda _: outputs)
