"""C: the functions of benchmarks/cpu/c, compiled by harness/c_build.py.

Outputs are allocated once, and their pages touched.
"""

import ctypes

from harness import c_build
from peers.interface import Prepared, Unsupported
from suite import data

MOST_ARRAYS = 8


def pointers(arrays):
    """The addresses of arrays as C wants them."""
    return (ctypes.c_void_p * MOST_ARRAYS)(*[array.ctypes.data for array in arrays])


def prepare(task):
    """Binds a function to its arrays."""
    variant = "-".join(["c", *task.variants])
    if not c_build.source(variant, task.program.name).exists():
        raise Unsupported("not tuned")
    library = ctypes.CDLL(str(c_build.library(task.settings.build, variant)))
    outputs = [data.aligned(shape, dtype) for shape, dtype in task.outputs()]
    function = getattr(library, task.program.name)
    function.restype = None
    sizes = (ctypes.c_long * MOST_ARRAYS)(*task.sizes.values())
    inputs = pointers(task.inputs.values())
    results = pointers(outputs)
    return Prepared(
        run=lambda: function(sizes, inputs, results),
        fetch=lambda _: outputs,
        compile_seconds=0.0,
    )
