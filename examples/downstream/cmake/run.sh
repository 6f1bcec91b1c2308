#!/usr/bin/env bash
# Builds the example against this checkout (after ./x build), and runs it.
# With the argument PREFIX: against comb installed under PREFIX.
set -euo pipefail

here="$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
root="$(readlink -f -- "$here/../../..")"
llvm="${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}"
build="${CARGO_TARGET_DIR:-$root/target}/downstream/cmake"
location=(-DComb_DIR="$root/cmake")
if (($# > 0)); then
  build="$build-installed"
  location=(-DCMAKE_PREFIX_PATH="$1" -UComb_DIR)
fi

run() { "$@" >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }; }

mkdir -p -- "$build"
run cmake -G Ninja -S "$here" -B "$build" "${location[@]}" \
  -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_COMPILER="$llvm/bin/clang" -DCMAKE_CXX_COMPILER="$llvm/bin/clang++"
run cmake --build "$build"

cd -- "$here"
"$build/tiny-compiler" dot-product.mlir 2>&1 | "$llvm/bin/FileCheck" dot-product.mlir
if "$build/tiny-compiler" wrong-types.mlir 2>"$build/errors"; then
  echo "tiny-compiler accepts wrong-types.mlir"
  exit 1
fi
"$llvm/bin/FileCheck" wrong-types.mlir <"$build/errors"
"$build/c-compiler" dot-product.mlir | "$llvm/bin/FileCheck" dot-product.mlir --check-prefix=DIALECT
echo "ok examples/downstream/cmake"
