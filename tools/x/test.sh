# shellcheck shell=bash
# ./x test: set-up, build, then the stages one after another. A stage is a
# function stage_NAME that runs with its output in a log, sets stage_passed and
# stage_failed, and returns non-zero when anything failed.

# The stages that run, in this order. A name left out here is a stage that is
# off. A stage that is on fails when what it tests is missing.
TEST_STAGES=(
  script
  cargo
  lit
  tutorial
  examples
  disabled
  between
  gpu
  benchmark
  downstream
  fuzz
  stablehlo
  lint
)

# The stages that --long adds.
LONG_STAGES=(
  address
  thread
  valgrind
  runtime
  accuracy
)

# The pages whose commands stage_tutorial runs; other pages that have commands
# are added to them.
TUTORIAL_PAGES=(README.md docs/src/tutorial.md)

FUZZ_SEEDS=200
FUZZ_SEEDS_LONG=5000
FUZZ_SEEDS_WATCHED=300
FUZZ_SEEDS_GPU=100
FUZZ_SEEDS_STABLEHLO=30
FUZZ_SEEDS_STABLEHLO_LONG=1000

# How many optional transformations are switched off for each run of an example, besides all.
DISABLED_SAMPLE=2

# How many insertions of a pass into the compiler are tried for each run of an example.
BETWEEN_SAMPLE=10

# For how many random programs of each kind some insertions are tried.
BETWEEN_SEEDS=20
BETWEEN_SEEDS_LONG=2000

# Of how many random graphs of each kind fusion is compared with brute force.
RANDOM_GRAPHS_LONG=5000

# How many arguments of functions are tried besides all of one f32.
ACCURACY_ARGUMENTS=2000000

# One lit test may take this many seconds before it counts as hanging.
LIT_TEST_LIMIT=300
LIT_TEST_LIMIT_WATCHED=3000

command_test() {
  local stages=("${TEST_STAGES[@]}")
  TEST_LONG=false
  TEST_FILTERS=()
  parse_test_arguments "$@"
  if needs_long_packages; then
    APT_PACKAGES+=("${LONG_PACKAGES[@]}")
    REQUIRED_FILES+=("${LONG_FILES[@]}")
    REQUIRED_COMMANDS+=("${LONG_COMMANDS[@]}")
  fi
  make_log_folder
  # No test uses what another or the user left behind.
  export COMB_CACHE=off
  ensure_setup
  ensure_lint_components
  total_passed=0 total_failed=0 failed_stages=()
  local stage
  if build; then
    for stage in "${stages[@]}"; do
      run_stage "$stage"
    done
  else
    total_failed=1 failed_stages=(build)
  fi
  summarise
}

