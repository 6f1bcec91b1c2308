# shellcheck shell=bash
# ./x lint: one function per check. A check prints what is wrong, with places,
# and fails; it also fails when it finds nothing at all to check.

# The checks that run. A name left out here is a check that is off.
LINT_CHECKS=(
  rustfmt
  clippy
  clang_format
  lit_headers
  reference
  links
  rooms
  semantics
  text
  cxx_share
  rebuild
)

# Hand-written C and C++ must stay below this share of the code, in percent.
CXX_SHARE_LIMIT=10

command_lint() {
  local check status=0
  local checks=("${LINT_CHECKS[@]}")
  if [[ ${1:-} == --fix ]]; then
    (($# == 1)) || usage_error "lint --fix takes no '$2'"
    ensure_setup
    ensure_lint_components
    fix_format
    return
  fi
  if (($# > 0)); then
    checks=("$@")
    for check in "$@"; do
      declare -F "lint_$check" >/dev/null || usage_error "lint has no check '$check'"
    done
  fi
  ensure_setup
  ensure_lint_components
  run_lint "${checks[@]}" || status=1
  ((status == 0)) || complain 'lint found something to mend (see above)'
  return "$status"
}

# Runs the checks named; prints `ok` or `FAIL` for each, which ./x test counts.
run_lint() {
  local check log status=0
  make_log_folder
  for check in "$@"; do
    log="$LOGS/lint-$check.log"
    if logged "$log" "lint_$check"; then
      say "ok   lint: $check$(lint_remark "$log")"
    else
      show_log "$log"
      say "FAIL lint: $check"
      status=1
    fi
  done
  return "$status"
}

# A passing check's last line, when the check has something to say.
lint_remark() {
  local last
  last=$(grep '^remark: ' "$1" | tail -n 1 || true)
  [[ -z $last ]] || printf ' (%s)' "${last#remark: }"
}

lint_rustfmt() {
  local status=0
  cargo fmt --all -- --check --color never || status=1
  rust_examples | xargs -0 -r rustfmt --check --color never || status=1
  return "$status"
}

# Rust files that belong to no package of the workspace.
rust_examples() { source_files 'examples/*.rs'; }

# In the profile everything else is built in: build scripts and native
# libraries of the dependencies are then not built a second time.
lint_clippy() {
  cargo clippy --release --workspace --all-targets -- -D warnings
}

lint_clang_format() {
  local files
  mapfile -d '' -t files < <(cxx_files)
  something_to_check "${#files[@]}" 'C++ files' || return
  clang-format-22 --dry-run --Werror "${files[@]}"
}

cxx_files() { source_files '*.h' '*.cpp' '*.c'; }

# Formats the Rust and C++ files in place.
fix_format() {
  cargo fmt --all
  rust_examples | xargs -0 -r rustfmt
  cxx_files | xargs -0 -r clang-format-22 -i
}

# lit passes over files without a RUN line in silence.
lit_tests_without_run() {
  grep -L 'RUN:' -- "$@" || true
}

lint_lit_headers() {
  local files without
  mapfile -d '' -t files < <(source_files 'lit-tests/*.mlir' ':!lit-tests/**/Inputs/*')
  something_to_check "${#files[@]}" 'tests under lit-tests/' || return
  without=$(lit_tests_without_run "${files[@]}")
  [[ -n $without ]] || return 0
  say 'These tests have no RUN line, so they test nothing:'
  say "$without"
  return 1
}

lint_reference() {
  check_reference
}

lint_links() {
  local files
  mapfile -d '' -t files < <(source_files README.md 'docs/*.md')
  something_to_check "${#files[@]}" 'Markdown pages' || return
  python tools/x/links.py "${files[@]}"
}

# Crates of passes use those of lower levels.
lint_rooms() {
  python tools/x/rooms.py docs/src/architecture.md passes
}

# Every statement of the page on semantics is cited by a test.
lint_semantics() {
  local tests
  mapfile -d '' -t tests < <(source_files 'lit-tests/*.mlir' 'lit-tests/*.test' '*/tests/*.rs')
  something_to_check "${#tests[@]}" 'tests' || return
  python tools/x/semantics.py docs/src/semantics.md "${tests[@]}"
}

lint_text() {
  source_files '*' | python tools/x/text.py
}

lint_cxx_share() {
  source_files '*' | python tools/x/cxx_share.py "$CXX_SHARE_LIMIT"
}

# A build right after a build has nothing to do; a build script that always
# runs again would cost seconds in every command.
lint_rebuild() {
  local second
  build || return
  second=$(cargo build --release --workspace 2>&1) || return
  say "$second"
  [[ $second != *Compiling* ]]
}

something_to_check() {
  (($1 > 0)) || { say "there are no $2 to check"; return 1; }
}
