# shellcheck shell=bash
# ./x fuzz: random programs for as long as wanted.

command_fuzz() {
  local is_stablehlo=false
  if [[ ${1:-} == --stablehlo ]]; then
    is_stablehlo=true
    shift
  fi
  [[ $# == 2 && $1 == --seconds ]] || usage_error 'fuzz needs --seconds N'
  [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "'$2' is not a number of seconds"
  ensure_setup
  build || die 'the build failed (see above)'
  if [[ $is_stablehlo == true ]]; then
    ensure_virtual_environments
    python tools/stablehlo-fuzz/fuzz.py --comb "$RELEASE/comb" --seconds "$2" \
      --cache "${COMB_BENCH_CACHE:-$ROOT/target/bench}"
    return
  fi
  [[ -x $RELEASE/comb-fuzz ]] || die "$RELEASE/comb-fuzz was not built"
  exec "$RELEASE/comb-fuzz" --seconds "$2"
}
