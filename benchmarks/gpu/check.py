"""All that is to be done on a machine with a GPU, in one go.

    python3 benchmarks/gpu/check.py --comb FOLDER --out FOLDER [--short] [--deadline SECONDS] [OPTION…]

OPTION is passed on to run.py.

Small checks of kernels; compute-sanitizer over some of them, where it is and works; then the benchmark,
which checks all programs on small random inputs before it times them. Without --short it ends within ten
minutes, with it within three, whatever hangs. What was found is in the output folder: page.md, check.json
and check.log, and the files of run.py. The exit code is 1 if something was wrong.
"""

import argparse
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
HERE = BENCHMARKS / "gpu"
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "cpu")]

from gpu import libraries, machine, report  # noqa: E402
from gpu.supervisor import Deadline, forward  # noqa: E402

# Seconds: for all, for kernels, and for each tool of the sanitizer.
LIMITS = {False: (570, 70, 40), True: (170, 35, 15)}

# Seconds after which a small check hangs; the first one starts the driver, and each may compile.
HANGS = 20

# Seconds that are kept for the end.
SPARE = 5

# What the sanitizer looks at, as each check takes it seconds, and by which tools.
SANITIZED = r"emulated-\d+$|softmax-\d$"
TOOLS = {False: ["memcheck", "racecheck"], True: ["memcheck"]}

# Processes that small checks may end before the rest is given up.
MOST_ENDS = 10

# What a reason is quoted of.
QUOTED = 300


def parse_options():
    """The command line, and what is passed on to run.py."""
    parser = argparse.ArgumentParser(prog="check.py", description=__doc__.splitlines()[0])
    parser.add_argument("--comb", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--deadline", type=float)
    chosen, rest = parser.parse_known_args()
    chosen.deadline = chosen.deadline or LIMITS[chosen.short][0]
    return chosen, rest


class Check:
    """One run: the time that is left, the log, and what was found so far."""

    def __init__(self, chosen):
        self.chosen, self.deadline = chosen, Deadline(chosen.deadline - SPARE)
        chosen.out.mkdir(parents=True, exist_ok=True)
        # What an earlier run found there is not this one's.
        (chosen.out / "results.json").unlink(missing_ok=True)
        self.log = (chosen.out / "check.log").open("w", encoding="utf-8")
        self.list = libraries.read(chosen.comb)
        self.found = {"machine": machine.describe(), "kernels": {}, "sanitizer": {}}

    def say(self, text):
        """A line for who waits, and for the log."""
        print(text, flush=True)
        self.log.write(text + "\n")
        self.log.flush()

    def write(self):
        """Writes what was found, and the page."""
        text = json.dumps(self.found, indent=1) + "\n"
        (self.chosen.out / "check.json").write_text(text, encoding="utf-8")
        measured = self.chosen.out / "results.json"
        tables = report.page(json.loads(measured.read_text(encoding="utf-8"))) if measured.exists() else ""
        (self.chosen.out / "page.md").write_text(page(self.found) + "\n" + tables, encoding="utf-8")

    def run(self, command, limit, idle=None, echo=False):
        """The exit code of a command, or None if it was stopped after so many seconds, or after so many
        without a line; and what it printed, which is logged, and shown with `echo`."""
        self.log.write(f"$ {' '.join(map(str, command))}\n")
        process = started(command)
        lines, text, deadline = queue.Queue(), [], Deadline(max(limit, 1))
        threading.Thread(target=follow, args=(process, lines), daemon=True).start()
        try:
            while line := lines.get(timeout=max(0.1, min(idle or limit, deadline.left()))):
                text.append(line)
                if echo:
                    print(line, end="", flush=True)
            code = process.wait()
        except queue.Empty:
            code = None
        stop(process)
        self.log.write(f"{''.join(text)}exit code {code}\n")
        self.log.flush()
        return code, "".join(text)


def started(command):
    """A process that leads its own group."""
    return subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        start_new_session=True,
    )


def follow(process, lines):
    """Puts the lines of a process into a queue, and None at its end, even if what it started goes on."""
    reader = threading.Thread(target=forward, args=(process.stdout, lines), daemon=True)
    reader.start()
    process.wait()
    reader.join(2)
    lines.put(None)


