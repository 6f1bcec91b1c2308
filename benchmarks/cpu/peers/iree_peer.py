"""IREE on the CPU, from the StableHLO of the peer JAX (harness/stablehlo.py).

What was compiled is kept, with the seconds it took, or why it failed: a program that cannot be
compiled would take minutes each time to say so.
"""

import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

import numpy as np
from iree import runtime

from harness import stablehlo
from peers.interface import Failed, Prepared

OPTIONS = [
    "--iree-input-type=stablehlo",
    "--iree-input-demote-f64-to-f32=false",
    "--iree-input-demote-i64-to-i32=false",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
]

# For programs without inputs: otherwise they would be computed while compiling.
NOTHING_AHEAD = ["--iree-opt-const-eval=false", "--iree-opt-const-expr-hoisting=false"]

# With all fusion, scatters want more of the stack than there may be; then the second is tried.
ATTEMPTS = [[], ["--iree-dispatch-creation-enable-aggressive-fusion=false"]]

# Seconds of computing that the compiler may use in an attempt.
COMPILER_LIMIT = 40


def prepare(task):
    """Compiles and loads a program; inputs become the device's."""
    name = task.program.name
    source = stablehlo.path(task.settings, name, task.size)
    if not source.exists():
        raise Failed("JAX has not written its StableHLO")
    target, seconds = compiled(source, OPTIONS if task.inputs else [*OPTIONS, *NOTHING_AHEAD])
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


def compiled(source, options):
    """The compiled program and the seconds that took, from an earlier run if there was one."""
    program = source.read_bytes()
    compiler = pathlib.Path(sys.executable).with_name("iree-compile")
    how = json.dumps([options, ATTEMPTS, COMPILER_LIMIT, compiler.stat().st_mtime])
    digest = hashlib.sha256(program + how.encode()).hexdigest()[:16]
    target = source.with_suffix(f".{digest}.vmfb")
    report = target.with_suffix(".json")
    if not report.exists():
        outcome = compile_program([str(compiler), str(source), "-o", str(target), *options])
        report.write_text(json.dumps(outcome), encoding="utf-8")
    found = json.loads(report.read_text(encoding="utf-8"))
    if "failure" in found:
        raise Failed(found["failure"])
    return target, found["seconds"]


def compile_program(command):
    """Compiles StableHLO as one attempt or the other can; says how long that took, or why the
    first one failed. When that took too long there is no other."""
    first = attempt([*command, *ATTEMPTS[0]])
    if "error" not in first.get("failure", ""):
        return first
    second = attempt([*command, *ATTEMPTS[1]])
    return second if "seconds" in second else first


def attempt(command):
    """Runs the compiler; says how long that took or why it failed."""
    start = time.perf_counter()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit_computing,
    )
    if done.returncode == 0:
        return {"seconds": time.perf_counter() - start}
    if done.returncode < 0:
        return {"failure": f"the compiler has no result after {COMPILER_LIMIT} s of computing"}
    errors = re.findall(r"error: .*", done.stderr) or [done.stderr[-200:]]
    return {"failure": f"the compiler: {errors[0]}"}


def limit_computing():
    """Ends the process when it has computed for too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (COMPILER_LIMIT, COMPILER_LIMIT + 1))
