# shellcheck shell=bash
# The doctor names what is missing and what to do about it.

# What was found outside the packages is the machine's affair.
doctor_without_machine() {
  redefine doctor 'doctor_llvm() { :; }; doctor_machine() { :; }; doctor_tools() { :; }'
}

test_doctor_in_good_health() {
  doctor_without_machine
  x doctor
  expect 0 'libmlir-22-dev' 'Everything needed is in place.'
  refuse MISSING
}

test_doctor_reports_a_package() {
  doctor_without_machine
  fakes FAKE_MISSING='g++ lld-22'
  x doctor
  expect 1 "2 missing" "sudo $INSTALL g++ lld-22"
  expect_calls ''
}

test_doctor_reports_a_tool() {
  redefine doctor 'doctor_llvm() { doctor_command no-such-tool-22 clang-22; }; doctor_machine() { :; }'
  x doctor
  expect 1 'MISSING  no-such-tool-22' "sudo $INSTALL clang-22" '1 missing'
}

test_doctor_reports_old_rust() {
  doctor_without_machine
  fakes FAKE_CARGO=1.60.0
  x doctor
  expect 1 'MISSING  cargo' 'found 1.60.0, 1.88 or newer needed' rustup
}

test_doctor_reports_missing_components() {
  doctor_without_machine
  fakes FAKE_CARGO_FAILS=clippy
  x doctor
  expect 1 'MISSING  clippy' 'rustup component add'
}

test_doctor_on_another_system() {
  doctor_without_machine
  redefine requirements 'is_debian_12() { false; }; REQUIRED_FILES=(/no/mlir-opt) REQUIRED_COMMANDS=()'
  x doctor
  expect 1 'MISSING  /no/mlir-opt' '1 missing'
}
