# shellcheck shell=bash
# ./x bench fusion: how fast fusion problems are solved, against other solvers.
# ./x bench math: how accurate and how fast functions are, against the C library.

command_bench() {
  local what=${1:-}
  case $what in
    fusion | math) shift ;;
    *) usage_error 'bench needs to know what: fusion, math' ;;
  esac
  local option
  for option in "$@"; do
    [[ $what == fusion && $option == --quick ]] || usage_error "bench $what takes no '$option'"
  done
  ensure_setup
  build || die 'the build failed (see above)'
  "bench_$what" "$@"
}

bench_fusion() {
  [[ -x $RELEASE/comb ]] || die "$RELEASE/comb was not built"
  python tools/x/bench_fusion.py --comb "$RELEASE/comb" --output "$ROOT/target/bench" "$@"
}

bench_math() {
  [[ -x $RELEASE/comb-opt ]] || die "$RELEASE/comb-opt was not built"
  python tools/x/math_accuracy.py --build "$RELEASE" --llvm "$LLVM" --page docs/src/math.md
}
