# shellcheck shell=bash
# The test stages: counting, filters, and that no failure is hidden.

# only STAGE…: the scratch repository's ./x test runs these stages.
only() { redefine test "TEST_STAGES=($*)"; }

PASSING='test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 1 filtered out; finished in 0.01s\n'
FAILING='test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n'

test_totals_of_cargo() {
  only cargo
  fakes FAKE_RESULTS="$PASSING$PASSING"
  x test
  expect 0 '4 long ones left out'
  expect_last_line '6 passed, 0 failed'
}

test_failing_tests_fail_and_show_the_log() {
  only cargo
  fakes FAKE_RESULTS="a panic's message\n$PASSING$FAILING" FAKE_CARGO_FAILS='test'
  x test
  expect 1 "a panic's message" 'Failed stages: cargo'
  expect_last_line '4 passed, 2 failed'
}

test_tests_that_do_not_compile_fail() {
  only cargo
  fakes FAKE_CARGO_FAILS='test'
  x test
  expect 1 'Failed stages: cargo'
  expect_last_line '0 passed, 1 failed'
}

test_a_failing_build_fails() {
  only cargo
  fakes FAKE_RESULTS="$PASSING" FAKE_CARGO_FAILS='build'
  x test
  expect 1 'Failed stages: build'
  expect_last_line '0 passed, 1 failed'
}

test_no_test_at_all_fails() {
  only cargo
  x test
  expect 1 'No test ran.'
  expect_last_line '0 passed, 0 failed'
}

test_every_stage_fails_when_its_subject_is_missing() {
  local stage
  for stage in lit tutorial examples disabled between benchmark downstream fuzz stablehlo address thread valgrind accuracy; do
    x test "$stage"
    expect 1 "Failed stages: $stage"
  done
}

test_later_stages_run_after_a_failure() {
  only downstream cargo
  fakes FAKE_RESULTS="$PASSING"
  x test
  expect 1 'Failed stages: downstream'
  expect_last_line '3 passed, 1 failed'
}

test_downstream_examples_are_counted() {
  file examples/downstream/good/run.sh 'true\n'
  file examples/downstream/bad/run.sh 'echo the reason; exit 3\n'
  x test downstream
  expect 1 'the reason' 'FAIL examples/downstream/bad/run.sh'
  expect_last_line '1 passed, 1 failed'
}

test_examples_are_counted() {
  file examples/check.py 'print("ok   a\\nok   b\\nFAIL c\\nthe reason"); raise SystemExit(1)\n'
  x test examples
  expect 1 'the reason' 'Failed stages: examples'
  expect_last_line '2 passed, 1 failed'
}

test_lit_is_counted() {
  only lit
  file lit-tests/lit.cfg.py 'import lit.formats\nconfig.name = "scratch"\nconfig.suffixes = [".test"]\nconfig.test_format = lit.formats.ShTest()\n'
  file lit-tests/good.test '# RUN: true\n'
  file lit-tests/bad.test '# RUN: false\n'
  file lit-tests/elsewhere.test '# RUN: false\n# UNSUPPORTED: true\n'
  x test lit
  expect 1 'Failed stages: lit' '1 unsupported here'
  expect_last_line '1 passed, 1 failed'
  x test good
  expect 0
  expect_last_line '1 passed, 0 failed'
  x test neither
  expect 1 'No test ran.'
  expect_last_line '0 passed, 0 failed'
}

test_watched_programs_are_counted() {
  file lit-tests/lit.cfg.py 'import lit.formats\nconfig.name = "scratch"\nconfig.suffixes = [".test"]\nconfig.test_format = lit.formats.ShTest()\nconfig.available_features.add(lit_config.params["watcher"])\n'
  file lit-tests/loops/good.test '# RUN: true\n# REQUIRES: thread\n'
  file lit-tests/loops/bad.test '# RUN: false\n'
  file lit-tests/elsewhere/bad.test '# RUN: false\n'
  file examples/check.py 'import sys\nassert sys.argv[1:] == ["--target", "thread"]\nprint("ok   a\\nok   b\\nFAIL c")\nraise SystemExit(1)\n'
  file target/release/comb-fuzz '#!/bin/sh\n[ "$*" = "--watch thread --seeds 300" ]\n'
  chmod +x "$REPOSITORY/target/release/comb-fuzz"
  x test thread
  expect 1 'Failed stages: thread'
  expect_last_line '4 passed, 2 failed'
}

test_the_runtime_library_is_tested_with_a_sanitizer() {
  fakes FAKE_RESULTS="$PASSING"
  x test runtime
  expect 0
  expect_last_line '3 passed, 0 failed'
  fakes FAKE_RESULTS="$FAILING" FAKE_CARGO_FAILS='test'
  x test runtime
  expect 1 'Failed stages: runtime'
}

test_only_long_tests_need_more_packages() {
  only cargo
  fakes FAKE_RESULTS="$PASSING" FAKE_USER=1000 FAKE_MISSING=valgrind
  x test
  expect 0
  x test --long
  expect 1 '1 packages are missing' 'valgrind'
  x test valgrind
  expect 1 '1 packages are missing' 'valgrind'
}

test_fuzz_is_run_with_seeds() {
  file target/release/comb-fuzz '#!/bin/sh\n[ "$*" = "--seeds 200" ]\n'
  chmod +x "$REPOSITORY/target/release/comb-fuzz"
  x test fuzz
  expect 0
  expect_last_line '1 passed, 0 failed'
  x test --long fuzz
  expect 1 'Failed stages: fuzz'
}
