"""PyTorch on the CPU; with the variant `compile`, through its compiler, which needs g++."""

import os

import numpy as np
import torch

from harness.settings import NATIVE
from peers.interface import Prepared, Unsupported
from peers.torch_programs import PROGRAMS, TOO_LONG_TO_UNROLL


def prepare(task):
    """Wraps the inputs; the first run compiles."""
    name = task.program.name
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    torch.set_grad_enabled(False)
    function = PROGRAMS[name]
    if "compile" in task.variants:
        if task.settings.cpu != NATIVE:
            raise Unsupported("its compiler knows only the processor at hand")
        if name in TOO_LONG_TO_UNROLL:
            raise Unsupported("its compiler would unroll thousands of steps")
        function = torch.compile(function, dynamic=False)
    inputs = [torch.from_numpy(array) for array in task.inputs.values()]
    arguments = [*inputs, *task.sizes.values()]
    compile_seconds = None if "compile" in task.variants else 0.0
    return Prepared(lambda: function(*arguments), fetch, compile_seconds)


def fetch(outputs):
    """NumPy arrays of tensors; a number becomes an array with one element."""
    if not isinstance(outputs, tuple):
        outputs = (outputs,)
    return [np.atleast_1d(output.numpy(force=True)) for output in outputs]
