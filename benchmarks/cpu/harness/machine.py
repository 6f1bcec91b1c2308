"""What kind of machine this is: never its name, its user, or a path."""

import os
import pathlib
import platform
import re
import subprocess

from harness import c_build


def first_match(path, pattern):
    """The first group of the pattern in a file, or None."""
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return None
    return found[1].strip() if found else None


def describe(comb):
    """Processor, memory, system and compilers."""
    memory = first_match("/proc/meminfo", r"^MemTotal:\s*(\d+) kB")
    return {
        "processor": first_match("/proc/cpuinfo", r"^model name\s*:\s*(.*)")
        or platform.processor(),
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "vectors": vectors(),
        "caches": caches(),
        "memory_gib": round(int(memory) / (1 << 20)) if memory else None,
        "virtual": "hypervisor" in (first_match("/proc/cpuinfo", r"^flags\s*:(.*)") or ""),
        "system": system(),
        "python": platform.python_version(),
        "c_compiler": first_line([c_build.COMPILER, "--version"]),
        "comb": first_line([comb, "--version"]),
    }


def vectors():
    """The widest vectors that the processor has."""
    flags = (first_match("/proc/cpuinfo", r"^flags\s*:(.*)") or "").split()
    return next((name for name in ("avx512f", "avx2", "avx", "sse2") if name in flags), None)


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
