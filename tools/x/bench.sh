# shellcheck shell=bash
# ./x bench fusion: how fast fusion problems are solved, against other solvers.
# ./x bench cpu: how fast compiled programs are, against C and other compilers.
# ./x bench unseen: how fast programs are that comb was not tuned for, against C.
# ./x bench memory: what it is worth that arrays are computed where they go.
# ./x bench jax: how fast functions of JAX are, against JAX's compiler.
# ./x bench ablation: what each optional transformation is worth.
# ./x bench compile: how long it takes to the first result of a program.
# ./x bench math: how accurate and how fast functions are, against the C library.

command_bench() {
  local what=${1:-}
  case $what in
    fusion | cpu | unseen | memory | jax | ablation | compile | math) ;;
    *) usage_error 'bench needs to know what: fusion, cpu, unseen, memory, jax, ablation, compile or math' ;;
  esac
  shift
  "check_options_of_bench_$what" "$@"
  "bench_$what" "$@"
}

check_options_of_bench_fusion() {
  local option
  for option in "$@"; do
    [[ $option == --quick ]] || usage_error "bench fusion takes no '$option'"
  done
}

bench_fusion() {
  build_comb
  python tools/x/bench_fusion.py --comb "$RELEASE/comb" --output "$ROOT/target/bench" "$@"
}

check_options_of_bench_compile() {
  (($# == 0)) || usage_error "bench compile takes no '$1'"
}

bench_compile() {
  build_comb
  python benchmarks/cpu/first_result.py --comb "$RELEASE/comb" --output "$ROOT/target/bench" \
    --page "$ROOT/docs/src"
}

check_options_of_bench_math() {
  (($# == 0)) || usage_error "bench math takes no '$1'"
}

bench_math() {
  build_comb
  python tools/x/math_accuracy.py --build "$RELEASE" --llvm "$LLVM" \
    --keep "$ROOT/target/bench/accuracy.json" --page docs/src/math.md
}

build_comb() {
  ensure_setup
  build || die 'the build failed (see above)'
}

check_options_of_bench_cpu() {
  while (($# > 0)); do
    case $1 in
      --quick | --prepare | --page) ;;
      --peers | --programs | --sizes | --threads | --cpu)
        [[ -n ${2:-} && $2 != -* ]] || usage_error "bench cpu needs names or numbers after $1"
        shift
        ;;
      *) usage_error "bench cpu takes no '$1'" ;;
    esac
    shift
  done
}

# Environments and data, some 15 GB, are kept in COMB_BENCH_CACHE, or else in
# target/bench. The page is made of what was measured before.
bench_cpu() {
  local -a run=(python benchmarks/cpu/run.py --output "$ROOT/target/bench" --book "$ROOT/docs/src")
  if [[ " $* " == *' --page '* ]]; then
    "${run[@]}" "$@"
    return
  fi
  build_comb
  ensure_virtual_environments
  "${run[@]}" --comb "$RELEASE/comb" --suite "$ROOT/examples/suite" \
    --cache "${COMB_BENCH_CACHE:-$ROOT/target/bench}" "$@"
}

check_options_of_bench_unseen() {
  check_options_of_bench_ablation "$@"
}

bench_unseen() {
  bench_table against_c.py unseen "$@"
}

check_options_of_bench_memory() {
  check_options_of_bench_ablation "$@"
}

bench_memory() {
  bench_table in_place.py memory "$@"
}

# A table of programs of its own, in a folder. The environment and the data are those of bench cpu.
bench_table() {
  local -a run=(python "benchmarks/cpu/$1" --output "$ROOT/target/bench")
  local suite=$ROOT/benchmarks/cpu/$2
  shift 2
  if [[ " $* " == *' --page '* ]]; then
    "${run[@]}" --book "$ROOT/docs/src" "$@"
    return
  fi
  build_comb
  ensure_virtual_environments
  "${run[@]}" --comb "$RELEASE/comb" --suite "$suite" \
    --cache "${COMB_BENCH_CACHE:-$ROOT/target/bench}" "$@"
}

check_options_of_bench_jax() {
  while (($# > 0)); do
    case $1 in
      --quick | --page) ;;
      --functions | --threads)
        [[ -n ${2:-} && $2 != -* ]] || usage_error "bench jax needs names or numbers after $1"
        shift
        ;;
      *) usage_error "bench jax takes no '$1'" ;;
    esac
    shift
  done
}

# The environment and what JAX exports are kept where those of bench cpu are.
bench_jax() {
  local -a run=(python benchmarks/cpu/against_jax.py --output "$ROOT/target/bench")
  if [[ " $* " == *' --page '* ]]; then
    "${run[@]}" --book "$ROOT/docs/src" "$@"
    return
  fi
  build_comb
  ensure_virtual_environments
  "${run[@]}" --comb "$RELEASE/comb" --cache "${COMB_BENCH_CACHE:-$ROOT/target/bench}" "$@"
}

check_options_of_bench_ablation() {
  while (($# > 0)); do
    case $1 in
      --page) ;;
      --programs | --sizes | --threads)
        [[ -n ${2:-} && $2 != -* ]] || usage_error "bench $what needs names or numbers after $1"
        shift
        ;;
      *) usage_error "bench $what takes no '$1'" ;;
    esac
    shift
  done
}

# The environment and the data are those of bench cpu.
bench_ablation() {
  local -a run=(python benchmarks/cpu/ablation.py --output "$ROOT/target/bench" --book "$ROOT/docs/src")
  if [[ " $* " == *' --page '* ]]; then
    "${run[@]}" "$@"
    return
  fi
  build_comb
  ensure_virtual_environments
  "${run[@]}" --comb "$RELEASE/comb" --suite "$ROOT/examples/suite" \
    --cache "${COMB_BENCH_CACHE:-$ROOT/target/bench}" "$@"
}

# Debian has the part of Python that makes virtual environments in a package
# of its own.
ensure_virtual_environments() {
  python -c 'import ensurepip' 2>/dev/null && return
  if is_debian_12 && is_root; then
    install_packages python3-venv
  else
    die 'Python cannot make virtual environments; on Debian install python3-venv'
  fi
}
