# shellcheck shell=bash
# Missing packages: root installs them, others read the exact command.

INSTALL='apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300'

test_user_reads_the_command() {
  local command
  for command in build test demo docs 'fuzz --seconds 1' 'bench fusion' lint; do
    fakes FAKE_USER=1000 FAKE_MISSING='lld-22 g++'
    # shellcheck disable=SC2086 # words are arguments
    x $command
    expect 1 '2 packages are missing' "sudo apt-get update && sudo $INSTALL lld-22 g++"
  done
  expect_calls ''
}

test_root_installs() {
  fakes FAKE_MISSING='lld-22 g++'
  x build
  expect 0 'Installing 2 packages: lld-22 g++'
  expect_calls "$INSTALL lld-22 g++"
}

test_nothing_missing_installs_nothing() {
  x build
  expect 0
  refuse Installing
  expect_calls ''
}

test_unknown_package_refreshes_the_lists() {
  fakes FAKE_MISSING=lld-22 FAKE_LISTS=empty
  x build
  expect 0
  expect_calls "apt-get update"$'\n'"$INSTALL lld-22"
}

test_interrupted_installation_is_finished() {
  fakes FAKE_MISSING=cmake FAKE_HALF=cmake
  x build
  [[ $(calls) == 'dpkg --configure -a'* ]] || wrong "calls: $(calls)"
}

test_half_installed_counts_as_missing() {
  fakes FAKE_USER=1000 FAKE_HALF=cmake
  x build
  expect 1 "sudo $INSTALL cmake"
}

test_lock_is_named() {
  fakes FAKE_MISSING=cmake
  fakes FAKE_APT_ERROR='E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)'
  x build
  expect 1 'held by process 7' 'another program is using apt' "sudo $INSTALL cmake"
}

test_locked_lists_are_waited_for() {
  redefine requirements 'LISTS_LOCK_RETRY_SECONDS=0'
  fakes FAKE_MISSING=cmake FAKE_LISTS=empty FAKE_LISTS_LOCKED=true
  x build
  expect 0
  expect_calls "apt-get update"$'\n'"apt-get update"$'\n'"$INSTALL cmake"
}

test_lists_that_stay_locked_are_named() {
  redefine requirements 'LISTS_LOCK_SECONDS=0'
  fakes FAKE_MISSING=cmake FAKE_LISTS=empty FAKE_LISTS_LOCKED=true
  x build
  expect 1 'another program is using apt'
  expect_calls 'apt-get update'
}

test_missing_source_is_named() {
  fakes FAKE_MISSING=lld-22 FAKE_APT_ERROR='E: Unable to locate package lld-22'
  x build
  expect 1 'bookworm-security main'
}

test_other_system_with_everything() {
  redefine requirements 'is_debian_12() { false; }; REQUIRED_FILES=(/bin/sh) REQUIRED_COMMANDS=(sh) REQUIRED_MODULES=(json)'
  fakes FAKE_MISSING=cmake
  x build
  expect 0
  expect_calls ''
}

test_other_system_names_what_is_missing() {
  redefine requirements 'is_debian_12() { false; }; REQUIRED_FILES=(/no/mlir-opt) REQUIRED_COMMANDS=(no-ninja) REQUIRED_MODULES=(no_such)'
  x build
  expect 1 /no/mlir-opt 'no-ninja (command)' 'no_such (Python module)' apt.llvm.org libmlir-22-dev
  expect_calls ''
}
