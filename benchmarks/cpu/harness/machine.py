"""What kind of machine this is: never its name, its user, or a path."""

import os
import pathlib
import platform
import re
import subprocess

from harness import c_build, processor
from harness.settings import NATIVE


def first_match(path, pattern):
    """The first group of the pattern in a file, or None."""
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return None
    return found[1].strip() if found else None


def describe(comb, cpu=NATIVE):
    """Processor, memory, system and compilers, and what they compile for."""
    memory = first_match("/proc/meminfo", r"^MemTotal:\s*(\d+) kB")
    return {
        "processor": first_match("/proc/cpuinfo", r"^model name\s*:\s*(.*)")
        or platform.processor(),
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "compiled_for": None if cpu == NATIVE else cpu,
        "vectors": vectors(cpu),
        "caches": caches(),
        "memory_gib": round(int(memory) / (1 << 20)) if memory else None,
        "virtual": "hypervisor" in (first_match("/proc/cpuinfo", r"^flags\s*:(.*)") or ""),
        "system": system(),
        "python": platform.python_version(),
        "c_compiler": first_line([c_build.COMPILER, "--version"]),
        "comb": first_line([comb, "--version"]),
    }


def vectors(cpu):
    """The widest vectors that there are in code for a processor."""
    if cpu != NATIVE:
        return processor.widest(c_build.vector_extensions(cpu))
    return processor.widest((first_match("/proc/cpuinfo", r"^flags\s*:(.*)") or "").split())


def caches():
    """Level and size of the first processor's data caches, as in `L1 48K`."""
    found = []
    for cache in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind, level, size = (
            (cache / part).read_text().strip() for part in ("type", "level", "size")
        )
        if kind != "Instruction":
            found.append(f"L{level} {size}")
    return ", ".join(found)


def system():
    """Distribution and kernel."""
    name = first_match("/etc/os-release", r'^PRETTY_NAME="?([^"\n]*)') or platform.system()
    kernel = re.match(r"\d+(\.\d+)*", platform.release())
    return f"{name}, {platform.system()} {kernel[0] if kernel else ''}".strip()


def first_line(command):
    """What a command says of itself."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip().splitlines()[0]
