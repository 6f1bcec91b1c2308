"""IREE on the CPU, from the StableHLO of the peer JAX (harness/jax_export.py writes it)."""

import pathlib
import re
import subprocess
import sys
import time

import numpy as np
from iree import runtime

from peers.interface import Prepared, Unsupported

# Without inputs there is nothing left to do when a program runs.
FOLDED = {"leibniz", "mcpi"}

OPTIONS = [
    "--iree-input-type=stablehlo",
    "--iree-input-demote-f64-to-f32=false",
    "--iree-input-demote-i64-to-i32=false",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
]


def compile_program(source, target):
    """Compiles StableHLO; the seconds it took."""
    compiler = pathlib.Path(sys.executable).with_name("iree-compile")
    start = time.perf_counter()
    done = subprocess.run(
        [str(compiler), str(source), "-o", str(target), *OPTIONS],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        errors = re.findall(r"error: .*", done.stderr) or [done.stderr[-200:]]
        raise RuntimeError(errors[0])
    return time.perf_counter() - start


def prepare(task):
    """Compiles and loads a program; inputs become the device's."""
    name = task.program.name
    if name in FOLDED:
        raise Unsupported("computed while compiling")
    source = task.settings.build / "stablehlo" / f"{name}.{task.size}.mlir"
    if not source.exists():
        raise Unsupported("no StableHLO: that needs the peer jax")
    target = source.with_suffix(".vmfb")
    seconds = compile_program(source, target)
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
