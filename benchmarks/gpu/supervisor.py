"""A worker, asked one thing at a time, with limits; started again where it stopped."""

import json
import os
import queue
import signal
import subprocess
import threading
import time


class Stopped(Exception):
    """The worker gave no answer; the message says why."""


class Supervised:
    """The worker of a peer: a process that is started when it is needed."""

    def __init__(self, command, environment, log, start_seconds):
        self.command, self.environment, self.log = command, environment, log
        self.start_seconds = start_seconds
        self.process, self.lines, self.packages = None, None, {}

    def ask(self, request, limit):
        """The answer, within some seconds, those of starting not counted; Stopped if there is none."""
        if self.process is None or self.process.poll() is not None:
            self.start(min(self.start_seconds, max(limit, 1)))
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except OSError:
            self.end()
            raise Stopped("its process ended before it was asked") from None
        return self.answer(limit)

    def start(self, limit):
        """Starts the process and waits until it is ready."""
        self.end()
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=self.environment,
            start_new_session=True,
        )
        self.lines = queue.Queue()
        reader = threading.Thread(target=forward, args=(self.process.stdout, self.lines), daemon=True)
        reader.start()
        ready = self.answer(limit)
        if "failure" in ready:
            self.end()
            raise Stopped(f"cannot start: {ready['failure']}")
        self.packages = ready["packages"]

    def answer(self, limit):
        """The next line."""
        try:
            line = self.lines.get(timeout=max(limit, 0.1))
        except queue.Empty:
            self.end()
            raise Stopped(f"took longer than {limit:.0f} s") from None
        if line is None:
            code = self.process.wait()
            self.end()
            raise Stopped(f"its process ended with {code}")
        answer = json.loads(line)
        if answer.pop("ends", False):
            self.end()
        return answer

    def end(self):
        """Ends the process and what it started."""
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:
            pass
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            pass  # a driver may keep a process that is no more
        self.process = None


def forward(stream, lines):
    """Puts the lines of a stream into a queue, and None at its end."""
    for line in stream:
        lines.put(line)
    lines.put(None)


class Deadline:
    """A point in time, and what is left until then."""

    def __init__(self, seconds, clock=time.monotonic):
        self.clock = clock
        self.end = clock() + seconds

    def left(self):
        """Seconds that are left."""
        return self.end - self.clock()

    def part(self, share):
        """An earlier deadline, after a share of what is left."""
        return Deadline(self.left() * share, self.clock)
