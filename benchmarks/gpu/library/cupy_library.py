"""CuPy; with `fuse`, only the programs of which `cupy.fuse` makes parts one kernel. NumPy can stand
in for it, to rehearse."""

import importlib

import numpy as np

from gpu.library import array_modules, base


class Library(base.Library):
    """CuPy's arrays, or NumPy's."""

    def __init__(self, options, fuse=False):
        self.xp = importlib.import_module(options.array_module)
        self.on_gpu = options.array_module == "cupy"
        fusing = [self.fused] if fuse and self.on_gpu else []
        self.programs = array_modules.table(array_modules.Module(self.xp, *fusing), fuse)

    def fused(self, function, name):
        """The function as one kernel."""
        return self.xp.fuse(kernel_name=name)(function)

    def packages(self):
        return {self.xp.__name__: self.xp.__version__}

    def supports(self, name):
        if name not in self.programs:
            raise base.Unsupported("no part of it is fused")

    def prepare(self, name, arrays, sizes, simple=False):
        arguments = [*(self.xp.asarray(array) for array in arrays.values()), *sizes.values()]
        return base.Prepared(lambda: self.programs[name](*arguments))

    def synchronize(self, outputs):
        if self.on_gpu:
            self.xp.cuda.get_current_stream().synchronize()

    def fetch(self, outputs):
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        return [np.atleast_1d(self.in_numpy(output)) for output in outputs]

    def in_numpy(self, array):
        """NumPy's array of the module's, or of NumPy's own."""
        return array.get() if hasattr(array, "get") else np.asarray(array)

    def total(self, outputs):
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        return sum(float(abs(output).sum(dtype=np.float64)) for output in outputs)

    def release(self):
        if self.on_gpu:
            self.xp.get_default_memory_pool().free_all_blocks()

    def start_events(self):
        if not self.on_gpu:
            return None
        start, stop = (self.xp.cuda.Event() for _ in range(2))
        start.record()
        return start, stop

    def stop_events(self, events):
        if events is not None:
            events[1].record()
        return events

    def elapsed(self, events):
        return self.xp.cuda.get_elapsed_time(*events) / 1000
