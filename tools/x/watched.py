"""Builds programs so that faults of the compiler show when they run, and runs them.

A *watcher* is AddressSanitizer, ThreadSanitizer, or Valgrind. What examples/check.py
uses; docs/src/testing.md says what each watcher finds.
"""

import os
import subprocess

# The newest CPU whose instructions Valgrind knows.
VALGRIND_CPU = "x86-64-v3"
VALGRIND_EXIT_CODE = 99
VALGRIND = [
    "valgrind",
    "--quiet",
    f"--error-exitcode={VALGRIND_EXIT_CODE}",
    # Valgrind translates some dozen instructions at once, and ends if it lacks memory for that, as
    # it does for 60 of vectors.
    "--vex-guest-max-insns=20",
]

# Watcher: the options of `comb build`, and what stands before the executable.
WATCHERS = {
    "address": (["--sanitize", "address"], []),
    "thread": (["--sanitize", "thread"], []),
    "valgrind": (["--cpu", VALGRIND_CPU], VALGRIND),
}

ENVIRONMENT = {
    # OpenMP's library is not compiled for ThreadSanitizer.
    "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
    # What is freed is freed: Valgrind says what is read from it afterwards.
    "COMB_IDLE_MEMORY": "0",
}


def build(comb, watcher, program, executable, options=()):
    """The command that makes an executable of a program."""
    own, _ = WATCHERS[watcher]
    return [str(comb), "build", str(program), "-o", str(executable), *own, *options]


def command(watcher, executable):
    """How the executable is started."""
    _, before = WATCHERS[watcher]
    return [*before, str(executable)]


def finding(watcher, done):
    """What a watcher found in a run, as text, or None. A program that ends with a run-time
    error loses the memory that it had taken."""
    text = done.stderr
    if watcher == "valgrind":
        return text if done.returncode == VALGRIND_EXIT_CODE else None
    failed = any(line.startswith("error: ") for line in text.splitlines())
    if failed and "ERROR: LeakSanitizer" in text:
        return None
    return text if "Sanitizer" in text else None


def run(arguments, **options):
    """Runs a command to its end, with its outputs as text."""
    return subprocess.run(
        [str(argument) for argument in arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        env={**os.environ, **ENVIRONMENT},
        **options,
    )
