"""Measures comb and its peers on a GPU.

    python3 benchmarks/gpu/run.py --out FOLDER [--comb FOLDER] [--short] [--deadline SECONDS]
            [--peers A,B] [--programs X,Y] [--device cpu] [--array-module numpy]

comb's libraries are those of a folder that build.py made; without one, comb is left out, as are peers
that are not installed. First all peers check the programs on small inputs and compile them, side by
side; then each is timed, alone on the device. What is left when the deadline comes is not run, and the
results say so. results.json is written again after each answer, lines.jsonl has the answers, log.txt
what the libraries print. The last two options rehearse without a GPU, with small programs for large
ones; for comb COMB_CUDA_LIBRARY then names a library in place of the driver.

The exit code is 1 if a result was wrong, comb failed, or nothing was timed.
"""

import argparse
import collections
import datetime
import json
import multiprocessing
import os
import pathlib
import secrets
import shutil
import sys
import tempfile
import threading
import time
from concurrent import futures

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path[0:1] = [str(BENCHMARKS), str(BENCHMARKS / "cpu")]

from gpu import inputs, libraries, machine, report, results, sizes  # noqa: E402
from gpu.library import PEERS, missing  # noqa: E402
from gpu.supervisor import Deadline, Stopped, Supervised  # noqa: E402
from suite import PROGRAMS  # noqa: E402

# In the order in which they are timed: each has a part of what is left, and the last ones need most.
DEFAULT_PEERS = [*libraries.ALGORITHMS, "cub", "cupy", "cupy-fuse", "jax", "torch-compile"]

# Workers of each peer that check and compile side by side.
LANES = {"torch-compile": 8, "jax": 3, "comb": 2, "comb-unfused": 2}
SHORT_LANES = {"torch-compile": 4, "jax": 2}

# What takes longest to compile comes first, so that lanes end together.
SLOW = ["lbm", "lud", "shallowwater", "blackscholes", "nw", "stencil27", "hotspot", "gameoflife", "heat"]

# Seconds: for a process to start, for a program to be checked and compiled, and to be timed.
START, CHECK, TIME = 90, 100, 45

# The share of the time that is for checking and compiling, at most.
CHECK_SHARE = 0.5

# Processes of a peer that may end before the rest of its programs is given up.
MOST_ENDS = 6

# Bytes that all large inputs take, with some to spare.
DATA_BYTES = 12 << 30


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench gpu", description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--comb", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--deadline", type=float)
    parser.add_argument("--peers", type=lambda text: text.split(","), default=DEFAULT_PEERS)
    parser.add_argument("--programs", type=lambda text: text.split(","))
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu")
    parser.add_argument("--array-module", choices=["cupy", "numpy"], default="cupy")
    chosen = parser.parse_args()
    chosen.deadline = chosen.deadline or (120 if chosen.short else 410)
    chosen.programs = chosen.programs or (sizes.SHORT if chosen.short else list(PROGRAMS))
    for kind, names, known in [("peer", chosen.peers, PEERS), ("program", chosen.programs, PROGRAMS)]:
        for name in names:
            if name not in known:
                parser.error(f"no {kind} is called '{name}'")
    if chosen.comb is not None:
        try:
            libraries.read(chosen.comb)
        except (OSError, ValueError) as reason:
            parser.error(str(reason))
    chosen.left_out = {peer: why for peer in chosen.peers if (why := missing(peer, chosen))}
    chosen.peers = [peer for peer in chosen.peers if peer not in chosen.left_out]
    if not chosen.peers:
        parser.error("no peer is there: " + "; ".join(chosen.left_out.values()))
    return chosen


