"""The programs of the peer JAX as StableHLO, which the peer IREE compiles.

They are written once, by jax_export.py, and again when the programs have changed. This needs
JAX's environment, but not that the peer JAX is measured.
"""

import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PEERS = HERE.parent / "peers"
SOURCES = [PEERS / "jax_programs.py", PEERS / "array_programs.py", PEERS / "jax_peer.py"]
SOURCES += [HERE / "jax_export.py"]


def path(settings, program, size):
    """Where the program is."""
    return settings.build / "stablehlo" / f"{program}.{size}.mlir"


def is_fresh(target, sources=tuple(SOURCES)):
    """Whether a file is newer than all that it is made from."""
    if not target.exists():
        return False
    written = target.stat().st_mtime
    return all(source.stat().st_mtime < written for source in sources)


def write(interpreter, settings, program, size):
    """Has JAX write a program unless it is there. If that fails there is none."""
    target = path(settings, program, size)
    if is_fresh(target):
        return
    target.unlink(missing_ok=True)
    command = [interpreter, str(HERE / "jax_export.py"), program, size, settings.to_json()]
    subprocess.run(command, capture_output=True, check=False)
