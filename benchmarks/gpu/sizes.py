"""How large the suite's programs are on a GPU.

`small` are the suite's own small sizes: there a call costs what it takes to launch kernels, and
results are checked there. `large` does not fit into a GPU's caches (50 MB of L2 on an H100): most
programs read and write between 128 MB and 1 GB.
"""

from suite import PROGRAMS
from suite.program import KIBI, MEBI

# The suite's large sizes, unless they are named here.
LARGE = {
    "singleLoop": {"n": 64 * MEBI},
    "scatterExample": {"n": 32 * MEBI},
    "simple1": {"n": 32 * MEBI},
    "simple2": {"n": 32 * MEBI},
    "simple3": {"n": 32 * MEBI},
    "simple4": {"m": 64 * KIBI, "n": KIBI},
    "simple5": {"n": 32 * MEBI},
    "blackscholes": {"n": 16 * MEBI, "it": 5},
    "gameoflife": {"n": 16382, "it": 4},
    "shallowwater": {"n": 4094, "it": 3},
    "nbody": {"n": 8192},
    "lbm": {"n": 128, "it": 2},
    "prefixsum": {"n": 64 * MEBI},
    "segsum": {"k": 4 * MEBI},
    "filter": {"n": 64 * MEBI},
    "histogram": {"n": 64 * MEBI, "b": 4 * KIBI},
    "softmax": {"m": 32 * KIBI, "n": 2 * KIBI},
    "attention": {"n": 8 * KIBI, "d": 64},
    "hotspot": {"n": 8192, "it": 5},
    "nn": {"n": 32 * MEBI, "k": 10},
}

# What `--short` measures: one program of each kind.
SHORT = ["singleLoop", "simple1", "blackscholes", "heat", "prefixsum", "filter", "histogram", "softmax"]


def of(name, size):
    """The integer arguments of a program, by name, in order."""
    program = PROGRAMS[name]
    return program.sizes["small"] if size == "small" else LARGE.get(name, program.sizes["large"])


def traffic(name, size):
    """The bytes that must be moved if every input is read once and every output written once in
    each iteration; None where computing takes the time."""
    moved = PROGRAMS[name].traffic(**of(name, size))
    return None if moved is None else sum(moved)
