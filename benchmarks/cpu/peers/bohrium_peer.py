"""Bohrium: the suite's NumPy functions with Bohrium in NumPy's place.

Only the programs in which that works; others mostly fall back to NumPy. Runs on Python 3.7.
"""

import sys

import bohrium
import numpy

from peers.interface import Prepared, Unsupported

PROGRAMS = {
    "singleLoop",
    "greedyTopDownBad",
    "blackscholes",
    "gameoflife",
    "heat",
    "leibniz",
    "mcpi",
    "stencil27",
    "shallowwater",
    "rosenbrock",
    "nbody",
}


def as_numpy(array):
    """An array in NumPy's memory."""
    return array.copy2numpy() if hasattr(array, "copy2numpy") else numpy.asarray(array)


def prepare(task):
    """Puts Bohrium in NumPy's place in the module of the program."""
    if task.program.name not in PROGRAMS:
        raise Unsupported("falls back to NumPy")
    sys.modules[task.program.compute.__module__].np = bohrium
    inputs = [bohrium.array(array) for array in task.inputs.values()]
    bohrium.flush()

    def run():
        outputs = task.program.compute(*inputs, **task.sizes)
        bohrium.flush()
        return [as_numpy(array) for array in outputs]  # this makes it compute

    return Prepared(run, fetch=list, keeps_at_end=True)