def stop(process):
    """Ends a process and what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=10)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass  # nothing is left, or a driver keeps a process that is no more


def tell_machine(check):
    """Says what is tested, and on what."""
    for command in (["nvidia-smi"], ["nvcc", "--version"]):
        if shutil.which(command[0]):
            check.run(command, 20)
    head = {key: check.list[key] for key in ("comb", "commit", "chip")}
    check.say(f"{check.found['machine']}; {head}")
    for name, reason in check.list["failures"].items():
        check.say(f"not built: {name}: {reason}")


def check_kernels(check):
    """Runs the small checks; one that ends the process or hangs fails, and those behind it still run."""
    found = check.found["kernels"]
    left = [entry["name"] for entry in check.list["kernels"]]
    deadline = Deadline(min(LIMITS[check.chosen.short][1], check.deadline.left()))
    ends = 0
    while left and ends < MOST_ENDS and deadline.left() > 1:
        code, text = check.run([*kernels_command(check), *left], deadline.left(), HANGS)
        done = outcomes(text)
        found.update(done)
        left = [name for name in left if name not in done]
        if left:
            ended = f"ended with {code}: {last_line(text)}"
            found[left[0]] = "hangs, or had no time" if code is None else ended
            left, ends = left[1:], ends + 1
    found.update({name: "not run" for name in left})
    wrong = {name: text for name, text in found.items() if text != "ok"}
    check.say(f"small checks: {len(found) - len(wrong)} of {len(found)} are right")
    for name, text in wrong.items():
        check.say(f"FAIL {name}: {text}")


def kernels_command(check):
    """What runs small checks."""
    return [sys.executable, HERE / "kernels.py", "--comb", check.chosen.comb]


def outcomes(text):
    """What kernels.py said, by the names of checks."""
    lines = re.findall(r"^(ok  |FAIL) ([\w.-]+)(?:: (.*))?$", text, re.MULTILINE)
    return {name: "ok" if word == "ok  " else reason[:QUOTED] for word, name, reason in lines}


def last_line(text):
    """The end of what a command printed."""
    return (text.strip().splitlines() or ["nothing was printed"])[-1][:QUOTED]


def sanitize(check):
    """Small checks under compute-sanitizer."""
    found = check.found["sanitizer"]
    if shutil.which("compute-sanitizer") is None:
        found["compute-sanitizer"] = {"errors": None, "said": "not run: it is not installed"}
    else:
        names = [name for name, text in check.found["kernels"].items() if text == "ok"]
        names = [name for name in names if re.match(SANITIZED, name)]
        for tool in TOOLS[check.chosen.short]:
            found[tool] = sanitized(check, tool, names)
    for tool, answer in found.items():
        check.say(f"{tool}: {answer['said']}")


def sanitized(check, tool, names):
    """How many errors a tool finds in small checks, None if it cannot run, and what it says."""
    command = ["compute-sanitizer", "--tool", tool, *kernels_command(check), *names]
    limit = min(LIMITS[check.chosen.short][2], check.deadline.left())
    code, text = check.run(command, limit)
    summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+) (.*)", text)
    count = sum(word == "ok" for word in outcomes(text).values())
    if summary:
        return {"errors": int(summary[1]), "said": f"{summary[1]} {summary[2]}, in {count} checks"}
    if code is None and count:
        errors = len(re.findall(r"^=+ (?:Invalid|Error|Race)", text, re.MULTILINE))
        said = f"{errors} errors in {count} of {len(names)} checks, then no time was left"
        return {"errors": errors, "said": said}
    return {"errors": None, "said": f"cannot run here: {last_line(text)}"}


def measure(check, options):
    """The benchmark, in what time is left."""
    left = check.deadline.left() - SPARE
    command = [sys.executable, HERE / "run.py", "--comb", check.chosen.comb, "--out", check.chosen.out]
    command += ["--deadline", f"{min(left, 120 if check.chosen.short else 410):.0f}"]
    command += ["--short"] if check.chosen.short else []
    code, text = check.run([*command, *options], check.deadline.left(), echo=True)
    check.found["benchmark"] = {"exit_code": code, "last_line": last_line(text)}


def tell_comb(check):
    """What the benchmark found of comb, once more at the end."""
    found = json.loads((check.chosen.out / "results.json").read_text(encoding="utf-8"))
    check.say("\n\n".join(report.comb_parts(found)))


def page(found):
    """What the checks found, in Markdown."""
    kernels = found["kernels"]
    wrong = {name: text for name, text in kernels.items() if text != "ok"}
    lines = [f"Small checks of kernels: {len(kernels) - len(wrong)} of {len(kernels)} are right.", ""]
    lines += [f"* **{name}**: {text}" for name, text in wrong.items()]
    lines += [f"* {tool}: {answer['said']}" for tool, answer in found["sanitizer"].items()]
    if "benchmark" in found:
        lines.append(f"* benchmark: {found['benchmark']['last_line']}")
    return "\n".join(["# Checks on a GPU", "", *lines, ""])


def sound(found):
    """Whether nothing was wrong; what could not be run does not count."""
    clean = not any(answer["errors"] for answer in found["sanitizer"].values())
    right = set(found["kernels"].values()) <= {"ok"}
    return clean and right and found.get("benchmark", {}).get("exit_code") == 0


def main():
    """Does one thing after the other; what fails is told, and the rest is done."""
    chosen, options = parse_options()
    try:
        check = Check(chosen)
    except (OSError, ValueError) as reason:
        sys.exit(str(reason))
    steps = [tell_machine, check_kernels, sanitize, lambda check: measure(check, options), tell_comb]
    for step in steps:
        try:
            step(check)
        except Exception as reason:  # what comes behind it counts, too
            check.say(f"FAIL {type(reason).__name__}: {reason}")
        check.write()
    sys.exit(0 if sound(check.found) else 1)


if __name__ == "__main__":
    main()
