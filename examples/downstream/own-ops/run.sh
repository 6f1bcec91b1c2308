#!/usr/bin/env bash
# Builds a dialect with array ops of its own (with comb from this checkout,
# after ./x build), loads it into mlir-opt beside comb, and looks at what is
# fused and computed.
set -euo pipefail

here="$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
root="$(readlink -f -- "$here/../../..")"
llvm="${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}"
folder="${CARGO_TARGET_DIR:-$root/target}/downstream"
release="${CARGO_TARGET_DIR:-$root/target}/release"
mkdir -p -- "$folder"
cd -- "$here"

# Runs a command quietly; shows what it said if it fails.
quietly() { "$@" >"$folder/log" 2>&1 || { cat -- "$folder/log"; exit 1; }; }

build="$folder/own-ops"
quietly cmake -G Ninja -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_COMPILER="$llvm/bin/clang" -DCMAKE_CXX_COMPILER="$llvm/bin/clang++" \
  -DComb_DIR="$root/cmake"
quietly cmake --build "$build"

# optimise PIPELINE FILE OPTION…
optimise() {
  local pipeline=$1
  shift
  "$llvm/bin/mlir-opt" \
    --load-dialect-plugin="$release/libcomb_plugin.so" \
    --load-dialect-plugin="$build/libstats.so" \
    --load-pass-plugin="$release/libcomb_plugin.so" \
    --pass-pipeline="builtin.module($pipeline)" "$@"
}

optimise comb-fuse norm.mlir | "$llvm/bin/FileCheck" norm.mlir --check-prefix=FUSED
optimise comb-cpu norm.mlir | "$llvm/bin/FileCheck" norm.mlir --check-prefix=CODE
optimise comb-expand-ops norm.mlir >"$build/expanded.mlir"
"$release/comb" run "$build/expanded.mlir" -i 'arg0=[3.0,4.0]' |
  "$llvm/bin/FileCheck" norm.mlir --check-prefix=RESULT
optimise comb-expand-ops mistaken.mlir --split-input-file --verify-diagnostics \
  -o "$build/mistaken.mlir"
echo "ok examples/downstream/own-ops"
