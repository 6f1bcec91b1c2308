"""Shows, for each program of some folders, what becomes of its clusters: a table in Markdown.

    fused_again.py [--long] FOLDER…

The exit status is 1 if a cluster is taken apart when it is lowered, if fusing a fused program gives
another text, or if fusing one that has gone through the first passes already does: through another
number of them for each program, or with --long through each number.
"""

import re
import subprocess
import sys
from pathlib import Path

CLUSTER = re.compile(r"= soac\.cluster ")


def run(*arguments, text=None):
    """What comb-opt gives for a program."""
    command = ["comb-opt", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True)


def passes():
    """The passes of --comb-fuse, one by one."""
    text = run("--comb-fuse", "--dump-pass-pipeline", "-", text="module {}").stderr
    # One a line, with its options; the module around them is on lines of its own.
    return [line.strip().rstrip(",") for line in text.splitlines() if line.startswith("  ")]


def after_first(count, all_passes, program):
    """What is fused of a program that has gone through the first passes already."""
    twice = ",".join(all_passes[:count] + all_passes)
    return run(f"--pass-pipeline=builtin.module({twice})", str(program)).stdout


def main(arguments):
    failed = False
    is_long = "--long" in arguments
    folders = [argument for argument in arguments if argument != "--long"]
    all_passes = passes()
    print("| program | clusters | taken apart | fused again |")
    print("|---|---|---|---|")
    programs = sorted(found for folder in folders for found in Path(folder).glob("*.mlir"))
    for number, program in enumerate(programs):
        once = run("--comb-fuse", str(program)).stdout
        again = [run("--comb-fuse", "-", text=once).stdout]
        counts = range(1, len(all_passes)) if is_long else [1 + number % (len(all_passes) - 1)]
        again += [after_first(count, all_passes, program) for count in counts]
        remarks = run(
            "--comb-cpu",
            "--remarks-filter=soac-to-nest",
            "-o",
            "/dev/null",
            str(program),
        ).stderr
        apart = remarks.count(" TakenApart ")
        is_same = all(text == once for text in again)
        failed |= apart > 0 or not is_same
        name = f"{program.parent.name}/{program.stem}"
        print(f"| {name} | {len(CLUSTER.findall(once))} | {apart} | {'the same' if is_same else 'other'} |")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
