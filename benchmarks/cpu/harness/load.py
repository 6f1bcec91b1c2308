"""How much the machine did besides what was measured, from /proc/stat."""

import os
import time


def busy_seconds():
    """Seconds that processors have spent on anything; None where that is not known."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _, _, interrupts, soft, stolen = map(
                int, file.readline().split()[1:9]
            )
    except (OSError, ValueError):
        return None
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """Seconds that this process has computed."""
    times = os.times()
    return times.user + times.system


class Watch:
    """A `with` block, then `other_load`: how many processors were busy with other things."""

    other_load = None

    def __enter__(self):
        self.start = time.perf_counter(), busy_seconds(), own_seconds()
        return self

    def __exit__(self, *_):
        wall, busy, own = self.start
        if busy is None:
            return
        elapsed = time.perf_counter() - wall
        other = busy_seconds() - busy - (own_seconds() - own)
        self.other_load = round(max(0.0, other) / max(elapsed, 1e-9), 2)
