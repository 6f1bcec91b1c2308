"""Writes softmax.bc, a portable artifact: `python3 softmax.py`, with JAX."""

import jax
import jax.numpy as jnp


def softmax(x):
    shifted = jnp.exp(x - x.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    # Places name the file without its folder.
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    rows = jax.ShapeDtypeStruct((2048, 1000), jnp.float32)
    exported = jax.export.export(jax.jit(softmax))(rows)
    with open("softmax.bc", "wb") as file:
        file.write(exported.mlir_module_serialized)
