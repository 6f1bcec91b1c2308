#!/usr/bin/env bash
# A combinator program that calls a function written in C: runs centre.mlir
# with that function in a shared library, then builds an executable with the
# function linked in, and looks at what both print.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
root=$(cd ../../.. && pwd)
comb="${COMB:-$root/target/release/comb}"
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# expect COMMAND…: runs it, and looks for the right result.
expect() {
  "$@" | tee "$work/output"
  grep -Fqx 'result: tensor<5xf32> = [-2.0 -1.0  0.0  1.0  2.0]' "$work/output" || {
    echo 'the result is wrong' >&2
    exit 1
  }
}

compile() {
  clang-22 -std=c11 -O2 -Wall -Wextra -Werror -fPIC -I "$root/tools/runtime/include" "$@"
}

compile -shared median.c -o "$work/libmedian.so"
expect "$comb" run centre.mlir --shared-lib "$work/libmedian.so" -i xs=iota:f32[5]

compile -c median.c -o "$work/median.o"
"$comb" build centre.mlir --link "$work/median.o" -o "$work/centre"
expect "$work/centre" -i xs=iota:f32[5]
