# shellcheck shell=bash
# ./x fuzz: random programs for as long as wanted.

command_fuzz() {
  [[ $# == 2 && $1 == --seconds ]] || usage_error 'fuzz needs --seconds N'
  [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "'$2' is not a number of seconds"
  ensure_setup
  build || die 'the build failed (see above)'
  [[ -x $RELEASE/comb-fuzz ]] || die "$RELEASE/comb-fuzz was not built"
  exec "$RELEASE/comb-fuzz" --seconds "$2"
}
