"""Runs every example and compares its results with reference values.

    python3 examples/check.py [--comb COMMAND] [--target TARGET]… [--sample N] [NAME…]

TARGET is `cpu`, `interp`, or an interpreted program after some passes: `prepared`
for fusion, `fused`, so that clusters run as clusters, or `nests`, as loop nests; or
`memory`, the same in memory; or
`vectors`, loop nests that are compiled as is best for the machine, `scalar`, one iteration
after the other, and `simplified`, loop nests after MLIR's own simplifications; or `warps`, kernels for a GPU that is
emulated, with blocks of one warp. All these by default, but for `warps` and what takes long so. Or it is `emulate`,
with the usual blocks, or `amd`, with warps of 64; or `nvvm`, compiled kernels that the driver of a GPU runs, or
what COMB_CUDA_LIBRARY names in its place. Or it is
what watches a compiled program for faults of the compiler: `address`, `thread` or
`valgrind`; then the program runs in chunks of the usual length, and in short ones. Or it is
`between`: passes that change no result are inserted between those of the compiler, and results are
compared with those without them; with `--sample`, N of all ways to do so for each case. Or it is
`disabled`: the program is compiled without any optional transformation, and without each of them; with `--sample`, without
N of them. The
references are computed in plain Python (examples/reference), without comb and
without NumPy; but those of examples/suite are the CPU benchmark's, and need NumPy
(suite_program.py). NAME is an example's file name without .mlir, such as heat or
suite/heat. Prints a line `ok` or `FAIL` for each run, and then how many passed and
failed.
"""

import argparse
import importlib
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import zlib

EXAMPLES = pathlib.Path(__file__).resolve().parent
ROOT = EXAMPLES.parent
TIME_LIMIT = 300
NESTS = ["--comb-fuse", "--soac-to-nest"]
SIMPLIFICATIONS = [
    "--canonicalize",
    "--cse",
    "--loop-invariant-code-motion",
    "--sccp",
    "--inline",
    "--symbol-dce",
]
MEMORY = [
    "--comb-replace-empty-arrays",
    "--convert-tensor-to-linalg",
    "--convert-soac-to-linalg",
    "--comb-separate-arrays",
    "--one-shot-bufferize=allow-return-allocs-from-loops",
]
PASSES = {
    "prepared": ("interp", ["--comb-prepare-fusion"]),
    "fused": ("interp", ["--comb-fuse"]),
    "nests": ("interp", NESTS),
    "memory": ("interp", [*NESTS, *MEMORY]),
    "vectors": ("cpu", NESTS),
    "scalar": ("cpu", [*NESTS, "--nest-schedule=scalar"]),
    "simplified": ("cpu", [*NESTS, *SIMPLIFICATIONS]),
    "warps": ("emulate", ["--comb-set-machine=gpu=sm_90 facts=block_threads=32"]),
    "amd": ("emulate", ["--comb-set-machine=gpu=gfx942 facts=block_threads=128"]),
}
# Not by default: another GPU, and programs that take long if a GPU is emulated.
OTHER_GPU = "amd"
LONG_EMULATED = [
    "suite/attention",
    "suite/gameoflife",
    "suite/heat",
    "suite/hotspot",
    "suite/lbm",
    "suite/lud",
    "suite/mcpi",
    "suite/nbody",
    "suite/nn",
    "suite/nw",
    "suite/shallowwater",
    "suite/stencil27",
]
TARGETS = ["cpu", "interp", *(name for name in PASSES if name != OTHER_GPU)]
BETWEEN = "between"
BETWEEN_TIME_LIMIT = 7200
DISABLED = "disabled"

# How a watched program is compiled, and on how many threads it runs.
WATCHED_WAYS = [([], 2), (["--chunk", "100", "-O", "3"], 3)]

sys.dont_write_bytecode = True
sys.path[:0] = [str(EXAMPLES / "reference"), str(ROOT / "tools" / "x")]

import compare  # noqa: E402
import npy  # noqa: E402
import transformations  # noqa: E402
import watched  # noqa: E402

