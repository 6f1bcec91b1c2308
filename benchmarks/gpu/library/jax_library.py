"""JAX: a program is one jit, compiled ahead of time, as on the CPU."""

import time

import jax
import jax.numpy as jnp
import numpy as np

from gpu.library import base
from peers.jax_peer import lowered

# Products of matrices in single precision, and not in TF32, as the other libraries do.
jax.config.update("jax_default_matmul_precision", "highest")


class Library(base.Library):
    """JAX on its default device, which JAX_PLATFORMS chooses."""

    def __init__(self, options):
        self.device = jax.devices()[0]
        if options.cache:
            keep_compiled(f"{options.cache}/jax")

    def packages(self):
        return {"jax": jax.__version__}

    def prepare(self, name, arrays, sizes, simple=False):
        inputs = [jax.device_put(array, self.device) for array in arrays.values()]
        start = time.perf_counter()
        function = lowered(name, inputs, sizes).compile()
        return base.Prepared(lambda: function(*inputs), time.perf_counter() - start)

    def synchronize(self, outputs):
        if outputs is not None:
            jax.block_until_ready(outputs)

    def fetch(self, outputs):
        return [np.asarray(output) for output in outputs]

    def total(self, outputs):
        return sum(float(jnp.abs(output).sum(dtype=jnp.float64)) for output in outputs)


def keep_compiled(folder):
    """Keeps compiled programs in a folder, however little time they took."""
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
