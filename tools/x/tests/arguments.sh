# shellcheck shell=bash
# shellcheck disable=SC2034 # the harness reads COMMAND
# Wrong arguments are refused with the usage before anything is done.

test_no_command() {
  x
  expect 2 'which command?' 'usage: ./x'
}

test_unknown_command() {
  x frobnicate
  expect 2 "unknown command 'frobnicate'" 'usage: ./x'
}

test_help() {
  x help
  expect 0 'usage: ./x'
}

test_unknown_options() {
  local arguments
  fakes FAKE_MISSING=cmake
  for arguments in 'build --fast' 'install' 'install a b' 'demo now' 'test --quick' 'docs --all' \
    'docs --check twice' 'doctor all' 'fuzz' 'fuzz --seconds' 'fuzz --seconds soon' \
    'fuzz --seconds 0' 'fuzz --stablehlo' 'lint nonsense' 'lint --fix links' 'bench' 'bench all' \
    'bench fusion --slow' 'bench cpu --slow' 'bench cpu --peers' 'bench cpu --peers --quick' \
    'bench cpu --cpu' 'bench cpu c' 'bench jax --slow' 'bench jax --functions' \
    'bench jax --functions --quick' 'bench ablation --quick' 'bench ablation --sizes' 'bench compile --quick' 'bench math --quick'; do
    # shellcheck disable=SC2086 # words are arguments
    x $arguments
    expect 2 'usage: ./x'
  done
  expect_calls ''
}

test_through_a_link() {
  ln -s "$REPOSITORY/x" "$SCRATCH/state/link"
  COMMAND="$SCRATCH/state/link"
  x help
  expect 0 'usage: ./x'
}
