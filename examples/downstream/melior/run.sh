#!/usr/bin/env bash
# Builds the example against this checkout (after ./x build), and runs it.
set -euo pipefail

here="$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
root="$(readlink -f -- "$here/../../..")"
cd -- "$here"

# With comb's versions of all crates, and in its target folder, cargo compiles
# what it has already compiled for comb only once. A project elsewhere has a
# lock file of its own.
cp -- "$root/Cargo.lock" Cargo.lock
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"
cargo build --release --quiet

release="$CARGO_TARGET_DIR/release"
llvm="${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}"
output="$("$release/melior-compiler" "$release/libcomb_runtime.so" "$llvm/lib/libomp.so")"
printf '%s\n' "$output" | "$llvm/bin/FileCheck" expected.txt
echo "ok examples/downstream/melior"