class Run:
    """One run: its answers so far, and what they are written to."""

    def __init__(self, chosen, work, data):
        self.chosen, self.work, self.data = chosen, work, data
        # To rehearse, small programs stand for large ones.
        self.large = "large" if chosen.device == "gpu" else "small"
        self.deadline = Deadline(chosen.deadline)
        self.started = time.monotonic()
        self.lock, self.lines, self.slow = threading.Lock(), [], set()
        chosen.out.mkdir(parents=True, exist_ok=True)
        self.log = (chosen.out / "log.txt").open("w", encoding="utf-8")
        self.answers = (chosen.out / "lines.jsonl").open("w", encoding="utf-8")
        self.seed = secrets.randbits(32)
        self.head = {
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
            "machine": machine.describe(),
            "device": chosen.device,
            "short": chosen.short,
            "seed": self.seed,
            "peers": chosen.peers,
            "left_out": chosen.left_out,
            "order": chosen.programs,
            "sizes": {name: sizes.of(name, self.large) for name in chosen.programs},
            "traffic": {name: sizes.traffic(name, self.large) for name in chosen.programs},
        }

    def say(self, text):
        """A line of progress."""
        print(f"{time.monotonic() - self.started:6.1f} s  {text}", flush=True)

    def record(self, stage, peer, answer, program=None):
        """Keeps an answer, and writes everything."""
        line = {"stage": stage, "peer": peer, "program": program}
        line["packages" if stage == "packages" else "answer"] = answer
        with self.lock:
            self.lines.append(line)
            self.answers.write(json.dumps(line) + "\n")
            self.answers.flush()
            self.write()

    def write(self):
        """Writes results.json."""
        head = {**self.head, "seconds": time.monotonic() - self.started}
        found = results.collect(head, self.lines, self.chosen.peers, self.chosen.programs)
        results.write(self.chosen.out / "results.json", found)

    def supervised(self, peer):
        """The worker of a peer, not yet started."""
        settings = {
            "data": str(self.data),
            "seed": self.seed,
            "large": self.large,
            "effort": effort(self.chosen),
            "options": {
                "device": self.chosen.device,
                "array_module": self.chosen.array_module,
                "cache": str(self.work),
                "comb": str(self.chosen.comb or ""),
            },
        }
        script = str(pathlib.Path(__file__).with_name("worker.py"))
        command = [sys.executable, script, peer, json.dumps(settings)]
        return Supervised(command, environment(self.work, self.chosen.device), self.log, START)


def effort(chosen):
    """How much is measured: less to rehearse, and where comb takes its part of the time."""
    if chosen.device == "cpu":
        return {"total_seconds": 0.1, "rounds": 3, "most_calls": 10, "slow_seconds": 0.2}
    return {"total_seconds": 0.4} if chosen.comb else {}


def environment(work, device):
    """The variables of workers: caches that all share, and memory as it is needed."""
    return {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
        "JAX_PLATFORMS": "cuda" if device == "gpu" else "cpu",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "TORCHINDUCTOR_CACHE_DIR": str(work / "inductor"),
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TRITON_CACHE_DIR": str(work / "triton"),
        "CUPY_CACHE_DIR": str(work / "cupy"),
        "OMP_NUM_THREADS": "2",
    }


def make_inputs(run):
    """Makes all large inputs, some at a time, in this process's children."""
    # Forked children could wait for locks that threads hold here.
    context = multiprocessing.get_context("spawn")
    with futures.ProcessPoolExecutor(4, context) as pool:
        made = [pool.submit(inputs.write, run.data, name, run.seed) for name in checking_order(run)]
        for done in futures.as_completed(made):
            if done.exception():
                run.say(f"inputs: {done.exception()!r}")
    run.say("inputs are made")


def checking_order(run):
    """The programs, slow ones first."""
    slow = [name for name in SLOW if name in run.chosen.programs]
    return slow + [name for name in run.chosen.programs if name not in slow]


def check_all(run, deadline):
    """All peers check and compile all programs, side by side, until the deadline."""
    lanes = SHORT_LANES if run.chosen.short else LANES
    threads = []
    for peer in run.chosen.peers:
        programs = collections.deque(checking_order(run))
        for _ in range(lanes.get(peer, 1)):
            arguments = run, peer, programs, deadline
            threads.append(threading.Thread(target=check_lane, args=arguments, daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0, deadline.left()) + 5)


def check_lane(run, peer, programs, deadline):
    """Checks programs, as long as there are some, in one process."""
    worker, ends = run.supervised(peer), 0
    while deadline.left() > 2 and ends < MOST_ENDS:
        try:
            name = programs.popleft()
        except IndexError:
            break
        try:
            answer = worker.ask({"do": "check", "program": name}, min(CHECK, deadline.left()))
        except Stopped as reason:
            ends += 1
            run.say(f"check {peer} {name}: {reason}")
            # What only the deadline stopped may still be compiled when it is timed.
            if deadline.left() > 2:
                run.record("check", peer, {"failure": str(reason)}, name)
                if "took longer" in str(reason):
                    run.slow.add((peer, name))
            continue
        run.record("check", peer, answer, name)
        run.say(f"check {peer} {name}: {summary_of_check(answer)}")
    worker.end()


def summary_of_check(answer):
    """What an answer says, in some words."""
    for key in ("failure", "unsupported"):
        if key in answer:
            return answer[key]
    verdict = "right" if answer["right"] else f"WRONG, error {answer['error']:.1e}"
    return f"{verdict} ({answer['took_seconds']:.1f} s)" + large_failure(answer)


def large_failure(answer):
    """How the large size failed, if it did."""
    return f"; large: {answer['large_failure']}" if "large_failure" in answer else ""


