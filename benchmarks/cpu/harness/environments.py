"""Python environments for the peers, made with venv and pip.

benchmarks/cpu/environments/NAME.txt says what is installed in the environment NAME. Peers
whose environment cannot be made are left out, with the reason.
"""

import os
import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).resolve().parent.parent / "environments"

# By the first part of a peer's name; NumPy is all that C, comb and the limit need.
ENVIRONMENT_OF = {
    "comb": "numpy",
    "c": "numpy",
    "limit": "numpy",
    "numpy": "numpy",
    "numba": "numba",
    "jax": "jax",
    "iree": "iree",
    "torch": "torch",
    "bohrium": "bohrium",
}

# Bohrium was built for no later Python than this one.
OLD_PYTHON = "python3.7"


class EnvironmentMissing(Exception):
    """An environment cannot be made; the message says why."""


def environment_of(peer):
    """The environment of a peer."""
    return ENVIRONMENT_OF[peer.split("-")[0]]


def needed(peers):
    """The environments that measuring these peers needs: NumPy makes the data, and JAX writes
    the programs that IREE compiles."""
    found = {"numpy", *map(environment_of, peers)}
    return found | {"jax"} if "iree" in found else found


def base_interpreter(name):
    """The Python that an environment is made from."""
    if name != "bohrium":
        return sys.executable
    python = os.environ.get("PYTHON37") or shutil.which(OLD_PYTHON)
    if not python:
        raise EnvironmentMissing(f"there is no {OLD_PYTHON}; PYTHON37 may name one")
    return python


def ensure(name, folder):
    """Makes an environment unless it is there; gives its interpreter."""
    wanted = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")
    place = folder / name
    interpreter, installed = place / "bin/python", place / "installed.txt"
    if not (installed.exists() and installed.read_text(encoding="utf-8") == wanted):
        if not interpreter.exists():
            run([base_interpreter(name), "-m", "venv", str(place)])
        run(
            [
                str(interpreter),
                "-m",
                "pip",
                "install",
                "-q",
                "-r",
                str(REQUIREMENTS / f"{name}.txt"),
            ]
        )
        installed.write_text(wanted, encoding="utf-8")
    return interpreter


def run(command):
    """Runs a command that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        output = (done.stderr.strip() or done.stdout.strip()).splitlines() or [""]
        raise EnvironmentMissing(f"{' '.join(command[1:4])} … failed: {output[-1]}")


def packages(name):
    """The packages of an environment, as NAME==VERSION."""
    text = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")
    return text.split()
