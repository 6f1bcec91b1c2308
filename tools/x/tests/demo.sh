# shellcheck shell=bash
# The demonstration: its result is compared, and nothing stale passes for it.

# demo_world PROGRAM: a comb that is PROGRAM, and a comparison by bytes.
demo_world() {
  file target/release/comb "#!/bin/sh\n$1\n"
  chmod +x "$REPOSITORY/target/release/comb"
  file examples/reference/singleLoop-camera-rows.npy 'right'
  file examples/reference/compare.py 'import sys\na, b = (open(name).read() for name in sys.argv[1:])\nsys.exit(a != b)\n'
  file examples/reference/picture.py 'import sys\nopen(sys.argv[2], "w").write(open(sys.argv[1]).read())\n'
}

test_demo_with_the_right_result() {
  demo_world 'printf right >target/x/demo/result.npy'
  x demo
  expect 0 'comb run examples/singleLoop.mlir -i as=examples/data/camera-rows.npy' 'The result is right.'
  [[ $(<"$REPOSITORY/target/x/demo/result.png") == right ]]
}

test_demo_with_a_wrong_result() {
  demo_world 'printf wrong >target/x/demo/result.npy'
  x demo
  expect 1 'differs from examples/reference'
  refuse 'The result is right.'
}

test_demo_that_writes_nothing() {
  demo_world true
  file target/x/demo/result.npy right
  x demo
  expect 1
  refuse 'The result is right.'
}

test_demo_whose_program_fails() {
  demo_world 'exit 3'
  x demo
  expect 1 'the demonstration failed'
}
