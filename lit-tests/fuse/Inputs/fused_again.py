"""Shows, for each program of some folders, what becomes of its clusters: a table in Markdown.

    fused_again.py FOLDER…

The exit status is 1 if a cluster is taken apart when it is lowered, or if fusing a fused program gives
other clusters.
"""

import re
import subprocess
import sys
from pathlib import Path

CLUSTER = re.compile(r"soac\.cluster .*?(?= :)")


def run(*arguments, text=None):
    """What comb-opt gives for a program."""
    command = ["comb-opt", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True)


def clusters(program):
    """The clusters of a program, with the orders in which they read and write, without names."""
    return [re.sub(r"%\w+(#\d+)?", "%", found) for found in CLUSTER.findall(program)]


def main(folders):
    failed = False
    print("| program | clusters | taken apart | fused again |")
    print("|---|---|---|---|")
    for program in sorted(found for folder in folders for found in Path(folder).glob("*.mlir")):
        once = run("--comb-fuse", str(program)).stdout
        again = run("--comb-fuse", "-", text=once).stdout
        remarks = run(
            "--comb-cpu",
            "--remarks-filter=convert-soac-to-loops",
            "-o",
            "/dev/null",
            str(program),
        ).stderr
        apart = remarks.count(" TakenApart ")
        is_same = clusters(once) == clusters(again)
        failed |= apart > 0 or not is_same
        name = f"{program.parent.name}/{program.stem}"
        print(f"| {name} | {len(clusters(once))} | {apart} | {'the same' if is_same else 'other'} |")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
