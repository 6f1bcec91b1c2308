"""JAX on the CPU: the programs of jax_programs.py, compiled ahead of time."""

import time

import jax
import jax.numpy as jnp
import numpy as np

from peers.interface import Prepared
from peers.jax_programs import PROGRAMS

jax.config.update("jax_enable_x64", True)


def lowered(name, inputs, sizes):
    """A program as StableHLO, for inputs of these shapes."""

    def main(*arrays):
        return jax.tree.leaves(PROGRAMS[name](*arrays, **sizes))

    return jax.jit(main).lower(*inputs)


def prepare(task):
    """Compiles a program; inputs become JAX's."""
    inputs = [jnp.asarray(array) for array in task.inputs.values()]
    start = time.perf_counter()
    function = lowered(task.program.name, inputs, task.sizes).compile()
    seconds = time.perf_counter() - start
    return Prepared(
        run=lambda: jax.block_until_ready(function(*inputs)),
        fetch=lambda outputs: [np.asarray(output) for output in outputs],
        compile_seconds=seconds,
    )
