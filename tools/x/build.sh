# shellcheck shell=bash
# ./x build: set-up, then everything in release mode.

command_build() {
  (($# == 0)) || usage_error "build takes no '$1'"
  ensure_setup
  build || die 'the build failed (see above)'
  list_artefacts
}

ensure_setup() {
  ensure_packages
  ensure_rust
}

build() {
  cargo build --release --workspace
}

# Prints what the workspace's packages leave under target/release, and fails
# when something that cargo promises is not there.
list_artefacts() {
  cargo metadata --no-deps --format-version 1 |
    python "$ROOT/tools/x/artefacts.py" "$RELEASE"
}
