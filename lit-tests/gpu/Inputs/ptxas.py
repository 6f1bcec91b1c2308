"""Has NVIDIA's assembler make machine code of the kernels of a program, and says what they take.

    ptxas.py PTXAS CHIP PROGRAM…

Prints a line for each kernel: its program and number, its registers, its bytes of stack and spills, and its bytes of
shared memory. The exit status is 1 if the assembler refuses something.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ESCAPES = {"0A": "\n", "09": "\t", "22": '"', "00": ""}


def assembly(program, chip):
    """The PTX of a program's kernels: nothing if it has none."""
    command = ["comb-opt", program, f"--comb-gpu=target=nvvm chip={chip}"]
    module = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', module)
    text = found.group(1) if found else ""
    return re.sub(r"\\([0-9A-F]{2})", lambda escape: ESCAPES[escape.group(1)], text)


def main():
    """Assembles the kernels of all programs."""
    ptxas, chip, *programs = sys.argv[1:]
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        source, code = Path(folder, "kernels.ptx"), Path(folder, "kernels.cubin")
        for program in programs:
            text = assembly(program, chip)
            if not text:
                continue
            source.write_text(text, encoding="utf-8")
            command = [ptxas, "-v", f"-arch={chip}", source, "-o", code]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{Path(program).stem}: {done.stderr}")
                status = 1
            kernels = re.findall(
                r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores"
                r"[^\n]*\n[^\n]*Used (\d+) registers([^\n]*)",
                done.stderr,
            )
            for name, stack, spills, registers, rest in kernels:
                shared = re.search(r"(\d+) bytes smem", rest)
                print(
                    f"{name}: registers {registers}, stack {stack}, spills {spills}, "
                    f"shared {shared.group(1) if shared else 0}"
                )
    sys.exit(status)


if __name__ == "__main__":
    main()
