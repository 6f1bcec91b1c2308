"""The two sides: what prepares a function's artifact with comb, and the function with JAX."""

import time
from typing import NamedTuple

from exported import files
from harness.settings import Settings
from peers import comb_peer
from peers.interface import Prepared

# What `jax.export` calls the function of an artifact.
ENTRY = "main"


class Task(NamedTuple):
    """What to prepare."""

    name: str
    inputs: list  # arrays, in order
    settings: Settings


def comb(task):
    """A library that `comb build` makes of the artifact."""
    library = task.settings.build / "exported" / f"{task.name}.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    source = files.artifact(task.settings, task.name)
    seconds = comb_peer.build(task.settings, source, library, ["ilp"])
    call = comb_peer.load(task.settings, library, ENTRY).call(task.inputs)
    return Prepared(call.run, lambda outputs: [output.array() for output in outputs], seconds)


def jax(task):
    """The function, traced and compiled by JAX, after a function that starts its compiler."""
    import jax
    import numpy as np

    from exported.functions import FUNCTIONS

    inputs = [jax.device_put(array) for array in task.inputs]
    jax.jit(lambda x: x + 1).lower(np.float32(0)).compile()
    start = time.perf_counter()
    function = FUNCTIONS[task.name].lowered(inputs).compile()
    seconds = time.perf_counter() - start
    return Prepared(
        run=lambda: jax.block_until_ready(function(*inputs)),
        fetch=lambda outputs: [np.asarray(output) for output in jax.tree.leaves(outputs)],
        compile_seconds=seconds,
    )


PREPARE = {"comb-ilp": comb, "jax": jax}