# Example: the module under examples/reference with its cases.
REFERENCES = {
    "above-average": "above_average",
    "black-scholes": "black_scholes",
    "dot-product": "dot_product",
    "game-of-life": "game_of_life",
    "greedyBottomUpBad": "greedy_bottom_up_bad",
    "heat": "heat",
    "mandelbrot": "mandelbrot",
    "matrix": "matrix",
    "nbody": "nbody",
    "nearest-neighbour": "nearest_neighbour",
    "needleman-wunsch": "needleman_wunsch",
    "photograph": "photograph",
    "prefix-sums": "prefix_sums",
    "radix-sort": "radix_sort",
    "segmented-sums": "segmented_sums",
    "singleLoop": "single_loop",
    "softmax": "softmax",
}


def specification(name, value, folder):
    """What `comb run -i` takes: a number, or a file that holds the array."""
    if isinstance(value, npy.Array):
        path = folder / f"input-{name}.npy"
        npy.write(path, value)
        value = path
    return f"{name}={value}"


def after(passes, comb, example, case, folder):
    """A program after some passes, with its case. MLIR writes no names, so that
    inputs are called by their positions."""
    source = EXAMPLES / f"{example}.mlir"
    program = folder / "passed.mlir"
    optimiser = pathlib.Path(comb).with_name("comb-opt")
    text = finish([str(optimiser), *passes, str(source), "-o", str(program)])
    if text:
        raise ValueError(text)
    head = source.read_text(encoding="utf-8").partition(f"func.func @{case.entry}(")[2]
    names = re.findall(r"%([\w.$-]+):", head.partition("{\n")[0])
    inputs = {f"arg{names.index(name)}": value for name, value in case.inputs.items()}
    return str(program), case._replace(inputs=inputs)


def inserted(comb, sample, example, arguments):
    """Inserts passes between those of the compiler; what is wrong as text, or None."""
    fuzz = str(pathlib.Path(comb).with_name("comb-fuzz"))
    program = f"examples/{example}.mlir"
    if sample is not None:
        arguments = [*arguments, "--sample", str(sample), "--seed", str(seed_of(example))]
    return finish([fuzz, "between", program, *arguments], limit=BETWEEN_TIME_LIMIT)


def seed_of(example):
    """Another sample for each example."""
    return zlib.crc32(example.encode())


def switched_off(sample, example):
    """What is off in turn: all, and each transformation, or so many of them."""
    names = transformations.names()
    if sample is not None:
        names = random.Random(seed_of(example)).sample(names, min(sample, len(names)))
    return [transformations.ALL, *names]


