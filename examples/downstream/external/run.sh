#!/usr/bin/env bash
# A combinator program that calls a function written in C. Builds that function
# as a shared library, runs centre.mlir with it, and looks at the result.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
root=$(cd ../../.. && pwd)
comb="${COMB:-$root/target/release/comb}"
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

clang-22 -std=c11 -O2 -Wall -Werror -shared -fPIC -I "$root/tools/runtime/include" \
  median.c -o "$work/libmedian.so"
"$comb" run centre.mlir --shared-lib "$work/libmedian.so" -i xs=iota:f32[5] | tee "$work/output"
grep -Fqx 'result: tensor<5xf32> = [-2.0 -1.0  0.0  1.0  2.0]' "$work/output" || {
  echo 'the result is wrong' >&2
  exit 1
}
