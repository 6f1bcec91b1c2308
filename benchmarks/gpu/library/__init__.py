"""The libraries that are measured on a GPU, each behind the same interface: see base.py."""

import importlib

from gpu import libraries

# By the names of peers: the module, and what its library is told.
PEERS = {
    **{peer: ("comb_library", {"peer": peer}) for peer in libraries.ALGORITHMS},
    "cupy": ("cupy_library", {}),
    "cupy-fuse": ("cupy_library", {"fuse": True}),
    "jax": ("jax_library", {}),
    "torch-compile": ("torch_library", {"compile": True}),
    "torch-eager": ("torch_library", {}),
    "cub": ("cub_library", {}),
}


def load(peer, options):
    """The library of a peer; takes what importing it takes."""
    module, settings = PEERS[peer]
    library = importlib.import_module(f"gpu.library.{module}").Library
    return library(options, **settings)
