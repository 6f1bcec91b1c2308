# shellcheck shell=bash
# The object that is made of the runtime library.

# library TEXT: a runtime library of a C program.
library() {
  file target/release/library.c "$1"
  (
    cd -- "$REPOSITORY/target/release" &&
      clang-22 -c -ffunction-sections library.c -o library.o &&
      ar rc libcomb_runtime.a library.o
  )
}

test_build_makes_an_object_of_the_runtime_library() {
  library 'int helper(void) { return 1; }\nint unused(void) { return 2; }\nint comb_f(void) { return helper(); }\n'
  x build
  local symbols
  symbols=$(nm -- "$REPOSITORY/target/release/comb_runtime.o")
  [[ $symbols == *' T comb_f'* && $symbols == *' t helper'* && $symbols != *unused* ]] || wrong "$symbols"
}

test_build_of_a_damaged_runtime_library() {
  file target/release/libcomb_runtime.a 'no library'
  x build
  expect 1 'the build failed'
  compgen -G "$REPOSITORY/target/release/comb_runtime.o*" && wrong 'files are left'
  true
}
