# shellcheck shell=bash
# ./x install: copies what was built to a prefix, for CMake and for use without
# the checkout.

command_install() {
  (($# == 1)) || usage_error 'install takes one folder, the prefix'
  ensure_setup
  build || die 'the build failed (see above)'
  bash cmake/install.sh "$1"
  say "Installed to $1."
}
