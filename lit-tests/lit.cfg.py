# Configuration of the FileCheck tests; run as `lit lit-tests`.
#
# What is tested is taken from target/release, or from the folder named by
# `--param COMB_BUILD=…` or the environment variable COMB_BUILD. The tools
# around it (FileCheck, not, count, split-file, mlir-opt, mlir-runner, …) are
# those of LLVM 22.

import os
import shlex
import shutil
import sys

SOURCE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, SOURCE)

import quoted_paths  # noqa: E402

ROOT = os.path.dirname(SOURCE)


def setting(name, default):
    return lit_config.params.get(name) or os.environ.get(name) or default


build = os.path.abspath(setting("COMB_BUILD", os.path.join(ROOT, "target", "release")))
llvm = setting("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
llvm_tools = os.path.join(llvm, "bin")
llvm_libraries = os.path.join(llvm, "lib")

for program in (
    os.path.join(build, "comb-opt"),
    os.path.join(llvm_tools, "FileCheck"),
):
    if not os.access(program, os.X_OK):
        lit_config.fatal(f"{program} is missing: run ./x build")

config.name = "comb"
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_format = quoted_paths.ShTest(execute_external=False)
config.test_source_root = SOURCE
config.test_exec_root = os.path.join(build, "lit")

# Nothing of the surroundings but what programs need to start.
path = os.pathsep.join([build, llvm_tools, "/usr/local/bin", "/usr/bin", "/bin"])
config.environment = {"PATH": path, "LC_ALL": "C.UTF-8", "COMB_CACHE": "off"}
for variable in ("HOME", "TMPDIR", "LD_LIBRARY_PATH"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# `--param long=1` adds the tests that take minutes: `REQUIRES: long`.
if lit_config.params.get("long") == "1":
    config.available_features.add("long")

# `--param ptxas=…`, or the variable COMB_PTXAS, is NVIDIA's assembler, which the package nvidia-cuda-nvcc-cu12 of PyPI has:
# `REQUIRES: ptxas`.
ptxas = setting("ptxas", os.environ.get("COMB_PTXAS")) or shutil.which("ptxas") or ""
if ptxas:
    config.available_features.add("ptxas")

# `--param watcher=…` has `comb-fuzz same` watch compiled programs.
watcher = lit_config.params.get("watcher")
if watcher:
    config.environment["COMB_WATCHER"] = watcher

runtime_libraries = ",".join(
    [
        os.path.join(build, "libcomb_runtime.so"),
        os.path.join(llvm_libraries, "libmlir_runner_utils.so"),
        os.path.join(llvm_libraries, "libmlir_c_runner_utils.so"),
        os.path.join(llvm_libraries, "libomp.so.5"),
    ]
)

substitutions = {
    # The plugin that a stock mlir-opt loads.
    "%comb_plugin": os.path.join(build, "libcomb_plugin.so"),
    # The mlir-opt that knows nothing of comb.
    "%mlir_opt": os.path.join(llvm_tools, "mlir-opt"),
    "%llvm": llvm,
    # What `mlir-runner --shared-libs=` needs.
    "%shlibs": runtime_libraries,
    "%comb_build": build,
    "%comb_root": ROOT,
    "%ptxas": ptxas,
    "%python": sys.executable,
}
config.substitutions += [(name, shlex.quote(value)) for name, value in substitutions.items()]
