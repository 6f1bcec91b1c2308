"""A worker process seen from the runner.

Between its turns a worker is stopped (SIGSTOP), with all it started: threads of OpenMP,
Numba and XLA wait by spinning, and would disturb whoever has the turn.
"""

import json
import os
import re
import selectors
import signal
import subprocess
import tempfile

SHOWN_ERROR = 200
KILLED = "killed by the system, as it does when memory runs out"

# Seconds that a worker has to end by itself.
FAREWELL = 5
ABSOLUTE_PATH = re.compile(r"(?<![\w.])(?:/[^\s/:'\"]+)+/([^\s/:'\"]+)")


class WorkerFailure(Exception):
    """The worker has died, or does not answer, or says that it failed."""


class WorkerUnsupported(Exception):
    """The peer does not have the program."""


class Process:
    """A worker, which a command starts; it has prepared its program when this exists, and is
    stopped. Seconds to wait: `patience` for an answer, and `longest` for the first run if that
    does not compile."""

    def __init__(self, command, environment, patience, longest):
        self.patience, self.readiness, self.received = patience, {}, b""
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
            text=True,
            start_new_session=True,
        )
        try:
            if self.receive()["compiled"]:
                self.readiness = self.receive(longest, "a run takes longer than")
            else:
                self.readiness = self.receive()
        except Exception:
            self.end()
            raise
        self.signal(signal.SIGSTOP)

    def ask(self, command):
        """Lets the worker carry out a command while everybody else stands still."""
        self.signal(signal.SIGCONT)
        try:
            self.process.stdin.write(json.dumps(command) + "\n")
            self.process.stdin.flush()
            return self.receive()
        except BrokenPipeError:
            raise WorkerFailure(self.last_words()) from None
        finally:
            self.signal(signal.SIGSTOP)

    def receive(self, patience=None, late="no answer in"):
        """The worker's next answer."""
        patience = patience or self.patience
        while b"\n" not in self.received:
            with selectors.DefaultSelector() as selector:
                selector.register(self.process.stdout, selectors.EVENT_READ)
                if not selector.select(patience):
                    self.readiness = {}
                    raise WorkerFailure(f"{late} {patience:g} s")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                raise WorkerFailure(self.last_words())
            self.received += more
        line, _, self.received = self.received.partition(b"\n")
        answer = json.loads(line)
        if "unsupported" in answer:
            raise WorkerUnsupported(answer["unsupported"])
        if "failure" in answer:
            raise WorkerFailure(shown(answer["failure"]))
        return answer

    def last_words(self):
        """The last line on standard error, and how the process ended."""
        code = self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines() or [""]
        how = KILLED if code == -signal.SIGKILL else f"ended with code {code}"
        return f"{how}: {shown(lines[-1])}" if lines[-1] else how

    def signal(self, number):
        """Sends a signal to the worker and whatever it started."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def end(self):
        """Ends the worker. One that then keeps what it compiled may end by itself, if that does
        not take long."""
        if self.readiness.get("keeps_at_end"):
            self.signal(signal.SIGCONT)
            try:
                self.process.stdin.close()
                self.process.wait(FAREWELL)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                pass
        self.signal(signal.SIGKILL)
        self.process.wait()
        for stream in self.process.stdin, self.process.stdout, self.errors:
            try:
                stream.close()
            except BrokenPipeError:
                pass


def shown(text):
    """What of an error can be published: the beginning of its first line, and of absolute
    paths, which tell about the machine, only the last name."""
    line = (text.strip().splitlines() or [""])[0]
    return ABSOLUTE_PATH.sub(r"\1", line)[:SHOWN_ERROR]