def finish(arguments, limit=TIME_LIMIT):
    """Runs a command; what is wrong as text, or None."""
    done = subprocess.run(
        arguments,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=limit,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode == 0:
        return None
    return f"exit code {done.returncode}: {done.stdout.strip()}"


def run(comb, target, sample, example, case, folder):
    """Runs a case; what is wrong as text, or None."""
    program = f"examples/{example}.mlir"
    if target in PASSES:
        target, passes = PASSES[target]
        program, case = after(passes, comb, example, case, folder)
    arguments = ["--entry", case.entry]
    for name, value in case.inputs.items():
        arguments += ["-i", specification(name, value, folder)]
    if target == BETWEEN:
        return inserted(comb, sample, example, arguments)
    paths = {name: folder / f"result-{name}.npy" for name in case.results}
    for name, path in paths.items():
        arguments += ["-o", f"{name}={path}"]
    if target in watched.WATCHERS:
        for way in WATCHED_WAYS:
            text = run_watched(comb, target, program, way, arguments, folder)
            text = text or difference(paths, case)
            if text:
                return text
        return None
    if target == DISABLED:
        for name in switched_off(sample, example):
            text = finish([comb, "run", program, *arguments, "--disable", name])
            text = text or difference(paths, case)
            if text:
                return f"without {name}: {text}"
        return None
    text = finish([comb, "run", "--target", target, program, *arguments])
    return text or difference(paths, case)


def run_watched(comb, watcher, program, way, arguments, folder):
    """Runs a program as an executable that is watched; what is wrong as text, or None."""
    options, threads = way
    executable = folder / "program"
    text = finish(watched.build(comb, watcher, program, executable, options))
    if text:
        return text
    command = [*watched.command(watcher, executable), *arguments, "--threads", threads]
    done = watched.run(command, cwd=ROOT, timeout=TIME_LIMIT)
    if done.returncode == 0 and not watched.finding(watcher, done):
        return None
    return f"{' '.join(options)} --threads {threads}: exit code {done.returncode}: {done.stderr}"


def difference(paths, case):
    """Where results are not those of the reference, as text, or None."""
    for name, expected in case.results.items():
        text = compare.difference(npy.read(paths[name]), expected, case.tolerance)
        if text:
            return f"result {name}: {text}"
    return None


def check(comb, target, sample, example, case, label):
    """Runs a case in a folder of its own and says whether it passed."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            text = run(comb, target, sample, example, case, pathlib.Path(folder))
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            text = str(error)
    print(f"{'FAIL' if text else 'ok  '} {label}", flush=True)
    if text:
        print("  " + text.replace("\n", "\n  "))
    return text is None


def check_comparison():
    """Says whether the comparison notices what it must notice."""
    right = npy.Array("<f4", (2,), [0.0, 1.0])
    wrong = {
        "another element": right._replace(elements=[0.0, 1.5]),
        "another sign of zero": right._replace(elements=[-0.0, 1.0]),
        "another shape": right._replace(shape=(1, 2)),
        "another type": right._replace(dtype="<f8"),
    }
    noticed = {what: compare.difference(value, right) is not None for what, value in wrong.items()}
    noticed["nothing where all agrees"] = compare.difference(right, right) is None
    noticed["what is beyond a tolerance"] = (
        compare.difference(right._replace(elements=[0.0, 1.2]), right, tolerance=0.1) is not None
        and compare.difference(right._replace(elements=[0.0, 1.05]), right, tolerance=0.1) is None
    )
    for what, good in noticed.items():
        print(f"{'ok  ' if good else 'FAIL'} the comparison notices {what}")
    return sum(noticed.values()), len(noticed) - sum(noticed.values())


def unmatched():
    """Yields examples that no reference is listed for, and programs of the suite that there
    is only a reference for, each with what is missing."""
    for example in {path.stem for path in EXAMPLES.glob("*.mlir")} - REFERENCES.keys():
        yield example, "there is no reference for it"
    written = set(suite_programs())
    defined = {f"suite/{name}" for name in suite_module().PROGRAMS} if written else set()
    for example in written - defined:
        yield example, "there is no reference for it"
    for example in defined - written:
        yield example, "there is no such program"


def suite_programs():
    """The programs of the suite, as examples are called."""
    return [f"suite/{path.stem}" for path in sorted(EXAMPLES.glob("suite/*.mlir"))]


def suite_module():
    """The references of the suite, which need NumPy."""
    return importlib.import_module("suite_program")


def cases_of(example):
    """The cases of an example."""
    folder, _, name = example.rpartition("/")
    if folder:
        return suite_module().cases(name)
    return list(importlib.import_module(REFERENCES[example]).cases())


def main():
    """Runs all cases, or those of the examples named."""
    parser = argparse.ArgumentParser(description="Runs the examples and compares their results.")
    default = os.environ.get("COMB", str(ROOT / "target/release/comb"))
    parser.add_argument("--comb", default=default, help="the command to test")
    targets = [*TARGETS, OTHER_GPU, "emulate", "nvvm", *watched.WATCHERS, BETWEEN, DISABLED]
    parser.add_argument("--target", action="append", choices=targets,
                        help="cpu, interp, prepared and fused by default")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="how much is tried between passes, or switched off")
    parser.add_argument("examples", nargs="*", metavar="NAME")
    options = parser.parse_args()
    known = [*sorted(REFERENCES), *suite_programs()]
    unknown = set(options.examples) - set(known)
    if unknown:
        parser.error(f"no example is called {', '.join(sorted(unknown))}")
    passed, failed = check_comparison()
    without = dict(unmatched())
    for example, what in sorted(without.items()):
        print(f"FAIL {example}: {what}")
        failed += 1
    for example in options.examples or [name for name in known if name not in without]:
        cases = cases_of(example)
        for target in options.target or TARGETS:
            if not options.target and target == "warps" and example in LONG_EMULATED:
                continue
            for number, case in enumerate(cases, 1):
                label = f"{example} @{case.entry} case {number} on {target}"
                if check(options.comb, target, options.sample, example, case, label):
                    passed += 1
                else:
                    failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
