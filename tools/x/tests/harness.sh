# shellcheck shell=bash
# What the tests of ./x share: a scratch repository in a folder whose name has
# a blank, fake system tools on PATH, and checks on what a command did.

SOURCE="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd -P)"
SCRATCH="$(mktemp -d)"
trap 'rm -rf -- "$SCRATCH"' EXIT
REPOSITORY="$SCRATCH/a repository"
TESTS_FAILED=0

# begin: a fresh scratch repository, on a machine that passes for Debian 12.
begin() {
  rm -rf -- "$REPOSITORY" "$SCRATCH/state"
  mkdir -p -- "$REPOSITORY/tools" "$SCRATCH/state"
  cp -- "$SOURCE/x" "$REPOSITORY/"
  cp -r -- "$SOURCE/tools/x" "$REPOSITORY/tools/"
  printf '/target\n' >"$REPOSITORY/.gitignore"
  printf '[workspace.package]\nrust-version = "1.88"\n' >"$REPOSITORY/Cargo.toml"
  git -C "$REPOSITORY" init -q
  redefine requirements 'is_debian_12() { true; }'
  COMMAND="$REPOSITORY/x"
  # Neither a cargo of the user's nor rustup takes part.
  FAKES=(FAKE_STATE="$SCRATCH/state" HOME="$SCRATCH"
    PATH="$SOURCE/tools/x/tests/fake:/usr/bin:/bin" CI=true)
}

# redefine FILE TEXT: the scratch repository's tools/x/FILE.sh ends with TEXT.
redefine() { printf '%s\n' "$2" >>"$REPOSITORY/tools/x/$1.sh"; }

# file NAME TEXT: a file of the scratch repository. TEXT may hold \n.
file() {
  mkdir -p -- "$REPOSITORY/$(dirname -- "$1")"
  printf '%b' "$2" >"$REPOSITORY/$1"
}

# fakes NAME=VALUE…: what the fake tools are to do.
fakes() { FAKES+=("$@"); }

# x ARGUMENT…: runs the scratch repository's script from another folder.
x() {
  CODE=0
  OUTPUT=$(cd / && env -u RUSTUP_TOOLCHAIN "${FAKES[@]}" "$COMMAND" "$@" 2>&1 </dev/null) || CODE=$?
}

# The calls of apt-get, dpkg and curl that were made.
calls() { cat -- "$SCRATCH/state/calls" 2>/dev/null || true; }

# expect CODE TEXT…: the code, and texts that the output must hold.
expect() {
  local text
  [[ $CODE == "$1" ]] || wrong "exit code $CODE instead of $1"
  shift
  for text in "$@"; do
    [[ $OUTPUT == *"$text"* ]] || wrong "no '$text' in what it printed"
  done
}

refuse() {
  local text
  for text in "$@"; do
    [[ $OUTPUT != *"$text"* ]] || wrong "'$text' in what it printed"
  done
}

expect_last_line() {
  [[ ${OUTPUT##*$'\n'} == "$1" ]] || wrong "the last line is not '$1'"
}

expect_calls() {
  [[ $(calls) == "$1" ]] || wrong "calls: $(calls)"$'\n'"instead of: $1"
}

wrong() { PROBLEMS+=("$1"); }

# run_tests: every function whose name begins with test_.
run_tests() {
  local test
  for test in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p'); do
    PROBLEMS=() OUTPUT='' CODE=0
    begin
    "$test"
    if ((${#PROBLEMS[@]} == 0)); then
      printf 'ok   script: %s\n' "${test#test_}"
    else
      printf 'FAIL script: %s\n' "${test#test_}"
      printf '  %s\n' "${PROBLEMS[@]}"
      printf '%s\n' "$OUTPUT" | sed 's/^/  > /'
      TESTS_FAILED=$((TESTS_FAILED + 1))
    fi
  done
  ((TESTS_FAILED == 0))
}
