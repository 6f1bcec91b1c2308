#!/usr/bin/env bash
# A C program that calls a combinator program: makes a shared library of
# radix-sort.mlir, links main.c with it, runs it, and looks at what it prints.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
root=$(cd ../../.. && pwd)
comb="${COMB:-$root/target/release/comb}"
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

"$comb" build "$root/examples/radix-sort.mlir" -o "$work/libsort.so"
clang-22 -std=c11 -O2 -Wall -Wextra -Werror -I "$work" main.c \
  -L "$work" -lsort -Wl,-rpath,"$work" -o "$work/sort"
"$work/sort" 30 7 2026 7 0 | tee "$work/output"
diff - "$work/output" <<'OUTPUT'
0 was argument 5
7 was argument 2
7 was argument 4
30 was argument 1
2026 was argument 3
OUTPUT
