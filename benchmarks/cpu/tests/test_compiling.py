"""The programs whose compilation is timed, and the table."""

import os
import pathlib
import subprocess
import unittest

from compiling import generated, page, programs
from compiling.measure import PARTS, WHOLE, report
from suite import PROGRAMS

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMB = pathlib.Path(os.environ.get("COMB", ROOT / "target/release/comb"))


class Programs(unittest.TestCase):
    """What is compiled."""

    def test_the_whole_suite_has_inputs(self):
        self.assertEqual(set(programs.SUITE), set(PROGRAMS))

    def test_generated_programs_have_as_many_combinators_as_they_say(self):
        optimizer = COMB.with_name("comb-opt")
        for count in (1, 10, 37):
            text = generated.program(count)
            self.assertEqual(programs.combinators(optimizer, text), count)

    def test_functions_count_as_often_as_they_are_called(self):
        text = """
          func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
            %a = call @once(%x) : (tensor<?xf32>) -> tensor<?xf32>
            %b = call @once(%a) : (tensor<?xf32>) -> tensor<?xf32>
            return %b : tensor<?xf32>
          }
          func.func private @once(%x: tensor<?xf32>) -> tensor<?xf32> {
            %r = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
            return %r : tensor<?xf32>
          }
        """
        self.assertEqual(programs.combinators(COMB.with_name("comb-opt"), text), 2)

    def test_every_program_runs_with_its_inputs(self):
        for program in programs.programs(ROOT / "examples/suite"):
            with self.subTest(program.name):
                if program.name != "generated-300":
                    timings = report(COMB, program)
                    for part in [*PARTS, WHOLE]:
                        self.assertIn(f"{part}_ms", timings)

    def test_programs_that_fail_are_named(self):
        program = programs.Program("wrong", "func.func @f() {", [])
        with self.assertRaisesRegex(RuntimeError, "wrong: .*error"):
            report(COMB, program)

    def test_generated_programs_compute_the_same_compiled_and_interpreted(self):
        text = generated.program(25)
        results = []
        for target in ("cpu", "interp"):
            command = [COMB, "run", "-", "--target", target, "--json", "--no-cache"]
            command += ["-i", "x=random:f32[20]:1"]
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
            results.append(done.stdout.split('"timings"')[0])
        self.assertEqual(*results)


class Table(unittest.TestCase):
    """What is written."""

    def test_programs_are_in_the_order_of_their_size(self):
        times = {part: 1.25 for part in PARTS}
        results = {
            "large": {"combinators": 100, **times, WHOLE: 1234.5},
            "small": {"combinators": 9, **times, WHOLE: 10.4},
        }
        lines = page.table(results).splitlines()
        self.assertEqual(lines[2].split(" | ")[:3], ["| small", "9", "1.2"])
        self.assertTrue(lines[3].startswith("| large | 100 |"))
        self.assertTrue(lines[3].endswith("| **1234** |"))
        self.assertEqual(len({line.count("|") for line in lines}), 1)

    def test_the_page_says_on_which_machine(self):
        result = {"combinators": 1, WHOLE: 1.0, **{part: 1.0 for part in PARTS}}
        self.assertIn("of 7 processes each, on a CPU.", page.page({"a": result}, 7, "a CPU"))
