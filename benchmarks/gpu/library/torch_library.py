"""PyTorch, through its compiler or operation by operation."""

import functools
import time

import torch

from gpu.library import base
from peers.torch_peer import fetch
from peers.torch_programs import OF_NOTHING, PROGRAMS, TOO_LONG_TO_UNROLL

# An upper bound of what a reason is quoted of.
QUOTED = 200


class Library(base.Library):
    """PyTorch on one device; with `compile`, a program is compiled for its shapes."""

    def __init__(self, options, compile=False):
        self.device = torch.device("cuda" if options.device == "gpu" else "cpu")
        self.on_gpu = self.device.type == "cuda"
        self.compile = compile
        torch.set_grad_enabled(False)
        if self.on_gpu:
            torch.zeros(1, device=self.device)

    def packages(self):
        return {"torch": torch.__version__, "triton": version_of_triton()}

    def prepare(self, name, arrays, sizes, simple=False):
        tensors = [torch.from_numpy(array).to(self.device) for array in arrays.values()]
        arguments = [*tensors, *sizes.values()]
        eager = PROGRAMS[name]
        if name in OF_NOTHING:
            eager = functools.partial(eager, device=self.device)
        if not self.compile:
            return base.Prepared(lambda: eager(*arguments), 0.0)
        if simple or name in TOO_LONG_TO_UNROLL:
            remark = "not compiled: " + ("took too long" if simple else "would unroll its loop")
            return base.Prepared(lambda: eager(*arguments), 0.0, remark)
        return compiled_or_eager(eager, arguments)

    def synchronize(self, outputs):
        if self.on_gpu:
            torch.cuda.synchronize()

    def fetch(self, outputs):
        return fetch(outputs)

    def total(self, outputs):
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        return sum(float(output.double().abs().sum()) for output in outputs)

    def release(self):
        torch._dynamo.reset()
        if self.on_gpu:
            torch.cuda.empty_cache()

    def start_events(self):
        if not self.on_gpu:
            return None
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        return start, stop

    def stop_events(self, events):
        if events is not None:
            events[1].record()
        return events

    def elapsed(self, events):
        return events[0].elapsed_time(events[1]) / 1000


def compiled_or_eager(eager, arguments):
    """The program through the compiler; if that fails, without it."""
    function = torch.compile(eager, dynamic=False)
    start = time.perf_counter()
    try:
        function(*arguments)
    except Exception as reason:  # a compiler may fail in any way
        text = " ".join(f"{type(reason).__name__}: {reason}".split())[:QUOTED]
        return base.Prepared(lambda: eager(*arguments), 0.0, f"not compiled: {text}")
    return base.Prepared(lambda: function(*arguments), time.perf_counter() - start)


def version_of_triton():
    """The version of the compiler that PyTorch's one writes code for, or None."""
    try:
        import triton
    except ImportError:
        return None
    return triton.__version__
