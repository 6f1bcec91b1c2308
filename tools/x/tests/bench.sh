# shellcheck shell=bash
# ./x bench cpu, jax, ablation and compile: what is handed to the runner, and what comes back.

# bench_world CODE: a comb, and a runner that prints its arguments and ends so.
bench_world() {
  file target/release/comb '#!/bin/sh\n'
  chmod +x "$REPOSITORY/target/release/comb"
  file benchmarks/cpu/run.py "import sys\nprint(' '.join(sys.argv[1:]))\nsys.exit($1)\n"
  redefine bench 'ensure_virtual_environments() { :; }'
}

test_bench_compile_writes_its_page() {
  bench_world 0
  file benchmarks/cpu/first_result.py "import sys\nprint(' '.join(sys.argv[1:]))\n"
  x bench compile
  expect 0 "--comb $REPOSITORY/target/release/comb --output $REPOSITORY/target/bench" \
    "--page $REPOSITORY/docs/src"
}

test_bench_cpu_hands_options_on() {
  bench_world 0
  x bench cpu --quick --peers c,jax
  expect 0 "--comb $REPOSITORY/target/release/comb" "--suite $REPOSITORY/examples/suite" \
    "--cache $REPOSITORY/target/bench" '--quick --peers c,jax'
}

test_bench_cpu_prepares() {
  bench_world 0
  x bench cpu --prepare --threads 1,2
  expect 0 "--output $REPOSITORY/target/bench" '--prepare --threads 1,2'
}

test_bench_cpu_keeps_its_cache_elsewhere() {
  bench_world 0
  fakes COMB_BENCH_CACHE="$SCRATCH/cache"
  x bench cpu
  expect 0 "--cache $SCRATCH/cache"
}

test_bench_cpu_fails_when_the_runner_does() {
  bench_world 1
  x bench cpu
  expect 1
}

test_bench_cpu_page_builds_nothing() {
  bench_world 0
  fakes FAKE_MISSING=cmake FAKE_CARGO_FAILS=build
  x bench cpu --page --cpu znver3
  expect 0 "--output $REPOSITORY/target/bench --book $REPOSITORY/docs/src --page --cpu znver3"
  expect_calls ''
}

test_bench_cpu_without_virtual_environments() {
  bench_world 0
  redefine bench 'ensure_virtual_environments() { die "no virtual environments"; }'
  x bench cpu
  expect 1 'no virtual environments'
  refuse '--cache'
}

# jax_world CODE: the same for ./x bench jax.
jax_world() {
  bench_world "$1"
  file benchmarks/cpu/against_jax.py "import sys\nprint(' '.join(sys.argv[1:]))\nsys.exit($1)\n"
}

test_bench_jax_hands_options_on() {
  jax_world 0
  x bench jax --quick --functions softmax,sort --threads 1
  expect 0 "--output $REPOSITORY/target/bench" "--comb $REPOSITORY/target/release/comb" \
    "--cache $REPOSITORY/target/bench" '--quick --functions softmax,sort --threads 1'
}

test_bench_jax_keeps_its_cache_elsewhere() {
  jax_world 0
  fakes COMB_BENCH_CACHE="$SCRATCH/cache"
  x bench jax
  expect 0 "--cache $SCRATCH/cache"
}

test_bench_jax_fails_when_the_runner_does() {
  jax_world 1
  x bench jax
  expect 1
}

test_bench_jax_page_builds_nothing() {
  jax_world 0
  fakes FAKE_MISSING=cmake FAKE_CARGO_FAILS=build
  x bench jax --page
  expect 0 "--output $REPOSITORY/target/bench --book $REPOSITORY/docs/src --page"
  expect_calls ''
}

# ablation_world CODE: the same for ./x bench ablation.
ablation_world() {
  bench_world "$1"
  file benchmarks/cpu/ablation.py "import sys\nprint(' '.join(sys.argv[1:]))\nsys.exit($1)\n"
}

test_bench_ablation_hands_options_on() {
  ablation_world 0
  x bench ablation --programs heat,lbm --sizes large --threads 1
  expect 0 "--output $REPOSITORY/target/bench --book $REPOSITORY/docs/src" \
    "--comb $REPOSITORY/target/release/comb --suite $REPOSITORY/examples/suite" \
    "--cache $REPOSITORY/target/bench" '--programs heat,lbm --sizes large --threads 1'
}

test_bench_ablation_fails_when_the_runner_does() {
  ablation_world 1
  x bench ablation
  expect 1
}

test_bench_ablation_page_builds_nothing() {
  ablation_world 0
  fakes FAKE_MISSING=cmake FAKE_CARGO_FAILS=build
  x bench ablation --page
  expect 0 "--output $REPOSITORY/target/bench --book $REPOSITORY/docs/src --page"
  expect_calls ''
}
