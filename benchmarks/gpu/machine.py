"""What kind of machine this is: never its name, its user, or a path."""

import os
import platform
import re
import subprocess

from harness.machine import first_line, first_match, system

QUERY = "name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,power.limit"


def describe():
    """GPU, driver, processor and system."""
    memory = first_match("/proc/meminfo", r"^MemTotal:\s*(\d+) kB")
    return {
        "gpu": gpu(),
        "cuda": release(first_output(["nvcc", "--version"])),
        "processor": first_match("/proc/cpuinfo", r"^model name\s*:\s*(.*)"),
        "cores": os.cpu_count(),
        "memory_gib": round(int(memory) / (1 << 20)) if memory else None,
        "system": system(),
        "python": platform.python_version(),
    }


def gpu():
    """What nvidia-smi says of the first GPU, by name; empty without one."""
    line = first_line(["nvidia-smi", f"--query-gpu={QUERY}", "--format=csv,noheader"])
    if line is None:
        return {}
    names = [name.replace(".", "_") for name in QUERY.split(",")]
    return dict(zip(names, (part.strip() for part in line.split(","))))


def release(text):
    """The release of CUDA that nvcc prints, or None."""
    found = re.search(r"release ([\d.]+)", text or "")
    return found[1] if found else None


def first_output(command):
    """All that a command prints, or None if it fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
