# shellcheck shell=bash
# What every subcommand uses: places, messages, and running something long with
# its output in a log file.

# shellcheck disable=SC2034 # used by the other files
LLVM=/usr/lib/llvm-22
RELEASE="$ROOT/target/release"
LOGS="$ROOT/target/x/logs"

# The tests, the docs and the tools look for what was built in target/.
export CARGO_TARGET_DIR="$ROOT/target"

# cargo as rustup installs it, for shells whose profile does not name it yet.
if [[ -n ${HOME:-} && -d $HOME/.cargo/bin ]]; then
  PATH="$PATH:$HOME/.cargo/bin"
fi

if [[ ${CI:-} == true || ! -t 1 ]]; then
  PLAIN=true
  export CARGO_TERM_PROGRESS_WHEN=never CARGO_TERM_COLOR=never
else
  # shellcheck disable=SC2034 # used by the other files
  PLAIN=false
fi

# say LINE…
say() { printf '%s\n' "$@"; }

complain() { printf 'x: %s\n' "$*" >&2; }

die() {
  complain "$*"
  exit 1
}

is_root() { [[ $(id -u) == 0 ]]; }

# Debian's own Python, which Debian's lit and its modules belong to.
python() {
  if [[ -x /usr/bin/python3 ]]; then
    /usr/bin/python3 "$@"
  else
    python3 "$@"
  fi
}

# version_at_least VERSION MINIMUM: compares dotted numbers.
version_at_least() {
  [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]
}

# The files git tracks or would track, NUL-separated, that match the given
# pathspecs and exist. The clone may belong to another user than the one who
# runs this (as in containers), hence safe.directory.
source_files() {
  git -c safe.directory="$ROOT" -C "$ROOT" ls-files -z --cached --others \
    --exclude-standard --deduplicate -- "$@" |
    while IFS= read -r -d '' file; do
      [[ -f $ROOT/$file ]] && printf '%s\0' "$file"
    done || true
}

make_log_folder() {
  mkdir -p -- "$LOGS" 2>/dev/null ||
    die "cannot write to $ROOT/target: change its owner or permissions"
}

# logged LOG COMMAND…: runs the command (which may be a function) with its
# output in LOG. On a terminal the log's last line is shown while it runs.
logged() {
  local log=$1 status=0
  shift
  : >"$log"
  start_ticker "$log"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  stop_ticker
  return "$status"
}

TICKER=
start_ticker() {
  [[ $PLAIN == false ]] || return 0
  (
    width=$(tput cols 2>/dev/null || printf 80)
    while sleep 0.5; do
      line=$(tail -n 1 -- "$1" | tr -d '\r\033')
      printf '\r\033[K  %s' "${line:0:width-3}"
    done
  ) &
  TICKER=$!
  trap stop_ticker EXIT
}

stop_ticker() {
  [[ -n $TICKER ]] || return 0
  kill "$TICKER" 2>/dev/null || true
  wait "$TICKER" 2>/dev/null || true
  TICKER=
  printf '\r\033[K'
}

# show_log LOG: the end of a failed step's log, indented.
show_log() {
  local lines
  lines=$(wc -l <"$1")
  if ((lines > 600)); then
    say "  (the last 600 of $lines lines; all of them: $1)"
  fi
  tail -n 600 -- "$1" | sed 's/^/  | /'
}
