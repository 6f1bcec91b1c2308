"""Compares assembly in a page with that of the programs that it is from.

    hot_loops.py PAGE ROOT

A block of assembly is of the program that is named before it, compiled for CPU below. Its
instructions must be in the program's assembly, in this order and without others between, but for
those that an ellipsis stands for. Registers and labels may be others.
"""

import pathlib
import re
import subprocess
import sys

CPU = "znver4"
BLOCK = re.compile(r"^```asm\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"`(examples/\S+\.mlir)`")
INSTRUCTION = re.compile(r"\s+([a-z]\w*)")
ELLIPSIS = "…"


def parts(block):
    """The instructions between ellipses."""
    found = [[]]
    for line in block.splitlines():
        if line.strip().startswith(ELLIPSIS):
            found.append([])
        elif name := INSTRUCTION.match(line):
            found[-1].append(name[1])
    return [part for part in found if part]


def compiled(program):
    """The instructions of a program."""
    command = ["comb", "build", program, "--cpu", CPU, "--emit", "asm", "-o", "-"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    names = map(INSTRUCTION.match, done.stdout.splitlines())
    return [name[1] for name in names if name]


def missing(wanted, given):
    """The first part that does not follow those before, if there is one."""
    start = 0
    for part in wanted:
        places = range(start, len(given) - len(part) + 1)
        place = next((k for k in places if given[k : k + len(part)] == part), None)
        if place is None:
            return part
        start = place + len(part)
    return None


def main(page, root):
    """Whether all blocks are as compiled."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    right = True
    for block in BLOCK.finditer(text):
        program = PROGRAM.findall(text[: block.start()])[-1]
        wanted = parts(block[1])
        lost = missing(wanted, compiled(pathlib.Path(root, program)))
        right &= lost is None
        if lost is None:
            print(f"{program}: {sum(map(len, wanted))} instructions")
        else:
            print(f"{program}: not found one after the other: {' '.join(lost)}")
    return right


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
