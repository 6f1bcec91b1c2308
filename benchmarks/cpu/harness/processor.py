"""Compiling for another processor than the one at hand: `--cpu` of the benchmark.

So a machine with AVX-512 shows how fast programs are without. comb, C and IREE take the
processor as an option; what makes the others do as if they ran on it is here. PyTorch's compiler
(`torch-compile`) cannot.
"""

from harness import c_build
from harness.settings import NATIVE

# The extensions with vectors, widest first.
VECTORS = ("avx512f", "avx2", "avx", "sse2")

# Libraries that choose their code when they run, told to do without AVX-512.
WITHOUT_AVX512 = {
    "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "OPENBLAS_CORETYPE": "HASWELL",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
NARROWER = {"avx512f": {}, "avx2": WITHOUT_AVX512}


def problem(cpu):
    """Why the peers cannot compile for a processor and run that here, or None."""
    if cpu == NATIVE:
        return None
    try:
        wanted, available = c_build.vector_extensions(cpu), c_build.vector_extensions(NATIVE)
    except (c_build.CompilerFailure, OSError) as reason:
        return str(reason)
    if wanted - available:
        return f"this processor has no {min(wanted - available)}, which '{cpu}' has"
    if widest(wanted) not in NARROWER:
        return f"'{cpu}' has no AVX2, and not all peers can do without"
    return None


def widest(extensions):
    """The extension with the widest vectors, or None."""
    return next((name for name in VECTORS if name in extensions), None)


def variables(cpu):
    """The environment variables that have peers compile for a processor."""
    if cpu == NATIVE:
        return {}
    return {
        **NARROWER[widest(c_build.vector_extensions(cpu))],
        "NUMBA_CPU_NAME": cpu,
        "NUMBA_CPU_FEATURES": "",
        "BH_OPENMP_COMPILER_CMD": "gcc -x c -fPIC -shared -std=gnu99 -O3 "
        f"-march={cpu} -Werror -fopenmp -I{{CONF_PATH}}/include {{IN}} -o {{OUT}}",
    }