def time_all(run):
    """Times one peer after the other; each has its share of what is left."""
    weights = {peer: weight(run, peer) for peer in run.chosen.peers}
    for peer in run.chosen.peers:
        deadline = run.deadline.part(weights[peer] / max(sum(weights.values()), 1))
        weights[peer] = 0
        worker = run.supervised(peer)
        try:
            if not any(line["stage"] == "limits" for line in run.lines):
                measure_limits(run, peer, worker)
            time_peer(run, peer, worker, deadline)
        finally:
            worker.end()


def weight(run, peer):
    """What share of the time a peer has: as many programs as it has, and comb, which is slow where it
    can gain most, twice that."""
    checks = checked(run, peer)
    count = sum("unsupported" not in checks.get(name, {}) for name in run.chosen.programs)
    return 2 * count if peer == "comb" else count


def measure_limits(run, peer, worker):
    """What the device can do, with the first peer that can measure that."""
    if peer.split("-")[0] not in ("cupy", "torch"):
        return
    try:
        answer = worker.ask({"do": "limits"}, 40)
    except Stopped as reason:
        run.say(f"limits: {reason}")
        return
    run.say(f"limits: {answer}")
    if "copy_bytes_per_second" in answer:
        run.record("limits", peer, answer)


def time_peer(run, peer, worker, deadline):
    """Times the programs of a peer."""
    checks = checked(run, peer)
    ends = 0
    for name in run.chosen.programs:
        check = checks.get(name, {})
        if "unsupported" in check:
            continue
        if deadline.left() < 3 or ends >= MOST_ENDS:
            run.say(f"time {peer} {name}: not run")
            continue
        simple = (peer, name) in run.slow
        request = {"do": "time", "program": name, "check": "right" not in check, "simple": simple}
        try:
            answer = worker.ask(request, min(TIME, max(deadline.left(), 3)))
        except Stopped as reason:
            ends += 1
            if deadline.left() < 1:
                run.say(f"time {peer} {name}: no time was left for it")
                continue
            answer = {"failure": str(reason)}
        run.record("time", peer, answer, name)
        run.say(f"time {peer} {name}: {summary_of_time(answer)}")
    run.record("packages", peer, worker.packages)


def checked(run, peer):
    """The answers of a peer's checks, by program."""
    with run.lock:
        lines = [line for line in run.lines if line["stage"] == "check" and line["peer"] == peer]
    return {line["program"]: line["answer"] for line in lines}


def summary_of_time(answer):
    """What an answer says, in some words."""
    for part in (answer, answer.get("large", {})):
        for key in ("failure", "unsupported"):
            if key in part:
                return part[key]
    small, large = answer["small"], answer["large"]
    text = f"{small['seconds'] * 1e6:.1f} us, " if "seconds" in small else "small failed, "
    text += f"{large['seconds'] * 1e3:.3f} ms ({answer['took_seconds']:.1f} s)"
    return text + (f"; {large['remark']}" if "remark" in large else "")


def place_for_inputs():
    """The folder in which inputs are: in memory, where there is enough; None is any."""
    shared = pathlib.Path("/dev/shm")
    return shared if shared.is_dir() and shutil.disk_usage(shared).free > DATA_BYTES else None


def measure(chosen, work, data):
    """Checks, then times; gives the exit code."""
    run = Run(chosen, work, data)
    run.say(f"{len(chosen.programs)} programs, {', '.join(chosen.peers)}; {run.head['machine']}")
    for peer, reason in chosen.left_out.items():
        run.say(f"left out: {peer}: {reason}")
    if chosen.device == "gpu":
        threading.Thread(target=make_inputs, args=(run,), daemon=True).start()
    check_all(run, run.deadline.part(CHECK_SHARE))
    run.say("checked; now each peer is timed alone")
    time_all(run)
    run.write()
    found = json.loads((chosen.out / "results.json").read_text(encoding="utf-8"))
    outcomes = collections.Counter(results.outcome(entry).split(":")[0] for entry in found["entries"])
    run.say(", ".join(f"{count} {word}" for word, count in outcomes.items()))
    for line in results.differing(found):
        run.say(f"totals differ: {line}")
    for line in report.comb_faults(found):
        run.say(line)
    failed = any(" failed: " in line or " totals " in line for line in report.comb_faults(found))
    return 1 if outcomes["wrong"] or not outcomes["right"] or failed else 0


def main():
    """Runs in folders that are removed afterwards."""
    chosen = parse_options()
    work = pathlib.Path(tempfile.mkdtemp(prefix="comb-gpu-"))
    data = pathlib.Path(tempfile.mkdtemp(prefix="comb-gpu-", dir=place_for_inputs()))
    try:
        code = measure(chosen, work, data)
    finally:
        for folder in (work, data):
            shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
