#!/usr/bin/env python3
"""Measures how accurate and how fast the functions are that comb-expand-math makes.

    math_accuracy.py --build target/release --check
    math_accuracy.py --build target/release --keep FILE
    math_accuracy.py --build target/release --keep FILE --page docs/src/math.md

Every function, on vectors of 16 f32 or 8 f64 and on scalars, goes through
comb-opt and clang; math_accuracy.c compares results with those of the C library
in the next wider type. It fails if an error is greater than its bound below, if an
infinity, a NaN or the sign of a zero is wrong, or if vectors and scalars differ.

--check takes few arguments (every 2^32 / 30000-th f32), for tests. Else all f32 are
tried (but see --stride and --count), for one to five minutes a function, on all
processors. --page then measures times, on one, and writes a page with a table. --keep
writes down each function's errors when they are known, with what they were measured on; with
--page, those of the same code and as many arguments are not measured again.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import textwrap
import threading

HERE = pathlib.Path(__file__).resolve().parent

UNARY = (
    "exp exp2 expm1 log log2 log10 log1p rsqrt cbrt sin cos tan asin acos atan sinh cosh tanh "
    "asinh acosh atanh erf erfc"
).split()
BINARY = ["powf", "atan2"]
FUNCTIONS = (
    "exp exp2 expm1 log log2 log10 log1p powf rsqrt cbrt sin cos tan asin acos atan atan2 sinh cosh "
    "tanh asinh acosh atanh erf erfc"
).split()
TYPES = {"f32": 16, "f64": 8}
MODES = ["precise", "fast"]
BLOCK = 4096

# The greatest error that is allowed, in units in the last place.
PRECISE = {"f32": 0.502, "f64": 0.9}
PRECISE_EXCEPTIONS = {
    ("erfc", "f64"): 1.1,
    ("tan", "f64"): 1.0,
    ("exp", "f32"): 0.8,
    ("exp2", "f32"): 0.8,
    ("powf", "f32"): 0.51,
}
FAST = 4.0

LOWERING = [
    "convert-vector-to-scf",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-math-to-llvm",
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1}",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
]

PAGE = """\
<!-- Written by ./x bench math; do not edit. -->

# Accuracy of functions {{#math}}

Functions of the `math` dialect on `f32` and `f64` become arithmetic, by the pass
[`comb-expand-math`](reference/passes.md): no library is called, and results are the same in scalars
and in vectors of any width. There are two modes, `--math=precise` (the default) and `--math=fast`:

* *precise*: the errors below, over the whole range of arguments and results, subnormal numbers
  included. Infinities, NaN and signed zeros are what C's standard (annex F) requires. Functions of
  `f32` are computed in `f64`, and are nearly always rounded correctly; `exp` and `exp2` are not, which
  takes half the time.
* *fast*: errors of up to {fast:g} units. NaN, infinities, zeros and large arguments are treated as in
  the precise mode. Subnormal arguments of `log`, `log2`, `log10` and `cbrt` count as 0, and so do
  results below 2^-125 (`f64`: 2^-1021) of `exp` and `exp2`; other results that are subnormal may have
  larger errors. Results may exceed a function's limits by their error: a sine may be 1 + 2^-23.

