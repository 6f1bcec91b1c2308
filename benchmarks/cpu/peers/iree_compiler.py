"""Compiles StableHLO with IREE's compiler, and keeps what came of it.

What was compiled is kept beside its source, with the seconds it took, or why it failed: a
program that cannot be compiled would take minutes each time to say so. It is compiled again if
the source, the options or the compiler have changed.
"""

import hashlib
import json
import re
import resource
import signal
import subprocess
import time

from peers.interface import Failed

# With all fusion, scatters want more of the stack than there may be; then the second is tried.
ATTEMPTS = [[], ["--iree-dispatch-creation-enable-aggressive-fusion=false"]]

# Seconds of computing that the compiler may use in an attempt.
COMPILER_LIMIT = 40


def compiled(compiler, source, options):
    """The compiled program and the seconds that took, from an earlier run if there was one."""
    program = source.read_bytes()
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
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"failure": f"the compiler has no result after {COMPILER_LIMIT} s of computing"}
    errors = re.findall(r"error: [^:\n]*", done.stderr) or [done.stderr[-200:]]
    return {"failure": f"the compiler: {errors[0]}"}


def limit_computing():
    """Ends the process when it has computed for too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (COMPILER_LIMIT, COMPILER_LIMIT + 1))
