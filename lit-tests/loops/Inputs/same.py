"""Runs a function interpreted, and compiled in several ways, and compares the results.

    same.py PROGRAM ENTRY [ARGUMENT…]

An argument is what `comb run -i` takes after `NAME=`; they are given to the parameters in order.
Standard output is what the interpreter shows, each
result in a line. If a way shows something else, or ends
otherwise, both are shown and the exit status is 1. A program that fails has to fail everywhere with
the same message, so only one thing may be wrong with it; the places in messages are not compared,
since some programs are run from what a pass gave.

Loop nests are interpreted in both forms, and compiled to one iteration after the other. Else, ways differ in
what is fused, in the number of threads, in how hard LLVM optimises, and in the machine that loops are scheduled
for: one whose caches no array fits; one whose chunks have 20 iterations (for the least work that an iteration can
have), which are not whole vectors, whose caches arrays of more than 512 bytes do not fit, and whose filters
write whole vectors, to be packed by a table; and one whose chunks have one iteration, and whose registers are those of CPUs
without AVX-512. Once no optional transformation is on, and once, in chunks of 20 iterations, one is off
that is another for each function.

If the environment variable COMB_WATCHER names a watcher of tools/x/watched.py, compiled programs
are executables that are watched by it. What it finds is shown, and is not the same. They are kept in
the folder COMB_EXECUTABLES, if there is one: the functions of a test share them.
"""

import difflib
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[3] / "tools" / "x"))

import transformations  # noqa: E402
import watched  # noqa: E402

# A program may write into the memory of an array itself. That must be bufferized before anything is simplified,
# which would happen when the program is run.
WRITER = "bufferization.to_buffer %"
BUFFERIZE = [
    "--comb-replace-empty-arrays",
    "--convert-soac-to-linalg",
    "--comb-separate-arrays",
    "--one-shot-bufferize=allow-return-allocs-from-loops",
]

NESTS = ["--comb-fuse", "--soac-to-nest"]
LARGE = "--comb-set-machine=facts=last_cache_bytes=0"
SHORT_CHUNKS = "--comb-set-machine=facts=chunk_instructions=160,last_cache_bytes=512,permutes=true,compress=false"
SHORTEST_CHUNKS = "--comb-set-machine=facts=chunk_instructions=1,last_cache_bytes=512,vector_bits=128,masked_bits=32"

# How the program is lowered before it is run, and how it is run.
AS_NESTS = [
    (NESTS, ["--target", "interp"]),
    ([*NESTS, *BUFFERIZE], ["--target", "interp"]),
    ([*NESTS, "--nest-schedule=scalar"], ["--threads", "1"]),
]
COMPILED = [
    ([], ["--disable", transformations.ALL, "-O", "0", "--threads", "1"]),
    ([], ["-O", "3", "--threads", "3"]),
    ([LARGE], ["--fusion", "greedy", "--threads", "2"]),
    ([SHORT_CHUNKS], ["-O", "3", "--threads", "3"]),
    ([SHORTEST_CHUNKS], ["--threads", "8"]),
]


def without_one(entry):
    """The way without one transformation, for a function."""
    names = transformations.names()
    name = names[zlib.crc32(entry.encode()) % len(names)]
    return [SHORT_CHUNKS], ["--disable", name, "--threads", "3"]


def ways(program, entry):
    """The ways for a function of a program."""
    compiled = [*COMPILED, without_one(entry)]
    text = Path(program).read_text(encoding="utf-8")
    return compiled if WRITER in text else AS_NESTS + compiled


def lowered(program, passes, folder):
    """The program after some passes, whose parameters are then called arg0, arg1, …"""
    output = folder / f"{zlib.crc32(' '.join(passes).encode())}.mlir"
    if output.exists():
        return output
    subprocess.run(["comb-opt", str(program), *passes, "-o", str(output)], check=True)
    # Bufferization does not say of memory that a function gives that it is the only name for it,
    # which it needs to know when it is asked again.
    text = output.read_text(encoding="utf-8")
    text = re.sub(r"(bufferization\.to_tensor %[\w#]+) :", r"\1 restrict :", text)
    output.write_text(text, encoding="utf-8")
    return output


def shown(program, entry, arguments, options):
    """What a run shows, without times and places, each result in a line; and its exit status."""
    inputs = ["--entry", entry]
    for number, text in enumerate(arguments):
        inputs += ["-i", f"arg{number}={text}"]
    watcher = os.environ.get("COMB_WATCHER")
    if watcher and "--target" not in options:
        done = run_watched(watcher, program, inputs, options)
    else:
        done = watched.run(["comb", "run", program, *inputs, *options])
    text = re.sub(r"^(compile|load) .*\n", "", done.stdout, flags=re.M)
    text = re.sub(r"\n(?=[ \[])", " ", text)
    text = re.sub(r"(?<=\[) +| +(?= )", "", text)
    errors = re.sub(r"^error: .*?:\d+:\d+: ", "error: ", done.stderr, flags=re.M)
    return f"{text}{errors}exit status {done.returncode}\n"


def built(watcher, program, options):
    """The executable of a program; and the run of the compiler, if that failed."""
    text = program.read_text(encoding="utf-8")
    key = hashlib.sha256(repr([watcher, text, options]).encode()).hexdigest()
    executable = Path(os.environ.get("COMB_EXECUTABLES", program.parent)) / key
    if not executable.exists():
        new = executable.with_name(f"{key}-{os.getpid()}")
        made = watched.run(watched.build("comb", watcher, program, new, options))
        if made.returncode != 0:
            return executable, made
        new.replace(executable)
    return executable, None


def run_watched(watcher, program, inputs, options):
    """Runs a program as an executable that is watched. A finding is an exit status of its own."""
    threads = options.index("--threads")
    executable, failed = built(watcher, program, options[:threads] + options[threads + 2 :])
    if failed:
        return failed
    command = [*watched.command(watcher, executable), *inputs, *options[threads : threads + 2]]
    done = watched.run(command)
    found = watched.finding(watcher, done)
    if found:
        return subprocess.CompletedProcess(command, watcher, done.stdout, found)
    # Leaks of a program that failed.
    errors = done.stderr.partition("\n=====")[0] + "\n" if "LeakSanitizer" in done.stderr else done.stderr
    return subprocess.CompletedProcess(command, min(done.returncode, 1), done.stdout, errors)


def main():
    """Compares all ways with the interpreter."""
    program, entry, *arguments = sys.argv[1:]
    status = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        right = shown(lowered(program, [], folder), entry, arguments, ["--target", "interp"])
        print(right, end="")
        for passes, options in ways(program, entry):
            found = shown(lowered(program, passes, folder), entry, arguments, options)
            if found != right:
                status = 1
                print(f"not the same: {' '.join([*passes, *options])}", file=sys.stderr)
                lines = right.splitlines(), found.splitlines()
                diff = difflib.unified_diff(*lines, "interpreter", "compiled", lineterm="")
                print(*diff, sep="\n", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
