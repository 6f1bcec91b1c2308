"""Programs of StableHLO that check their own results, as StableHLO's repository has them in `stablehlo/testdata`.

    selfchecking.py FOLDER                      # every program of a folder and those in it
    selfchecking.py --sample 300 --seed 7 FOLDER
    selfchecking.py FOLDER -- --fusion off      # what follows is given to comb run

A program is text or a portable artifact. It is right if it runs to its end: `check.expect_eq` and the like fail
where results are not what they should be. What is expected was computed in one order of sums and with one library of
functions: a program in text whose check fails is near if its results are within 1e-5 of the largest (1e-2 for floats
of 16 bits), and wrong otherwise. Programs with parameters have no values to check, so that they only are compiled.
Complex and quantised numbers are counted apart, as comb refuses them by design.
"""

import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

RIGHT, NEAR, COMPILED, REFUSED, EXCLUDED, WRONG = (
    "right",
    "near, sums or functions rounded otherwise",
    "compiled, nothing to check",
    "refused",
    "refused, complex or quantised",
    "wrong",
)
# What a refusal of a program looks like: a place, and the op that is not supported.
REFUSAL = re.compile(r":\d+:\d+: error: '(?P<op>[\w.]+)' op (?P<why>.*)")
FAILED_CHECK = re.compile(r"check\.\w+: elements differ")
PARAMETERS = re.compile(r"no value for parameter")
# The check of a program in text, and what stands around it in its function.
CHECK = re.compile(
    r"(?P<head>func\.func public @main\(\) -> )(?P<results>.*) \{\n(?P<body>(?:.*\n)*?)"
    r".*custom_call @check\.expect_\w+\((?P<values>%[^)]*)\).*: \((?P<types>[^)]*)\) -> \(\)\n"
    r" *return .*\n"
)
NEAR_RELATIVE = {"f16": 1e-2, "bf16": 1e-2, "f32": 1e-5, "f64": 1e-5}
EXCLUDED_TYPE = re.compile(rb"complex<|!quant\.")


def main():
    """Runs the programs and says what became of them."""
    arguments = parse()
    programs = found(arguments.folders)
    if arguments.sample:
        programs = random.Random(arguments.seed).sample(
            programs, min(arguments.sample, len(programs))
        )
    counts = collections.Counter()
    reasons = collections.Counter()
    for program in programs:
        outcome, reason = judged(arguments, program)
        counts[outcome] += 1
        if outcome == REFUSED:
            reasons[reason] += 1
        if outcome in (NEAR, WRONG):
            print(f"{outcome.split(',')[0]}: {program}: {reason}", flush=True)
    report(counts, reasons)
    return 1 if counts[WRONG] or not counts.total() else 0


def parse():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--comb", type=pathlib.Path, default=ROOT / "target/release/comb")
    parser.add_argument("--sample", type=int, help="how many programs, at random")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--time-limit", type=float, default=120, help="seconds for each program")
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER")
    own, options = sys.argv[1:], []
    if "--" in own:
        end = own.index("--")
        own, options = own[:end], own[end + 1 :]
    arguments = parser.parse_args(own)
    arguments.options = options
    return arguments


def found(folders):
    """The programs of folders, or files, in the order of their names."""
    programs = []
    for folder in folders:
        if folder.is_file():
            programs.append(folder)
        elif folder.is_dir():
            programs += sorted(folder.rglob("*.mlir")) + sorted(folder.rglob("*.bc"))
        else:
            sys.exit(f"selfchecking.py: there is no folder '{folder}'")
    return programs


def judged(arguments, program):
    """What became of a program, and why."""
    command = [arguments.comb, "run", program, *arguments.options]
    try:
        run = subprocess.run(
            command, capture_output=True, timeout=arguments.time_limit, check=False
        )
    except subprocess.TimeoutExpired:
        return WRONG, f"not done in {arguments.time_limit:g} s"
    said = run.stderr.decode(errors="replace")
    if run.returncode == 0:
        return RIGHT, ""
    first = said.strip().split("\n", 1)[0]
    if PARAMETERS.search(said):
        return COMPILED, ""
    if FAILED_CHECK.search(said):
        distance = distance_of(arguments, program)
        return (NEAR if distance is not None else WRONG), distance or first
    if run.returncode != 1:
        return WRONG, first or f"exit code {run.returncode}"
    refusal = REFUSAL.search(said)
    if EXCLUDED_TYPE.search(program.read_bytes()):
        return EXCLUDED, ""
    if refusal is None:
        return WRONG, first
    return REFUSED, f"{refusal['op']} {re.sub(r'tensor<[^ ,]*>', 'tensor<…>', refusal['why'])}"


def distance_of(arguments, program):
    """How far the results of a program are from what it expects, in words, if they are near."""
    check = CHECK.search(program.read_text(errors="replace"))
    if check is None:
        return None
    import numpy as np  # noqa: PLC0415 - only programs whose check fails need it

    types, text = check["types"], check.string
    element = re.split(r"x(?=[a-z])|<", types.split(">")[0])[-1]
    changed = (
        f"{check['head']}({types}) {{\n{check['body']}return {check['values']} : {types}\n"
    )
    text = text[: check.start()] + changed + text[check.end() :]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "program.mlir").write_text(text)
        files = [folder / f"{name}.npy" for name in ("result0", "result1")]
        outputs = [word for file in files for word in ("-o", f"{file.stem}={file}")]
        command = [arguments.comb, "run", folder / "program.mlir", *arguments.options, *outputs]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
        actual, expected = (numbers(np.load(file), element) for file in files)
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    both = np.isfinite(actual) & np.isfinite(expected)
    if not np.array_equal(actual[~both], expected[~both], equal_nan=True):
        return None
    relative = np.abs(actual - expected)[both].max(initial=0) / (largest or 1)
    if relative > NEAR_RELATIVE.get(element, 0):
        return None
    return f"{relative:.1e} of the largest"


def numbers(array, element):
    """An array as numbers of 64 bits; bf16 is raw bytes."""
    if element == "bf16":
        array = (array.view("uint16").astype("uint32") << 16).view("float32")
    return array.astype("float64")


def report(counts, reasons):
    """Prints the counts, and for what programs were refused."""
    for outcome in (RIGHT, NEAR, COMPILED, REFUSED, EXCLUDED, WRONG):
        print(f"{counts[outcome]:6} {outcome}")
    for reason, count in reasons.most_common():
        print(f"{count:12} {reason}")


if __name__ == "__main__":
    sys.exit(main())
