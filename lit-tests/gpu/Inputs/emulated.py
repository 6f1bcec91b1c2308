"""Runs a function interpreted, and as kernels for several GPUs that are emulated, and compares the results.

    emulated.py PROGRAM ENTRY [ARGUMENT…]

An argument is what `comb run -i` takes after `NAME=`; they are given to the parameters in order.
Standard output is what the interpreter shows. If an emulated program shows something else, or ends
otherwise, both are shown and the exit status is 1. The places in messages are not compared.

The GPUs differ in how many threads a warp and a block have: many blocks of one warp, blocks of 64
threads, and warps of 64.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

GPUS = [
    "gpu=sm_90 facts=block_threads=32",
    "gpu=sm_90 facts=block_threads=64",
    "gpu=gfx942 facts=block_threads=128",
]


def shown(program, entry, arguments, target):
    """What a run shows, without times and places, and its exit status."""
    command = ["comb", "run", str(program), "--entry", entry, "--target", target]
    for number, text in enumerate(arguments):
        command += ["-i", f"arg{number}={text}"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    lines = (done.stdout + done.stderr).splitlines()
    lines = [line for line in lines if not line.startswith("compile ")]
    text = re.sub(r"\S*:\d+:\d+: |\S*unknown location: ", "", "\n".join(lines))
    return f"{text}\n", done.returncode


def for_gpu(program, gpu, folder):
    """The program for a GPU; its parameters are then called arg0, arg1, …"""
    output = folder / "program.mlir"
    passes = ["--comb-set-machine=" + gpu] if gpu else ["--strip-debuginfo"]
    subprocess.run(["comb-opt", str(program), *passes, "-o", str(output)], check=True)
    return output


def main():
    """Runs the function in all ways."""
    program, entry, *arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        expected = shown(for_gpu(program, None, folder), entry, arguments, "interp")
        status = 0
        for gpu in GPUS:
            actual = shown(for_gpu(program, gpu, folder), entry, arguments, "emulate")
            if actual != expected:
                print(f"interpreted: {expected}\n{gpu}: {actual}")
                status = 1
    print(expected[0], end="")
    sys.exit(status)


if __name__ == "__main__":
    main()
