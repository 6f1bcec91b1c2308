# shellcheck shell=bash
# ./x demo: set-up, build, then a program on the rows of a photograph. Its
# result is compared with one that was computed without comb, and made a picture.

DEMO_PROGRAM=examples/singleLoop.mlir
DEMO_INPUT=examples/data/camera-rows.npy
DEMO_REFERENCE=examples/reference/singleLoop-camera-rows.npy

command_demo() {
  (($# == 0)) || usage_error "demo takes no '$1'"
  ensure_setup
  build || die 'the build failed (see above)'
  run_demo
}

run_demo() {
  local result=target/x/demo/result.npy picture=target/x/demo/result.png
  local arguments=(run "$DEMO_PROGRAM" -i "as=$DEMO_INPUT" -o "result=$result" --repeat 20)
  mkdir -p -- "${result%/*}"
  rm -f -- "$result" "$picture"
  say '' "\$ target/release/comb ${arguments[*]}"
  "$RELEASE/comb" "${arguments[@]}" || die 'the demonstration failed (see above)'
  say '' 'Comparing every bit with the reference, which plain Python computed:'
  python examples/reference/compare.py "$result" "$DEMO_REFERENCE" ||
    die "the result $result differs from $DEMO_REFERENCE"
  python examples/reference/picture.py "$result" "$picture" ||
    die "no picture could be made of $result"
  say "The result is right. It is in $result, and as a picture in $picture."
}
