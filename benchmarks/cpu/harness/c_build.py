"""Compiles the C programs, the test of bandwidth, the limits, and what calls comb's libraries.

`c` is compiled with fast-math and vectorised mathematical functions. `c-plain` is the same
source without these, `c-polly` with LLVM's polyhedral optimiser, and `c-stores` without
stores that go past the caches. `c-tuned` has sources of its own, in c/tuned, and so has
`c-unseen`, in unseen: those of programs that comb was not tuned for.
"""

import os
import pathlib
import re
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "c"
COMPILER = os.environ.get("CC", "clang-22")

BASE = ["-O3", "-fopenmp", "-std=gnu11", "-Wall", "-Wextra"]
FAST = ["-ffast-math", "-fveclib=libmvec", "-mprefer-vector-width=512", "-mno-gather"]
POLLY = ["-mllvm", "-polly", "-mllvm", "-polly-parallel=0"]
VARIANTS = {
    "c": FAST,
    "c-plain": [],
    "c-polly": [*FAST, *POLLY],
    "c-stores": [*FAST, "-DSTREAMING_BYTES=LONG_MAX"],
    "c-tuned": FAST,
    "c-unseen": FAST,
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
    folders = {"c-tuned": SOURCES / "tuned", "c-unseen": SOURCES.parent / "unseen"}
    return folders.get(variant, SOURCES)


def build_library(settings, variant, more=()):
    """Compiles all programs into one library, unless nothing has changed since."""
    target = library(settings.build, variant)
    sources = sorted(folder_of(variant).glob("*.c"))
    options = [*VARIANTS[variant], *more, f"-I{SOURCES}", "-shared", "-fPIC"]
    compile_c(target, sources, settings.cpu, options, ["-lm", "-lmvec"])


def build_bandwidth_test(settings):
    """Compiles the test of bandwidth; gives where it is."""
    target = settings.build / "bandwidth"
    source = SOURCES / "bandwidth" / "bandwidth.c"
    compile_c(target, [source], settings.cpu, [f"-I{SOURCES}"])
    return target


def build_caller(settings):
    """Compiles what calls comb's libraries; gives where it is."""
    target = settings.build / "libcaller.so"
    source = SOURCES / "caller" / "caller.c"
    compile_c(target, [source], settings.cpu, ["-shared", "-fPIC"])
    return target


def build_limits(settings):
    """Compiles what only moves bytes, and what only computes; gives where it is."""
    target = settings.build / "liblimit.so"
    sources = sorted((SOURCES / "limit").glob("*.c"))
    compile_c(target, sources, settings.cpu, [f"-I{SOURCES}", "-shared", "-fPIC"])
    return target


def vector_extensions(cpu):
    """The extensions with vectors that the compiler uses for a processor, as in `avx2`.

    Raises CompilerFailure if it does not know the processor, OSError if there is no compiler.
    """
    command = [COMPILER, f"-march={cpu}", "-dM", "-E", "-x", "c", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompilerFailure(f"{COMPILER} knows no processor '{cpu}'")
    names = re.findall(r"^#define __(SSE|AVX)(\w*)__ 1$", done.stdout, re.MULTILINE)
    return {f"{kind}{number}".lower() for kind, number in names}


def compile_c(target, sources, cpu, options, libraries=()):
    """Runs the compiler unless the target is newer than all sources."""
    inputs = [*sources, *SOURCES.rglob("*.h"), pathlib.Path(__file__)]
    if target.exists() and all(i.stat().st_mtime < target.stat().st_mtime for i in inputs):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    files = [str(source) for source in sources]
    # Processes of several peers may do this at the same time.
    unfinished = target.with_name(f"{target.name}.{os.getpid()}")
    command = [COMPILER, f"-march={cpu}", *BASE, *options, *files, "-o", str(unfinished), *libraries]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompilerFailure(f"{COMPILER} failed: {done.stderr.strip()}")
    unfinished.replace(target)
