"""Runs small checks of a folder that build.py made, each several times, and compares the results.

    python3 benchmarks/gpu/kernels.py --comb FOLDER [NAME…]

Prints a line `ok` or `FAIL` for each. A run-time error of comb ends the process; check.py goes on after it.
"""

import argparse
import pathlib
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "cpu")]

from gpu import cases, libraries  # noqa: E402
from gpu.library import comb_library  # noqa: E402
from peers.comb_peer import signed_as  # noqa: E402

# What threads do in another order shows in some runs only.
RUNS = 3


def wrong(folder, entry, codes):
    """What is wrong with a check, or None; libraries stay loaded in `codes`."""
    inputs, expected = cases.load(folder / entry["data"])
    path = folder / entry["library"]
    if path not in codes:
        codes[path] = comb_library.Code(path, comb_library.end)
    call = comb_library.Call(codes[path], entry, inputs)
    try:
        for number in range(1, RUNS + 1):
            text = differing(call.run().arrays(), expected, entry["tolerance"])
            if text:
                return f"run {number}, {text}"
    finally:
        call.release()
    return None


def differing(results, expected, tolerance):
    """The first result that is not what is expected, or None."""
    for number, (actual, right) in enumerate(zip(results, expected)):
        # A number is an array with one element here.
        actual = actual.reshape(right.shape) if actual.size == right.size == 1 else actual
        text = cases.difference(signed_as(actual, right.dtype), right, tolerance)
        if text:
            return f"result {number}: {text}"
    return None


def main():
    """Runs all checks, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--comb", required=True, type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    chosen = parser.parse_args()
    found = {entry["name"]: entry for entry in libraries.read(chosen.comb)["kernels"]}
    unknown = set(chosen.names) - set(found)
    if unknown:
        parser.error(f"no check is called {', '.join(sorted(unknown))}")
    codes, failed = {}, 0
    for name in chosen.names or found:
        try:
            text = wrong(chosen.comb, found[name], codes)
        except Exception as reason:  # the other checks count
            text = f"{type(reason).__name__}: {reason}"
        failed += text is not None
        print(f"FAIL {name}: {text}" if text else f"ok   {name}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
