# shellcheck shell=bash
# ./x demo: set-up, build, then the demonstration under examples/.

DEMO=examples/demo/run.sh

command_demo() {
  (($# == 0)) || usage_error "demo takes no '$1'"
  ensure_setup
  build || die 'the build failed (see above)'
  [[ -f $DEMO ]] || die "the demonstration $DEMO is missing"
  exec bash "$DEMO"
}