Results differ in their last bits between CPUs with and without fused multiply-add, and not otherwise.
`sqrt` is rounded correctly, [as an instruction or by multiplications](cpu.md#square-roots). `f16` and `bf16` are computed in `f32` (`math.fma` of `f16` in `f64`).
`exp` and `exp2` of numbers that can be seen to be never positive, such as -x²/2, take 10 to 20 % less
time in the precise mode, with the same results.

{method}

| function | type | mode | greatest error | at | time |
|----------|------|------|---------------:|----|-----:|
"""


METHOD = """\
Errors are in units in the last place of the true result (½ is the best possible), next to the
argument where they were seen. Functions of one `f32` were tried with {every} 2^32 arguments, others
with {count} of many kinds (any bits, near 1, near multiples of π/2, near powers of 2), and all with
special values. `./x test accuracy` tries all 2^32, and fails where an error is greater than, in the
precise mode, {f32:g} units for `f32`{f32_exceptions} and {f64:g} for `f64`{f64_exceptions}, and {fast:g}
units in the fast one. Times are in nanoseconds for an element of an array in the first-level cache, on one
core of {machine}; in brackets, that time divided by the one of the same loop over the function of the
C library, compiled by `clang -O3 -ffast-math -fveclib=libmvec -march=native`.
"""
PAGE_WIDTH = 104


def kernel(name, element, mode, lanes):
    """A function of MLIR that maps a block of numbers."""
    scalar = lanes == 1
    memory = f"memref<{BLOCK}x{element}>"
    arguments = ["x"] if name in UNARY else ["x", "y"]
    vector = element if scalar else f"vector<{lanes}x{element}>"
    operands = ", ".join(f"%{a}v" for a in arguments)
    lines = [
        f"func.func @{'scalar_' if scalar else ''}{name}_{element}_{mode}("
        + "".join(f"%{a}: {memory}, " for a in arguments)
        + f"%r: {memory}) {{",
        "  %zero = arith.constant 0 : index",
        f"  %end = arith.constant {BLOCK} : index",
        f"  %step = arith.constant {lanes} : index",
        "  scf.for %i = %zero to %end step %step {",
    ]
    shape = "" if scalar else f", {vector}"
    load, store = ("memref.load", "memref.store") if scalar else ("vector.load", "vector.store")
    for a in arguments:
        lines.append(f"    %{a}v = {load} %{a}[%i] : {memory}{shape}")
    lines.append(f"    %rv = math.{name} {operands} : {vector}")
    lines.append(f"    {store} %rv, %r[%i] : {memory}{shape}")
    return "\n".join([*lines, "  }", "  return", "}"])


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"math_accuracy: {command[0]} failed:\n{done.stderr[:4000]}")
    return done.stdout


def build_kernels(folder, options, fma):
    """A shared library with every kernel."""
    objects = []
    for mode in MODES:
        source = folder / f"{mode}.mlir"
        source.write_text(
            "\n".join(
                kernel(name, element, mode, lanes)
                for name in UNARY + BINARY
                for element, vector in TYPES.items()
                for lanes in (vector, 1)
            )
        )
        machine = f"comb-set-machine{{facts=fma={str(fma).lower()}}}"
        passes = [machine, f"comb-expand-math{{mode={mode}}}", *LOWERING]
        lowered = folder / f"{mode}.llvm.mlir"
        run([options.build / "comb-opt", source, "-o", lowered,
             f"--pass-pipeline=builtin.module({','.join(passes)})"])
        ir = folder / f"{mode}.ll"
        run([options.llvm / "bin/mlir-translate", "--mlir-to-llvmir", lowered, "-o", ir])
        objects.append(folder / f"{mode}.o")
        # Scalars stay scalars, so that both forms are compared.
        run([options.llvm / "bin/clang", "-O2", "-march=native", "-mprefer-vector-width=512",
             "-fno-vectorize", "-fno-slp-vectorize", "-fPIC", "-Wno-override-module",
             "-c", ir, "-o", objects[-1]])
    library = folder / "kernels.so"
    run([options.llvm / "bin/clang", "-shared", *objects, "-o", library, "-lm"])
    return library


def build_library(folder, options):
    """A shared library with the same loops over the C library's functions."""
    lines = ["#include <math.h>"]
    for name in [name for name in UNARY if name != "rsqrt"]:
        for element, c_type, suffix in (("f32", "float", "f"), ("f64", "double", "")):
            lines.append(
                f"void {name}_{element}(const {c_type} *x, {c_type} *restrict r) {{"
                f" for (int i = 0; i < {BLOCK}; ++i) r[i] = {name}{suffix}(x[i]); }}"
            )
    for name, function in (("powf", "pow"), ("atan2", "atan2")):
        for element, c_type, suffix in (("f32", "float", "f"), ("f64", "double", "")):
            lines.append(
                f"void {name}_{element}(const {c_type} *x, const {c_type} *y, {c_type} *restrict r)"
                f" {{ for (int i = 0; i < {BLOCK}; ++i) r[i] = {function}{suffix}(x[i], y[i]); }}"
            )
    source = folder / "library.c"
    source.write_text("\n".join(lines) + "\n")
    library = folder / "library.so"
    run([options.llvm / "bin/clang", "-O3", "-ffast-math", "-fveclib=libmvec", "-march=native",
         "-mprefer-vector-width=512", "-shared", "-fPIC", source, "-o", library, "-lmvec", "-lm"])
    return library


class Kept:
    """What is known of functions' errors, in a file: by function, what it was measured on, and rows."""

    def __init__(self, file):
        self.file = file
        self.lock = threading.Lock()
        self.known = {}
        if file and file.exists():
            self.known = json.loads(file.read_text(encoding="utf-8"))

    def rows(self, function, measured_on):
        """The rows of a function, if they were measured on the same."""
        entry = self.known.get(function)
        return entry["rows"] if entry and entry["measured on"] == measured_on else None

    def keep(self, function, measured_on, rows):
        """Writes down the rows of a function; a reader finds the file whole at any time."""
        if not self.file:
            return
        with self.lock:
            self.known[function] = {"measured on": measured_on, "rows": rows}
            self.file.parent.mkdir(parents=True, exist_ok=True)
            written = self.file.with_suffix(".new")
            written.write_text(json.dumps(self.known, indent=1), encoding="utf-8")
            written.replace(self.file)


def measured_on(folder, function, options):
    """What errors depend on: a function's code for LLVM, how many arguments are tried, and how."""
    digest = hashlib.sha256(f"{options.stride} {options.count}".encode())
    digest.update((HERE / "math_accuracy.c").read_bytes())
    for mode in MODES:
        code = (folder / f"{mode}.ll").read_text(encoding="utf-8")
        body = rf"^define [^\n]*@(?:scalar_)?{function}_f\d\d_.*?^}}"
        for found in re.findall(body, code, re.DOTALL | re.MULTILINE):
            digest.update(found.encode())
    return digest.hexdigest()


def measure(folder, options, fma):
    kernels = build_kernels(folder, options, fma)
    library = build_library(folder, options) if options.page else ""
    program = folder / "math_accuracy"
    run([options.llvm / "bin/clang", "-O3", "-march=native", "-fno-math-errno", "-std=c17",
         "-D_GNU_SOURCE", HERE / "math_accuracy.c", "-o", program, "-ldl", "-lm"])

    def rows(function, stride, count, times):
        arguments = [kernels, library, stride, count, int(times), function]
        return [line.split() for line in run([program, *arguments]).splitlines()]

    kept = Kept(options.keep)

    def accuracy(function):
        basis = measured_on(folder, function, options)
        found = kept.rows(function, basis) if options.page else None
        if found is None:
            found = rows(function, options.stride, options.count, False)
            kept.keep(function, basis, found)
        return found

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [row for some in pool.map(accuracy, options.functions) for row in some]
    if options.page:
        # What is timed has the machine for itself, and few arguments are tried again.
        timed = [row for function in options.functions for row in rows(function, 2**32, 0, True)]
        found = [row[:-2] + times[-2:] for row, times in zip(found, timed, strict=True)]
    return found


def bound(function, element, mode):
    if mode == "fast":
        return FAST
    return PRECISE_EXCEPTIONS.get((function, element), PRECISE[element])


def failures(rows):
    for function, element, mode, worst, x, y, wrong, wrong_x, wrong_y, differing, *_ in rows:
        what = f"{function} of {element}, {mode}"
        arguments = f"{x}, {y}" if function in BINARY else x
        limit = bound(function, element, mode)
        if float(worst) > limit:
            yield f"{what}: an error of {worst} units at {arguments}, more than {limit}"
        if wrong != "0":
            arguments = f"{wrong_x}, {wrong_y}" if function in BINARY else wrong_x
            yield f"{what}: {wrong} wrong infinities, NaN or zeros, the first at {arguments}"
        if differing != "0":
            yield f"{what}: {differing} results differ between vectors and scalars"


def cpu_name():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def write_page(rows, options):
    every = "all" if options.stride == 1 else f"every {options.stride}th of the"
    exceptions = {
        element: ", ".join(
            f"{limit:g} for `{function}`"
            for (function, of), limit in PRECISE_EXCEPTIONS.items()
            if of == element
        )
        for element in TYPES
    }
    method = METHOD.format(
        every=every, count=options.count, machine=cpu_name(), fast=FAST, **PRECISE,
        **{f"{element}_exceptions": f" ({text})" for element, text in exceptions.items()},
    )
    text = PAGE.format(fast=FAST, method=textwrap.fill(" ".join(method.split()), PAGE_WIDTH))
    for function, element, mode, worst, x, y, _, _, _, _, time, reference in rows:
        arguments = f"{float(x):.9g}"
        if function in BINARY:
            arguments += f", {float(y):.9g}"
        ratio = f" ({float(time) / float(reference):.2f})" if float(reference) else ""
        text += (
            f"| `{function}` | `{element}` | {mode} | {float(worst):.3f} | {arguments} "
            f"| {float(time):.2f}{ratio} |\n"
        )
    options.page.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="where comb-opt is")
    parser.add_argument("--llvm", type=pathlib.Path, default="/usr/lib/llvm-22")
    parser.add_argument("--check", action="store_true", help="few arguments, for tests")
    parser.add_argument("--page", type=pathlib.Path, help="write a page with a table")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE",
                        help="write errors down; with --page, use them again")
    parser.add_argument("--no-fma", action="store_true", help="as for CPUs without fused multiply-add")
    parser.add_argument("--functions", nargs="+", default=FUNCTIONS, choices=FUNCTIONS,
                        metavar="NAME", help="all if not given")
    parser.add_argument("--stride", type=int, default=1, help="which f32 to try: 1 is all")
    parser.add_argument("--count", type=int, default=2_000_000, help="how many other arguments")
    options = parser.parse_args()
    if options.check:
        options.stride, options.count = 2**32 // 30_000, 30_000
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(pathlib.Path(folder), options, not options.no_fma)
    wrong = list(failures(rows))
    for line in wrong:
        print(line)
    if not options.page:
        worst = {
            (element, mode): max(float(row[3]) for row in rows if row[1:3] == [element, mode])
            for element in TYPES
            for mode in MODES
        }
        for (element, mode), error in worst.items():
            print(f"{element} {mode}: at most {error:.3f} units")
    elif not wrong:
        write_page(rows, options)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
