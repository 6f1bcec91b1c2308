#!/usr/bin/env bash
# Builds the example with comb from this checkout (after ./x build), then with
# an installed comb, and runs it.
set -euo pipefail

here="$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
root="$(readlink -f -- "$here/../../..")"
llvm="${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}"
folder="${CARGO_TARGET_DIR:-$root/target}/downstream"
mkdir -p -- "$folder"
cd -- "$here"

# Runs a command quietly; shows what it said if it fails.
quietly() { "$@" >"$folder/log" 2>&1 || { cat -- "$folder/log"; exit 1; }; }

# build FOLDER CMAKE-OPTION…
build() {
  local build=$1
  shift
  quietly cmake -G Ninja -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$llvm/bin/clang" \
    -DCMAKE_CXX_COMPILER="$llvm/bin/clang++" "$@"
  quietly cmake --build "$build"
}

check() {
  local build=$1
  "$build/tiny-compiler" dot-product.mlir 2>&1 | "$llvm/bin/FileCheck" dot-product.mlir
  "$build/c-compiler" dot-product.mlir | "$llvm/bin/FileCheck" dot-product.mlir --check-prefix=DIALECT
  if "$build/tiny-compiler" wrong-types.mlir 2>"$build/errors"; then
    echo "tiny-compiler accepts wrong-types.mlir"
    exit 1
  fi
  "$llvm/bin/FileCheck" wrong-types.mlir <"$build/errors"
}

build "$folder/cmake" -DComb_DIR="$root/cmake"
check "$folder/cmake"
echo "ok examples/downstream/cmake, from the checkout"

quietly "$root/cmake/install.sh" "$folder/prefix"
build "$folder/cmake-installed" -UComb_DIR -DCMAKE_PREFIX_PATH="$folder/prefix"
check "$folder/cmake-installed"
grep -q "^Comb_DIR:PATH=$folder/prefix/" "$folder/cmake-installed/CMakeCache.txt"
echo "ok examples/downstream/cmake, installed"
