#!/usr/bin/env bash
# Builds the example against this checkout (after ./x build), and runs it.
set -euo pipefail

here="$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
root="$(readlink -f -- "$here/../../..")"
cd -- "$root"

# The whole workspace, so that the features are those of ./x build, which has built it already.
cargo build --release --workspace --quiet

release="${CARGO_TARGET_DIR:-target}/release"
llvm="${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}"
output="$("$release/melior-compiler" "$release/libcomb_runtime.so" "$llvm/lib/libomp.so")"
printf '%s\n' "$output" | "$llvm/bin/FileCheck" "$here/expected.txt"
echo "ok examples/downstream/melior"
