"""The environment variables of a worker: how many threads, where they run, where compilers
keep what they compiled, and which processor they compile for.

All peers get the same number of threads, on the same processors: the runner narrows the
processors before it starts workers, and thread pools that ask the system how many there are
(XLA's, and IREE's in its peer) get that answer. OpenMP's threads are bound to them.

What Numba, PyTorch's compiler and Bohrium compile is kept, for each peer in a folder of its
own, as Numba's files do not say with which options they were compiled.
"""

import os

from harness import processor

THREAD_VARIABLES = [
    "OMP_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
]

# Each thread of OpenMP stays on a processor of its own. Left to the system, two often share one
# for a while after their process was stopped, and every parallel loop waits for both.
BINDING = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}

CACHE_VARIABLES = {
    "numba": "NUMBA_CACHE_DIR",
    "torch": "TORCHINDUCTOR_CACHE_DIR",
    "bohrium": "BH_OPENMP_CACHE_DIR",
}

# PyTorch's compiler compiles in the worker itself: processes of its own would go on when the
# worker is stopped.
ALONE = {"TORCHINDUCTOR_COMPILE_THREADS": "1"}


def variables(peer, threads, settings, inherited):
    """The environment of a peer's worker; what is inherited may change how threads are bound."""
    counts = {name: str(threads) for name in THREAD_VARIABLES}
    kept = CACHE_VARIABLES.get(peer.split("-")[0])
    caches = {kept: str((settings.build / "compiled" / peer).resolve())} if kept else {}
    target = processor.variables(settings.cpu)
    return {**BINDING, **ALONE, **inherited, **counts, **caches, **target}


def problem_of_threads(numbers):
    """What is wrong with numbers of threads, as text, on this machine, or None."""
    for number in numbers:
        if not (number.isdecimal() and 1 <= int(number) <= os.cpu_count()):
            return f"'{number}' threads on a machine with {os.cpu_count()} processors"
    return None
