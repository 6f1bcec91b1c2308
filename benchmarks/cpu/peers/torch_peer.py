"""PyTorch on the CPU; with the variant `compile`, through its compiler, which needs g++."""

import numpy as np
import torch

from peers.interface import Prepared, Unsupported
from peers.torch_programs import PROGRAMS


def prepare(task):
    """Wraps the inputs; the first run compiles."""
    name = task.program.name
    if name not in PROGRAMS:
        raise Unsupported("no natural way to say it")
    function = PROGRAMS[name]
    if "compile" in task.variants:
        function = torch.compile(function, dynamic=False)
    inputs = [torch.from_numpy(array) for array in task.inputs.values()]
    sizes = list(task.sizes.values())

    def run():
        with torch.no_grad():
            return function(*inputs, *sizes)

    return Prepared(run, fetch)


def fetch(outputs):
    """NumPy arrays of tensors; a number becomes an array with one element."""
    if not isinstance(outputs, tuple):
        outputs = (outputs,)
    return [np.atleast_1d(output.numpy()) for output in outputs]
