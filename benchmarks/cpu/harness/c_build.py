"""Compiles the C programs, the test of bandwidth, the limits, and what calls comb's libraries.

`c` is compiled with fast-math and vectorised mathematical functions. `c-plain` is the same
source without these, `c-polly` with LLVM's polyhedral optimiser, and `c-stores` without
stores that go past the caches. `c-tuned` has sources of its own, in c/tuned.
"""

import os
import pathlib
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "c"
COMPILER = os.environ.get("CC", "clang-22")

BASE = ["-O3", "-march=native", "-fopenmp", "-std=gnu11", "-Wall", "-Wextra"]
FAST = ["-ffast-math", "-fveclib=libmvec", "-mprefer-vector-width=512", "-mno-gather"]
POLLY = ["-mllvm", "-polly", "-mllvm", "-polly-parallel=0"]
VARIANTS = {
    "c": FAST,
    "c-plain": [],
    "c-polly": [*FAST, *POLLY],
    "c-stores": [*FAST, "-DSTREAMING_BYTES=LONG_MAX"],
    "c-tuned": FAST,
}


class CompilerFailure(Exception):
    """The C compiler failed; the message is what it said."""


def library(folder, variant):
    """Where the library of a variant is."""
    return folder / f"lib{variant}.so"


def source(variant, program):
    """Where the source of a program is for a variant, if it has one."""
    return folder_of(variant) / f"{program}.c"


def folder_of(variant):
    """Where the sources of a variant are."""
    return SOURCES / "tuned" if variant == "c-tuned" else SOURCES


def bandwidth_test(folder):
    """Where the test of bandwidth is."""
    return folder / "bandwidth"


def build_library(folder, variant, more=()):
    """Compiles all programs into one library, unless nothing has changed since."""
    target = library(folder, variant)
    sources = sorted(folder_of(variant).glob("*.c"))
    options = [*BASE, *VARIANTS[variant], *more, f"-I{SOURCES}", "-shared", "-fPIC"]
    compile_c(target, sources, options, ["-lm", "-lmvec"])


def build_bandwidth_test(folder):
    """Compiles the test of bandwidth."""
    source = SOURCES / "bandwidth" / "bandwidth.c"
    compile_c(bandwidth_test(folder), [source], [*BASE, f"-I{SOURCES}"], [])


def build_caller(folder):
    """Compiles what calls comb's libraries; gives where it is."""
    target = folder / "libcaller.so"
    compile_c(target, [SOURCES / "caller" / "caller.c"], [*BASE, "-shared", "-fPIC"], [])
    return target


def build_limits(folder):
    """Compiles what only moves bytes, and what only computes; gives where it is."""
    target = folder / "liblimit.so"
    sources = sorted((SOURCES / "limit").glob("*.c"))
    compile_c(target, sources, [*BASE, f"-I{SOURCES}", "-shared", "-fPIC"], [])
    return target


def compile_c(target, sources, options, libraries):
    """Runs the compiler unless the target is newer than all sources."""
    inputs = [*sources, *SOURCES.rglob("*.h"), pathlib.Path(__file__)]
    if target.exists() and all(i.stat().st_mtime < target.stat().st_mtime for i in inputs):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    files = [str(source) for source in sources]
    # Processes of several peers may do this at the same time.
    unfinished = target.with_name(f"{target.name}.{os.getpid()}")
    command = [COMPILER, *options, *files, "-o", str(unfinished), *libraries]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompilerFailure(f"{COMPILER} failed: {done.stderr.strip()}")
    unfinished.replace(target)
