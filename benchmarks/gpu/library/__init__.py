"""The libraries that are measured on a GPU, each behind the same interface: see base.py."""

import importlib
import importlib.util
import shutil

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


def missing(peer, chosen):
    """Why a peer cannot be measured here, or None; `chosen` is the command line of run.py."""
    module, _ = PEERS[peer]
    if module == "comb_library":
        return None if chosen.comb else "no folder of comb's libraries is named by --comb"
    if module == "cub_library" and shutil.which("nvcc") is None:
        return "there is no nvcc"
    needed = {"cupy_library": chosen.array_module, "cub_library": "cupy"}.get(module, module.split("_")[0])
    return None if importlib.util.find_spec(needed) else f"{needed} is not installed"
