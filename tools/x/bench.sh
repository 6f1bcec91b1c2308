# shellcheck shell=bash
# ./x bench fusion: how fast fusion problems are solved, against other solvers.

command_bench() {
  [[ ${1:-} == fusion ]] || usage_error 'bench needs to know what: fusion'
  shift
  local option
  for option in "$@"; do
    [[ $option == --quick ]] || usage_error "bench fusion takes no '$option'"
  done
  ensure_setup
  build || die 'the build failed (see above)'
  [[ -x $RELEASE/comb ]] || die "$RELEASE/comb was not built"
  python tools/x/bench_fusion.py --comb "$RELEASE/comb" --output "$ROOT/target/bench" "$@"
}
