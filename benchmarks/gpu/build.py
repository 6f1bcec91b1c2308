"""Compiles the programs of the benchmark, and small checks, into a folder for a machine with a GPU.

    python3 benchmarks/gpu/build.py FOLDER [--comb COMMAND] [--chip sm_90] [--programs X,Y] [--no-kernels]

Needs comb and NumPy, and no GPU. FOLDER is made anew. It has a folder of libraries for each way to
fuse, without those whose code an earlier way has, too; `kernels`, libraries of the examples and of
lit-tests/gpu with inputs and expected results; and a list of all that: see libraries.py. What cannot
be built is told and left out; the exit code is then 1.
"""

import argparse
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent import futures

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "cpu")]

from gpu import cases, libraries  # noqa: E402
from suite import PROGRAMS  # noqa: E402

SUITE = ROOT / "examples" / "suite"


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(prog="build.py", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    default = os.environ.get("COMB", str(ROOT / "target/release/comb"))
    parser.add_argument("--comb", default=default)
    parser.add_argument("--chip", default="sm_90")
    parser.add_argument("--programs", type=lambda text: text.split(","), default=list(PROGRAMS))
    parser.add_argument("--no-kernels", dest="kernels", action="store_false")
    chosen = parser.parse_args()
    for name in chosen.programs:
        if name not in PROGRAMS:
            parser.error(f"no program is called '{name}'")
    if shutil.which(chosen.comb) is None:
        parser.error(f"there is no '{chosen.comb}'; build comb by ./x build, or name it by --comb")
    chosen.comb = str(pathlib.Path(shutil.which(chosen.comb)).resolve())
    chosen.folder = chosen.folder.resolve()
    return chosen


def build(chosen, source, library, algorithm="ilp"):
    """Makes a library, without what only debuggers read; gives the text of its header."""
    library.parent.mkdir(parents=True, exist_ok=True)
    # Messages name the source as it is called here.
    source = source.relative_to(ROOT)
    command = [chosen.comb, "build", str(source), "-o", str(library), "--target", "nvvm"]
    done = run([*command, "--gpu", chosen.chip, "--algorithm", algorithm])
    if done.returncode != 0:
        raise RuntimeError(" ".join(done.stderr.split()) or f"comb ended with {done.returncode}")
    header = library.with_suffix(".h")
    text = header.read_text(encoding="utf-8")
    header.unlink()
    if shutil.which("strip"):
        run(["strip", "--strip-unneeded", str(library)])
    return text


def run(command):
    """What became of a command, run in the repository's root."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def signature(header, name):
    """The names and types of parameters, and of results, of a function, from a header's comment."""
    found = re.search(rf"/\* @{re.escape(name)}\((.*)\) -> (.*) \*/", header)
    if not found:
        raise RuntimeError(f"the header does not say what @{name} takes and gives")
    pairs = re.compile(r"([\w.$-]+): (tensor<[^>]*>|\w+)")
    return [dict(pairs.findall(part)) for part in found.groups()]


def described(stem, name, header):
    """What the list says of a function: its entry in C, and types."""
    parameters, results = signature(header, name)
    return {
        "entry": f"{re.sub(r'[^a-zA-Z0-9_]', '_', stem)}_entry_{name}",
        "parameters": list(parameters.values()),
        "results": list(results.values()),
    }


def build_program(chosen, name):
    """The libraries of a program of the suite."""
    paths = {}
    for peer, algorithm in libraries.ALGORITHMS.items():
        path = chosen.folder / peer / f"{name}.so"
        header = build(chosen, SUITE / f"{name}.mlir", path, algorithm)
        paths[peer] = kept(chosen.folder, path, paths.values())
    return {**described(name, name, header), "libraries": paths}


def kept(folder, path, others):
    """A library's path in the folder, or that of another one with the same code, which stays instead."""
    for other in others:
        if filecmp.cmp(path, folder / other, shallow=False):
            path.unlink()
            return other
    return str(path.relative_to(folder))


def build_kernels(chosen, source):
    """The checks of a file with small programs: a library, and what each case reads and gives."""
    library = chosen.folder / "kernels" / f"{source.stem}.so"
    header = build(chosen, source, library)
    found = []
    with tempfile.TemporaryDirectory() as place:
        types = lambda entry: signature(header, entry)  # noqa: E731
        for number, case in enumerate(cases.of(chosen.comb, source, types, pathlib.Path(place)), 1):
            data = library.with_name(f"{source.stem}-{number}.npz")
            cases.save(data, case)
            found.append(
                {
                    "name": f"{source.stem}-{number}",
                    **described(source.stem, case.entry, header),
                    "library": str(library.relative_to(chosen.folder)),
                    "data": str(data.relative_to(chosen.folder)),
                    "tolerance": case.tolerance,
                }
            )
    return found


def all_built(function, chosen, arguments, failures):
    """What a function gives for each argument, in their order, side by side; None where it fails."""
    with futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = {argument: pool.submit(function, chosen, argument) for argument in arguments}
    for argument, done in pending.items():
        reason = done.exception()
        if reason is not None:
            failures[getattr(argument, "stem", argument)] = str(reason)
        yield argument, None if reason else done.result()


def version(comb):
    """comb's version, and the commit of the repository, as far as they are known."""
    words = run([comb, "--version"]).stdout.split()
    commit = run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]).stdout.strip()
    return {"comb": words[-1] if words else "unknown", "commit": commit or "unknown"}


def main():
    """Makes the folder."""
    chosen = parse_options()
    if chosen.folder.exists() and not (chosen.folder / libraries.LIST).exists():
        sys.exit(f"'{chosen.folder}' is there and is no folder of libraries; name another one")
    shutil.rmtree(chosen.folder, ignore_errors=True)
    failures, kernels = {}, []
    programs = all_built(build_program, chosen, chosen.programs, failures)
    programs = {name: entry for name, entry in programs if entry}
    for _, found in all_built(build_kernels, chosen, cases.sources() if chosen.kernels else [], failures):
        kernels += found or []
    for peer in libraries.ALGORITHMS:
        if (chosen.folder / peer).exists() and not any((chosen.folder / peer).iterdir()):
            (chosen.folder / peer).rmdir()
    head = {**version(chosen.comb), "chip": chosen.chip, "algorithms": libraries.ALGORITHMS}
    chosen.folder.mkdir(parents=True, exist_ok=True)
    libraries.write(chosen.folder, {**head, "programs": programs, "kernels": kernels, "failures": failures})
    size = sum(path.stat().st_size for path in chosen.folder.rglob("*") if path.is_file())
    print(f"{len(programs)} programs, {len(kernels)} small checks, {size / 1e6:.1f} MB")
    for name, reason in failures.items():
        print(f"not built: {name}: {reason}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
