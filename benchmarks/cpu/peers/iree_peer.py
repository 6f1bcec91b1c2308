"""IREE on the CPU, from the StableHLO of the peer JAX (harness/stablehlo.py)."""

import os
import pathlib
import sys

import numpy as np
from iree import runtime

from harness import stablehlo
from harness.settings import NATIVE
from peers.interface import Failed, Prepared
from peers.iree_compiler import compiled

OPTIONS = [
    "--iree-input-type=stablehlo",
    "--iree-input-demote-f64-to-f32=false",
    "--iree-input-demote-i64-to-i32=false",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-opt-level=O3",
]

# For programs without inputs: otherwise they would be computed while compiling.
NOTHING_AHEAD = ["--iree-opt-const-eval=false", "--iree-opt-const-expr-hoisting=false"]


def prepare(task):
    """Compiles and loads a program; inputs become the device's."""
    name = task.program.name
    source = stablehlo.path(task.settings, name, task.size)
    if not source.exists():
        raise Failed("JAX has not written its StableHLO")
    compiler = pathlib.Path(sys.executable).with_name("iree-compile")
    cpu = "host" if task.settings.cpu == NATIVE else task.settings.cpu
    options = [*OPTIONS, f"--iree-llvmcpu-target-cpu={cpu}"]
    options += [] if task.inputs else NOTHING_AHEAD
    target, seconds = compiled(compiler, source, options)
    runtime.flags.parse_flags(f"--task_topology_cpu_ids={processors()}")
    config = runtime.Config("local-task")
    context = runtime.SystemContext(config=config)
    module = runtime.VmModule.mmap(config.vm_instance, str(target))
    context.add_vm_module(module)
    function = context.modules[module.name]["main"]
    inputs = [runtime.asdevicearray(config.device, array) for array in task.inputs.values()]

    def run():
        outputs = function(*inputs)
        return outputs if isinstance(outputs, (tuple, list)) else [outputs]

    return Prepared(run, lambda outputs: [np.asarray(o.to_host()) for o in outputs], seconds)


def processors():
    """One thread for each processor that this process may use, bound to it."""
    return ",".join(str(number) for number in sorted(os.sched_getaffinity(0)))
