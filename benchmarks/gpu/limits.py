"""What the device can do at best: bandwidth, and what launching kernels costs.

Measured with CuPy or PyTorch. Each part that fails is named, and the others are measured.
"""

import statistics
import time
import types

import numpy as np

from gpu import timing

# Single-precision numbers in each array that is moved, 1 GiB, or to rehearse, and the kernels of a chain.
NUMBERS = 1 << 28
REHEARSED = 1 << 20
CHAIN = 1000
ROUNDS = 9

KERNELS = r"""
extern "C" __global__ void empty() {}
extern "C" __global__ void tiny(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }
"""


def measure(library, effort):
    """Bandwidths in bytes a second, and seconds of launches, by name."""
    numbers = NUMBERS if library.on_gpu else REHEARSED
    found = {"array_bytes": 4 * numbers}
    for part in (bandwidths, launches):
        try:
            found.update(part(library, effort, numbers))
        except Exception as reason:  # what was measured counts
            found[f"{part.__name__}_failure"] = f"{type(reason).__name__}: {reason}"[:300]
    return found


def bandwidths(library, effort, numbers):
    """Copying, scaling and adding, and summing large arrays."""
    found = {}
    for name, (moved, call) in movers(library, numbers).items():
        call()
        times = timing.measure(library, call, effort)
        found[f"{name}_bytes_per_second"] = moved / (times["event_seconds"] or times["seconds"])
    return found


def movers(library, numbers):
    """What moves arrays: bytes that are read and written, and a call, by name."""
    if hasattr(library, "xp"):
        return movers_of_arrays(library.xp, numbers)
    return movers_of_tensors(library.device, numbers)


def movers_of_arrays(xp, numbers):
    """With CuPy, or NumPy to rehearse."""
    x, y = xp.ones(numbers, np.float32), xp.ones(numbers, np.float32)
    if hasattr(xp, "ElementwiseKernel"):
        arguments = "float32 a, float32 x, float32 b", "float32 y", "y = a * x + b", "saxpy"
        kernel = xp.ElementwiseKernel(*arguments)
        saxpy = lambda: kernel(np.float32(0.5), x, y, y)  # noqa: E731
    else:
        saxpy = lambda: xp.add(0.5 * x, y, out=y)  # noqa: E731
    return {
        "copy": (8 * numbers, lambda: xp.copyto(y, x)),
        "saxpy": (12 * numbers, saxpy),
        "sum": (4 * numbers, lambda: x.sum()),
    }


def movers_of_tensors(device, numbers):
    """With PyTorch."""
    import torch

    x, y = torch.ones(numbers, device=device), torch.ones(numbers, device=device)
    return {
        "copy": (8 * numbers, lambda: y.copy_(x)),
        "saxpy": (12 * numbers, lambda: torch.add(y, x, alpha=0.5, out=y)),
        "sum": (4 * numbers, lambda: x.sum()),
    }


def launches(library, effort, numbers):
    """A launch with a synchronisation, and in a chain of kernels, with and without a graph."""
    launcher = launcher_of(library)
    if launcher is None:
        return {}
    chain = [repeated(launcher.tiny), launcher.graph(repeated(launcher.tiny))]
    return {
        "empty_latency_seconds": median_seconds(launcher, launcher.empty),
        "empty_in_chain_seconds": median_seconds(launcher, repeated(launcher.empty)) / CHAIN,
        "tiny_in_chain_seconds": median_seconds(launcher, chain[0]) / CHAIN,
        "tiny_in_graph_seconds": median_seconds(launcher, chain[1]) / CHAIN,
        "chain": CHAIN,
    }


def repeated(call):
    """A call that is a chain of calls."""

    def chain():
        for _ in range(CHAIN):
            call()

    return chain


def median_seconds(launcher, call):
    """From the call to its end, once it has run before."""
    seconds = []
    for _ in range(ROUNDS + 1):
        launcher.wait()
        start = time.perf_counter()
        call()
        launcher.wait()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])


def launcher_of(library):
    """Launches of a library; None without a GPU."""
    if not library.on_gpu:
        return None
    return cupy_launcher(library.xp) if hasattr(library, "xp") else torch_launcher(library.device)


def cupy_launcher(cupy):
    """Raw kernels on a stream of their own, which graphs are captured from."""
    code = cupy.RawModule(code=KERNELS)
    empty, tiny = code.get_function("empty"), code.get_function("tiny")
    x = cupy.zeros(1024, np.float32)
    cupy.cuda.get_current_stream().synchronize()
    stream = cupy.cuda.Stream(non_blocking=True)

    def graph(chain):
        with stream:
            tiny((4,), (256,), (x,))
            stream.synchronize()
            stream.begin_capture()
            chain()
            captured = stream.end_capture()
        return lambda: captured.launch(stream)

    def on_stream(kernel, blocks, threads, arguments):
        def call():
            with stream:
                kernel(blocks, threads, arguments)

        return call

    return types.SimpleNamespace(
        empty=on_stream(empty, (1,), (1,), ()),
        tiny=on_stream(tiny, (4,), (256,), (x,)),
        graph=graph,
        wait=stream.synchronize,
    )


def torch_launcher(device):
    """PyTorch has no empty kernels: an addition to one number comes closest."""
    import torch

    x, one = torch.zeros(1024, device=device), torch.zeros(1, device=device)

    def graph(chain):
        captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(captured):
            chain()
        return captured.replay

    return types.SimpleNamespace(
        empty=lambda: one.add_(1),
        tiny=lambda: x.add_(1),
        graph=graph,
        wait=torch.cuda.synchronize,
    )
