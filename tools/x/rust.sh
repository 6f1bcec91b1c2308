# shellcheck shell=bash
# The Rust toolchain: is it new enough, and installing it through rustup.

RUSTUP_COMMAND="curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal -c rustfmt -c clippy"
RUSTUP_UPDATE_COMMAND='rustup toolchain install stable --profile minimal -c rustfmt -c clippy'
RUSTUP_COMPONENT_COMMAND='rustup component add rustfmt clippy'

# What a person types to get what is missing of Rust.
rust_command() {
  if rust_is_new_enough; then
    say "$RUSTUP_COMPONENT_COMMAND"
  elif type -P rustup >/dev/null; then
    say "$RUSTUP_UPDATE_COMMAND"
  else
    say "$RUSTUP_COMMAND"
  fi
}

required_rust_version() {
  sed -n 's/^rust-version *= *"\(.*\)".*/\1/p' "$ROOT/Cargo.toml" | head -n 1
}

# The version of the cargo that runs here, or nothing.
cargo_version() {
  (cd -- "$ROOT" && cargo --version 2>/dev/null) | cut -d' ' -f2
}

rust_is_new_enough() {
  local version
  version=$(cargo_version) || true
  [[ -n $version ]] && version_at_least "$version" "$(required_rust_version)"
}

ensure_rust() {
  rust_is_new_enough && return
  if type -P rustup >/dev/null; then
    # Leaves the default toolchain alone; only this script uses `stable`.
    export RUSTUP_TOOLCHAIN=stable
    rust_is_new_enough && return
    obtain_rust "$RUSTUP_UPDATE_COMMAND" update_rust
  else
    obtain_rust "$RUSTUP_COMMAND" install_rustup
  fi
}

# obtain_rust COMMAND FUNCTION: root runs the function; others read the command.
obtain_rust() {
  local version
  version=$(cargo_version) || true
  complain "Rust $(required_rust_version) or newer is needed; found: ${version:-none}."
  complain 'This installs it:'
  complain ''
  complain "  $1"
  complain ''
  is_root || die 'run it, then run the same command again'
  make_log_folder
  say 'Running it.'
  if ! logged "$LOGS/rust.log" "$2" || ! rust_is_new_enough; then
    show_log "$LOGS/rust.log" >&2
    die 'Rust could not be installed: check the network, or install it by hand (https://rustup.rs)'
  fi
}

# The download is a step of its own so that its failure is seen.
install_rustup() {
  local installer status=0
  installer=$(mktemp) || return
  curl --proto '=https' --tlsv1.2 -sSf --max-time 60 -o "$installer" https://sh.rustup.rs &&
    sh "$installer" -y --profile minimal -c rustfmt -c clippy || status=$?
  rm -f -- "$installer"
  PATH="$PATH:$HOME/.cargo/bin"
  return "$status"
}

update_rust() { $RUSTUP_UPDATE_COMMAND; }

has_lint_components() {
  cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1
}

ensure_lint_components() {
  has_lint_components && return
  type -P rustup >/dev/null || die 'rustfmt and clippy are missing: install the packages that belong to your cargo'
  is_root || die "rustfmt or clippy is missing. Run: $RUSTUP_COMPONENT_COMMAND"
  $RUSTUP_COMPONENT_COMMAND || die "this failed: $RUSTUP_COMPONENT_COMMAND"
}
