"""Random programs of StableHLO: comb against StableHLO's own interpreter, which is a part of JAX.

    fuzz.py --seconds 600
    fuzz.py --first 0 --seeds 100
    fuzz.py --first 0 --seeds 20 --agree    # comb's modes against each other: no JAX
    fuzz.py show 38

A program that fails is made smaller and saved, with its inputs and the command that runs it.

JAX is in the environment that the benchmark has for it. It is made in --cache if it is not there,
and this program goes on in it.
"""

import argparse
import collections
import os
import pathlib
import shlex
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks/cpu"))

from checks import compiled  # noqa: E402
from checks.referee import Reference, check, of_outputs  # noqa: E402
from harness import environments  # noqa: E402
from programs.generator import generate  # noqa: E402


def main():
    """Reads the command, and follows it."""
    arguments = parse()
    if arguments.command == "show":
        print(generate(arguments.seed).text(), end="")
        return 0
    if not arguments.agree:
        go_on_with_jax(arguments)
    campaign = Campaign(arguments)
    campaign.run()
    campaign.report()
    return 1 if campaign.failed or not campaign.checked else 0


def go_on_with_jax(arguments):
    """Has an interpreter of Python that knows JAX run this instead, unless this one does."""
    try:
        import jaxlib  # noqa: F401, PLC0415
    except ImportError:
        try:
            python = environments.ensure("jax", arguments.cache / "environments")
        except environments.EnvironmentMissing as reason:
            sys.exit(f"fuzz.py: {reason}")
        os.execv(python, [str(python), *sys.argv])


def parse():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--comb", type=pathlib.Path, default=ROOT / "target/release/comb")
    parser.add_argument("--seconds", type=float, help="how long to go on")
    parser.add_argument("--first", type=int, help="the first program's number")
    parser.add_argument("--seeds", type=int, help="how many programs")
    parser.add_argument("--agree", action="store_true", help="compare comb only with itself")
    parser.add_argument("--keep-going", action="store_true", help="not only the first failures")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "target/fuzz")
    parser.add_argument("--cache", type=pathlib.Path, default=ROOT / "target/bench")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("show", help="print a program").add_argument("seed", type=int)
    arguments = parser.parse_args()
    arguments.comb = arguments.comb.resolve()
    if arguments.command is None and arguments.seconds is None and arguments.seeds is None:
        parser.error("--seconds or --seeds says how long")
    return arguments


class Campaign:
    """Programs one after another, and what became of them."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.reference = None if arguments.agree else Reference()
        self.checked, self.failed, self.forms = 0, [], collections.Counter()
        self.unanswered = collections.Counter()

    def run(self):
        """Checks programs until time is over, or all are checked."""
        arguments = self.arguments
        seed = arguments.first if arguments.first is not None else int(time.time())
        end = None if arguments.seeds is None else seed + arguments.seeds
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            while seed != end:
                late = arguments.seconds and time.monotonic() - begin > arguments.seconds
                if late or (len(self.failed) >= 5 and not arguments.keep_going):
                    break
                self.check(seed, pathlib.Path(folder))
                seed += 1
                if seed % 100 == 0:
                    print(f"{self.checked} programs, up to {seed}", file=sys.stderr, flush=True)
        if self.reference is not None:
            self.reference.stop()

    def check(self, seed, folder):
        """Checks a program."""
        program = generate(seed)
        if not program.outputs:
            return
        answers, forms = None, {}
        if self.reference is not None:
            answers, reason = self.reference.answers(program)
            if answers is None:
                self.unanswered[reason.split("\n")[0][:100]] += 1
                return
            forms = self.reference.forms(program)
        modes = compiled.options(seed)
        fault = check(self.arguments.comb, program, answers, folder, modes, forms)
        self.forms.update(forms.keys())
        self.checked += 1
        if fault:
            self.fail(program, fault, modes, folder)

    def fail(self, program, fault, modes, folder):
        """Makes a failing program smaller, and saves it."""
        mode, reason = fault
        self.failed.append(program.seed)
        if self.reference is not None:
            from checks.reduce import Reducer  # noqa: PLC0415 - needs the reference

            reducer = Reducer(self.arguments.comb, self.reference, folder, modes, mode)
            program = reducer.smaller(program)
            again = reducer.fails(program)
            reason = again[1] if again else f"not again, when it was smaller: {reason}"
        place = self.arguments.output / f"stablehlo-{program.seed}"
        self.save(program, place, mode, reason, modes)
        print(f"FAIL {program.seed} {mode}: {reason}\n     {place}", flush=True)

    def save(self, program, place, mode, reason, modes):
        """Writes a program, its inputs, what is right, and the command."""
        compiled.write(program, place, self.reference.forms(program) if self.reference else {})
        words = shlex.join(["comb", *compiled.command(program, mode, modes[mode])])
        head = "".join(f"// {line}\n" for line in [*reason.splitlines(), words])
        (place / "program.mlir").write_text(head + program.text(), encoding="utf-8")
        answers, _ = self.reference.answers(program) if self.reference else (None, None)
        if answers is not None:
            expected = of_outputs(program, answers)
            for name, value, right in zip(compiled.names(len(expected)), program.outputs, expected):
                if right is not None:
                    compiled.save(place / f"expected.{name}.npy", right[0], value.type)

    def report(self):
        """Says what became of all."""
        for reason, count in self.unanswered.most_common():
            print(f"without an answer, {count}: {reason}")
        mark = "FAIL" if self.failed or not self.checked else "ok"
        forms = "".join(
            f", {count} of them also as {form}" for form, count in sorted(self.forms.items())
        )
        print(f"{mark} {self.checked} programs{forms}, {len(self.failed)} failed")


if __name__ == "__main__":
    sys.exit(main())
