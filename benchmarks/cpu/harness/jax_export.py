"""Writes a program of the peer JAX as StableHLO, for the peer IREE (stablehlo.py).

    jax_export.py PROGRAM SIZE SETTINGS

Runs where JAX is.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import stablehlo  # noqa: E402
from harness.settings import Settings  # noqa: E402
from peers.jax_peer import lowered  # noqa: E402
from suite import PROGRAMS, data  # noqa: E402


def main():
    """Lowers a program for its inputs' shapes."""
    name, size, settings = sys.argv[1], sys.argv[2], Settings.from_json(sys.argv[3])
    target = stablehlo.path(settings, name, size)
    inputs = list(data.read_inputs(settings.data, name, size).values())
    text = lowered(name, inputs, PROGRAMS[name].sizes[size]).as_text()
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(target)


main()
