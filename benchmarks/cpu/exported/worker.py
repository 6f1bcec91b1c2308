"""The process of a side with one function: `worker.py SIDE FUNCTION SETTINGS`.

harness/worker.py says how it is asked.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from exported import files  # noqa: E402
from exported.error import largest_error  # noqa: E402
from exported.sides import PREPARE, Task  # noqa: E402
from harness.settings import Settings  # noqa: E402
from harness.worker import Worker, work  # noqa: E402


def worker_of(side, name, settings):
    """The worker of a side with a function."""
    task = Task(name, files.read_inputs(settings, name), settings)

    def error_of(outputs):
        return largest_error(outputs, files.read_references(settings, name))

    return Worker(task, PREPARE[side], error_of)


def main():
    """The worker that the command line names."""
    side, name, settings = sys.argv[1:]
    work(lambda: worker_of(side, name, Settings.from_json(settings)))


main()