# Sets TEST_LONG, TEST_FILTERS and the caller's `stages`. A filter that is no
# stage's name selects tests by name, in the stages that can.
parse_test_arguments() {
  local argument chosen=()
  for argument in "$@"; do
    case $argument in
      --long) TEST_LONG=true ;;
      -*) usage_error "test takes no '$argument'" ;;
      *)
        if declare -F "stage_$argument" >/dev/null; then
          chosen+=("$argument")
        else
          TEST_FILTERS+=("$argument")
        fi
        ;;
    esac
  done
  if ((${#chosen[@]} > 0)); then
    stages=("${chosen[@]}")
  elif ((${#TEST_FILTERS[@]} > 0)); then
    stages=()
    for argument in "${TEST_STAGES[@]}"; do
      case $argument in cargo | lit) stages+=("$argument") ;; esac
    done
  elif [[ $TEST_LONG == true ]]; then
    stages+=("${LONG_STAGES[@]}")
  fi
}

# Whether there is a long test among the caller's `stages`.
needs_long_packages() {
  local stage
  [[ $TEST_LONG == false ]] || return 0
  for stage in "${stages[@]}"; do
    [[ " ${LONG_STAGES[*]} " != *" $stage "* ]] || return 0
  done
  return 1
}

run_stage() {
  local name=$1 log="$LOGS/$1.log" status=0 begin=$SECONDS
  stage_passed=0 stage_failed=0 stage_remark=
  say "== $name"
  logged "$log" "stage_$name" || status=$?
  if ((status != 0 && stage_failed == 0)); then
    stage_failed=1
  fi
  if ((stage_failed > 0)); then
    show_log "$log"
    failed_stages+=("$name")
  fi
  total_passed=$((total_passed + stage_passed))
  total_failed=$((total_failed + stage_failed))
  say "   $stage_passed passed, $stage_failed failed${stage_remark:+, $stage_remark} ($((SECONDS - begin)) s)"
}

summarise() {
  say ''
  if ((${#failed_stages[@]} > 0)); then
    say "Failed stages: ${failed_stages[*]}. Logs: $LOGS"
  elif ((total_passed == 0)); then
    say 'No test ran.'
  fi
  say "$total_passed passed, $total_failed failed"
  ((total_failed == 0 && total_passed > 0))
}

# Counts the `ok` and `FAIL` lines of a stage's log.
count_marks() {
  stage_passed=$(grep -c '^ok ' "$1") || true
  stage_failed=$(grep -c '^FAIL ' "$1") || true
}

stage_script() {
  local status=0
  bash tools/x/tests/run.sh || status=$?
  count_marks "$LOGS/script.log"
  return "$status"
}

stage_cargo() {
  local status=0
  local arguments=("${TEST_FILTERS[@]}")
  if [[ $TEST_LONG == true ]]; then
    arguments+=(--include-ignored)
    local -x COMB_RANDOM_GRAPHS=$RANDOM_GRAPHS_LONG
  fi
  cargo test --release --workspace --no-fail-fast -- "${arguments[@]}" || status=$?
  count_cargo "$LOGS/cargo.log"
  return "$status"
}

# count_cargo LOG: counts what cargo test says.
count_cargo() {
  local ignored
  read -r stage_passed stage_failed ignored < <(awk '
    /^test result:/ {
      for (i = 2; i <= NF; i++) {
        if ($i ~ /^passed/) passed += $(i - 1)
        if ($i ~ /^failed/) failed += $(i - 1)
        if ($i ~ /^ignored/) ignored += $(i - 1)
      }
    }
    END { print passed + 0, failed + 0, ignored + 0 }' "$1")
  ((ignored == 0)) || stage_remark="$ignored long ones left out (--long runs them)"
}

stage_lit() {
  local status=0 filter options=()
  if ((${#TEST_FILTERS[@]} > 0)); then
    filter=$(IFS='|' && printf '%s' "${TEST_FILTERS[*]}")
    options+=(--filter "$filter" --allow-empty-runs)
  fi
  [[ $TEST_LONG == false ]] || options+=(--param long=1)
  run_lit "${options[@]}" lit-tests || status=$?
  return "$status"
}

# run_lit OPTION… FOLDER: runs lit, and adds to what passed and failed.
run_lit() {
  local status=0 passed failed skipped results="$LOGS/lit.json"
  rm -f -- "$results"
  "$LLVM/bin/lit" -sv --no-progress-bar --timeout "$LIT_TEST_LIMIT" -o "$results" "$@" || status=$?
  [[ -f $results ]] || return "$status"
  read -r passed failed skipped < <(python tools/x/lit_totals.py "$results")
  stage_passed=$((stage_passed + passed))
  stage_failed=$((stage_failed + failed))
  ((skipped == 0)) || stage_remark="$skipped unsupported here"
  return "$status"
}

stage_tutorial() {
  local status=0
  local other pages=("${TUTORIAL_PAGES[@]}")
  while IFS= read -r -d '' other; do
    if grep -q '^```console' "$other" && [[ " ${pages[*]} " != *" $other "* ]]; then
      pages+=("$other")
    fi
  done < <(source_files 'docs/src/*.md')
  PATH="$RELEASE:$PATH" python tools/x/tutorial.py "${pages[@]}" || status=$?
  count_marks "$LOGS/tutorial.log"
  return "$status"
}

stage_examples() {
  local status=0
  python examples/check.py || status=$?
  count_marks "$LOGS/examples.log"
  return "$status"
}

# Programs without optional transformations.
stage_disabled() {
  local status=0 options=(--sample "$DISABLED_SAMPLE")
  [[ $TEST_LONG == false ]] || options=()
  python examples/check.py --target disabled "${options[@]}" || status=$?
  count_marks "$LOGS/disabled.log"
  return "$status"
}

# Passes that change no result, between those of the compiler.
stage_between() {
  local status=0 options=(--sample "$BETWEEN_SAMPLE") seeds=$BETWEEN_SEEDS
  [[ $TEST_LONG == false ]] || options=() seeds=$BETWEEN_SEEDS_LONG
  python examples/check.py --target between "${options[@]}" || status=$?
  count_marks "$LOGS/between.log"
  one_test 'random programs' "$RELEASE/comb-fuzz" --between --seeds "$seeds" || status=1
  return "$status"
}

# Kernels for GPUs, as PTX that an emulated driver interprets.
stage_gpu() {
  local status=0 seeds=$FUZZ_SEEDS_GPU
  [[ $TEST_LONG == false ]] || seeds=$FUZZ_SEEDS_LONG
  export COMB_CUDA_LIBRARY="$RELEASE/libcomb_ptx.so"
  python examples/check.py --target nvvm || status=$?
  count_marks "$LOGS/gpu.log"
  one_test 'random programs' "$RELEASE/comb-fuzz" --gpu --seeds "$seeds" || status=1
  COMB_PTX_ORDER=reverse one_test 'random programs, threads backwards' \
    "$RELEASE/comb-fuzz" --gpu --seeds "$seeds" || status=1
  unset COMB_CUDA_LIBRARY
  return "$status"
}

# The benchmarks' own logic; nothing is timed, and no GPU is needed.
stage_benchmark() {
  local status=0
  COMB="$RELEASE/comb" python benchmarks/cpu/tests/run.py || status=$?
  COMB="$RELEASE/comb" COMB_CUDA_LIBRARY="$RELEASE/libcomb_ptx.so" \
    python benchmarks/gpu/tests/run.py || status=$?
  count_marks "$LOGS/benchmark.log"
  return "$status"
}

stage_downstream() {
  local script status=0 scripts=(examples/downstream/*/run.sh)
  [[ -f ${scripts[0]} ]] || { say 'there is no examples/downstream/*/run.sh'; return 1; }
  # That comb's crates ask for all features that they need. Other crates of the workspace ask for
  # more, which a project elsewhere does not have.
  if [[ $TEST_LONG == true ]]; then
    one_test 'features of melior-compiler' cargo check --release --package melior-compiler || status=1
  fi
  for script in "${scripts[@]}"; do
    one_test "$script" bash "$script" || status=1
  done
  return "$status"
}

# Runs a command as one test of the stage, which has a name.
one_test() {
  local name=$1
  say "-- $name"
  if "${@:2}"; then
    stage_passed=$((stage_passed + 1))
  else
    say "FAIL $name"
    stage_failed=$((stage_failed + 1))
    return 1
  fi
}

stage_fuzz() {
  local seeds=$FUZZ_SEEDS
  [[ $TEST_LONG == false ]] || seeds=$FUZZ_SEEDS_LONG
  "$RELEASE/comb-fuzz" --seeds "$seeds" || return
  stage_passed=1
  stage_remark="$seeds random programs of each kind"
}

# Random programs of StableHLO, all ways that comb has against each other: `./x fuzz --stablehlo`
# compares them with StableHLO's interpreter, too.
stage_stablehlo() {
  local seeds=$FUZZ_SEEDS_STABLEHLO
  [[ $TEST_LONG == false ]] || seeds=$FUZZ_SEEDS_STABLEHLO_LONG
  python tools/stablehlo-fuzz/fuzz.py --comb "$RELEASE/comb" --agree --first 0 --seeds "$seeds" || return
  stage_passed=1
  stage_remark="$seeds random programs"
}

# Compiled programs that are watched for faults of the compiler; see watched.py.
stage_address() { watch_programs address; }
stage_thread() { watch_programs thread; }
stage_valgrind() { watch_programs valgrind; }

# watch_programs WATCHER: the examples, the tests of loops, and random programs.
watch_programs() {
  local watcher=$1 status=0 LIT_TEST_LIMIT=$LIT_TEST_LIMIT_WATCHED
  python examples/check.py --target "$watcher" || status=1
  count_marks "$LOGS/$watcher.log"
  run_lit --param "watcher=$watcher" lit-tests/loops || status=1
  one_test 'random programs' "$RELEASE/comb-fuzz" --watch "$watcher" --seeds "$FUZZ_SEEDS_WATCHED" || status=1
  return "$status"
}

# The runtime library's own tests, its Rust and its C with AddressSanitizer, and its
# C with what of UndefinedBehaviorSanitizer needs no library. The compiler is the
# stable one, which takes the option when it passes for a nightly one.
stage_runtime() {
  local status=0
  RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CC=clang-22 ASAN_OPTIONS=allocator_may_return_null=1 \
    CFLAGS='-fsanitize=address,undefined -fsanitize-trap=undefined' \
    CARGO_TARGET_DIR="$ROOT/target/sanitized" \
    cargo test --package comb-runtime --target x86_64-unknown-linux-gnu \
    --lib --test abi --test inputs --test npy || status=$?
  count_cargo "$LOGS/runtime.log"
  return "$status"
}

# Functions such as exp, at all f32. What is found is there for `./x bench math`.
stage_accuracy() {
  python tools/x/math_accuracy.py --build "$RELEASE" --llvm "$LLVM" \
    --keep "$ROOT/target/bench/accuracy.json" --stride 1 --count "$ACCURACY_ARGUMENTS" || return
  stage_passed=1
}

stage_lint() {
  local status=0
  run_lint "${LINT_CHECKS[@]}" || status=$?
  count_marks "$LOGS/lint.log"
  return "$status"
}
